import type { Database } from '#server/database/tenant-transaction.ts'
import type { Member } from '#server/http/actor.ts'
import { notFound } from '#server/http/failure.ts'

/** Whether an organization is in the user's reach: their current one, or any of the customer if they reach all of it. */
export async function isReached(db: Database, actor: Member, organizationId: string): Promise<boolean> {
  if (actor.reach !== 'customer') return organizationId === actor.organizationId
  const found = await db
    .selectFrom('organizations')
    .select('id')
    .where('id', '=', organizationId)
    .executeTakeFirst()
  return found !== undefined
}

/** @throws Failure 404 if it is out of reach, the same as for an organization that doesn't exist. */
export async function requireReach(db: Database, actor: Member, organizationId: string): Promise<void> {
  if (!(await isReached(db, actor, organizationId))) throw notFound('Organization')
}
