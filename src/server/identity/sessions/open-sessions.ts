import { sql, type Kysely } from 'kysely'
import type { OpenSession, SignIn } from '#contract/identity/sessions/sessions.ts'
import type { DB } from '#server/database/schema.ts'
import { describeDevice } from './device-names.ts'
import type { Identity } from '../identity.ts'

const MAX_SESSIONS = 100

type UserRow = { customerId: string; userId: string }
type Row = Omit<OpenSession, 'device' | 'isCurrent'> & { userAgent: string | null; isSameUser: boolean }

/** Sessions of a user, and those of others impersonating them. */
const ofPerson = ({ customerId, userId }: UserRow) => sql<boolean>`(
  (s.customer_id = ${customerId} and s.user_id = ${userId})
  or (s.effective_customer_id = ${customerId} and s.effective_user_id = ${userId}))`

/**
 * A user's active sessions, most recent first. For sessions of impersonators, device and address are left
 * out.
 * @param current the session making the request.
 */
export async function listOpenSessions(
  { iam, settings }: Identity,
  user: UserRow,
  current: string,
): Promise<OpenSession[]> {
  const idleSeconds = settings.idleSeconds + settings.idleWarningSeconds + 60
  const { rows } = await sql<Row>`
    select s.id, s.user_agent, s.ip, s.created_at as started_at, s.last_active_at, s.is_view_only,
      (s.customer_id = ${user.customerId} and s.user_id = ${user.userId}) as is_same_user,
      case when s.user_id <> ${user.userId} then a.first_name || ' ' || a.last_name end as by,
      case when s.effective_user_id <> ${user.userId} then e.first_name || ' ' || e.last_name end as as
    from iam.sessions s
    join users a on a.customer_id = s.customer_id and a.id = s.user_id
    join users e on e.customer_id = s.effective_customer_id and e.id = s.effective_user_id
    where ${ofPerson(user)} and s.revoked_at is null and s.ends_at > app_now()
      and (s.is_remembered or s.last_active_at > app_now() - ${idleSeconds} * interval '1 second')
    order by s.last_active_at desc, s.id limit ${MAX_SESSIONS}`.execute(iam)
  return rows.map(({ userAgent, isSameUser, ip, ...row }) => ({
    ...row,
    ip: isSameUser ? ip : null,
    device: isSameUser ? describeDevice(userAgent) : null,
    isCurrent: row.id === current,
  }))
}

/** Ends one session of a user. @returns whether there was one to end. */
export async function endOpenSession(
  iam: Kysely<DB>,
  user: UserRow,
  { id, reason }: { id: string; reason: string },
): Promise<boolean> {
  const { rows } = await sql`
    update iam.sessions s set revoked_at = app_now(), revoke_reason = ${reason}
    where s.id = ${id} and s.revoked_at is null and s.ends_at > app_now() and ${ofPerson(user)} returning s.id`.execute(
    iam,
  )
  return rows.length > 0
}

const MOST_SIGN_INS = 100

/** The latest sign-ins of a user, from the audit log, newest first. */
export async function readSignIns(
  iam: Identity['iam'],
  { customerId, userId }: { customerId: string; userId: string },
): Promise<SignIn[]> {
  const { rows } = await sql<SignIn>`
    select coalesce((after ->> 'last')::timestamptz, at) as at, coalesce(after ->> 'outcome' = 'failed', false) as is_failed,
      upper(left(after ->> 'event', 1)) || substr(after ->> 'event', 2)
        || case when (after ->> 'times')::int > 1 then ', ' || (after ->> 'times') || ' times' else '' end as what,
      address, device
    from audit_log
    where customer_id = ${customerId} and table_name = 'sign_ins' and row_id = ${userId}
    order by audit_log.at desc, id desc limit ${MOST_SIGN_INS}`.execute(iam)
  return rows
}
