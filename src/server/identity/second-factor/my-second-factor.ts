import type { OwnSecondFactor } from '#contract/identity/second-factor/second-factor.ts'
import type { Token } from '#contract/identity/sessions/session.ts'
import { clock } from '#server/clock.ts'
import type { Actor, Visit } from '#server/http/actor.ts'
import { conflict, notFound, refused, unauthenticated } from '#server/http/failure.ts'
import { startAuthenticator, confirmAuthenticator, removeAuthenticator, setupIdOf } from './authenticators.ts'
import { renewBackupCodes } from './backup-codes.ts'
import { refuseWhileImpersonating } from '../user-types/grant-limits.ts'
import { noteEvent } from '../events.ts'
import { maskEmail, readFactors, otpChannels, type UserRow } from '../credentials/factor-state.ts'
import type { Identity } from '../identity.ts'
import { refuseWrongPassword } from '../credentials/own-password.ts'
import { productTitle } from '../email-format.ts'
import { readRecipient } from '../passwords/password-mails.ts'
import { timeSecretUri } from './time-codes.ts'
import { notifyAccountOwner } from '../owner-mail.ts'
import { endSessions, readSession, unverifySession } from '../sessions/sessions.ts'
import { issueToken } from '../sessions/token-issue.ts'
import { forgetDevice, listDevices } from '../credentials/trusted-devices.ts'

/** The actor's own second factor; never that of an impersonated user. */
export async function readMySecondFactor(
  identity: Identity,
  visit: Visit,
  actor: Actor,
): Promise<OwnSecondFactor> {
  refuseWhileImpersonating(actor)
  const user = userOf(actor)
  const [state, devices] = await Promise.all([
    readFactors(identity.iam, user),
    listDevices(identity.iam, visit, user),
  ])
  if (state === null) throw notFound('User')
  const channels = await otpChannels(identity, state)
  const isMailed = channels.some(({ type }) => type === 'email')
  const [without] = await otpChannels(identity, { ...state, authenticatorAt: null, backupCodesLeft: 0 })
  const { isRequired, authenticatorAt, backupCodesLeft } = state
  return {
    isRequired,
    codeEmail: isMailed ? maskEmail(state.email) : null,
    authenticatorAt,
    backupCodesLeft,
    withoutAuthenticator: without?.type === 'email' || without?.type === 'setup' ? without.type : 'nothing',
    devices,
  }
}

/** @throws Failure 400 on password, 409 if an authenticator is already on. */
export async function startOwn(identity: Identity, visit: Visit, actor: Actor, password: string) {
  await requirePassword(identity, visit, actor, password)
  return newSecret(identity, actor)
}

/** A secret for an app, and its QR code. @throws Failure 409 if an authenticator is already on. */
export async function newSecret(identity: Identity, actor: Actor) {
  const user = userOf(actor)
  const [secret, recipient] = await Promise.all([
    startAuthenticator(identity, user),
    readRecipient(identity.iam, user),
  ])
  const title = productTitle(recipient?.title)
  return {
    secret,
    uri: timeSecretUri({ secret, userName: actor.userName, title }),
    setupId: setupIdOf(secret),
  }
}

const REPLACED =
  'Another set-up was begun since, in another browser or tab, so this QR code no longer counts. Finish that one, or cancel here and start again.'

/** @throws Failure 400 on otp. */
export async function confirmOwn(
  identity: Identity,
  actor: Actor,
  { otp, setupId }: { otp: string; setupId?: string | undefined },
  call: 'confirmAuthenticator' | 'finishSetup' = 'confirmAuthenticator',
) {
  refuseWhileImpersonating(actor)
  const backupCodes = await confirmAuthenticator(identity, userOf(actor), { otp, setupId, now: clock.now() })
  if (backupCodes === 'replaced') throw refused('Some fields are invalid.', { otp: REPLACED })
  if (backupCodes === null) {
    throw refused('Some fields are invalid.', {
      otp: "This code is incorrect. Check that your device's clock is right, then enter the next code.",
    })
  }
  await note(identity, actor, call, 'turned on an authenticator')
  await tell(
    identity,
    actor,
    'An authenticator app was turned on. From now on, signing in asks for its codes.',
  )
  return { backupCodes }
}

/**
 * Turns off the actor's authenticator. If their user type requires a second factor and only a new authenticator can be one,
 * the session waits for it at once, as after a password, and the other sessions end.
 * @returns the token of a session that waits.
 * @throws Failure 400 on password, 409 if none is on.
 */
export async function removeOwn(
  identity: Identity,
  visit: Visit,
  actor: Actor,
  password: string,
): Promise<{ token: Token | null }> {
  await requirePassword(identity, visit, actor, password)
  if (!(await removeAuthenticator(identity, userOf(actor)))) throw conflict('No authenticator is turned on.')
  await note(identity, actor, 'removeAuthenticator', 'turned off their authenticator')
  await tell(
    identity,
    actor,
    'Your authenticator app was turned off, and its backup codes and trusted devices were removed.',
  )
  const state = await readFactors(identity.iam, userOf(actor))
  const channels = state === null ? [] : await otpChannels(identity, state)
  if (!channels.some(({ type }) => type === 'setup')) return { token: null }
  await endSessions(identity.iam, userOf(actor), 'second factor turned off', { except: actor.sessionId })
  await unverifySession(identity.iam, actor.sessionId)
  const session = await readSession(identity.iam, actor.sessionId)
  if (session === null) throw unauthenticated()
  return { token: await issueToken(identity, session) }
}

/** @throws Failure 400 on password, 409 if the actor signs in with neither an authenticator nor emailed codes. */
export async function renewOwnCodes(identity: Identity, visit: Visit, actor: Actor, password: string) {
  await requirePassword(identity, visit, actor, password)
  const user = userOf(actor)
  const state = await readFactors(identity.iam, user)
  const channels = state === null ? [] : await otpChannels(identity, state)
  if (!channels.some(({ type }) => type === 'authenticator' || type === 'email'))
    throw conflict('Backup codes require an authenticator or emailed codes. Turn on an authenticator first.')
  const backupCodes = await renewBackupCodes(identity, user)
  await note(identity, actor, 'renewBackupCodes', 'generated new backup codes')
  await tell(identity, actor, 'New backup codes were generated. Earlier ones no longer work.')
  return { backupCodes }
}

/** @throws Failure 404 if it isn't a device of the actor. */
export async function forgetOwnDevice(identity: Identity, actor: Actor, id: string): Promise<null> {
  refuseWhileImpersonating(actor)
  if (!(await forgetDevice(identity.iam, userOf(actor), id))) throw notFound('Device')
  await note(identity, actor, 'forgetDevice', 'removed a trusted device')
  return null
}

async function requirePassword(
  identity: Identity,
  visit: Visit,
  actor: Actor,
  password: string,
): Promise<void> {
  refuseWhileImpersonating(actor)
  await refuseWrongPassword(identity, visit, actor, {
    password,
    field: 'password',
    wrong: 'This password is incorrect.',
  })
}

const userOf = ({ userCustomerId, userId }: Actor): UserRow => ({ customerId: userCustomerId, userId })

const tell = (identity: Identity, actor: Actor, what: string): Promise<void> =>
  notifyAccountOwner(identity, userOf(actor), { what, origin: actor.origin })

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
