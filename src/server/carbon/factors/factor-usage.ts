import { sql, type RawBuilder } from 'kysely'
import type { FactorUsage } from '#contract/carbon/factors/factors.ts'
import type { InventoryStatus } from '#contract/carbon/inventories/inventory-schema.ts'
import type { Database } from '#server/database/tenant-transaction.ts'
import { readFactor } from './factor-rows.ts'

/** A list of factors as a parameter. */
const listOf = (ids: readonly string[]) => sql`any(${[...ids]}::bigint[])`

/** The sources with results of these factors, and those they were chosen for. */
export const usersOf = (ids: readonly string[]): RawBuilder<unknown> => sql`(
  select customer_id, source_id as id from calculation_totals where factor_id = ${listOf(ids)}
  union select customer_id, id from emission_sources where factor_id = ${listOf(ids)}
  union select customer_id, source_id from activity_records where factor_id = ${listOf(ids)} and replaced_at is null)`

/** The inventories that use one of these factors, frozen ones first. Only accessible ones. */
export async function readFactorUsers(
  db: Database,
  ids: readonly string[],
): Promise<{ name: string; status: InventoryStatus }[]> {
  const { rows } = await sql<{ name: string; status: InventoryStatus }>`
    select i.name, i.status from carbon_inventories i
    where i.id in (select s.inventory_id from ${usersOf(ids)} u
      join emission_sources s on s.customer_id = u.customer_id and s.id = u.id)
    order by i.status in ('draft', 'collecting', 'in_review'), i.period_start desc, i.id`.execute(db)
  return rows
}

/**
 * What uses a factor or one of the versions it replaced, in accessible inventories. Open ones are recalculated when it is
 * edited; frozen ones keep their figures.
 * @throws Failure 404 for the factor.
 */
export async function readFactorUsage(db: Database, id: string): Promise<FactorUsage> {
  const { replaces } = await readFactor(db, id)
  const ids = [id, ...replaces.map((former) => former.id)]
  const records = sql`select r.*, s.inventory_id
    from ${usersOf(ids)} u
    join emission_sources s on s.customer_id = u.customer_id and s.id = u.id
    join activity_records r on r.customer_id = s.customer_id and r.source_id = s.id and r.replaced_at is null
    where coalesce(r.factor_id, s.factor_id) = ${listOf(ids)} or exists (select from calculation_results x
      where x.customer_id = r.customer_id and x.record_id = r.id and x.factor_id = ${listOf(ids)})`
  const { rows: inventories } = await sql<FactorUsage['inventories'][number]>`
    with used as materialized (${records})
    select i.id::text, i.name, coalesce(o.name, '') as organization_name, i.status, count(distinct s.id)::int as sources,
      (count(distinct s.id) filter (where s.factor_id = ${listOf(ids)}))::int as manual,
      (select count(*)::int from used r where r.inventory_id = i.id) as records
    from ${usersOf(ids)} u
    join emission_sources s on s.customer_id = u.customer_id and s.id = u.id
    join carbon_inventories i on i.customer_id = s.customer_id and i.id = s.inventory_id
    left join organizations o on o.customer_id = i.customer_id and o.id = i.organization_id
    group by i.customer_id, i.id, o.name
    order by i.status in ('draft', 'collecting', 'in_review') desc, i.period_start desc, i.id`.execute(db)
  return { inventories }
}
