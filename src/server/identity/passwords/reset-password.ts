import type { Received } from '#contract/endpoint.ts'
import type { auth } from '#contract/identity/auth.ts'
import type { Visit } from '#server/http/actor.ts'
import { refused, tooMany } from '#server/http/failure.ts'
import { noteEvent } from '../events.ts'
import type { Identity } from '../identity.ts'
import { readLink, useLink, type Link } from './password-links.ts'
import { endSessions } from '../sessions/sessions.ts'
import { forgiveBrowsers } from '../sign-in/known-browsers.ts'
import { addressKey, addressWait, countAddressFailure, forgiveAccount } from '../sign-in/sign-in-failures.ts'
import { isDemoOpen } from '../sign-in/sign-in.ts'

const REFUSALS = {
  unknown: 'This link is not one of ours. Was it copied whole?',
  used: 'This link was used already. Sign in, or ask for a new one.',
  replaced: 'A newer mail replaced this link. Use the link of the latest one.',
  expired: 'This link is too old. Ask for a new one.',
} as const

/**
 * Whose password a link sets.
 * @throws Failure 400 on resetValue with the reason, 429 when the address tried too many words.
 */
export async function checkReset(identity: Identity, visit: Visit, word: string) {
  const { userName, firstName, purpose } = await usableLink(identity, visit, word, 'auth.checkReset')
  return { userName, firstName, purpose }
}

/**
 * Sets the password by a link, once; the sessions of the person end, and failed sign-ins are forgotten.
 * @throws Failure as `checkReset`.
 */
export async function resetPassword(
  identity: Identity,
  visit: Visit,
  { resetValue, password }: Received<typeof auth.resetPassword>,
): Promise<null> {
  const link = await usableLink(identity, visit, resetValue, ENDPOINT)
  const hash = await identity.passwords.hash(password)
  // Somebody may have been faster meanwhile: then the link says what it is now.
  if (!(await useLink(identity.iam, resetValue, hash))) {
    await usableLink(identity, visit, resetValue, ENDPOINT)
    throw refuse('used')
  }
  // A sign-in that was under way with the old password may have come out since: it ends, too.
  await endSessions(identity.iam, link, 'password set by a mailed link')
  await forgiveAccount(identity.iam, link.userNameKey)
  await forgiveBrowsers(identity.iam, link)
  await note(identity, link, ENDPOINT, 'set a password by a mailed link', userOf(link))
  return null
}

const ENDPOINT = 'auth.resetPassword'

async function usableLink(identity: Identity, visit: Visit, word: string, endpoint: string): Promise<Link> {
  const { iam, settings } = identity
  const link = await readLink(iam, word)
  const state = link?.isDemo === true && !isDemoOpen(settings, visit) ? 'expired' : link?.state
  // Nobody guesses a right one: whoever has it need not wait for others who fail at the same address.
  if (link !== null && state === 'usable') return link
  const key = addressKey(visit.ip)
  const wait = await addressWait(iam, key, settings.signInFailuresPerMinute)
  if (wait !== null) throw tooMany('Too many tries from this address. Wait a minute and try again.', wait)
  await countAddressFailure(iam, key)
  if (link !== null) await note(identity, link, endpoint, `was refused a link that is ${state}`, null)
  throw refuse(state === undefined || state === 'usable' ? 'unknown' : state)
}

const refuse = (why: keyof typeof REFUSALS) =>
  refused('This link cannot be used.', { resetValue: REFUSALS[why] })

type By = { userId: string; fullName: string; effectiveUserId: string; effectiveFullName: string }

const userOf = ({ userId, fullName }: Link): By => ({
  userId,
  fullName,
  effectiveUserId: userId,
  effectiveFullName: fullName,
})

function note(
  { iam }: Identity,
  { customerId, userId }: Link,
  endpoint: string,
  what: string,
  by: By | null,
): Promise<void> {
  return noteEvent(iam, { customerId, by, endpoint, table: 'users', rowId: userId, what })
}
