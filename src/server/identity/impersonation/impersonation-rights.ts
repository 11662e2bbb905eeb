import { sql, type Kysely } from 'kysely'
import type { DB } from '#server/database/schema.ts'
import type { Identity } from '../identity.ts'
import { mayStillImpersonate } from './impersonation-rules.ts'
import { readSession, type SessionRow } from '../sessions/sessions.ts'
import { endImpersonation } from './impersonations.ts'

/**
 * The session as it may go on: where whoever wears a skin could not start it any more, it is brought home first. A right
 * taken from them, or one given to the other person that they do not hold, counts with the next request.
 * @returns null when the session ended meanwhile.
 */
export async function keepAllowedImpersonation(
  identity: Identity,
  session: SessionRow,
): Promise<SessionRow | null> {
  if (session.impersonationEndsAt === null) return session
  const at = await readOwnPlace(identity.iam, session)
  const people = { actorUserId: session.userId, effectiveUserId: session.effectiveUserId }
  if (at !== null && (await mayStillImpersonate(identity, people, at))) return session
  await endImpersonation(identity.iam, session, { why: 'rights' })
  return readSession(identity.iam, session.id)
}

/** Where the session's own person stood when they went into the skin; null where they belong there no more. */
async function readOwnPlace(
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
