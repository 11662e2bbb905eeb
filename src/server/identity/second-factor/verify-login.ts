import { randomUUID } from 'node:crypto'
import { type Kysely } from 'kysely'
import type { Received } from '#contract/endpoint.ts'
import type { OtpSent, OtpChannel, secondFactor } from '#contract/identity/second-factor/second-factor.ts'
import type { Token } from '#contract/identity/sessions/session.ts'
import { clock } from '#server/clock.ts'
import type { DB } from '#server/database/schema.ts'
import type { Actor, Visit } from '#server/http/actor.ts'
import { conflict, refused, tooMany, unauthenticated } from '#server/http/failure.ts'
import { spendTimeCode } from './authenticators.ts'
import { spendBackupCode } from './backup-codes.ts'
import { noteEvent } from '../events.ts'
import { readFactors, otpChannels, type FactorState, type UserRow } from '../credentials/factor-state.ts'
import { clearAttempts, countAttempt, factorPlace, type FactorPlace } from '../credentials/factor-tries.ts'
import type { Identity } from '../identity.ts'
import { mailCode, mailCodeWait, spendMailCode } from './mail-codes.ts'
import { confirmOwn, newSecret } from './my-second-factor.ts'
import { refuseForeignToken } from '../sessions/own-token.ts'
import { readSession, rememberedSeconds, verifySession } from '../sessions/sessions.ts'
import { addressWait, countAddressFailure, formatWait } from '../credentials/sign-in-failures.ts'
import { noteFailedSignIn } from '../sign-in/note-access.ts'
import { noteSignIn } from '../sign-in/sign-in.ts'
import { listSwitchChoices } from '../sessions/switch-choices.ts'
import { notifyAccountOwner } from '../owner-mail.ts'
import { issueToken } from '../sessions/token-issue.ts'
import { fingerprintOf, newCookie } from '../credentials/tokens.ts'
import { trustDevice } from '../credentials/trusted-devices.ts'

const EXPIRED = 'This sign-in has expired. Sign in again.'
const SENTENCES = {
  wrong: 'This code is incorrect.',
  used: 'This code was already used. Wait for the next one.',
  gone: 'This code is no longer valid. Request a new one.',
  setup: 'Set up an authenticator app first.',
  lost: "Your authenticator can't be verified. Use a backup code, or contact your administrator.",
} as const

/** The caller's verification channels, best first; none if they are verified or no second factor is due. */
export async function otpList(identity: Identity, actor: Actor): Promise<OtpChannel[]> {
  const state = actor.isVerified ? null : await readFactors(identity.iam, userOf(actor))
  return state === null ? [] : otpChannels(identity, state)
}

/** @throws Failure 400 on type if it isn't available to the caller, 429 after three emails within ten minutes. */
export async function sendOtp(
  identity: Identity,
  visit: Visit,
  actor: Actor,
  { type }: Received<typeof secondFactor.sendOtp>,
): Promise<OtpSent> {
  const channels = await otpList(identity, actor)
  const state = await readFactors(identity.iam, userOf(actor))
  if (state === null || !channels.some((channel) => channel.type === type)) {
    throw refused('Some fields are invalid.', { type: "This verification method isn't available to you." })
  }
  if (type !== 'email')
    return { isSent: false, failure: null, validUntil: null, sendsLeft: null, waitSeconds: null }
  return mailCode(identity, state, await factorPlace(identity.iam, visit, state))
}

/**
 * Verifies the caller with a code of any of their channels, and replaces their session with a new one.
 * @throws Failure 400 on otp, 429 after too many failures, of the user or from the address. Neither ends the session.
 */
export async function verifyOtp(
  identity: Identity,
  visit: Visit,
  actor: Actor,
  { otp, isTrust, token }: Received<typeof secondFactor.verifyOtp>,
): Promise<Token> {
  const { iam, settings, tokens } = identity
  if (token) await refuseForeignToken(tokens, actor, token)
  if (actor.isVerified) throw rejectCode("You're already signed in.")
  const place = await factorPlace(iam, visit, userOf(actor))
  const { isKnown, network } = place
  const wait = isKnown ? null : await addressWait(iam, network, settings.signInFailuresPerMinute)
  if (wait !== null) throw tooMany('Too many attempts from this address. Wait a minute and try again.', wait)
  const state = await readFactors(iam, userOf(actor))
  const channels = state === null ? [] : await otpChannels(identity, state)
  // The second factor may have been removed since the password was given.
  if (state === null || channels.length === 0) throw rejectCode(EXPIRED)
  if (channels.every(({ type }) => type === 'setup')) throw rejectCode(SENTENCES.setup)

  const seconds = await countAttempt(iam, state, place)
  if (seconds !== null) {
    const sentence = `Too many incorrect codes. Wait ${formatWait(seconds)} and try again.`
    throw tooMany(sentence, seconds, { otp: sentence })
  }
  const outcome = await spendCode(identity, actor, { state, given: otp, place })
  if (outcome !== 'right') {
    if (!isKnown) await countAddressFailure(iam, network)
    await noteFailedSignIn(iam, visit, state, { endpoint: 'secondFactor.verifyOtp', factor: 'code' })
    throw rejectCode(outcome === 'gone' ? await explainGone(iam, state, place) : SENTENCES[outcome])
  }
  await clearAttempts(iam, state, place)
  const answer = await openVerified(identity, visit, actor, 'secondFactor.verifyOtp')
  if (isTrust === true) {
    await trustDevice(iam, visit, state)
    await note(iam, actor, state, 'trusted a device')
  }
  return answer
}

