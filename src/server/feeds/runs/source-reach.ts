import { CUSTOMER_MANAGED } from '#contract/feeds/sources/feed-sources.ts'
import type { Database } from '#server/database/tenant-transaction.ts'
import type { Member } from '#server/http/actor.ts'
import { forbidden } from '#server/http/failure.ts'

/** The organization that owns all of these lots and can see their feeds; null if there are several, or no lots. */
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
 * Whether a source with this reach is read-only for the actor. A source that runs with access to the whole customer can only be
 * changed by users with that access, because changing it or sending files to it uses those permissions.
 */
export const isReadOnlyForOrganizationUsers = (actor: Pick<Member, 'reach'>, reach: string | null): boolean =>
  actor.reach !== 'customer' && reach === 'customer'

/** @throws Failure 403 if the source is read-only for the caller. */
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

/** The same for the source of a run. A run the caller can't access passes; reading it then returns 404. */
export async function requireRunAccess(
  db: Database,
  actor: Pick<Member, 'reach'>,
  runId: string,
): Promise<void> {
  if (actor.reach === 'customer') return
  const run = await db.selectFrom('feedRuns').select('sourceId').where('id', '=', runId).executeTakeFirst()
  await requireSourceAccess(db, actor, run?.sourceId ?? null)
}
