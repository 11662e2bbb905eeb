import { sql, type RawBuilder } from 'kysely'
import type { Region, Span } from './read-places.ts'

/** What records say of themselves, all of it told apart: null is an empty text or nought here, which no record says. */
const SAID = sql`id, version, source_id, coalesce(quantity, 1) as quantity, kind, coalesce(unit, '') as unit,
  coalesce(calorific_basis, '') as calorific_basis, case when kind = 'direct' then 0 else coalesce(factor_id, 0) end as factor_id,
  coalesce(price_year, 0) as price_year, coalesce(money_rate, 0) as money_rate, coalesce(money_deflator, 0) as money_deflator,
  case when kind = 'direct' then direct else 'null' end as direct, period_start, period_end`

/** Records that agree in these have one shape: they differ in their days and quantities alone. */
const LIKENESS = [
  'source_id',
  'kind',
  'unit',
  'calorific_basis',
  'factor_id',
  'price_year',
  'money_rate',
  'money_deflator',
  'direct',
]

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

const ALIKE = sql.join(
  LIKENESS.map((column) => sql`${sql.ref(`r.${column}`)} = ${sql.ref(`d.${column}`)}`),
  sql` and `,
)

/**
 * Records by their shapes and days, as common table expressions. `places` tells of each shape what its source, facility
 * and inventory say; shapes of one `class` take the same routes on the same day. `bundles` are the records of one shape
 * and the same days: their number, their sum, and the sum of what is one day's share of each. `months` are the months
 * that the days of bundles have in their inventory.
 */
export function bundlesOf({ records, sourceIds, regions, purchased }: Facts): RawBuilder<unknown> {
  const likeness = sql.join(LIKENESS.map((column) => sql.ref(column)))
  const rows = regions.map(({ facilityId, region }) => ({ facility_id: facilityId, region }))
  return sql`records as not materialized (${records}),
  shapes as materialized (
    select row_number() over () as shape, g.* from (select distinct ${likeness} from records) g
  ),
  told as not materialized (
    select r.id, r.version, r.quantity, r.period_start, r.period_end, d.shape
    from records r join shapes d on ${ALIKE}
    -- A record finds its shape before anything is joined by its days.
    offset 0
  ),
  bundles as materialized (
    select shape, period_start, period_end, count(*) as records, sum(quantity) as quantity, sum(case when period_start = period_end
      then quantity else round(quantity / (period_end - period_start + 1), 12) end) as a_day
    from told group by shape, period_start, period_end
  ),
  regions as (select * from jsonb_to_recordset(${JSON.stringify(rows)}::jsonb) as x(facility_id bigint, region text)),
  places as materialized (
    select k.*, md5(concat_ws(chr(31), k.inventory_id, k.activity, k.scope, coalesce(k.region, ''), k.unit, k.calorific_basis,
      coalesce(k.hand_factor_id::text, ''), k.price_year, trim_scale(k.money_rate), trim_scale(k.money_deflator), k.direct,
      coalesce(k.purchase_of::text, ''))) as class
    from (
      select d.*, s.organization_id, s.inventory_id, s.facility_id, s.activity, s.scope, i.gwp_set,
        i.period_start as first, i.period_end as last, p.region,
        case when d.kind <> 'direct' then coalesce(nullif(d.factor_id, 0), s.factor_id) end as hand_factor_id,
        case when s.id = any(${[...purchased]}::bigint[]) then s.id end as purchase_of
      from shapes d
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
  return sql`with ${bundlesOf(facts)},
    days as (select distinct p.class, m.day from bundles b join places p on p.shape = b.shape join months m
      on m.inventory_id = p.inventory_id and m.facility_id = p.facility_id and m.period_start = b.period_start
      and m.period_end = b.period_end)
    select d.class || ' ' || d.day as key, inventory_id::text as "inventoryId", activity, scope, region,
      nullif(unit, '') as unit, nullif(calorific_basis, '') as basis, hand_factor_id::text as "handFactorId",
      nullif(price_year, 0) as "priceYear", nullif(trim_scale(money_rate), 0)::text as "moneyRate",
      nullif(trim_scale(money_deflator), 0)::text as "moneyDeflator", nullif(direct, 'null') as direct, d.day::text as day,
      purchase_of::text as "purchaseOf"
    from days d join (select distinct on (class) * from places order by class) p on p.class = d.class order by d.class, d.day`
}

/**
 * Of a bill of n days every day has the same share, rounded to twelve places; the last one has what remains. So shares
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
      case when min(c.percent) = max(c.percent) then min(c.percent) end as percent, string_agg(distinct c.reason, ' ') as reason
    from (
      select m.*, s.percent, s.reason, case when l.is_last then 1 else 0 end as whole,
        l.days - case when l.is_last then m.days else 0 end as rest
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
  return sql`with ${bundlesOf(facts)}, ${sharesOf(spans)}
    select p.source_id::text as "sourceId",
      trim_scale(sum((h.whole * b.quantity + h.rest * b.a_day) * u.to_base))::text as consumption
    from bundles b join places p on p.shape = b.shape join shares h on ${HAS_SHARES} join library.units u on u.code = p.unit
    where p.source_id = any(${[...facts.purchased]}::bigint[]) group by p.source_id`
}
