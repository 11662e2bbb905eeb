import { CUSTOMER_MANAGED } from '#contract/inventory/feeds/sources/feed-sources.ts'
import type { Database } from '#server/database/tenant-transaction.ts'
import type { Member } from '#server/http/actor.ts'
import { forbidden } from '#server/http/failure.ts'

/** Whose people see a feed of these lots: the organization they are all of; null where they are of several, or none is named. */
export async function organizationOf(db: Database, lotIds: readonly string[]): Promise<string | null> {
  if (lotIds.length === 0) return null
  const lots = await db
    .selectFrom('lots')
    .select('organizationId')
    .distinct()
    .where('id', 'in', [...lotIds])
    .execute()
  return lots.length === 1 ? (lots[0]?.organizationId ?? null) : null
}

/**
 * Whether somebody only looks at a source of this reach: one that works with the rights of somebody who reaches the whole
 * customer is theirs to change, because who changes it or sends to it makes use of those rights.
 */
export const isReadOnlyForOrganizationUsers = (actor: Pick<Member, 'reach'>, reach: string | null): boolean =>
  actor.reach !== 'customer' && reach === 'customer'

/** @throws Failure 403 where the caller only looks at the source. */
export async function requireSourceAccess(
  db: Database,
  actor: Pick<Member, 'reach'>,
  sourceId: string | null,
): Promise<void> {
  if (sourceId === null || actor.reach === 'customer') return
  const source = await db
    .selectFrom('feedSources')
    .select('reach')
    .where('id', '=', sourceId)
    .executeTakeFirst()
  if (source !== undefined && isReadOnlyForOrganizationUsers(actor, source.reach))
    throw forbidden(CUSTOMER_MANAGED)
}

/** The same of the source of a run; a run that is none of theirs is left to whoever looks for it. */
export async function requireRunAccess(
  db: Database,
  actor: Pick<Member, 'reach'>,
  runId: string,
): Promise<void> {
  if (actor.reach === 'customer') return
  const run = await db.selectFrom('feedRuns').select('sourceId').where('id', '=', runId).executeTakeFirst()
  await requireSourceAccess(db, actor, run?.sourceId ?? null)
}
