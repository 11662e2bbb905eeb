import { sql, type Kysely } from 'kysely'
import { IMPERSONATION_MINUTES } from '#contract/identity/impersonation/impersonation.ts'
import type { DB } from '#server/database/schema.ts'

/** Whoever goes into a skin or out of it, with the names that the audit log keeps. */
type Worn = {
  customerId: string
  userId: string
  fullName: string
  effectiveCustomerId: string
  effectiveUserId: string
  effectiveFullName: string
}

export type Entering = {
  sessionId: string
  generation: number
  worn: Worn
  /** Where the person in the skin works; no organization where they have to choose one. */
  place: { customerId: string; organizationId: string | null }
  isLookOnly: boolean
  reason: string | null
}

/**
 * Puts a session into somebody's skin and notes it in the audit log, in one statement.
 * @returns until when; null when the session changed meanwhile.
 */
export async function startImpersonation(iam: Kysely<DB>, entering: Entering): Promise<string | null> {
  const { sessionId, generation, worn, place, isLookOnly, reason } = entering
  const { rows } = await sql<{ endsAt: string }>`
    with entered as (
      update iam.sessions set own_acting_customer_id = acting_customer_id, own_organization_id = organization_id,
        effective_customer_id = ${worn.effectiveCustomerId}, effective_user_id = ${worn.effectiveUserId},
        acting_customer_id = ${place.customerId}, organization_id = ${place.organizationId},
        impersonation_ends_at = app_now() + ${IMPERSONATION_MINUTES} * interval '1 minute', is_look_only = ${isLookOnly},
        generation = generation + 1, rotated_at = app_now(), issued_at = date_trunc('second', app_now())
      where id = ${sessionId} and generation = ${generation} and revoked_at is null and user_id = effective_user_id
      returning impersonation_ends_at
    ), noted as (
      ${note(worn, sql`entered`, {
        event: isLookOnly ? 'started looking as them' : 'started acting as them',
        reason,
      })}
    )
    select impersonation_ends_at as ends_at from entered`.execute(iam)
  return rows[0]?.endsAt ?? null
}

const WHY = {
  asked: 'stopped acting as them',
  time: 'stopped acting as them: the time was over',
  rights: 'stopped acting as them: they may not any more',
} as const

/** Brings a session back to its own person, to where they were, and notes it. Whoever comes second changes nothing. */
export async function endImpersonation(
  iam: Kysely<DB>,
  session: Worn & { id: string; generation: number },
  { why = 'asked' }: { why?: keyof typeof WHY } = {},
): Promise<void> {
  await sql`
    with gone as (
      update iam.sessions s set effective_customer_id = s.customer_id, effective_user_id = s.user_id,
        acting_customer_id = coalesce(s.own_acting_customer_id, s.customer_id),
        organization_id = (select o.id from organizations o
          where o.customer_id = s.own_acting_customer_id and o.id = s.own_organization_id),
        own_acting_customer_id = null, own_organization_id = null, impersonation_ends_at = null, is_look_only = false,
        generation = s.generation + 1, rotated_at = app_now(), issued_at = date_trunc('second', app_now())
      where s.id = ${session.id} and s.generation = ${session.generation} and s.revoked_at is null
        and s.user_id <> s.effective_user_id
      returning s.id
    )
    ${note(session, sql`gone`, { event: WHY[why] })}`.execute(iam)
}

/** An event in the log of the person's customer, and of the one that whoever wore their skin comes from. */
function note(worn: Worn, done: ReturnType<typeof sql>, after: { event: string; reason?: string | null }) {
  const customers = [...new Set([worn.effectiveCustomerId, worn.customerId])]
  return sql`
    insert into audit_log (customer_id, actor_user_id, actor_name, effective_user_id, effective_name, endpoint,
      operation, table_name, row_id, after)
    select c.id, ${worn.userId}::bigint, ${worn.fullName}, ${worn.effectiveUserId}::bigint, ${worn.effectiveFullName},
      'impersonation.impersonate', 'event', 'users', ${worn.effectiveUserId}, ${JSON.stringify(after)}::jsonb
    from ${done}, unnest(${customers}::bigint[]) c (id)`
}
