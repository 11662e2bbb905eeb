import { sql, type Kysely } from 'kysely'
import type { DB } from '#server/database/schema.ts'
import { removeAuthenticator } from '../second-factor/authenticators.ts'
import { noteEvent } from '../events.ts'
import { addLink, RESET_MINUTES } from './password-links.ts'
import { endSessions } from '../sessions/sessions.ts'

type UserRow = {
  customerId: string
  userId: string
  userName: string
  fullName: string
  isActive: boolean
  isOpen: boolean
  isDemo: boolean
}

export type AccessReset = {
  userName: string
  fullName: string
  /** What stands behind the `#` of the link. */
  word: string
  expiresAt: string
  /** Whether there was an authenticator to take away. */
  hadAuthenticator: boolean
}

/**
 * Makes a link to a new password for somebody who cannot get in any more, ends their sessions and forgives wrong
 * passwords and codes; with `takesFactors` their second factor and trusted devices go, too. Noted in the audit log, by
 * nobody. For whoever sits at the machine: it asks for no right.
 * @param db the owner's transaction.
 * @throws Error with one sentence where the name is nobody's, or a password would be of no use.
 */
export async function resetAccess(
  db: Kysely<DB>,
  given: string,
  { takesFactors, isDemoOpen }: { takesFactors: boolean; isDemoOpen: boolean },
): Promise<AccessReset> {
  const person = await findPerson(db, given)
  const { customerId, userId, userName, fullName } = person
  if (!person.isActive) {
    throw new Error(
      `${fullName} (${userName}) is switched off, so a password is of no use. Nothing was changed.`,
    )
  }
  if (!person.isOpen)
    throw new Error(`The customer of ${fullName} (${userName}) is suspended. Nothing was changed.`)
  if (person.isDemo && !isDemoOpen) {
    throw new Error(`${userName} belongs to the demo world, which is shut here. Nothing was changed.`)
  }
  const of = { customerId, userId }
  const hadAuthenticator = takesFactors && (await takeFactors(db, of))
  await endSessions(db, of, 'access reset on the server')
  await sql`
    delete from iam.sign_in_failures
    where (kind = 'account' and key = ${userName.toLowerCase()})
      or (kind = 'factor' and key = ${`${customerId}/${userId}`})`.execute(db)
  const { word, expiresAt } = await addLink(db, { ...of, purpose: 'reset', minutes: RESET_MINUTES })
  await noteEvent(db, {
    customerId,
    by: null,
    endpoint: 'admin:reset',
    table: 'users',
    rowId: userId,
    what: takesFactors
      ? 'had their access reset on the server, second factor and trusted devices taken away'
      : 'had their access reset on the server',
  })
  return { userName, fullName, word, expiresAt, hadAuthenticator }
}

async function findPerson(db: Kysely<DB>, given: string): Promise<UserRow> {
  const { rows } = await sql<UserRow>`
    select u.customer_id, u.id as user_id, u.user_name, u.first_name || ' ' || u.last_name as full_name, u.is_active,
      home.status = 'active' as is_open, u.is_demo
    from users u join customers home on home.id = u.customer_id
    where u.user_name_key = lower(${given.trim()})`.execute(db)
  const [person] = rows
  if (person === undefined) {
    throw new Error(
      `Nobody has the user name ${given.trim()}. An e-mail address is none. Nothing was changed.`,
    )
  }
  return person
}

/** Codes that were mailed go, too: whoever has the mailbox is who it is taken from. */
async function takeFactors(db: Kysely<DB>, of: { customerId: string; userId: string }): Promise<boolean> {
  const hadAuthenticator = await removeAuthenticator({ iam: db }, of)
  await db
    .deleteFrom('iam.mailCodes')
    .where('customerId', '=', of.customerId)
    .where('userId', '=', of.userId)
    .execute()
  return hadAuthenticator
}
