import { sql, type RawBuilder } from 'kysely'
import type { Region, Span } from './read-facilities.ts'

/**
 * The fields of a record that calculation depends on. Null becomes an empty text, which records don't contain. Rarely used
 * fields are combined in one text, `particulars`, which is empty for most records.
 */
const RECORD_FIELDS = sql`id, version, source_id, coalesce(quantity, 1) as quantity, kind, coalesce(unit, '') as unit,
  coalesce(calorific_basis, '') as calorific_basis, case when kind = 'direct' then jsonb_build_object('direct', direct)::text
    when num_nonnulls(factor_id, price_year, money_rate, money_deflator) = 0 then ''
    else jsonb_build_object('factor_id', factor_id, 'price_year', price_year, 'money_rate', money_rate,
      'money_deflator', money_deflator)::text end as particulars, period_start, period_end`

/** Records with the same values in these columns have the same shape: they differ only in days and quantity. */
const GROUP_COLUMNS = ['source_id', 'kind', 'unit', 'calorific_basis', 'particulars']

/**
 * Records, with estimates only for the days that no bill covers: their quantity shrinks by days, and their period to the days that
 * are left. Credits cover no days.
 * @param rows records with the columns of `activity_records`.
 */
const withoutBilledDays = (rows: RawBuilder<unknown>): RawBuilder<unknown> =>
  sql`select ${RECORD_FIELDS} from (${rows}) r where kind <> 'estimate'
    union all select ${RECORD_FIELDS} from (
      select e.id, e.version, e.source_id, e.kind, e.unit, e.calorific_basis, e.direct, e.factor_id, e.price_year, e.money_rate,
        e.money_deflator, lower(free.ranges) as period_start, upper(free.ranges) - 1 as period_end,
        case when left_over.days = all_days.days then e.quantity
          else round(e.quantity * left_over.days / all_days.days, 12) end as quantity
      from (${rows}) e
      cross join lateral (select e.period_end - e.period_start + 1 as days) all_days
      cross join lateral (select datemultirange(daterange(e.period_start, e.period_end, '[]')) - coalesce((
          select range_agg(daterange(b.period_start, b.period_end, '[]')) from activity_records b
          where b.source_id = e.source_id and b.kind <> 'estimate' and b.replaced_at is null and coalesce(b.quantity, 0) >= 0
            and b.period_start <= e.period_end and b.period_end >= e.period_start), '{}'::datemultirange) as ranges) free
      cross join lateral (select sum(upper(d) - lower(d)) as days from unnest(free.ranges) d) left_over
      where e.kind = 'estimate' and not isempty(free.ranges)
    ) shrunk`

/** The current records of some sources. */
export const recordsOf = (sourceIds: readonly string[]): RawBuilder<unknown> =>
  withoutBilledDays(
    sql`select * from activity_records where source_id = any(${[...sourceIds]}::bigint[]) and replaced_at is null`,
  )

/** A record before it is saved. */
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
  withoutBilledDays(
    sql`select * from jsonb_to_recordset(${JSON.stringify(records)}::jsonb) as x(id bigint, version integer,
      source_id bigint, kind text, quantity numeric(28, 12), unit text, calorific_basis text, period_start date, period_end date,
      factor_id bigint, direct jsonb, price_year integer, money_rate numeric, money_deflator numeric)`,
  )

export type Facts = {
  records: RawBuilder<unknown>
  /** The sources of the records. */
  sourceIds: readonly string[]
  regions: readonly Region[]
  /** Sources with contractual instruments. */
  purchased: readonly string[]
}

const groupColumns = sql.join(GROUP_COLUMNS.map((column) => sql.ref(column)))
/** Sums over the records of a group. */
const SUMS = sql`count(*) as records, sum(quantity) as quantity, sum(case when period_start = period_end then quantity
  else trunc(quantity / (period_end - period_start + 1), 12) end) as per_day`

/**
 * Groups records by shape and days, as common table expressions. `shape_facts` has the data of source, facility and
 * inventory for each shape; shapes of one `class` have the same calculation lines on the same day. `record_groups` are the
 * records with the same shape and days: their number, the sum of their quantities, and the sum of their daily shares (if
 * `isSummed`). `months` are the months of each group inside its inventory.
 */