async function explainGone(iam: Kysely<DB>, state: FactorState, place: FactorPlace): Promise<string> {
  const wait = await mailCodeWait(iam, state, place)
  return wait === null
    ? SENTENCES.gone
    : `This code is no longer valid. You can request a new one in ${formatWait(wait)}.`
}

async function spendCode(
  identity: Identity,
  actor: Actor,
  { state, given, place }: { state: FactorState; given: string; place: FactorPlace },
): Promise<'right' | Exclude<keyof typeof SENTENCES, 'setup'>> {
  if (given.length === 6)
    return state.authenticatorAt === null
      ? spendMailCode(identity, state, { given, place })
      : spendTimeCode(identity, state, { given, now: clock.now() })
  if (!(await spendBackupCode(identity, state, given))) return 'wrong'
  await note(identity.iam, actor, state, 'signed in with a backup code')
  await notifyAccountOwner(identity, state, {
    what: `A backup code was used to sign in. ${state.backupCodesLeft - 1} of your codes are left.`,
    origin: actor.origin,
  })
  return 'right'
}

/** @throws Failure 409 unless all the caller can do is set up an authenticator. */
export async function beginSetup(identity: Identity, actor: Actor) {
  await requireSetup(identity, actor)
  return newSecret(identity, actor)
}

/**
 * Turns on the caller's first authenticator, and replaces their session with a verified one.
 * @throws Failure 400 on otp, 409 as `beginSetup`.
 */
export async function finishSetup(
  identity: Identity,
  visit: Visit,
  actor: Actor,
  { token: given, ...code }: Received<typeof secondFactor.finishSetup>,
): Promise<{ backupCodes: string[]; token: Token }> {
  if (given) await refuseForeignToken(identity.tokens, actor, given)
  await requireSetup(identity, actor)
  const { backupCodes } = await confirmOwn(identity, actor, code, 'finishSetup')
  return { backupCodes, token: await openVerified(identity, visit, actor, 'secondFactor.finishSetup') }
}

async function requireSetup(identity: Identity, actor: Actor): Promise<void> {
  const channels = await otpList(identity, actor)
  if (!channels.some(({ type }) => type === 'setup'))
    throw conflict('There is no authenticator to set up here. Sign in again.')
}

/** The verified session has a new ID and cookie, and an organization if there is exactly one. */
async function openVerified(
  identity: Identity,
  visit: Visit,
  actor: Actor,
  endpoint: 'secondFactor.verifyOtp' | 'secondFactor.finishSetup',
): Promise<Token> {
  const { iam, tokens } = identity
  const of = userOf(actor)
  const choices = await listSwitchChoices(iam, of, { most: 2 })
  const only = choices.length === 1 ? choices[0] : undefined
  const before = await readSession(iam, actor.sessionId)
  const id = randomUUID()
  const cookie = before !== null && before.cookieHash !== null ? newCookie(id) : null
  const isOpen = await verifySession(iam, actor.sessionId, {
    id,
    actingCustomerId: only?.customerId ?? of.customerId,
    organizationId: only?.id ?? null,
    cookieHash: cookie === null ? null : fingerprintOf(cookie),
  })
  const session = isOpen ? await readSession(iam, id) : null
  if (session === null) throw unauthenticated(EXPIRED)
  await noteSignIn(iam, visit, of, { endpoint, what: 'signed in with a second factor' })
  if (cookie !== null) {
    visit.setSessionCookies({
      secret: cookie,
      xsrf: tokens.xsrf(id),
      seconds: session.isRemembered ? rememberedSeconds : null,
    })
  }
  return issueToken(identity, session)
}

const userOf = ({ userCustomerId, userId }: Actor): UserRow => ({ customerId: userCustomerId, userId })
const rejectCode = (sentence: string) => refused('Some fields are invalid.', { otp: sentence })

function note(iam: Kysely<DB>, by: Actor, of: UserRow, what: string): Promise<void> {
  return noteEvent(iam, {
    customerId: of.customerId,
    by,
    endpoint: 'secondFactor.verifyOtp',
    table: 'users',
    rowId: of.userId,
    what,
  })
}
