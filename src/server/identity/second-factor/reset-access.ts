import { sql, type Kysely } from 'kysely'
import type { DB } from '#server/database/schema.ts'
import { removeAuthenticator } from './authenticators.ts'
import { clearFactorLimits } from '../credentials/factor-tries.ts'
import { clearAccountFailures } from '../credentials/sign-in-failures.ts'
import { noteEvent } from '../events.ts'
import { addLink, newSecret, RESET_MINUTES } from '../passwords/password-links.ts'
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
  /** The secret for the fragment of the link. */
  secret: string
  expiresAt: string
  /** Whether an authenticator was removed. */
  hadAuthenticator: boolean
}

/**
 * Creates a password link for a user who is locked out, ends their sessions and clears failed passwords and
 * codes. With `removesFactors`, also removes their second factor and trusted devices. Logged without an actor.
 * For the server's command line only: it checks no permission.
 * @param db the owner's transaction.
 * @throws Error with a sentence if there is no such user, or they couldn't use a password.
 */
export async function resetAccess(
  db: Kysely<DB>,
  input: string,
  { removesFactors, isDemoOpen }: { removesFactors: boolean; isDemoOpen: boolean },
): Promise<AccessReset> {
  const user = await findUser(db, input)
  const { customerId, userId, userName, fullName } = user
  if (!user.isActive) {
    throw new Error(
      `${fullName} (${userName}) is deactivated, so a new password wouldn't help. Nothing was changed.`,
    )
  }
  if (!user.isOpen)
    throw new Error(`The customer of ${fullName} (${userName}) is suspended. Nothing was changed.`)
  if (user.isDemo && !isDemoOpen) {
    throw new Error(`${userName} is a demo user, and demo sign-in is off here. Nothing was changed.`)
  }
  const of = { customerId, userId }
  const hadAuthenticator = removesFactors && (await removeAuthenticator({ iam: db }, of))
  await endSessions(db, of, 'access reset on the server')
  await clearAccountFailures(db, userName.toLowerCase())
  // Emailed codes are deleted, too, because someone else may have access to the mailbox.
  await clearFactorLimits(db, of, { evenOfAuthenticator: true })
  const { secret, expiresAt } = newSecret(RESET_MINUTES)
  await addLink(db, { ...of, purpose: 'reset', secret, expiresAt })
  await noteEvent(db, {
    customerId,
    by: null,
    endpoint: 'admin:reset',
    table: 'users',
    rowId: userId,
    what: removesFactors
      ? 'had their access reset on the server, with second factor and trusted devices removed'
      : 'had their access reset on the server',
  })
  return { userName, fullName, secret, expiresAt, hadAuthenticator }
}

async function findUser(db: Kysely<DB>, input: string): Promise<UserRow> {
  const { rows } = await sql<UserRow>`
    select u.customer_id, u.id as user_id, u.user_name, u.first_name || ' ' || u.last_name as full_name, u.is_active,
      home.status = 'active' as is_open, u.is_demo
    from users u join customers home on home.id = u.customer_id
    where u.user_name_key = lower(${input.trim()})`.execute(db)
  const [user] = rows
  if (user === undefined) {
    throw new Error(
      `There is no user with the user name ${input.trim()}. Enter the user name, not the email address. Nothing was changed.`,
    )
  }
  return user
}
