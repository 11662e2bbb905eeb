import { sql, type Kysely } from 'kysely'
import type { DB } from '#server/database/schema.ts'
import type { Identity } from '../identity.ts'
import { mayStillImpersonate } from './impersonation-rules.ts'
import { readSession, type SessionRow } from '../sessions/sessions.ts'
import { endImpersonation } from '../sessions/impersonations.ts'

/**
 * Ends an impersonation that could no longer be started. A permission taken from the impersonator, or one
 * given to the impersonated user that the impersonator lacks, takes effect with the next request.
 * @returns the session, or null if it has ended.
 */
export async function keepAllowedImpersonation(
  identity: Identity,
  session: SessionRow,
): Promise<SessionRow | null> {
  if (session.impersonationEndsAt === null) return session
  const at = await readHomeOrganization(identity.iam, session)
  const people = { actorUserId: session.userId, effectiveUserId: session.effectiveUserId }
  if (at !== null && (await mayStillImpersonate(identity, people, at))) return session
  await endImpersonation(identity.iam, session, { why: 'rights' })
  return readSession(identity.iam, session.id)
}

/** The organization the impersonator was in before; null if they no longer belong to it. */
async function readHomeOrganization(
  iam: Kysely<DB>,
  { id }: SessionRow,
): Promise<{ customerId: string; organizationId: string } | null> {
  const { rows } = await sql<{ customerId: string; organizationId: string }>`
    select o.customer_id, o.id as organization_id
    from iam.sessions s
    join customers home on home.id = s.customer_id and home.status = 'active'
    join organizations o on o.customer_id = s.own_acting_customer_id and o.id = s.own_organization_id
    where s.id = ${id} and (home.is_platform or exists (select from memberships m
      where m.customer_id = s.customer_id and m.user_id = s.user_id and m.organization_id = o.id
        and o.customer_id = m.customer_id))`.execute(iam)
  return rows[0] ?? null
}
