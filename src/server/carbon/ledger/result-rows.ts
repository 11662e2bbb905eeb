import { sql, type RawBuilder } from 'kysely'
import { GAS_GROUPS } from '#contract/carbon/ledger-fields.ts'
import type { Region, Span } from './read-places.ts'
import { ENGINE_VERSION } from './make-routes.ts'
import type { RouteLine } from './route-lines.ts'

/** The columns of `activity_records` that the engine reads. */
const READ = sql`id, version, organization_id, source_id, kind, quantity, unit, calorific_basis, period_start, period_end,
  factor_id, direct, price_year, money_rate, money_deflator`

/** Records that stand, of some sources. */
export const recordsOf = (sourceIds: readonly string[]): RawBuilder<unknown> =>
  sql`select ${READ} from activity_records where source_id = any(${[...sourceIds]}::bigint[]) and replaced_at is null`

/** What a record says, before it is saved. */
export type DraftRecord = {
  id: string
  version: number
  organization_id: string
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
  sql`select ${READ} from jsonb_to_recordset(${JSON.stringify(records)}::jsonb) as x(id bigint, version integer,
    organization_id bigint, source_id bigint, kind text, quantity numeric, unit text, calorific_basis text, period_start date,
    period_end date, factor_id bigint, direct jsonb, price_year integer, money_rate numeric, money_deflator numeric)`

type Facts = {
  records: RawBuilder<unknown>
  regions: readonly Region[]
  /** Sources for which electricity or heat was bought by something. */
  purchased: readonly string[]
}

/** The shares of records in the months of their inventories, each with the key of its route. */
function monthsOf({ records, regions, purchased }: Facts): RawBuilder<unknown> {
  return sql`records as (${records}),
  regions as (select * from jsonb_to_recordset(${JSON.stringify(
    regions.map(({ facilityId, region }) => ({ facility_id: facilityId, region })),
  )}::jsonb) as x(facility_id bigint, region text)),
  months as (
    select k.*, md5(concat_ws(chr(31), k.inventory_id, k.activity, k.scope, coalesce(k.region, ''), coalesce(k.unit, ''),
      coalesce(k.calorific_basis, ''), coalesce(k.hand_factor_id::text, ''), coalesce(k.price_year::text, ''),
      coalesce(trim_scale(k.money_rate)::text, ''), coalesce(trim_scale(k.money_deflator)::text, ''),
      coalesce(k.direct::text, ''), k.day, coalesce(k.purchase_of::text, ''))) as key
    from (
      select r.id, r.version, s.organization_id, r.source_id, s.inventory_id, s.facility_id, s.activity, s.scope, i.gwp_set,
        r.kind = 'estimate' as is_estimate, coalesce(r.quantity, 1)::numeric(28, 12) as quantity, r.unit, r.calorific_basis,
        r.period_start, r.period_end, r.period_start < i.period_start or r.period_end > i.period_end as is_cut,
        case when r.kind <> 'direct' then coalesce(r.factor_id, s.factor_id) end as hand_factor_id,
        r.price_year, r.money_rate, r.money_deflator, case when r.kind = 'direct' then r.direct end as direct,
        case when s.id = any(${[...purchased]}::bigint[]) then s.id end as purchase_of, p.region, m.month::date as month,
        greatest(m.month::date, r.period_start, i.period_start) as day,
        least((m.month + interval '1 month - 1 day')::date, r.period_end, i.period_end) as last_day
      from records r
      join emission_sources s on s.id = r.source_id
      join carbon_inventories i on i.id = s.inventory_id
      left join regions p on p.facility_id = s.facility_id
      cross join lateral generate_series(date_trunc('month', greatest(r.period_start, i.period_start)::timestamp),
        least(r.period_end, i.period_end)::timestamp, interval '1 month') m(month)
    ) k
  )`
}

/** The different keys that some records have. */
export function keysOf(facts: Facts): RawBuilder<unknown> {
  return sql`with ${monthsOf(facts)}
    select distinct on (key) key, inventory_id::text as "inventoryId", activity, scope, region, unit, calorific_basis as basis,
      hand_factor_id::text as "handFactorId", price_year as "priceYear", trim_scale(money_rate)::text as "moneyRate",
      trim_scale(money_deflator)::text as "moneyDeflator", direct, day::text as day, purchase_of::text as "purchaseOf"
    from months order by key`
}

/**
 * Of a bill of n days every day has the same share, rounded to twelve places; the last one has what remains. So shares
 * add up to the bill, however it is cut.
 */
const SHARE = sql`case when least(m.last_day, s.last) = m.period_end
  then m.quantity - (m.period_end - m.period_start + 1 - (least(m.last_day, s.last) - greatest(m.day, s.first) + 1))
    * round(m.quantity / (m.period_end - m.period_start + 1), 12)
  else (least(m.last_day, s.last) - greatest(m.day, s.first) + 1)
    * round(m.quantity / (m.period_end - m.period_start + 1), 12) end`

/** A figure as people read it, with at most six places. */
const shown = (value: RawBuilder<unknown>) =>
  sql`rtrim(rtrim(to_char(round(${value}, 6), 'FM999,999,999,999,999,990.000000'), '0'), '.')`

/** What was used, in base units, by source: what certificates are measured by. */
export function consumptionOf(facts: Facts, spans: readonly Span[]): RawBuilder<unknown> {
  return sql`with ${monthsOf(facts)}, ${spansOf(spans)}
    select m.source_id::text as "sourceId", trim_scale(sum(${SHARE} * u.to_base))::text as consumption
    from months m join spans s on ${meets} join library.units u on u.code = m.unit
    where m.source_id = any(${[...facts.purchased]}::bigint[]) group by m.source_id`
}

const meets = sql`s.inventory_id = m.inventory_id and s.facility_id = m.facility_id and s.first <= m.last_day
  and s.last >= m.day`

function spansOf(spans: readonly Span[]): RawBuilder<unknown> {
  return sql`spans as materialized (select * from jsonb_to_recordset(${JSON.stringify(
    spans.map(({ inventoryId, facilityId, ...span }) => ({
      ...span,
      inventory_id: inventoryId,
      facility_id: facilityId,
    })),
  )}::jsonb) as x(inventory_id bigint, facility_id bigint, first date, last date, percent numeric, reason text))`
}

/** The columns of a result, in the order in which `resultRows` gives them. */
export const RESULT_COLUMNS = sql`organization_id, inventory_id, facility_id, source_id, record_id, record_version, month,
  part, scope, method, quantity, amount, kg, ${sql.join(GAS_GROUPS.map((group) => sql.ref(group)))}, biogenic_kg, other_kg,
  factor_id, conversion, gwp_set, inclusion, inclusion_reason, formula, problem, flags, engine_version`

const UNKNOWN_INCLUSION = 'How much of it counts is not known.'

/**
 * Every result of some records, in one statement: months, inclusion by day, conversion, figures of the factor, words.
 * @param lines those of the records' keys.
 */
export function resultRows(
  facts: Facts,
  { spans, lines }: { spans: readonly Span[]; lines: readonly RouteLine[] },
): RawBuilder<unknown> {
  const routes = lines.map(({ factorId, groups, ...line }) => ({ ...line, ...groups, factor_id: factorId }))
  // Nothing counts before it is multiplied by what counts of it; nothing is rounded.
  const ofGroups = sql.join(GAS_GROUPS.map((group) => sql`q.amount * q.${sql.ref(group)}`))
  return sql`with ${monthsOf(facts)}, ${spansOf(spans)},
  routes as materialized (select * from jsonb_to_recordset(${JSON.stringify(routes)}::jsonb) as x(key text, part text,
    scope text, method text, factor_id bigint, multiplier numeric, co2e numeric,
    ${sql.join(GAS_GROUPS.map((group) => sql`${sql.ref(group)} numeric`))}, biogenic numeric, other numeric, conversion text,
    formula text, problem text, flags text[])),
  shares as (
    select m.id, m.month, sum(${SHARE}) as quantity, sum(${SHARE} * s.percent * 0.01) as counted,
      bool_or(s.percent is null) as is_unknown, string_agg(distinct s.reason, ' ') as reason
    from months m join spans s on ${meets} group by m.id, m.month
  ),
  reckoned as (
    select m.organization_id, m.inventory_id, m.facility_id, m.source_id, m.id, m.version, m.month, m.gwp_set,
      m.is_estimate, m.is_cut, h.quantity, h.counted, h.reason, r.*,
      case when h.is_unknown then null else h.counted * r.multiplier end as amount,
      coalesce(r.problem, case when h.is_unknown then ${UNKNOWN_INCLUSION} end) as trouble,
      case when h.is_unknown then null when h.quantity = 0 then 100 else h.counted / h.quantity * 100 end as inclusion
    from months m join shares h on h.id = m.id and h.month = m.month join routes r on r.key = m.key
  )
  select q.organization_id, q.inventory_id, q.facility_id, q.source_id, q.id, q.version, q.month, q.part, q.scope, q.method,
    q.quantity, q.amount, case when q.trouble is null then q.amount * q.co2e end, ${ofGroups},
    q.amount * q.biogenic, q.amount * q.other, q.factor_id, q.conversion, q.gwp_set, q.inclusion, q.reason,
    replace(replace(replace(q.formula, '{quantity}', ${shown(sql`q.quantity`)}),
      '{inclusion}', case when q.inclusion = 100 then '' else ' x ' || ${shown(sql`q.inclusion`)} || ' %' end),
      '{result}', ${shown(sql`q.amount * q.co2e`)} || ' kg CO2e' || case when q.biogenic > 0
        then ' and ' || ${shown(sql`q.amount * q.biogenic`)} || ' kg CO2 of plants' else '' end),
    q.trouble, q.flags || case when q.is_estimate then array['estimate'] else '{}' end
      || case when q.is_cut then array['outside-period'] else '{}' end, ${ENGINE_VERSION}::integer
  from reckoned q`
}
