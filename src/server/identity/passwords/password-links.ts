import { randomBytes } from 'node:crypto'
import { sql, type Kysely } from 'kysely'
import { clock } from '#server/clock.ts'
import type { DB } from '#server/database/schema.ts'
import { conflict } from '#server/http/failure.ts'
import { fingerprintOf } from '../credentials/tokens.ts'

/** Lifetime of a reset link: long enough to find the email, short enough to limit misuse. */
export const RESET_MINUTES = 30
/** Lifetime of an invitation link: it covers a weekend. */
export const FIRST_HOURS = 72

export type Purpose = 'first' | 'reset'
export type Link = {
  customerId: string
  userId: string
  userName: string
  userNameKey: string
  firstName: string
  fullName: string
  purpose: Purpose
  isDemo: boolean
  state: 'usable' | 'used' | 'replaced' | 'expired' | 'closed'
}

export type NewLink = {
  customerId: string
  userId: string
  purpose: Purpose
  secret: string
  expiresAt: string
  /** Requested on the sign-in page, which anyone can do. It doesn't replace an invitation. */
  isRequested?: boolean
  /** What the email already says: the link works only for these. By default, the user's current ones. */
  written?: { email: string; userName: string }
}

/** A secret of 256 random bits, and when its link expires. */
export const newSecret = (minutes: number): { secret: string; expiresAt: string } => ({
  secret: randomBytes(32).toString('base64url'),
  expiresAt: new Date(clock.now() + minutes * 60_000).toISOString(),
})

/**
 * Stores a link that replaces earlier ones, and records that an email is sent. Only its hash is stored.
 * @throws Failure 409 if the user was deleted, or is no longer as `written` says.
 */
export async function addLink(iam: Kysely<DB>, of: NewLink): Promise<void> {
  const { email, userName } = of.written ?? { email: null, userName: null }
  const { rows } = await sql<{ userId: string }>`
    with person as (
      select u.customer_id, u.id, u.email_key, u.user_name_key from users u
      where u.customer_id = ${of.customerId} and u.id = ${of.userId}
        and u.email = coalesce(${email}, u.email) and u.user_name = coalesce(${userName}, u.user_name)
    ), mailed as (
      insert into user_access (customer_id, user_id, password_mail_at) select customer_id, id, app_now() from person
      on conflict (customer_id, user_id) do update set password_mail_at = app_now()
    )
    insert into iam.password_links (token_hash, customer_id, user_id, purpose, is_asked, email_key, user_name_key,
      expires_at)
    select ${fingerprintOf(of.secret)}, p.customer_id, p.id, ${of.purpose}, ${of.isRequested ?? false}, p.email_key,
      p.user_name_key, ${of.expiresAt}
    from person p
    returning user_id`.execute(iam)
  if (rows.length === 0) throw conflict('This user was changed in the meantime. Try again.')
}

const isReplaced = sql`exists (select from iam.password_links newer where newer.customer_id = l.customer_id
  and newer.user_id = l.user_id and newer.created_at > l.created_at
  and not (newer.is_asked and l.purpose = 'first' and not l.is_asked))`
const isValid = sql`l.expires_at > app_now() and l.email_key = u.email_key and l.user_name_key = u.user_name_key`
const isOpen = sql`${isValid} and u.is_active and home.status = 'active'`

/** Reads a link and whether it can still set a password; null if the secret is unknown. */
export async function readLink(iam: Kysely<DB>, secret: string): Promise<Link | null> {
  const { rows } = await sql<Link>`
    select l.customer_id, l.user_id, u.user_name, u.user_name_key, u.first_name,
      u.first_name || ' ' || u.last_name as full_name, l.purpose, u.is_demo,
      case when l.used_at is not null then 'used' when ${isReplaced} then 'replaced'
        when ${isOpen} then 'usable' when ${isValid} then 'closed' else 'expired' end as state
    from iam.password_links l
    join users u on u.customer_id = l.customer_id and u.id = l.user_id
    join customers home on home.id = l.customer_id
    where l.token_hash = ${fingerprintOf(secret)}`.execute(iam)
  return rows[0] ?? null
}

/**
 * Uses a link, expires the user's other links, and stores the password, in one statement: of two concurrent
 * calls only one succeeds, and a used link has always set a password.
 * @returns whether this call used it.
 */
export async function useLink(iam: Kysely<DB>, secret: string, hash: string): Promise<boolean> {
  const { rows } = await sql<{ userId: string }>`
    with used as (
      update iam.password_links l set used_at = app_now()
      from users u, customers home
      where l.token_hash = ${fingerprintOf(secret)} and l.used_at is null and not ${isReplaced} and ${isOpen}
        and u.customer_id = l.customer_id and u.id = l.user_id and home.id = l.customer_id
      returning l.customer_id, l.user_id, l.token_hash
    ), others as (
      update iam.password_links o set expires_at = app_now()
      from used where o.customer_id = used.customer_id and o.user_id = used.user_id
        and o.token_hash <> used.token_hash and o.used_at is null and o.expires_at > app_now()
    ), stored as (
      insert into iam.credentials (customer_id, user_id, password_hash)
      select customer_id, user_id, ${hash} from used
      on conflict (customer_id, user_id) do update set password_hash = excluded.password_hash, changed_at = app_now()
    ), ended as (
      update iam.sessions s set revoked_at = app_now(), revoke_reason = 'password set by a mailed link'
      from used where s.customer_id = used.customer_id and s.user_id = used.user_id and s.revoked_at is null
    )
    insert into user_access (customer_id, user_id, password_set_at)
    select customer_id, user_id, app_now() from used
    on conflict (customer_id, user_id) do update set password_set_at = app_now()
    returning user_id`.execute(iam)
  return rows.length > 0
}
