import { sql, type Kysely } from 'kysely'
import { IMPERSONATION_MINUTES } from '#contract/identity/impersonation/impersonation.ts'
import type { DB } from '#server/database/schema.ts'
import type { Origin } from '#server/http/actor.ts'

/** The impersonator and the impersonated user, with the names for the audit log. */
type ImpersonationUsers = {
  customerId: string
  userId: string
  fullName: string
  effectiveCustomerId: string
  effectiveUserId: string
  effectiveFullName: string
}

export type NewImpersonation = {
  sessionId: string
  generation: number
  users: ImpersonationUsers
  /** Where the impersonated user works; no organization if one has to be chosen. */
  target: { customerId: string; organizationId: string | null }
  isViewOnly: boolean
  reason: string | null
  origin: Origin | null
}

/**
 * Starts impersonation in a session and logs it, in one statement.
 * @returns when it ends; null if the session has changed in the meantime.
 */
export async function startImpersonation(
  iam: Kysely<DB>,
  impersonation: NewImpersonation,
): Promise<string | null> {
  const { sessionId, generation, users, target, isViewOnly, reason, origin } = impersonation
  const { rows } = await sql<{ endsAt: string }>`
    with entered as (
      update iam.sessions set own_acting_customer_id = acting_customer_id, own_organization_id = organization_id,
        effective_customer_id = ${users.effectiveCustomerId}, effective_user_id = ${users.effectiveUserId},
        acting_customer_id = ${target.customerId}, organization_id = ${target.organizationId},
        impersonation_ends_at = app_now() + ${IMPERSONATION_MINUTES} * interval '1 minute', is_view_only = ${isViewOnly},
        generation = generation + 1, rotated_at = app_now(), issued_at = date_trunc('second', app_now())
      where id = ${sessionId} and generation = ${generation} and revoked_at is null and user_id = effective_user_id
      returning impersonation_ends_at
    ), noted as (
      ${note(users, sql`entered`, {
        event: isViewOnly ? 'started viewing as them' : 'started acting as them',
        reason: reason ?? 'no reason given',
        origin,
      })}
    )
    select impersonation_ends_at as ends_at from entered`.execute(iam)
  return rows[0]?.endsAt ?? null
}

const WHY = {
  asked: 'stopped acting as them',
  time: 'stopped acting as them: the time limit was reached',
  rights: 'stopped acting as them: no longer allowed',
} as const

/**
 * Returns a session to its own user and organization, and logs it. A concurrent second call changes nothing.
 */
export async function endImpersonation(
  iam: Kysely<DB>,
  session: ImpersonationUsers & { id: string; generation: number },
  { why = 'asked', origin = null }: { why?: keyof typeof WHY; origin?: Origin | null } = {},
): Promise<void> {
  await sql`
    with gone as (
      update iam.sessions s set effective_customer_id = s.customer_id, effective_user_id = s.user_id,
        acting_customer_id = coalesce(s.own_acting_customer_id, s.customer_id),
        organization_id = (select o.id from organizations o
          where o.customer_id = s.own_acting_customer_id and o.id = s.own_organization_id),
        own_acting_customer_id = null, own_organization_id = null, impersonation_ends_at = null, is_view_only = false,
        generation = s.generation + 1, rotated_at = app_now(), issued_at = date_trunc('second', app_now())
      where s.id = ${session.id} and s.generation = ${session.generation} and s.revoked_at is null
        and s.user_id <> s.effective_user_id
      returning s.id
    )
    ${note(session, sql`gone`, { event: WHY[why], origin })}`.execute(iam)
}

/** Logs the event for the customer of the impersonated user and for that of the impersonator. */
function note(
  users: ImpersonationUsers,
  done: ReturnType<typeof sql>,
  { origin = null, ...after }: { event: string; reason?: string | null; origin?: Origin | null },
) {
  const customers = [...new Set([users.effectiveCustomerId, users.customerId])]
  return sql`
    insert into audit_log (customer_id, actor_user_id, actor_name, effective_user_id, effective_name, endpoint,
      operation, table_name, row_id, address, device, after)
    select c.id, ${users.userId}::bigint, ${users.fullName}, ${users.effectiveUserId}::bigint, ${users.effectiveFullName},
      'impersonation.impersonate', 'event', 'users', ${users.effectiveUserId}, ${origin?.address ?? null}, ${origin?.device ?? null}, ${JSON.stringify(after)}::jsonb
    from ${done}, unnest(${customers}::bigint[]) c (id)`
}
