import { sql, type RawBuilder } from 'kysely'
import type { InventoryFigures } from '#contract/carbon/inventories/inventories.ts'
import type { DuePoints } from '#contract/carbon/results/due-points.ts'
import type { Totals } from '#contract/carbon/activity/ledger-schema.ts'
import type { Database } from '#server/database/tenant-transaction.ts'
import { importedShares } from '../calculation/imported-shares.ts'
import { FACILITIES_OF_SOURCES } from '../staleness/frozen-facilities.ts'

type Coverage = Totals['coverage']
/** The most missing data points in the list. */
const MOST_NAMED = 500

/**
 * The data coverage of an inventory. A source expects a data point for each month, quarter or year in which its facility was
 * open. The point is covered if records other than estimates, with a result, cover all of its days.
 */
export async function readCoverage(db: Database, inventoryId: string): Promise<Coverage> {
  const { rows } = await sql<Omit<Coverage, 'sentence'>>`
    with ${pointsOf(sql`s.inventory_id = ${inventoryId}`)}
    select count(*)::int as expected, count(*) filter (where is_there)::int as there,
      count(*) filter (where is_estimated and not is_there)::int as estimated,
      count(*) filter (where is_empty)::int as empty, coalesce((
      select json_agg(json_build_object('facilityId', g.facility_id::text, 'expected', g.expected, 'there', g.there,
        'missing', g.missing) order by g.code)
      from (select facility_id, code, count(*) as expected, count(*) filter (where is_there) as there,
        count(*) filter (where is_empty) as missing
        from points group by facility_id, code) g), '[]') as facilities, coalesce((
      select json_agg(json_build_object('sourceId', g.id::text, 'sourceType', g.source_type, 'sourceName', g.source_name,
        'sourceLabel', g.source_label, 'facilityName', g.name,
        'from', g.first, 'to', g.last)) from (select * from points where not is_there order by code, source_type, first
          limit ${MOST_NAMED}) g), '[]') as missing, coalesce((
      select json_agg(distinct m.month::date::text) from points p cross join lateral generate_series(
        date_trunc('month', p.first::timestamp), p.last::timestamp, interval '1 month') m(month)
      where p.is_empty), '[]') as incomplete_months, coalesce((
      select json_agg(json_build_object('sourceId', g.id::text, 'sourceType', g.source_type, 'sourceName', g.source_name,
        'sourceLabel', g.source_label, 'facilityName', g.name, 'days', g.twice) order by g.code, g.source_type, g.id)
      from (select distinct id, source_type, source_name, source_label, name, code, twice from points where twice > 0 limit ${MOST_NAMED}) g), '[]') as overlaps
    from points`.execute(db)
  const coverage = rows[0] ?? {
    expected: 0,
    there: 0,
    estimated: 0,
    empty: 0,
    facilities: [],
    missing: [],
    incompleteMonths: [],
    overlaps: [],
  }
  return { ...coverage, sentence: `${coverage.there} of ${coverage.expected} expected data points` }
}

/**
 * The expected data points of sources and whether they are covered, as common table expressions; the last one is `points`.
 * @param sources a condition on `s`.
 */
export function pointsOf(sources: RawBuilder<unknown>): RawBuilder<unknown> {
  return sql`slots as (
    select s.inventory_id, s.id, s.source_type, s.name as source_name, s.label as source_label, s.facility_id, f.name, f.code, greatest(p.first::date, i.period_start, coalesce(f.opened_on, i.period_start)) as first,
      least((p.first + v.step - interval '1 day')::date, i.period_end, coalesce(f.closed_on, i.period_end)) as last
    from emission_sources s
    join carbon_inventories i on i.customer_id = s.customer_id and i.id = s.inventory_id
    -- As they were when the inventory was approved, if it is frozen.
    ${FACILITIES_OF_SOURCES}
    join inventory_facilities d on d.customer_id = s.customer_id and d.inventory_id = s.inventory_id
      and d.facility_id = s.facility_id and not d.excluded
    cross join lateral (select case s.frequency when 'month' then interval '1 month' when 'quarter' then interval '3 months'
      else interval '100 years' end as step) v
    cross join lateral generate_series(case when s.frequency = 'month' then date_trunc('month', i.period_start::timestamp)
      else i.period_start::timestamp end, i.period_end::timestamp, v.step) p(first)
    where ${sources} and not s.closed
  ),
  failed as (
    select c.record_id, range_agg(daterange(c.month, (c.month + interval '1 month')::date)) as months
    from calculation_results c
    where c.kg is null and c.part = 'main' and c.source_id in (select id from slots) group by c.record_id
  ),
  -- A bill covers its days, except for months without a result.
  covered as (
    select k.source_id, range_agg(k.days) filter (where k.kind <> 'estimate') as days, range_agg(k.days) as any_days,
      -- Days that several records count. Deliveries of one day and invoices aren't periods.
      sum(k.length) - coalesce((select sum(upper(d) - lower(d)) from unnest(range_agg(k.days) filter (where k.kind <> 'estimate')) d), 0)
        as twice
    from (
      select r.source_id, r.kind, datemultirange(daterange(r.period_start, r.period_end, '[]')) - coalesce(x.months, '{}') as days,
        case when r.kind <> 'estimate' and r.period_end > r.period_start and x.months is null and u.dimension is distinct from 'money'
          then r.period_end - r.period_start + 1 else 0 end as length
      from activity_records r left join failed x on x.record_id = r.id left join library.units u on u.code = r.unit
      where r.source_id in (select id from slots) and r.replaced_at is null and coalesce(r.quantity, 0) >= 0
    ) k
    group by k.source_id
  ),
  imported as (
    select source_id, range_agg(daterange(period_start, period_end, '[]')) as days from imported_totals
    where source_id in (select id from slots) and removed_at is null group by source_id
  ),
  points as (
    select slots.*, coalesce(d.days @> daterange(slots.first, slots.last, '[]'), false) as is_there,
      coalesce(d.any_days @> daterange(slots.first, slots.last, '[]'), false) as is_estimated,
      not (coalesce(d.any_days, '{}') + coalesce(t.days, '{}')) @> daterange(slots.first, slots.last, '[]') as is_empty,
      greatest(coalesce(d.twice, 0), 0)::int as twice
    from slots left join covered d on d.source_id = slots.id left join imported t on t.source_id = slots.id
    where slots.first <= slots.last
  )`
}

