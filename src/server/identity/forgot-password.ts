import { setTimeout as wait } from 'node:timers/promises'
import { sql } from 'kysely'
import type { Received } from '#contract/endpoint.ts'
import type { auth } from '#contract/identity/auth.ts'
import type { Visit } from '#server/http/actor.ts'
import { refused, tooMany } from '#server/http/failure.ts'
import type { Identity } from './identity.ts'
import { FORGOT, mailPasswordLink } from './password-mails.ts'
import { countRequest } from './request-counts.ts'
import { addressKey } from './sign-in-failures.ts'
import { isDemoOpen } from './sign-in.ts'

const MAILS_AN_HOUR = 3
/** Of the people who share an e-mail address so many get a mail each. */
const MOST_PEOPLE = 5
/** Longer than finding an account and writing its mail take, so that the time tells nothing. */
const SAME_TIME_MS = 250

/**
 * Mails a link to a new password to everybody whom the words name; the mail says which account it is for. Whoever asks
 * learns nothing: the answer is the same, and comes as late, whether there is such an account or not, and whether its
 * mail came about.
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
  await Promise.all([
    mailIfKnown(identity, visit, { userName, email }).catch(identity.onError),
    wait(SAME_TIME_MS),
  ])
  return null
}

async function mailIfKnown(
  identity: Identity,
  visit: Visit,
  named: { userName: string; email: string },
): Promise<void> {
  for (const person of await findPeople(identity, named)) {
    if (!person.isDemo || isDemoOpen(identity.settings, visit)) await mailTo(identity, person)
  }
}

async function mailTo(identity: Identity, person: Found): Promise<void> {
  const key = `${person.customerId}/${person.userId}`
  const { count } = await countRequest(identity.iam, 'password mails of an account', key, 3_600)
  if (count > MAILS_AN_HOUR) return
  const { iam } = identity
  await mailPasswordLink(identity, person, { links: iam, mails: iam, by: null, endpoint: FORGOT })
}

type Found = { customerId: string; userId: string; isDemo: boolean }

/** Both words given must be of one person; several may have an e-mail, in one customer or in many. */
async function findPeople(
  { iam }: Identity,
  { userName, email }: { userName: string; email: string },
): Promise<Found[]> {
  const { rows } = await sql<Found>`
    select u.customer_id, u.id as user_id, u.is_demo
    from users u join customers home on home.id = u.customer_id and home.status = 'active'
    where u.is_active and (${userName} = '' or u.user_name_key = ${userName})
      and (${email} = '' or u.email_key = ${email})
    order by u.id limit ${MOST_PEOPLE}`.execute(iam)
  return rows
}
