import { sql } from 'kysely'
import type { Inventory } from '#contract/carbon/inventories.ts'
import type { Database } from '#server/database/tenant-transaction.ts'
import { refused } from '#server/http/failure.ts'
import { findInventoryMismatches } from '#contract/carbon/inventory-fields.ts'
import { readInventory } from './inventory-rows.ts'
import { explainRefusal } from './inventory-writes.ts'

type Wanted = {
  name: string
  periodStart: string
  periodEnd: string
  /** The same period once more, with everything as it was chosen: it corrects the figures of the first. */
  restates: boolean
}

/**
 * Adds an inventory with the settings, categories, facilities, sources and assignments of another. Amounts it is divided
 * by, the base year and factors chosen by hand belong to their year: only a restatement takes them along.
 * @throws Failure 409 as for adding.
 */
export async function copyInventory(
  db: Database,
  from: string,
  { name, periodStart, periodEnd, restates }: Wanted,
): Promise<Inventory> {
  const mismatches = findInventoryMismatches({ periodStart, periodEnd })
  if (Object.keys(mismatches).length > 0) throw refused('Some fields are not right.', mismatches)
  const copying = sql<{ id: string }>`
    insert into carbon_inventories (organization_id, name, period_start, period_end, boundary, gwp_set, status, datasets,
      year_rule, is_base_year, recalculation_threshold, owner_id, reviewer_id, approver_id, four_eyes, restates_id)
    select organization_id, ${name}, ${periodStart}, ${periodEnd}, boundary, gwp_set,
      ${restates ? 'collecting' : 'draft'}, datasets, year_rule, is_base_year and ${restates}, recalculation_threshold,
      owner_id, reviewer_id, approver_id, four_eyes, case when ${restates} then id end
    from carbon_inventories where id = ${from} returning id::text`.execute(db)
  const { rows } = await explainRefusal(copying)
  const [added] = rows
  if (added === undefined) throw new Error('An inventory that is held is gone.')
  const { id } = added
  await sql`insert into inventory_scope3 (organization_id, inventory_id, category, relevance, reason)
    select organization_id, ${id}, category, relevance, reason from inventory_scope3 where inventory_id = ${from}`.execute(
    db,
  )
  await sql`insert into intensity_denominators (organization_id, inventory_id, place, kind, name, amount, unit)
    select organization_id, ${id}, place, kind, name, amount, unit from intensity_denominators
    where inventory_id = ${from} and ${restates}`.execute(db)
  await sql`insert into inventory_facilities (organization_id, inventory_id, facility_id, excluded, reason)
    select organization_id, ${id}, facility_id, excluded, reason from inventory_facilities where inventory_id = ${from}`.execute(
    db,
  )
  // A due day moves with the period: by whole months, so that the last of a month stays one.
  await sql`insert into emission_sources (organization_id, inventory_id, facility_id, source_type, activity, scope, unit,
      person_id, due_on, frequency, method, factor_id)
    select s.organization_id, ${id}, s.facility_id, s.source_type, s.activity, s.scope, s.unit, s.person_id,
      (s.due_on + make_interval(months => (extract(year from age(${periodStart}::date, i.period_start)) * 12
        + extract(month from age(${periodStart}::date, i.period_start)))::int))::date,
      s.frequency, s.method, case when ${restates} then s.factor_id end
    from emission_sources s join carbon_inventories i on i.customer_id = s.customer_id and i.id = s.inventory_id
    where s.inventory_id = ${from} and not s.closed`.execute(db)
  return readInventory(db, id)
}
