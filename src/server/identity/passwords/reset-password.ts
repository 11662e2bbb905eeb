import { originOf } from '../sign-in/note-access.ts'
import type { Received } from '#contract/endpoint.ts'
import type { auth } from '#contract/identity/auth.ts'
import type { Visit } from '#server/http/actor.ts'
import { refused, tooMany } from '#server/http/failure.ts'
import { noteEvent } from '../events.ts'
import type { Identity } from '../identity.ts'
import { notifyAccountOwner } from '../owner-mail.ts'
import { readLink, useLink, type Link } from './password-links.ts'
import { endSessions } from '../sessions/sessions.ts'
import { clearFactorLimits } from '../credentials/factor-tries.ts'
import { clearBrowserFailures } from '../credentials/known-browsers.ts'
import {
  addressKey,
  addressWait,
  countAddressFailure,
  clearAccountFailures,
} from '../credentials/sign-in-failures.ts'
import { isDemoOpen } from '../sign-in/sign-in.ts'

const REFUSALS = {
  unknown: "This link isn't valid. Make sure you copied the whole link.",
  used: 'This link was already used. Sign in, or request a new one.',
  replaced: 'A newer email replaced this link. Use the link in the latest email.',
  expired: 'This link has expired. Request a new one.',
  closed: "Your access is closed at the moment, so this link doesn't work. Contact your administrator.",
} as const

/**
 * The user whose password a link sets.
 * @throws Failure 400 on resetValue with the reason, 429 after too many failures from the address.
 */
export async function checkReset(identity: Identity, visit: Visit, secret: string) {
  const { userName, firstName, purpose } = await usableLink(identity, visit, secret, 'auth.checkReset')
  return { userName, firstName, purpose }
}

/**
 * Sets the password with a link, once. Ends the user's sessions and clears failed sign-ins and the waits for emailed codes.
 * @throws Failure as `checkReset`.
 */
export async function resetPassword(
  identity: Identity,
  visit: Visit,
  { resetValue, password }: Received<typeof auth.resetPassword>,
): Promise<null> {
  const link = await usableLink(identity, visit, resetValue, ENDPOINT)
  const hash = await identity.passwords.hash(password)
  // A concurrent call may have used the link; this then throws the reason.
  if (!(await useLink(identity.iam, resetValue, hash))) {
    await usableLink(identity, visit, resetValue, ENDPOINT)
    throw refuse('used')
  }
  // A sign-in with the old password may have completed since, so end its session too.
  await endSessions(identity.iam, link, 'password set by a mailed link')
  await clearAccountFailures(identity.iam, link.userNameKey)
  await clearBrowserFailures(identity.iam, link)
  await clearFactorLimits(identity.iam, link)
  await note(identity, link, {
    endpoint: ENDPOINT,
    what: 'set a password with an emailed link',
    by: userOf(link),
    visit,
  })
  if (link.purpose === 'reset') {
    await notifyAccountOwner(identity, link, {
      what: 'Your password was set with a link from an email. All your sessions were ended.',
      origin: originOf(visit),
    })
  }
  return null
}

const ENDPOINT = 'auth.resetPassword'

async function usableLink(identity: Identity, visit: Visit, secret: string, endpoint: string): Promise<Link> {
  const { iam, settings } = identity
  const link = await readLink(iam, secret)
  const state = link?.isDemo === true && !isDemoOpen(settings, visit) ? 'expired' : link?.state
  // A valid secret can't be guessed, so its holder isn't slowed down by failures of others at the same
  // address.
  if (link !== null && state === 'usable') return link
  const key = addressKey(visit.ip)
  const wait = await addressWait(iam, key, settings.signInFailuresPerMinute)
  if (wait !== null) throw tooMany('Too many attempts from this address. Wait a minute and try again.', wait)
  await countAddressFailure(iam, key)
  if (link !== null)
    await note(identity, link, {
      endpoint,
      what: `tried to use a link of ${link.fullName} that was ${state}`,
      by: null,
      visit,
    })
  throw refuse(state === undefined || state === 'usable' ? 'unknown' : state)
}

const refuse = (why: keyof typeof REFUSALS) =>
  refused("This link can't be used.", { resetValue: REFUSALS[why] })

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
  { visit, ...event }: { endpoint: string; what: string; by: By | null; visit: Visit },
): Promise<void> {
  return noteEvent(iam, { ...event, customerId, table: 'users', rowId: userId, origin: originOf(visit) })
}
