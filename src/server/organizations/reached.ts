import type { Database } from '#server/database/tenant-transaction.ts'
import type { Member } from '#server/http/actor.ts'
import { notFound } from '#server/http/failure.ts'

/** Whether an organization is one whose own matters somebody sees: the one acted in, or any of the customer's. */
export async function isReached(db: Database, actor: Member, organizationId: string): Promise<boolean> {
  if (actor.reach !== 'customer') return organizationId === actor.organizationId
  const found = await db
    .selectFrom('organizations')
    .select('id')
    .where('id', '=', organizationId)
    .executeTakeFirst()
  return found !== undefined
}

/** @throws Failure 404 where it is not reached, as for one that is not there. */
export async function requireReach(db: Database, actor: Member, organizationId: string): Promise<void> {
  if (!(await isReached(db, actor, organizationId))) throw notFound('Organization')
}
