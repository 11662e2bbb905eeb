import type { OwnSecondFactor } from '#contract/identity/second-factor/second-factor.ts'
import { clock } from '#server/clock.ts'
import type { Actor, Visit } from '#server/http/actor.ts'
import { conflict, notFound, refused } from '#server/http/failure.ts'
import { startAuthenticator, confirmAuthenticator, removeAuthenticator } from './authenticators.ts'
import { renewBackupCodes } from './backup-codes.ts'
import { refuseWhileImpersonating } from '../user-types/grant-limits.ts'
import { noteEvent } from '../events.ts'
import { coverEmail, readFactors, otpChannels, type UserRow } from './factor-state.ts'
import type { Identity } from '../identity.ts'
import { refuseWrongPassword } from '../passwords/own-password.ts'
import { productTitle } from '../mail-words.ts'
import { readRecipient } from '../passwords/password-mails.ts'
import { timeSecretUri } from './time-codes.ts'
import { forgetDevice, listDevices } from './trusted-devices.ts'

/** The actor's own second factor: never somebody else's, in whose skin they may be. */
export async function readOwnFactors(
  identity: Identity,
  visit: Visit,
  actor: Actor,
): Promise<OwnSecondFactor> {
  refuseWhileImpersonating(actor)
  const person = userOf(actor)
  const [state, devices] = await Promise.all([
    readFactors(identity.iam, person),
    listDevices(identity.iam, visit, person),
  ])
  if (state === null) throw notFound('Person')
  const ways = await otpChannels(identity, state)
  const isMailed = ways.some(({ type }) => type === 'email')
  const { isRequired, authenticatorAt, backupCodesLeft } = state
  return {
    isRequired,
    mailTo: isMailed ? coverEmail(state.email) : null,
    authenticatorAt,
    backupCodesLeft,
    devices,
  }
}

/** @throws Failure 400 on password, 409 when an authenticator is on. */
export async function startOwn(identity: Identity, visit: Visit, actor: Actor, password: string) {
  await admit(identity, visit, actor, password)
  const person = userOf(actor)
  const [secret, recipient] = await Promise.all([
    startAuthenticator(identity, person),
    readRecipient(identity.iam, person),
  ])
  const title = productTitle(recipient?.title)
  return { secret, uri: timeSecretUri({ secret, userName: actor.userName, title }) }
}

/** @throws Failure 400 on otp. */
export async function confirmOwn(identity: Identity, actor: Actor, otp: string) {
  refuseWhileImpersonating(actor)
  const backupCodes = await confirmAuthenticator(identity, userOf(actor), { otp, now: clock.now() })
  if (backupCodes === null) {
    throw refused('Some fields are not right.', {
      otp: 'This code is not right. Check that the clock of your device is, and take the next one.',
    })
  }
  await note(identity, actor, 'confirmAuthenticator', 'turned on an authenticator')
  return { backupCodes }
}

/** @throws Failure 400 on password, 409 when none is on. */
export async function removeOwn(
  identity: Identity,
  visit: Visit,
  actor: Actor,
  password: string,
): Promise<null> {
  await admit(identity, visit, actor, password)
  if (!(await removeAuthenticator(identity, userOf(actor)))) throw conflict('No authenticator is on.')
  await note(identity, actor, 'removeAuthenticator', 'turned off their authenticator')
  return null
}

/** @throws Failure 400 on password, 409 when no authenticator is on. */
export async function renewOwnCodes(identity: Identity, visit: Visit, actor: Actor, password: string) {
  await admit(identity, visit, actor, password)
  const backupCodes = await renewBackupCodes(identity, userOf(actor))
  if (backupCodes === null) throw conflict('Backup codes come with an authenticator. Turn it on first.')
  await note(identity, actor, 'renewBackupCodes', 'made new backup codes')
  return { backupCodes }
}

/** @throws Failure 404 when it is no device of the actor. */
export async function forgetOwnDevice(identity: Identity, actor: Actor, id: string): Promise<null> {
  refuseWhileImpersonating(actor)
  if (!(await forgetDevice(identity.iam, userOf(actor), id))) throw notFound('Device')
  await note(identity, actor, 'forgetDevice', 'trusts a device no longer')
  return null
}

async function admit(identity: Identity, visit: Visit, actor: Actor, password: string): Promise<void> {
  refuseWhileImpersonating(actor)
  await refuseWrongPassword(identity, visit, actor, {
    password,
    field: 'password',
    wrong: 'This is not your password.',
  })
}

const userOf = ({ userCustomerId, userId }: Actor): UserRow => ({ customerId: userCustomerId, userId })

function note({ iam }: Identity, actor: Actor, call: string, what: string): Promise<void> {
  return noteEvent(iam, {
    customerId: actor.userCustomerId,
    by: actor,
    endpoint: `secondFactor.${call}`,
    table: 'users',
    rowId: actor.userId,
    what,
  })
}
