import { sql, type RawBuilder } from 'kysely'
import type { UnusualActivity } from '#contract/carbon/review/unusual.ts'
import { tenantToday } from '#server/database/tenant-today.ts'
import type { Database } from '#server/database/tenant-transaction.ts'
import {
  findMissingMonths,
  findUnusual,
  type MonthUse,
  placeOf,
  type SubmittedRecords,
} from './compare-months.ts'
import { measureOf } from './submitted-records.ts'

/** An inventory of the prior year. */
type PriorInventory = Readonly<{ id: string; name: string }>
/** A source type at a facility, with the first days of the first and the last month of interest. */
type SourceKey = Readonly<{ facilityId: string; sourceType: string; first: string; last: string }>
type Sides = { inventoryId: string; former: readonly PriorInventory[] }

/**
 * The prior-year inventories of an inventory: with the same organization and boundary, overlapping its period shifted by a
 * year. Restated inventories, and the one that it restates, are left out.
 */
export async function findPriorInventories(db: Database, inventoryId: string): Promise<PriorInventory[]> {
  const { rows } = await sql<PriorInventory>`
    select b.id::text, b.name from carbon_inventories i join carbon_inventories b on b.customer_id = i.customer_id
      and b.organization_id = i.organization_id and b.boundary = i.boundary and b.status <> 'restated'
      and b.id is distinct from i.id and b.id is distinct from i.restates_id
      and daterange(b.period_start, b.period_end, '[]') &&
        daterange((i.period_start - interval '1 year')::date, (i.period_end - interval '1 year')::date, '[]')
    where i.id = ${inventoryId} order by b.period_start`.execute(db)
  return rows
}

/** The records in review that are far from the prior year. Reads only records of their sources and months. */
export async function compareWithYearBefore(
  db: Database,
  bills: readonly SubmittedRecords[],
  { inventoryId, former }: Sides,
): Promise<ReturnType<typeof findUnusual>> {
  if (former.length === 0 || bills.length === 0) return []
  const places = placesOf(bills)
  const before = await readUse(db, places, {
    of: inventoryId,
    inventoryIds: former.map(({ id }) => id),
    later: '1 year',
  })
  const there = new Set(before.map((one) => placeOf(one)))
  const now = await readUse(
    db,
    places.filter((one) => there.has(placeOf(one))),
    { of: inventoryId, inventoryIds: [inventoryId], later: '0 years' },
  )
  return findUnusual(bills, { now, before })
}

/** Months that had records a year before and have none now. Reads prior-year records of these months only. */
export async function readMissingMonths(
  db: Database,
  { inventoryId, former }: Sides,
): Promise<UnusualActivity['gone']> {
  if (former.length === 0) return []
  const formerIds = former.map(({ id }) => id)
  const empty = await readEmptyMonths(db, inventoryId, formerIds)
  if (empty.length === 0) return []
  const before = await readUse(db, placesOf(empty), {
    of: inventoryId,
    inventoryIds: formerIds,
    later: '1 year',
  })
  const { rows: sources } = await sql<{ id: string; facilityId: string; sourceType: string }>`
    select id::text, facility_id::text, source_type from emission_sources
    where inventory_id = ${inventoryId} and not closed`.execute(db)
  return findMissingMonths(before, {
    empty: new Set(empty.map((one) => `${placeOf(one)} ${one.first}`)),
    here: new Map(sources.map((one) => [placeOf(one), one.id])),
  })
}

/** Merges the months of each facility and source type. */
function placesOf(keys: readonly SourceKey[]): SourceKey[] {
  const places = new Map<string, SourceKey>()
  for (const { facilityId, sourceType, first, last } of keys) {
    const key = placeOf({ facilityId, sourceType })
    const known = places.get(key)
    places.set(key, {
      facilityId,
      sourceType,
      first: known !== undefined && known.first < first ? known.first : first,
      last: known !== undefined && known.last > last ? known.last : last,
    })
  }
  return [...places.values()]
}

