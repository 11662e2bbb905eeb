import { sql, type RawBuilder } from 'kysely'
import type { Region, Span } from './read-facilities.ts'

/**
 * What records say of themselves: null is an empty text here, which no record says. What few of them say is one text,
 * `particulars`, that is empty for the others.
 */
const SAID = sql`id, version, source_id, coalesce(quantity, 1) as quantity, kind, coalesce(unit, '') as unit,
  coalesce(calorific_basis, '') as calorific_basis, case when kind = 'direct' then jsonb_build_object('direct', direct)::text
    when num_nonnulls(factor_id, price_year, money_rate, money_deflator) = 0 then ''
    else jsonb_build_object('factor_id', factor_id, 'price_year', price_year, 'money_rate', money_rate,
      'money_deflator', money_deflator)::text end as particulars, period_start, period_end`

/** Records that agree in these have one shape: they differ in their days and quantities alone. */
const GROUP_COLUMNS = ['source_id', 'kind', 'unit', 'calorific_basis', 'particulars']

/** Records that stand, of some sources. */
export const recordsOf = (sourceIds: readonly string[]): RawBuilder<unknown> =>
  sql`select ${SAID} from activity_records where source_id = any(${[...sourceIds]}::bigint[]) and replaced_at is null`

/** What a record says, before it is saved. */
export type DraftRecord = {
  id: string
  version: number
  source_id: string
  kind: string
  quantity: string | null
  unit: string | null
  calorific_basis: string | null
  period_start: string
  period_end: string
  factor_id: string | null
  direct: unknown
  price_year: number | null
  money_rate: string | null
  money_deflator: string | null
}

export const draftRecords = (records: readonly DraftRecord[]): RawBuilder<unknown> =>
  sql`select ${SAID} from jsonb_to_recordset(${JSON.stringify(records)}::jsonb) as x(id bigint, version integer,
    source_id bigint, kind text, quantity numeric(28, 12), unit text, calorific_basis text, period_start date, period_end date,
    factor_id bigint, direct jsonb, price_year integer, money_rate numeric, money_deflator numeric)`

export type Facts = {
  records: RawBuilder<unknown>
  /** Those of the records. */
  sourceIds: readonly string[]
  regions: readonly Region[]
  /** Sources for which electricity or heat was bought by something. */
  purchased: readonly string[]
}

const likeness = sql.join(GROUP_COLUMNS.map((column) => sql.ref(column)))
/** What the records of a bundle come to together. */
const SUMS = sql`count(*) as records, sum(quantity) as quantity, sum(case when period_start = period_end then quantity
  else trunc(quantity / (period_end - period_start + 1), 12) end) as a_day`
/**
 * Records by their shapes and days, as common table expressions. `places` tells of each shape what its source, facility
 * and inventory say; shapes of one `class` take the same routes on the same day. `bundles` are the records of one shape
 * and the same days: their number, their sum, and the sum of what is one day's share of each, where sums are wanted.
 * `months` are the months that the days of bundles have in their inventory.
 */
export function groupRecords(
  { records, sourceIds, regions, purchased }: Facts,
  { isSummed = true }: { isSummed?: boolean } = {},
): RawBuilder<unknown> {
  const rows = regions.map(({ facilityId, region }) => ({ facility_id: facilityId, region }))
  return sql`records as not materialized (${records}),
  alike as materialized (
    select ${likeness}, period_start, period_end${isSummed ? sql`, ${SUMS}` : sql``}
    from records group by ${likeness}, period_start, period_end
  ),
  shapes as materialized (
    select row_number() over () as shape, g.* from (select distinct ${likeness} from alike) g
  ),
  bundles as materialized (select d.shape, r.* from alike r join shapes d using (${likeness})),
  regions as (select * from jsonb_to_recordset(${JSON.stringify(rows)}::jsonb) as x(facility_id bigint, region text)),
  places as materialized (
    select k.*, md5(concat_ws(chr(31), k.inventory_id, k.activity, k.scope, coalesce(k.region, ''), k.unit, k.calorific_basis,
      coalesce(k.hand_factor_id::text, ''), coalesce(k.price_year::text, ''), coalesce(k.money_rate::text, ''),
      coalesce(k.money_deflator::text, ''), coalesce(k.direct::text, ''), coalesce(k.purchase_of::text, ''))) as class
    from (
      select d.*, s.customer_id, s.organization_id, s.inventory_id, s.facility_id, s.activity, s.scope, i.gwp_set,
        i.period_start as first, i.period_end as last, p.region,
        case when d.kind <> 'direct' then coalesce((d.more ->> 'factor_id')::bigint, s.factor_id) end as hand_factor_id,
        (d.more ->> 'price_year')::integer as price_year, trim_scale((d.more ->> 'money_rate')::numeric) as money_rate,
        trim_scale((d.more ->> 'money_deflator')::numeric) as money_deflator, d.more -> 'direct' as direct,
        case when s.id = any(${[...purchased]}::bigint[]) then s.id end as purchase_of
      from (select *, nullif(particulars, '')::jsonb as more from shapes) d
      join (select * from emission_sources where id = any(${[...sourceIds]}::bigint[])) s on s.id = d.source_id
      join carbon_inventories i on i.id = s.inventory_id
      left join regions p on p.facility_id = s.facility_id
    ) k
  ),
  months as materialized (
    select n.*, n.period_end - n.period_start + 1 as days, n.period_start < n.first or n.period_end > n.last as is_cut,
      m.month::date as month, greatest(m.month::date, n.period_start, n.first) as day,
      least((m.month + interval '1 month - 1 day')::date, n.period_end, n.last) as last_day
    from (select distinct p.inventory_id, p.facility_id, p.first, p.last, b.period_start, b.period_end
      from bundles b join places p on p.shape = b.shape) n
    cross join lateral generate_series(date_trunc('month', greatest(n.period_start, n.first)::timestamp),
      least(n.period_end, n.last)::timestamp, interval '1 month') m(month)
  )`
}

