import { sql, type RawBuilder } from 'kysely'
import { GAS_GROUPS } from '#contract/carbon/ledger-fields.ts'
import { bundlesOf, HAS_SHARES, sharesOf, type Facts } from './bundles.ts'
import { ENGINE_VERSION } from './make-routes.ts'
import type { Span } from './read-places.ts'
import type { Route } from './route-lines.ts'

/** The columns of a result, in the order in which `rows` gives them. */
export const RESULT_COLUMNS = sql`organization_id, inventory_id, facility_id, source_id, record_id, record_version, month,
  part, scope, method, quantity, amount, kg, factor_id, route_id, gwp_set, inclusion, inclusion_reason, problem, flags,
  engine_version`

export const GROUPS = sql.join(GAS_GROUPS.map((group) => sql.ref(group)))

/** The columns of a sum, in the order in which `totals` gives them. */
export const TOTAL_COLUMNS = sql`organization_id, inventory_id, facility_id, source_id, month, part, scope, method, factor_id,
  results, missing, estimated, amount, kg, ${GROUPS}, biogenic_kg, other_kg`

/** A route with its number, and the keys of the records that take it. */
export type TakenRoute = { id: string; route: Route; keys: readonly string[] }

/** What some records come to: `rows` and `totals` read the common table expressions `parts`, of which `routes` is one. */
export type Results = {
  parts: RawBuilder<unknown>
  rows: RawBuilder<unknown>
  totals: RawBuilder<unknown>
}

const UNKNOWN_INCLUSION = 'How much of it counts is not known.'

/** The routes, by their numbers, as rows of `routes`. */
export const routeRows = (taken: readonly TakenRoute[]): RawBuilder<unknown> => {
  const rows = taken.map(({ id, route: { factorId, groups, ...route } }) => ({
    ...route,
    ...groups,
    id,
    factor_id: factorId,
  }))
  return sql`select * from jsonb_to_recordset(${JSON.stringify(rows)}::jsonb) as x(id bigint, part text, scope text, method text,
    factor_id bigint, multiplier numeric, co2e numeric, ${sql.join(GAS_GROUPS.map((group) => sql`${sql.ref(group)} numeric`))},
    biogenic numeric, other numeric, conversion text, formula text, problem text, flags text[])`
}

/**
 * Every result of some records and their sums, in one statement. All but the quantity is settled once for each bundle, so
 * that a record costs a product or two, and sums are products of sums. Nothing is rounded, so both come to the same figure.
 */
export function resultsOf(
  facts: Facts,
  { spans, taken }: { spans: readonly Span[]; taken: readonly TakenRoute[] },
): Results {
  const keyed = taken.flatMap(({ id, keys }) => keys.map((key) => ({ id, key })))
  const parts = sql`${bundlesOf(facts)}, ${sharesOf(spans)}, routes as materialized (${routeRows(taken)}),
  keyed as materialized (select id, left(key, 32) as class, right(key, 10)::date as day
    from jsonb_to_recordset(${JSON.stringify(keyed)}::jsonb) as x(id bigint, key text)),
  lines as materialized (
    select b.shape, b.period_start, b.period_end, b.records, b.quantity, b.a_day, k.id as route_id, h.month, h.days, h.whole,
      h.rest, h.whole_counted, h.rest_counted, h.rest = 0 and h.rest_counted = 0 as is_whole, h.is_unknown, h.percent, h.reason,
      h.is_cut
    from bundles b join places p on p.shape = b.shape join shares h on ${HAS_SHARES}
    join keyed k on k.class = p.class and k.day = h.day
  )`
  return { parts, rows: ROWS, totals: TOTALS }
}

/** Of a record `r`: one day's share, and from it what falls into the month, and what counts of it. */
const DAY = sql`round(r.quantity / k.days, 12)`
const QUANTITY = sql`case when k.is_whole then k.whole * r.quantity else k.whole * r.quantity + k.rest * ${DAY} end`
const COUNTED = sql`case when k.is_unknown then null when k.is_whole then k.whole_counted * r.quantity
  else k.whole_counted * r.quantity + k.rest_counted * ${DAY} end`
const AMOUNT = sql`(${COUNTED}) * w.multiplier`
/** In percent: from its days where all of them count alike. */
const INCLUSION = sql`case when k.is_unknown then null when k.percent is not null then k.percent
  when (${QUANTITY}) = 0 then 100 else (${COUNTED}) / (${QUANTITY}) * 100 end`