type PointCounts = Pick<DuePoints, 'expected' | 'there' | 'estimated' | 'missing'>
type DueMonth = DuePoints['facilities'][number]['months'][number] & { facilityId: string; name: string }

/** The data points of an inventory that end before a day, by facility and by the month they end in. */
export async function readDuePoints(db: Database, inventoryId: string, before: string): Promise<DuePoints> {
  const { rows } = await sql<DueMonth>`
    with ${pointsOf(sql`s.inventory_id = ${inventoryId}`)}
    select facility_id::text, name, date_trunc('month', last::timestamp)::date::text as month, count(*)::int as expected,
      count(*) filter (where is_there)::int as there,
      count(*) filter (where is_estimated and not is_there)::int as estimated,
      count(*) filter (where is_empty)::int as missing
    from points where last < ${before}::date
    group by code, facility_id, name, date_trunc('month', last::timestamp)
    order by code, facility_id, date_trunc('month', last::timestamp)`.execute(db)
  return {
    ...addCounts(rows),
    months: [...new Set(rows.map(({ month }) => month))].toSorted(),
    facilities: [...Map.groupBy(rows, ({ facilityId }) => facilityId)].map(([facilityId, months]) => ({
      facilityId,
      name: months[0]?.name ?? '',
      ...addCounts(months),
      months: months.map(({ facilityId: _facilityId, name: _name, ...month }) => month),
    })),
  }
}

function addCounts(rows: readonly PointCounts[]): PointCounts {
  const sum = (key: keyof PointCounts) => rows.reduce((total, row) => total + row[key], 0)
  return {
    expected: sum('expected'),
    there: sum('there'),
    estimated: sum('estimated'),
    missing: sum('missing'),
  }
}

/** Expected and covered data points of each source, as a table with `id`, `expected` and `there`. */
export const pointCounts = (sources: RawBuilder<unknown>): RawBuilder<unknown> => sql`(
  with ${pointsOf(sources)}
  select id, count(*)::int as expected, count(*) filter (where is_there)::int as there from points group by id)`

/** The coverage of an inventory in whole percent, rounded down; null if no data points are expected. */
export const coverageShare = (inventory: { customerId: RawBuilder<unknown>; id: RawBuilder<unknown> }) => sql<
  number | null
>`(
  with ${pointsOf(sql`s.customer_id = ${inventory.customerId} and s.inventory_id = ${inventory.id}`)}
  select (count(*) filter (where is_there) * 100 / nullif(count(*), 0))::int from points)`

/** Emissions of some inventories, including imported totals, and their coverage. */
export async function readFigures(
  db: Database,
  inventoryIds: readonly string[],
): Promise<Map<string, InventoryFigures>> {
  if (inventoryIds.length === 0) return new Map()
  const ids = sql`any(${[...inventoryIds]}::bigint[])`
  const { rows } = await sql<InventoryFigures & { inventoryId: string }>`
    with ${pointsOf(sql`s.inventory_id = ${ids}`)},
    counted as (select inventory_id, count(*)::int as expected, count(*) filter (where is_there)::int as there,
        count(*) filter (where is_empty)::int as points from points group by inventory_id),
    sums as (select inventory_id, sum(kg) filter (where method is distinct from 'market') as location,
        sum(kg) filter (where method is distinct from 'location') as market,
        sum(missing) filter (where method is distinct from 'market') as missing
      from calculation_totals where inventory_id = ${ids} group by inventory_id),
    shares as materialized (${importedShares(sql`t.inventory_id = ${ids}`)}),
    unreported as (select c.inventory_id, count(*)::int as categories from inventory_scope3 c
      where c.inventory_id = ${ids} and c.relevance = 'relevant'
        and not exists (select from calculation_totals t where t.customer_id = c.customer_id and t.inventory_id = c.inventory_id
          and t.scope = '3.' || c.category)
        and not exists (select from shares t where t.inventory_id = c.inventory_id and t.scope = '3.' || c.category)
      group by c.inventory_id),
    reported as (select inventory_id, sum(kg) as location, sum(market_kg) as market
      from shares group by inventory_id)
    select i.id::text as inventory_id, trim_scale(coalesce(m.location, 0) + coalesce(x.location, 0))::text as location,
      trim_scale(coalesce(m.market, 0) + coalesce(x.market, 0))::text as market,
      trim_scale(coalesce(x.location, 0))::text as imported, trim_scale(coalesce(x.market, 0))::text as imported_market,
      coalesce(m.missing, 0)::int as missing, coalesce(c.expected, 0) as expected, coalesce(c.there, 0) as there,
      coalesce(c.points, 0) as points, coalesce(n.categories, 0) as categories
    from carbon_inventories i left join counted c on c.inventory_id = i.id left join sums m on m.inventory_id = i.id
      left join reported x on x.inventory_id = i.id left join unreported n on n.inventory_id = i.id
    where i.id = ${ids}`.execute(db)
  return new Map(rows.map(({ inventoryId, ...figures }) => [inventoryId, figures]))
}
