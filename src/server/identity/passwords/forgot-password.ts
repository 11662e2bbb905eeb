import { setTimeout as wait } from 'node:timers/promises'
import type { Received } from '#contract/endpoint.ts'
import type { auth } from '#contract/identity/auth.ts'
import type { Visit } from '#server/http/actor.ts'
import { refused, tooMany } from '#server/http/failure.ts'
import type { Identity } from '../identity.ts'
import { countRequest } from '../request-counts.ts'
import { addressKey } from '../sign-in/sign-in-failures.ts'
import { isDemoOpen } from '../sign-in/sign-in.ts'

/** Mostly longer than the background work, so that a next request does not feel whether there was any. */
const SAME_TIME_MS = 250

/**
 * Asks for a link to a new password for everybody whom the words name; the mail says which account it is for. It is
 * written in the background (`password-requests.ts`), so that the answer is the same, in the same time, whether there
 * is such an account or not.
 * @throws Failure 400 without any name, 429 when the address asks too often.
 */
export async function forgotPassword(
  identity: Identity,
  visit: Visit,
  given: Received<typeof auth.forgotPassword>,
): Promise<null> {
  const userName = given.userName?.toLowerCase() ?? ''
  const email = given.email?.toLowerCase() ?? ''
  if (userName === '' && email === '') {
    const sentence = 'Fill in your e-mail address or your user name.'
    throw refused('Some fields are not right.', { userName: sentence, email: sentence })
  }
  const { count, seconds } = await countRequest(
    identity.iam,
    'password mails asked for from an address',
    addressKey(visit.ip),
    60,
  )
  if (count > identity.settings.signInFailuresPerMinute) {
    throw tooMany('Too many requests from this address. Wait a minute and try again.', seconds)
  }
  const reachesDemo = isDemoOpen(identity.settings, visit)
  await identity.passwordRequests.add({ userName, email, reachesDemo })
  await wait(SAME_TIME_MS)
  return null
}
