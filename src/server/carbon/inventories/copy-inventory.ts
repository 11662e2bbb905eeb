import { sql } from 'kysely'
import type { Inventory } from '#contract/carbon/inventories/inventories.ts'
import type { Database } from '#server/database/tenant-transaction.ts'
import { refused } from '#server/http/failure.ts'
import {
  findInventoryMismatches,
  type InventoryStatus,
} from '#contract/carbon/inventories/inventory-schema.ts'
import { changeStatus } from './change-status.ts'
import { readInventory } from './inventory-rows.ts'
import { explainRefusal } from './inventory-writes.ts'
import { recalculateStale } from '../calculation/recalculate.ts'

type CopyRequest = {
  name: string
  periodStart: string
  periodEnd: string
  /** A restatement: the same period, with all settings and data of the original. */
  restates: boolean
}

/**
 * Adds an inventory with the settings, categories, facilities, sources and assignments of another. Denominators, base year
 * and manually chosen factors belong to their year, so only a restatement copies them. It also keeps the GWP values; a new
 * year starts with the newest.
 * @throws Failure 409 as for adding.
 */
export async function copyInventory(
  db: Database,
  from: string,
  { name, periodStart, periodEnd, restates }: CopyRequest,
): Promise<Inventory> {
  const mismatches = findInventoryMismatches({ periodStart, periodEnd })
  if (Object.keys(mismatches).length > 0) throw refused('Some fields are invalid.', mismatches)
  const copying = sql<{ id: string }>`
    insert into carbon_inventories (organization_id, name, period_start, period_end, boundary, gwp_set, status, datasets,
      year_rule, is_base_year, recalculation_threshold, owner_id, reviewer_id, approver_id, two_person_approval, restates_id,
      gwp_edition)
    select organization_id, ${name}, ${periodStart}, ${periodEnd}, boundary, gwp_set,
      ${restates ? 'collecting' : 'draft'}, datasets, year_rule, is_base_year and ${restates}, recalculation_threshold,
      owner_id, reviewer_id, approver_id, two_person_approval, case when ${restates} then id end,
      case when ${restates} then gwp_edition else library.newest_gwp_edition() end
    from carbon_inventories where id = ${from} returning id::text`.execute(db)
  const { rows } = await explainRefusal(copying)
  const [added] = rows
  if (added === undefined) throw new Error('A locked inventory was not found.')
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
  // Due dates move with the period by whole months, so that the end of a month stays the end of a month.
  await sql`insert into emission_sources (organization_id, inventory_id, facility_id, source_type, name, label, activity, scope, unit,
      data_owner_id, due_on, frequency, method, factor_id, closed)
    select s.organization_id, ${id}, s.facility_id, s.source_type, s.name, s.label, s.activity, s.scope, s.unit, s.data_owner_id,
      (s.due_on + make_interval(months => (extract(year from age(${periodStart}::date, i.period_start)) * 12
        + extract(month from age(${periodStart}::date, i.period_start)))::int))::date,
      s.frequency, s.method, case when ${restates} then s.factor_id end, s.closed
    from emission_sources s join carbon_inventories i on i.customer_id = s.customer_id and i.id = s.inventory_id
    where s.inventory_id = ${from} and (${restates} or (not s.closed and ${isInUse}))`.execute(db)
  if (restates) await copyData(db, { from, to: id })
  return readInventory(db, id)
}

/**
 * Adds the corrected inventory for a locked one, with all its settings and data. The locked one keeps its results.
 * @param inventory has the status locked, and is locked for update by the caller.
 */
export async function restateInventory(
  db: Database,
  inventory: {
    id: string
    organizationId: string
    name: string
    periodStart: string
    periodEnd: string
    status: InventoryStatus
  },
  reason: string,
): Promise<Inventory> {
  // First, because two active inventories must not overlap.
  await changeStatus(db, inventory, { status: 'restated', reason })
  const { id, name, periodStart, periodEnd } = inventory
  return copyInventory(db, id, {
    name: `${name.slice(0, 89)}, restated`,
    periodStart,
    periodEnd,
    restates: true,
  })
}

type CopyPair = { from: string; to: string }

/**
 * Copies current records with their review and evidence, imported totals and instruments, and then recalculates. Records whose
 * result is another one now lose their approval. Copied evidence refers to the same stored file, which is kept as long as any
 * inventory refers to it.
 */
async function copyData(db: Database, { from, to }: CopyPair): Promise<void> {
  const columns = sql`organization_id, kind, quantity, unit, calorific_basis, period_start, period_end, meter_from, meter_to,
    factor_id, quality, estimate_method, direct, price_year, money_rate, money_deflator, reference, comment, cost, status,
    review_comment, submitted_by, submitted_by_name, approved_location, approved_market, approved_at, approved_by, created_by,
    created_by_id`
  await sql`with copies as materialized (
      select nextval('activity_ids') as new_id, former_id, new_source_id
      from (select r.id as former_id, w.source_id as new_source_id
        from activity_records r join (${successors({ from, to })}) w on w.former_id = r.source_id
        where r.replaced_at is null order by r.id) o),
    added as (insert into activity_records (id, source_id, ${columns})
      select c.new_id, c.new_source_id, ${columns} from copies c
      join activity_records r on r.id = c.former_id and r.replaced_at is null order by c.new_id)
    insert into evidence_files (organization_id, inventory_id, source_id, record_id, name, stored_as, type, size, sha256,
      created_at, created_by)
    select e.organization_id, ${to}::bigint, c.new_source_id, c.new_id, e.name, e.stored_as, e.type, e.size, e.sha256,
      e.created_at, e.created_by
    from copies c join evidence_files e on e.record_id = c.former_id and e.removed_at is null order by e.id`.execute(
    db,
  )
  await sql`insert into imported_totals (organization_id, inventory_id, source_id, batch_id, period_start, period_end, kg,
      market_kg, biogenic_kg, note, has_assigned)
    select t.organization_id, ${to}::bigint, w.source_id, t.batch_id, t.period_start, t.period_end, t.kg, t.market_kg,
      t.biogenic_kg, t.note, t.has_assigned
    from imported_totals t join (${successors({ from, to })}) w on w.former_id = t.source_id
    where t.inventory_id = ${from} and t.removed_at is null order by t.id`.execute(db)
  const { rows } = await sql<{ id: string }>`
    select id::text from instruments where inventory_id = ${from} order by id`.execute(db)
  for (const { id } of rows) {
    await sql`with made as (
        insert into instruments (organization_id, inventory_id, kind, name, quantity, unit, kg_co2e, source_note)
        select organization_id, ${to}::bigint, kind, name, quantity, unit, kg_co2e, source_note from instruments where id = ${id}
        returning id)
      insert into instrument_allocations (instrument_id, source_id, organization_id, quantity)
      select made.id, w.source_id, a.organization_id, a.quantity
      from made, instrument_allocations a join (${successors({ from, to })}) w on w.former_id = a.source_id
      where a.instrument_id = ${id}`.execute(db)
  }
  await recalculateStale(db, to)
}

/** A standard source, or a custom one that wasn't removed. */
const isInUse = sql`not exists (select from custom_sources d where d.customer_id = s.customer_id
  and 'own-' || d.id = s.source_type and d.removed_at is not null)`

/** Pairs each source with its copy. */
const successors = ({ from, to }: CopyPair) => sql`
  select s.id as former_id, n.id as source_id from emission_sources s
  join emission_sources n on n.customer_id = s.customer_id and n.facility_id = s.facility_id and n.source_type = s.source_type
  where s.inventory_id = ${from} and n.inventory_id = ${to}`
