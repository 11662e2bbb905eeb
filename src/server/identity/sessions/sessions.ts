import { sql, type CompiledQuery, type Kysely } from 'kysely'
import { clock } from '#server/clock.ts'
import type { DB } from '#server/database/schema.ts'
import { asIdentity, type Database } from '#server/database/tenant-transaction.ts'
import { endImpersonation } from './impersonations.ts'

const DAY_SECONDS = 86_400
/** A session that isn't remembered ends after a day, regardless of activity. */
const LONGEST_DAYS = 1
const REMEMBERED_DAYS = 14
/** Without the second factor within an hour, the user has to sign in again. */
const UNVERIFIED_DAYS = 1 / 24
export const rememberedSeconds = REMEMBERED_DAYS * DAY_SECONDS

/** A session row with all names and versions that a request needs, read in one statement by primary key. */
export type SessionRow = {
  id: string
  userId: string
  customerId: string
  userName: string
  fullName: string
  effectiveUserId: string
  effectiveCustomerId: string
  effectiveUserName: string
  effectiveFullName: string
  userTypeId: string
  reach: 'organization' | 'customer'
  isSuper: boolean
  isUsable: boolean
  isPlatform: boolean
  actingCustomerId: string
  organizationId: string | null
  organizationName: string | null
  timeZone: string
  permissionsVersion: string
  isVerified: boolean
  isRemembered: boolean
  cookieHash: Buffer | null
  generation: number
  issuedAt: string
  rotatedAt: string
  lastActiveAt: string
  endsAt: string
  /** Null when not impersonating. */
  impersonationEndsAt: string | null
  isViewOnly: boolean
}

/**
 * Reads a session that isn't revoked. An organization that is archived, or that the user no longer belongs to, is read as null.
 * `is_usable` is false after the user, the impersonated user or a customer was deactivated. An impersonation
 * past its time limit is ended first.
 */
export async function readSession(iam: Kysely<DB>, id: string): Promise<SessionRow | null> {
  sessionQuery ??= selectSession(id).compile(iam)
  const { rows } = await iam.executeQuery<SessionRow>({ ...sessionQuery, parameters: [id] })
  const [row] = rows
  if (row === undefined) return null
  if (row.impersonationEndsAt === null || Date.parse(row.impersonationEndsAt) > clock.now()) return row
  await endImpersonation(iam, row, { why: 'time' })
  const again = await iam.executeQuery<SessionRow>({ ...sessionQuery, parameters: [id] })
  return again.rows[0] ?? null
}

// Compiled once, because every request runs it.
let sessionQuery: CompiledQuery<SessionRow> | undefined

const selectSession = (id: string) => sql<SessionRow>`
    select s.id, s.user_id, s.customer_id, a.user_name, a.first_name || ' ' || a.last_name as full_name,
      s.effective_user_id, s.effective_customer_id, e.user_name as effective_user_name,
      e.first_name || ' ' || e.last_name as effective_full_name,
      e.user_type_id, t.reach, e.is_super and home.is_platform as is_super,
      (a.is_active and e.is_active and home.status = 'active' and acting.status = 'active') as is_usable,
      home.is_platform, s.acting_customer_id, o.id as organization_id, o.name as organization_name,
      coalesce(o.time_zone, acting.time_zone) as time_zone,
      coalesce(v.version, 0) as permissions_version, s.is_verified, s.is_remembered, s.cookie_hash, s.generation,
      s.issued_at, s.rotated_at, s.last_active_at, s.ends_at, s.impersonation_ends_at, s.is_view_only
    from iam.sessions s
    join users a on a.customer_id = s.customer_id and a.id = s.user_id
    join users e on e.customer_id = s.effective_customer_id and e.id = s.effective_user_id
    join user_types t on t.customer_id = e.customer_id and t.id = e.user_type_id
    join customers home on home.id = s.effective_customer_id
    join customers acting on acting.id = s.acting_customer_id
    left join iam.permission_versions v on v.customer_id = s.effective_customer_id
    left join organizations o on o.customer_id = s.acting_customer_id and o.id = s.organization_id and o.archived_at is null
      and (home.is_platform or exists (select from memberships m where m.customer_id = s.effective_customer_id
        and m.user_id = s.effective_user_id and m.organization_id = o.id))
    where s.id = ${id} and s.revoked_at is null and s.ends_at > app_now()`

