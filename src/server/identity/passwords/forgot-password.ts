import { originOf } from '../sign-in/note-access.ts'
import { setTimeout as wait } from 'node:timers/promises'
import type { Received } from '#contract/endpoint.ts'
import type { auth } from '#contract/identity/auth.ts'
import type { Visit } from '#server/http/actor.ts'
import { refused, tooMany } from '#server/http/failure.ts'
import type { Identity } from '../identity.ts'
import { countRequest } from '../request-counts.ts'
import { fingerprintOf } from '../credentials/tokens.ts'
import { isKnownBrowser } from '../credentials/known-browsers.ts'
import { addressKey } from '../credentials/sign-in-failures.ts'
import { isDemoOpen } from '../sign-in/sign-in.ts'

/**
 * Usually longer than the background work takes, so that response times of later requests don't reveal
 * whether there was any.
 */
const RESPONSE_DELAY_MS = 250

/**
 * Requests a password link for every account that matches; each email names its account. Emails are written
 * in the background (`password-requests.ts`), so that the response and its time are the same whether an
 * account exists or not.
 * @throws Failure 400 without a name or address, 429 after too many requests from the address.
 */
export async function forgotPassword(
  identity: Identity,
  visit: Visit,
  given: Received<typeof auth.forgotPassword>,
): Promise<null> {
  const userName = given.userName?.toLowerCase() ?? ''
  const email = given.email?.toLowerCase() ?? ''
  if (userName === '' && email === '') {
    const sentence = 'Enter your email address or user name.'
    throw refused('Some fields are invalid.', { userName: sentence, email: sentence })
  }
  // A browser on which someone signed in before has its own limit, so that others at its address can't block it.
  const browser = (await isKnownBrowser(identity.iam, visit)) ? visit.browser : null
  const { count, seconds } = await countRequest(
    identity.iam,
    browser === null
      ? 'password mails asked for from an address'
      : 'password mails asked for from a known browser',
    browser === null ? addressKey(visit.ip) : fingerprintOf(browser).toString('hex'),
    60,
  )
  if (count > identity.settings.signInFailuresPerMinute) {
    throw tooMany('Too many requests from this address. Wait a minute and try again.', seconds)
  }
  const reachesDemo = isDemoOpen(identity.settings, visit)
  await identity.passwordRequests.add({ userName, email, reachesDemo, origin: originOf(visit) })
  await wait(RESPONSE_DELAY_MS)
  return null
}