/** Why there is none. */
const PROBLEM = sql`case when w.problem is not null then w.problem when k.is_unknown then ${sql.lit(UNKNOWN_INCLUSION)} end`

const ROWS = sql`select p.organization_id, p.inventory_id, p.facility_id, p.source_id, r.id as record_id,
    r.version as record_version, k.month, w.part, w.scope, w.method, ${QUANTITY} as quantity, ${AMOUNT} as amount,
    case when w.problem is null then ${AMOUNT} * w.co2e end as kg, w.factor_id, k.route_id, p.gwp_set,
    ${INCLUSION} as inclusion, k.reason as inclusion_reason, ${PROBLEM} as problem,
    case when p.kind = 'estimate' and k.is_cut then array['estimate', 'outside-period'] when p.kind = 'estimate' then array['estimate']
      when k.is_cut then array['outside-period'] end as flags, ${sql.lit(ENGINE_VERSION)}::integer as engine_version
  from told r join lines k on k.shape = r.shape and k.period_start = r.period_start and k.period_end = r.period_end
  join places p on p.shape = k.shape join routes w on w.id = k.route_id`

const sums = sql.join(GAS_GROUPS.map((group) => sql`sum(t.amount * ${sql.ref(`t.${group}`)})`))

const TOTALS = sql`select t.organization_id, t.inventory_id, t.facility_id, t.source_id, t.month, t.part, t.scope, t.method,
    t.factor_id, sum(t.records)::integer, coalesce(sum(t.records) filter (where t.problem is not null), 0)::integer,
    coalesce(sum(t.records) filter (where t.kind = 'estimate'), 0)::integer, sum(t.amount),
    coalesce(sum(t.amount * t.co2e) filter (where t.problem is null), 0), ${sums},
    coalesce(sum(t.amount * t.biogenic), 0), coalesce(sum(t.amount * t.other), 0)
  from (
    select p.organization_id, p.inventory_id, p.facility_id, p.source_id, p.kind, k.month, k.records, w.part, w.scope, w.method,
      w.factor_id, w.co2e, ${GROUPS}, w.biogenic, w.other, ${PROBLEM} as problem, case when not k.is_unknown
        then (k.whole_counted * k.quantity + k.rest_counted * k.a_day) * w.multiplier end as amount
    from lines k join places p on p.shape = k.shape join routes w on w.id = k.route_id
  ) t
  group by 1, 2, 3, 4, 5, 6, 7, 8, 9`

/** A figure as people read it, with at most six places. */
const shown = (value: RawBuilder<unknown>) =>
  sql`rtrim(rtrim(to_char(round(${value}, 6), 'FM999,999,999,999,999,990.000000'), '0'), '.')`

/** The words of a route, with the figures of a result in their places. */
const FORMULA = sql`replace(replace(replace(w.formula, '{quantity}', ${shown(sql`x.quantity`)}),
  '{inclusion}', case when x.inclusion = 100 then '' else ' x ' || ${shown(sql`x.inclusion`)} || ' %' end),
  '{result}', ${shown(sql`x.kg`)} || ' kg CO2e' || case when w.biogenic > 0
    then ' and ' || ${shown(sql`x.amount * w.biogenic`)} || ' kg CO2 of plants' else '' end)`

/**
 * A result `x` with what its route `w` says of it. One that was reckoned before there were routes says all of it itself.
 */
export const TOLD = sql`x.record_id, x.source_id, x.facility_id, x.month, x.part, x.scope, x.method, x.quantity, x.amount, x.kg,
  coalesce(x.biogenic_kg, x.amount * w.biogenic) as biogenic_kg, coalesce(x.other_kg, x.amount * w.other) as other_kg,
  x.factor_id, coalesce(x.conversion, w.conversion) as conversion, x.gwp_set, x.inclusion, x.inclusion_reason,
  coalesce(x.formula, ${FORMULA}) as formula, x.problem, coalesce(w.flags, '{}') || coalesce(x.flags, '{}') as flags,
  x.engine_version`

/** Results that are kept, with what their routes say. */
export const KEPT_RESULTS = sql`calculation_results x
  left join calculation_routes w on w.customer_id = x.customer_id and w.id = x.route_id`