export type NewSession = {
  id: string
  customerId: string
  userId: string
  /** The stored hash that matched the password. */
  passwordHash: string
  actingCustomerId: string
  organizationId: string | null
  isVerified: boolean
  isRemembered: boolean
  cookieHash: Buffer | null
  userAgent: string
  ip: string
}

/**
 * Opens a session if the matched password is still valid: it may have been changed since, the user
 * deactivated or the customer suspended, which also ended the existing sessions.
 * @returns whether it was opened.
 */
export async function addSession(iam: Kysely<DB>, session: NewSession): Promise<boolean> {
  const verifiedDays = session.isRemembered ? REMEMBERED_DAYS : LONGEST_DAYS
  const days = session.isVerified ? verifiedDays : UNVERIFIED_DAYS
  const { rows } = await sql<{ id: string }>`
    insert into iam.sessions (id, customer_id, user_id, effective_customer_id, effective_user_id, acting_customer_id,
      organization_id, is_verified, is_remembered, cookie_hash, issued_at, rotated_at, last_active_at, ends_at,
      user_agent, ip)
    select ${session.id}::uuid, u.customer_id, u.id, u.customer_id, u.id, ${session.actingCustomerId}::bigint,
      ${session.organizationId}::bigint, ${session.isVerified}::boolean, ${session.isRemembered}::boolean,
      ${session.cookieHash}::bytea, date_trunc('second', app_now()), app_now(), app_now(), app_now() + ${days} * interval '1 day',
      ${session.userAgent.slice(0, 300)}, ${session.ip}
    from users u
    join customers home on home.id = u.customer_id and home.status = 'active'
    join iam.credentials c on c.customer_id = u.customer_id and c.user_id = u.id
    where u.customer_id = ${session.customerId} and u.id = ${session.userId} and u.is_active
      and c.password_hash = ${session.passwordHash}
    -- Waits for a concurrent password change and sees its result.
    for share of c
    returning id`.execute(iam)
  return rows.length > 0
}

/**
 * Replaces a session that waits for its second factor with a verified one of full length. Of two concurrent
 * calls only one succeeds.
 * @returns whether this call did it.
 */
export async function verifySession(
  iam: Kysely<DB>,
  waiting: string,
  to: Pick<NewSession, 'id' | 'actingCustomerId' | 'organizationId' | 'cookieHash'>,
): Promise<boolean> {
  const { rows } = await sql<{ id: string }>`
    with waiting as (
      update iam.sessions set revoked_at = app_now(), revoke_reason = 'verified'
      where id = ${waiting} and revoked_at is null and not is_verified and ends_at > app_now()
      returning customer_id, user_id, is_remembered, user_agent, ip
    )
    insert into iam.sessions (id, customer_id, user_id, effective_customer_id, effective_user_id, acting_customer_id,
      organization_id, is_verified, is_remembered, cookie_hash, issued_at, rotated_at, last_active_at, ends_at,
      user_agent, ip)
    select ${to.id}::uuid, w.customer_id, w.user_id, w.customer_id, w.user_id, ${to.actingCustomerId}::bigint,
      ${to.organizationId}::bigint, true, w.is_remembered, ${to.cookieHash}::bytea, date_trunc('second', app_now()), app_now(),
      app_now(), app_now() + case when w.is_remembered then ${REMEMBERED_DAYS}::int else ${LONGEST_DAYS}::int end * interval '1 day',
      w.user_agent, w.ip
    from waiting w
    returning id`.execute(iam)
  return rows.length > 0
}

/** Makes a session wait for a second factor again, without an organization. Earlier tokens are superseded. */
export async function unverifySession(iam: Kysely<DB>, id: string): Promise<void> {
  await sql`
    update iam.sessions set is_verified = false, acting_customer_id = customer_id, organization_id = null,
      ends_at = least(ends_at, app_now() + ${UNVERIFIED_DAYS} * interval '1 day'),
      generation = generation + 1, rotated_at = app_now(), issued_at = date_trunc('second', app_now())
    where id = ${id} and revoked_at is null`.execute(iam)
}

