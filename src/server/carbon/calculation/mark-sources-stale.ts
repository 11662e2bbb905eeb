import { sql } from 'kysely'
import type { Database } from '#server/database/tenant-transaction.ts'
import { activitiesOf } from './make-lines.ts'

const IS_OPEN = sql`i.status in ('draft', 'collecting', 'in_review')`

/** The activities of sources of open inventories whose records ask for factors of some activities. */
export async function findAsking(db: Database, activities: readonly string[]): Promise<string[]> {
  const { rows } = await sql<{ activity: string }>`
    select distinct s.activity from emission_sources s
    join carbon_inventories i on i.customer_id = s.customer_id and i.id = s.inventory_id where ${IS_OPEN}`.execute(
    db,
  )
  const wanted = new Set(activities)
  return rows
    .map(({ activity }) => activity)
    .filter((activity) => activitiesOf({ activity }).some((asked) => wanted.has(asked)))
}

/**
 * Puts the sources of open inventories in line whose records ask for factors of some activities. The database does so
 * for a factor of the source's own activity and for factors in use; what else a route asks for stands in `activitiesOf`.
 */
export async function markSourcesStale(db: Database, activities: readonly string[]): Promise<void> {
  const asking = await findAsking(db, activities)
  if (asking.length === 0) return
  await sql`insert into stale_sources (source_id, organization_id, inventory_id)
    select s.id, s.organization_id, s.inventory_id from emission_sources s
    join carbon_inventories i on i.customer_id = s.customer_id and i.id = s.inventory_id
    where s.activity = any(${asking}) and ${IS_OPEN} order by s.id
    on conflict (customer_id, source_id) do update set since = app_clock_timestamp()`.execute(db)
}
