import { sql } from 'kysely'
import type { Database } from '#server/database/tenant-transaction.ts'
import { activitiesOf } from '../calculation/make-lines.ts'

const IS_OPEN = sql`i.status in ('draft', 'collecting', 'in_review')`
/** Its figures stay, but it is checked how much they would change. */
const IS_FROZEN_BASE_YEAR = sql`i.is_base_year and i.status in ('approved', 'locked')`

/** The activities of sources of open inventories and base years that use factors of the given activities. */
export async function findAffectedActivities(db: Database, activities: readonly string[]): Promise<string[]> {
  const { rows } = await sql<{ activity: string }>`
    select distinct s.activity from emission_sources s
    join carbon_inventories i on i.customer_id = s.customer_id and i.id = s.inventory_id
    where ${IS_OPEN} or (${IS_FROZEN_BASE_YEAR})`.execute(db)
  const changed = new Set(activities)
  return rows
    .map(({ activity }) => activity)
    .filter((activity) => activitiesOf({ activity }).some((used) => changed.has(used)))
}

/**
 * Queues the sources of open inventories for recalculation that use factors of the given activities. The database already
 * does so for factors of the source's own activity and for factors in use; `activitiesOf` lists the others.
 */
export async function markSourcesStale(db: Database, activities: readonly string[]): Promise<void> {
  const affected = await findAffectedActivities(db, activities)
  if (affected.length === 0) return
  await sql`insert into stale_sources (source_id, organization_id, inventory_id)
    select s.id, s.organization_id, s.inventory_id from emission_sources s
    join carbon_inventories i on i.customer_id = s.customer_id and i.id = s.inventory_id
    where s.activity = any(${affected}) and ${IS_OPEN} order by s.id
    on conflict (customer_id, source_id) do update set since = app_clock_timestamp()`.execute(db)
  await sql`insert into base_year_checks (inventory_id, organization_id)
    select i.id, i.organization_id from carbon_inventories i where ${IS_FROZEN_BASE_YEAR} and exists (
      select from emission_sources s where s.customer_id = i.customer_id and s.inventory_id = i.id
        and s.activity = any(${affected})) order by i.id
    on conflict (customer_id, inventory_id) do update set since = app_clock_timestamp()`.execute(db)
}