/** For each source of the prior inventories, the past months without records or imported totals in this inventory. */
async function readEmptyMonths(
  db: Database,
  inventoryId: string,
  formerIds: readonly string[],
): Promise<SourceKey[]> {
  const isHere = (table: 'activity_records' | 'imported_totals', holds: RawBuilder<unknown>) => sql`exists (
    select from emission_sources h join ${sql.table(table)} r on r.customer_id = h.customer_id and r.source_id = h.id and ${holds}
      and r.period_start < m.ends and r.period_end >= m.first
    where h.customer_id = s.customer_id and h.inventory_id = ${inventoryId} and h.facility_id = s.facility_id
      and h.source_type = s.source_type)`
  const { rows } = await sql<SourceKey>`
    select distinct s.facility_id::text, s.source_type, m.first::text, m.first::text as last
    from emission_sources s
    join inventory_facilities i on i.customer_id = s.customer_id and i.inventory_id = ${inventoryId}
      and i.facility_id = s.facility_id and not i.excluded
    join facilities f on f.customer_id = s.customer_id and f.id = s.facility_id
    join carbon_inventories v on v.customer_id = s.customer_id and v.id = ${inventoryId}
    cross join lateral (select g::date as first, (g + interval '1 month')::date as ends
      from generate_series(date_trunc('month', v.period_start::timestamp), v.period_end::timestamp, interval '1 month') g) m
    where s.inventory_id = any(${[...formerIds]}::bigint[]) and m.ends <= ${tenantToday}
      and (f.closed_on is null or f.closed_on >= m.first)
      and not ${isHere('activity_records', sql`r.replaced_at is null`)}
      and not ${isHere('imported_totals', sql`r.removed_at is null`)}`.execute(db)
  return rows
}

type ComparisonRequest = { inventoryIds: readonly string[]; later: string; of: string }

/** The monthly quantities of sources, with each record spread evenly over its days; only facilities included in `of`. */
async function readUse(
  db: Database,
  places: readonly SourceKey[],
  { inventoryIds, later, of }: ComparisonRequest,
): Promise<MonthUse[]> {
  if (places.length === 0) return []
  const ids = sql`any(${[...inventoryIds]}::bigint[])`
  const parts = (period: RawBuilder<unknown>) => sql`cross join lateral (
      select g::date as month, daterange(greatest(g::date, lower(p.days)), least((g + interval '1 month')::date, upper(p.days))) as days
      from (select ${period} * source_days.days as days) p, generate_series(date_trunc('month', lower(p.days)::timestamp),
        (upper(p.days) - 1)::timestamp, interval '1 month') g) m`
  const { rows } = await sql<MonthUse>`
    with source_days as (
      select s.customer_id, s.id as source_id, daterange((p.first - ${later}::interval)::date,
        (p.last + interval '1 month' - ${later}::interval)::date) as days
      from jsonb_to_recordset(${JSON.stringify(places)}::jsonb) as p("facilityId" bigint, "sourceType" text, first date, last date)
      join emission_sources s on s.facility_id = p."facilityId" and s.source_type = p."sourceType"
      where s.inventory_id = ${ids}
    ),
    parts as (
      select r.source_id, m.month, ${measureOf} as dimension, u.code, u.to_base, m.days,
        r.quantity * u.to_base * (upper(m.days) - lower(m.days)) / (r.period_end - r.period_start + 1) as amount
      from source_days
      join activity_records r on r.customer_id = source_days.customer_id and r.source_id = source_days.source_id and r.replaced_at is null
        and r.period_start < upper(source_days.days) and r.period_end >= lower(source_days.days)
      join library.units u on u.code = r.unit
      ${parts(sql`daterange(r.period_start, r.period_end, '[]')`)}
      where r.quantity is not null
    ), sums as (
      select source_id, month, dimension, min(code) as unit, min(to_base) filter (where code = least_code) as to_base,
        sum(amount) as amount, range_agg(days) as days
      from (select p.*, min(code) over (partition by source_id, month, dimension) as least_code from parts p) p
      group by source_id, month, dimension
    )
    select s.facility_id::text, f.name as facility_name, s.source_type, s.name as source_name, s.label as source_label, s.id::text as source_id, s.inventory_id::text,
      (c.month + ${later}::interval)::date::text as month, c.dimension, trim_scale(c.amount)::text as amount,
      (select sum(upper(d) - lower(d))::int from unnest(c.days) d) as days, c.unit, trim_scale(c.to_base)::text as to_base
    from sums c
    join emission_sources s on s.id = c.source_id
    join facilities f on f.customer_id = s.customer_id and f.id = s.facility_id
    join inventory_facilities i on i.customer_id = s.customer_id and i.inventory_id = ${of} and i.facility_id = s.facility_id
      and not i.excluded
    join carbon_inventories v on v.customer_id = s.customer_id and v.id = ${of}
    where (c.month + ${later}::interval)::date between date_trunc('month', v.period_start) and v.period_end
      and (f.closed_on is null or f.closed_on >= (c.month + ${later}::interval)::date)
    order by f.code, s.source_type, c.month, c.dimension`.execute(db)
  return rows
}