/**
 * Starts the next generation of a session's token, once: a concurrent call with the same generation changes
 * nothing and reads the same successor. `isActive` also counts as activity.
 */
export async function rotateSession(
  iam: Kysely<DB>,
  id: string,
  generation: number,
  { isActive }: { isActive: boolean },
): Promise<void> {
  await sql`
    update iam.sessions set generation = generation + 1, rotated_at = app_now(), issued_at = date_trunc('second', app_now()),
      last_active_at = case when ${isActive} then app_now() else last_active_at end
    where id = ${id} and generation = ${generation} and revoked_at is null`.execute(iam)
}

/** Switches the session to another organization. Earlier tokens are superseded. */
export async function moveSession(
  iam: Kysely<DB>,
  id: string,
  to: { customerId: string; organizationId: string },
): Promise<void> {
  await sql`
    update iam.sessions set acting_customer_id = ${to.customerId}, organization_id = ${to.organizationId},
      generation = generation + 1, rotated_at = app_now(), issued_at = date_trunc('second', app_now())
    where id = ${id} and revoked_at is null`.execute(iam)
}

/** Records when the user was last active; never moves it back. */
export async function noteActivity(iam: Kysely<DB>, id: string, idleMs: number): Promise<string> {
  const { rows } = await sql<{ lastActiveAt: string }>`
    update iam.sessions set last_active_at = greatest(last_active_at, app_now() - ${idleMs} * interval '1 millisecond')
    where id = ${id} and revoked_at is null returning last_active_at`.execute(iam)
  return rows[0]?.lastActiveAt ?? new Date(0).toISOString()
}

/** @returns false if it had already ended. */
export async function revokeSession(iam: Kysely<DB>, id: string, reason: string): Promise<boolean> {
  const { numUpdatedRows } = await iam
    .updateTable('iam.sessions')
    .set({ revokedAt: sql`app_now()`, revokeReason: reason })
    .where('id', '=', id)
    .where('revokedAt', 'is', null)
    .executeTakeFirst()
  return numUpdatedRows > 0n
}

/**
 * Ends all sessions of a user or of a customer, including sessions of its users elsewhere and of platform
 * staff working in it. Safe to repeat.
 * @param except a session to keep, usually the caller's own. @param before keeps sessions opened later than
 * this.
 */
export async function endSessions(
  iam: Kysely<DB>,
  of: { customerId: string; userId?: string },
  reason: string,
  { except = null, before = null }: { except?: string | null; before?: string | null } = {},
): Promise<void> {
  const { customerId, userId } = of
  const whose =
    userId === undefined
      ? sql`customer_id = ${customerId} or effective_customer_id = ${customerId} or acting_customer_id = ${customerId}`
      : sql`(customer_id = ${customerId} and user_id = ${userId})
        or (effective_customer_id = ${customerId} and effective_user_id = ${userId})`
  await sql`
    update iam.sessions set revoked_at = app_now(), revoke_reason = ${reason}
    where revoked_at is null and id is distinct from ${except}::uuid
      and (${before}::timestamptz is null or created_at < ${before}::timestamptz) and (${whose})`.execute(iam)
}

/**
 * Ends the sessions in an archived organization of users who have no other, so that they are told at sign-in. Others choose
 * another organization.
 */
export async function endSessionsIn(
  db: Database,
  { customerId, organizationId }: { customerId: string; organizationId: string },
): Promise<void> {
  await sql`
    update iam.sessions s set revoked_at = app_now(), revoke_reason = 'organization archived'
    where s.revoked_at is null and s.acting_customer_id = ${customerId} and s.organization_id = ${organizationId}
      and s.effective_customer_id = ${customerId} and not exists (select from memberships m
        join organizations o on o.customer_id = m.customer_id and o.id = m.organization_id and o.archived_at is null
        where m.customer_id = s.effective_customer_id and m.user_id = s.effective_user_id)`.execute(
    asIdentity(db),
  )
}