export function groupRecords(
  { records, sourceIds, regions, purchased }: Facts,
  { isSummed = true }: { isSummed?: boolean } = {},
): RawBuilder<unknown> {
  const rows = regions.map(({ facilityId, region }) => ({ facility_id: facilityId, region }))
  return sql`records as not materialized (${records}),
  grouped as materialized (
    select ${groupColumns}, period_start, period_end${isSummed ? sql`, ${SUMS}` : sql``}
    from records group by ${groupColumns}, period_start, period_end
  ),
  shapes as materialized (
    select row_number() over () as shape, g.* from (select distinct ${groupColumns} from grouped) g
  ),
  record_groups as materialized (select d.shape, r.* from grouped r join shapes d using (${groupColumns})),
  regions as (select * from jsonb_to_recordset(${JSON.stringify(rows)}::jsonb) as x(facility_id bigint, region text)),
  shape_facts as materialized (
    select k.*, md5(concat_ws(chr(31), k.inventory_id, k.activity, k.scope, coalesce(k.region, ''), k.unit, k.calorific_basis,
      coalesce(k.manual_factor_id::text, ''), coalesce(k.price_year::text, ''), coalesce(k.money_rate::text, ''),
      coalesce(k.money_deflator::text, ''), coalesce(k.direct::text, ''), coalesce(k.purchase_of::text, ''))) as class
    from (
      select d.*, s.customer_id, s.organization_id, s.inventory_id, s.facility_id, s.activity, s.scope, i.gwp_set,
        i.period_start as first, i.period_end as last, p.region,
        case when d.kind <> 'direct' then coalesce((d.more ->> 'factor_id')::bigint, s.factor_id) end as manual_factor_id,
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
      from record_groups b join shape_facts p on p.shape = b.shape) n
    cross join lateral generate_series(date_trunc('month', greatest(n.period_start, n.first)::timestamp),
      least(n.period_end, n.last)::timestamp, interval '1 month') m(month)
  )`
}

/** The distinct keys of some records: their class and the first day of a month's share. */
export function keysOf(facts: Facts): RawBuilder<unknown> {
  return sql`with ${groupRecords(facts, { isSummed: false })},
    days as (select distinct p.class, m.day from record_groups b join shape_facts p on p.shape = b.shape join months m
      on m.inventory_id = p.inventory_id and m.facility_id = p.facility_id and m.period_start = b.period_start
      and m.period_end = b.period_end)
    select d.class || ' ' || d.day as key, inventory_id::text as "inventoryId", activity, scope, region,
      nullif(unit, '') as unit, nullif(calorific_basis, '') as basis, manual_factor_id::text as "manualFactorId",
      price_year as "priceYear", money_rate::text as "moneyRate", money_deflator::text as "moneyDeflator", direct, d.day::text as day,
      purchase_of::text as "purchaseOf"
    from days d join (select distinct on (class) * from shape_facts order by class) p on p.class = d.class order by d.class, d.day`
}

/**
 * Each of the n days of a bill has the same share, cut to twelve decimals, and the last day also has the remainder, so the
 * shares always add up to the bill. A month's share is therefore `whole` times the bill plus `rest` times the daily share,
 * and both depend only on its days. How much of it counts depends on the inclusion spans.
 */
export function sharesOf(spans: readonly Span[]): RawBuilder<unknown> {
  const rows = spans.map(({ inventoryId, facilityId, isClosed = false, ...span }) => ({
    ...span,
    is_closed: isClosed,
    inventory_id: inventoryId,
    facility_id: facilityId,
  }))
  return sql`spans as materialized (select * from jsonb_to_recordset(${JSON.stringify(rows)}::jsonb)
    as x(inventory_id bigint, facility_id bigint, first date, last date, percent numeric, reason text, is_closed boolean)),
  shares as materialized (
    select c.inventory_id, c.facility_id, c.period_start, c.period_end, c.days, c.is_cut, c.month, c.day,
      sum(c.whole)::numeric as whole, sum(c.rest)::numeric as rest, sum(c.whole * c.percent * 0.01) as whole_counted,
      sum(c.rest * c.percent * 0.01) as rest_counted, bool_or(c.percent is null) or bool_and(c.is_closed) as is_unknown,
      case when bool_and(c.is_closed) then string_agg(distinct c.reason, ' ') end as closed_reason,
      case when min(c.percent) = max(c.percent) then min(c.percent) end as percent,
      sum(c.percent * c.counted_days) / sum(c.counted_days) as days_percent, string_agg(distinct c.reason, ' ') as reason
    from (
      select m.*, s.percent, s.reason, s.is_closed, case when l.is_last then 1 else 0 end as whole,
        l.days as counted_days, l.days - case when l.is_last then m.days else 0 end as rest
      from months m
      join spans s on s.inventory_id = m.inventory_id and s.facility_id = m.facility_id and s.first <= m.last_day
        and s.last >= m.day
      cross join lateral (select least(m.last_day, s.last) = m.period_end as is_last,
        least(m.last_day, s.last) - greatest(m.day, s.first) + 1 as days) l
    ) c group by 1, 2, 3, 4, 5, 6, 7, 8
  )`
}

/** Joins the shares `h` of a record group `b` with the facts `p` of its shape. */
export const HAS_SHARES = sql`h.inventory_id = p.inventory_id and h.facility_id = p.facility_id
  and h.period_start = b.period_start and h.period_end = b.period_end`

/** Consumption by source in base units, which the quantity of certificates is compared with. */
export function consumptionOf(facts: Facts, spans: readonly Span[]): RawBuilder<unknown> {
  return sql`with ${groupRecords(facts)}, ${sharesOf(spans)}
    select p.source_id::text as "sourceId",
      trim_scale(sum((h.whole * b.quantity + h.rest * b.per_day) * u.to_base))::text as consumption
    from record_groups b join shape_facts p on p.shape = b.shape join shares h on ${HAS_SHARES} join library.units u on u.code = p.unit
    where p.source_id = any(${[...facts.purchased]}::bigint[]) group by p.source_id`
}