/** The different keys that some records have: their class and the first day of a month's share. */
export function keysOf(facts: Facts): RawBuilder<unknown> {
  return sql`with ${groupRecords(facts, { isSummed: false })},
    days as (select distinct p.class, m.day from bundles b join places p on p.shape = b.shape join months m
      on m.inventory_id = p.inventory_id and m.facility_id = p.facility_id and m.period_start = b.period_start
      and m.period_end = b.period_end)
    select d.class || ' ' || d.day as key, inventory_id::text as "inventoryId", activity, scope, region,
      nullif(unit, '') as unit, nullif(calorific_basis, '') as basis, hand_factor_id::text as "handFactorId",
      price_year as "priceYear", money_rate::text as "moneyRate", money_deflator::text as "moneyDeflator", direct, d.day::text as day,
      purchase_of::text as "purchaseOf"
    from days d join (select distinct on (class) * from places order by class) p on p.class = d.class order by d.class, d.day`
}

/**
 * Of a bill of n days every day has the same share, cut to twelve places; the last one has what remains, never less. So shares
 * add up to the bill, however it is cut. A month's share is therefore `whole` times the bill and `rest` times one day's
 * share, and both follow from its days alone. What counts of it follows from the spans of inclusion.
 */
export function sharesOf(spans: readonly Span[]): RawBuilder<unknown> {
  const rows = spans.map(({ inventoryId, facilityId, ...span }) => ({
    ...span,
    inventory_id: inventoryId,
    facility_id: facilityId,
  }))
  return sql`spans as materialized (select * from jsonb_to_recordset(${JSON.stringify(rows)}::jsonb)
    as x(inventory_id bigint, facility_id bigint, first date, last date, percent numeric, reason text)),
  shares as materialized (
    select c.inventory_id, c.facility_id, c.period_start, c.period_end, c.days, c.is_cut, c.month, c.day,
      sum(c.whole)::numeric as whole, sum(c.rest)::numeric as rest, sum(c.whole * c.percent * 0.01) as whole_counted,
      sum(c.rest * c.percent * 0.01) as rest_counted, bool_or(c.percent is null) as is_unknown,
      case when min(c.percent) = max(c.percent) then min(c.percent) end as percent,
      sum(c.percent * c.counted_days) / sum(c.counted_days) as days_percent, string_agg(distinct c.reason, ' ') as reason
    from (
      select m.*, s.percent, s.reason, case when l.is_last then 1 else 0 end as whole,
        l.days as counted_days, l.days - case when l.is_last then m.days else 0 end as rest
      from months m
      join spans s on s.inventory_id = m.inventory_id and s.facility_id = m.facility_id and s.first <= m.last_day
        and s.last >= m.day
      cross join lateral (select least(m.last_day, s.last) = m.period_end as is_last,
        least(m.last_day, s.last) - greatest(m.day, s.first) + 1 as days) l
    ) c group by 1, 2, 3, 4, 5, 6, 7, 8
  )`
}

/** The shares `h` of a bundle `b` at its place `p`. */
export const HAS_SHARES = sql`h.inventory_id = p.inventory_id and h.facility_id = p.facility_id
  and h.period_start = b.period_start and h.period_end = b.period_end`

/** What was used, in base units, by source: what certificates are measured by. */
export function consumptionOf(facts: Facts, spans: readonly Span[]): RawBuilder<unknown> {
  return sql`with ${groupRecords(facts)}, ${sharesOf(spans)}
    select p.source_id::text as "sourceId",
      trim_scale(sum((h.whole * b.quantity + h.rest * b.a_day) * u.to_base))::text as consumption
    from bundles b join places p on p.shape = b.shape join shares h on ${HAS_SHARES} join library.units u on u.code = p.unit
    where p.source_id = any(${[...facts.purchased]}::bigint[]) group by p.source_id`
}
