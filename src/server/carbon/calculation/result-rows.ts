import { sql, type RawBuilder } from 'kysely'
import { GAS_GROUPS } from '#contract/carbon/activity/ledger-schema.ts'
import { groupRecords, HAS_SHARES, sharesOf, type Facts } from './group-records.ts'
import { ENGINE_VERSION } from './make-lines.ts'
import type { Span } from './read-facilities.ts'
import type { FactorApplication } from './calculation-line.ts'

/** The columns of a result, in the order of `rows`. */
export const RESULT_COLUMNS = sql`customer_id, organization_id, inventory_id, facility_id, source_id, record_id, record_version, month,
  part, scope, method, quantity, amount, kg, factor_id, line_id, gwp_set, inclusion, inclusion_reason, problem, flags,
  engine_version`

export const GROUPS = sql.join(GAS_GROUPS.map((group) => sql.ref(group)))

/** The columns of a total, in the order of `totals`. */
export const TOTAL_COLUMNS = sql`organization_id, inventory_id, facility_id, source_id, month, part, scope, method, factor_id,
  results, missing, estimated, amount, kg, ${GROUPS}, biogenic_kg, other_kg`

/** A calculation line with its ID, and the keys of the records that use it. */
export type StoredLine = { id: string; line: FactorApplication; keys: readonly string[] }

/** The SQL for the results of some records: `rows` and `totals` read the common table expressions `parts`, which include `new_lines`. */
export type Results = {
  parts: RawBuilder<unknown>
  rows: RawBuilder<unknown>
  totals: RawBuilder<unknown>
}

const UNKNOWN_INCLUSION = 'The inclusion percentage is unknown.'
/** A bill for days on which nobody used anything: either its period or the opening days of the facility are wrong. */
const CLOSED = 'The site was closed on these days. '

/** Calculation lines as rows. */
export const lineRows = (lines: readonly StoredLine[]): RawBuilder<unknown> => {
  const rows = lines.map(({ id, line: { factorId, groups, ...line } }) => ({
    ...line,
    ...groups,
    id,
    factor_id: factorId,
  }))
  return sql`select * from jsonb_to_recordset(${JSON.stringify(rows)}::jsonb) as x(id bigint, part text, scope text, method text,
    factor_id bigint, multiplier numeric, co2e numeric, ${sql.join(GAS_GROUPS.map((group) => sql`${sql.ref(group)} numeric`))},
    biogenic numeric, other numeric, conversion text, formula text, problem text, flags text[])`
}

/**
 * Every result of some records and their totals, in one statement. Everything except the quantity is calculated once per
 * record group, so that a record costs only a multiplication or two, and totals are products of sums. Nothing is rounded,
 * so results and totals agree exactly.
 */
export function resultsOf(
  facts: Facts,
  { spans, lines }: { spans: readonly Span[]; lines: readonly StoredLine[] },
): Results {
  const keyed = lines.flatMap(({ id, keys }) => keys.map((key) => ({ id, key })))
  const parts = sql`${groupRecords(facts)}, ${sharesOf(spans)}, new_lines as materialized (${lineRows(lines)}),
  keyed as materialized (select id, left(key, 32) as class, right(key, 10)::date as day
    from jsonb_to_recordset(${JSON.stringify(keyed)}::jsonb) as x(id bigint, key text)),
  -- Emissions of a class at a facility in a month's share, per unit of quantity.
  unit_results as materialized (
    select h.*, k.class, k.id as line_id, h.rest = 0 and h.rest_counted = 0 as is_whole,
      h.whole_counted * w.multiplier as whole_amount, h.rest_counted * w.multiplier as rest_amount,
      case when w.problem is null then h.whole_counted * w.multiplier * w.co2e end as whole_kg,
      case when w.problem is null then h.rest_counted * w.multiplier * w.co2e end as rest_kg,
      w.part, w.scope, w.method, w.factor_id,
      case when w.problem is not null then w.problem
        when h.closed_reason is not null then ${sql.lit(CLOSED)} || h.closed_reason when h.is_unknown then ${sql.lit(UNKNOWN_INCLUSION)} end as problem
    from shares h
    join (select distinct inventory_id, facility_id, class from shape_facts) p on p.inventory_id = h.inventory_id
      and p.facility_id = h.facility_id
    join keyed k on k.class = p.class and k.day = h.day
    join new_lines w on w.id = k.id
  ),
  monthly_groups as materialized (
    select b.*, p.customer_id, p.organization_id, p.gwp_set, h.inventory_id, h.facility_id, h.month, h.days, h.whole, h.rest,
      h.whole_counted, h.rest_counted, h.is_whole, h.is_unknown, h.percent, h.days_percent, h.reason, h.whole_amount,
      h.rest_amount, h.whole_kg, h.rest_kg, h.line_id, h.part, h.scope, h.method, h.factor_id, h.problem,
      case when b.kind = 'estimate' and h.is_cut then array['estimate', 'outside-period'] when b.kind = 'estimate'
        then array['estimate'] when h.is_cut then array['outside-period'] end as flags
    from record_groups b join shape_facts p on p.shape = b.shape join unit_results h on h.class = p.class and ${HAS_SHARES}
  )`
  return { parts, rows: ROWS, totals: TOTALS }
}

/** For a record `r`: its daily share, and from it the month's share and the counted part of that. */
const DAY = sql`trunc(r.quantity / k.days, 12)`
const spread = (whole: RawBuilder<unknown>, rest: RawBuilder<unknown>) =>
  sql`(${whole} * r.quantity + ${rest} * ${DAY})`
const counted = (whole: RawBuilder<unknown>, rest: RawBuilder<unknown>) =>
  sql`case when k.is_unknown then null when k.is_whole then ${whole} * r.quantity else ${spread(whole, rest)} end`
const QUANTITY = sql`case when k.is_whole then r.quantity else ${spread(sql`k.whole`, sql`k.rest`)} end`
/** In percent: from the days if they all count alike or the quantity is 0. */
const INCLUSION = sql`case when k.is_unknown then null when k.percent is not null then k.percent
  when (${QUANTITY}) = 0 then k.days_percent else ${spread(sql`k.whole_counted`, sql`k.rest_counted`)} / (${QUANTITY}) * 100 end`

const ROWS = sql`select k.customer_id, k.organization_id, k.inventory_id, k.facility_id, k.source_id, r.id as record_id,
    r.version as record_version, k.month, k.part, k.scope, k.method, ${QUANTITY} as quantity,
    ${counted(sql`k.whole_amount`, sql`k.rest_amount`)} as amount, ${counted(sql`k.whole_kg`, sql`k.rest_kg`)} as kg,
    k.factor_id, k.line_id, k.gwp_set, ${INCLUSION} as inclusion, k.reason as inclusion_reason, k.problem, k.flags,
    ${sql.lit(ENGINE_VERSION)}::integer as engine_version
  from (select * from records offset 0) r
  -- Joined by few columns, so that the groups are hashed and the records are read in order; the other columns rarely differ.
  join monthly_groups k on k.source_id = r.source_id and k.particulars = r.particulars and k.period_start = r.period_start
    and k.period_end = r.period_end
    and (k.kind, k.unit, k.calorific_basis) is not distinct from (r.kind, r.unit, r.calorific_basis)`

const sums = sql.join(GAS_GROUPS.map((group) => sql`sum(t.amount * ${sql.ref(`t.${group}`)})`))

const TOTALS = sql`select t.organization_id, t.inventory_id, t.facility_id, t.source_id, t.month, t.part, t.scope, t.method,
    t.factor_id, sum(t.records)::integer, coalesce(sum(t.records) filter (where t.problem is not null), 0)::integer,
    coalesce(sum(t.records) filter (where t.kind = 'estimate'), 0)::integer, sum(t.amount),
    coalesce(sum(t.amount * t.co2e) filter (where t.problem is null), 0), ${sums},
    coalesce(sum(t.amount * t.biogenic), 0), coalesce(sum(t.amount * t.other), 0)
  from (
    select k.*, w.co2e, ${GROUPS}, w.biogenic, w.other
    from (
      -- Values per unit are the same within a group, so they are applied to its sum.
      select organization_id, inventory_id, facility_id, source_id, kind, month, part, scope, method, factor_id, line_id, problem,
        sum(records) as records, case when not is_unknown then sum(whole_amount * quantity + rest_amount * per_day) end as amount
      from monthly_groups group by 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, is_unknown
    ) k join new_lines w on w.id = k.line_id
  ) t
  group by 1, 2, 3, 4, 5, 6, 7, 8, 9`

/** A number for display, with at most six decimals. */
const shown = (value: RawBuilder<unknown>) =>
  sql`rtrim(rtrim(to_char(round(${value}, 6), 'FM999,999,999,999,999,999,999,999,999,990.000000'), '0'), '.')`

/** The formula of a calculation line with the values of a result. Placeholders come before names, so names can't contain the first match. */
const FORMULA = sql`regexp_replace(regexp_replace(regexp_replace(w.formula, '[{]quantity[}]', ${shown(sql`x.quantity`)}),
  '[{]inclusion[}]', case when x.inclusion = 100 then '' else ' x ' || ${shown(sql`x.inclusion`)} || '%' end),
  '[{]result[}]', ${shown(sql`x.kg`)} || ' kg CO2e' || case when w.biogenic > 0
    then ' and ' || ${shown(sql`x.amount * w.biogenic`)} || ' kg biogenic CO2' else '' end)`

/** The fields of a result `x` with its calculation line `w`. Results from before calculation lines were stored have all fields themselves. */
export const RESULT_FIELDS = sql`x.record_id, x.source_id, x.facility_id, x.month, x.part, x.scope, x.method, x.quantity, x.amount, x.kg,
  coalesce(x.biogenic_kg, x.amount * w.biogenic) as biogenic_kg, coalesce(x.other_kg, x.amount * w.other) as other_kg,
  x.factor_id, coalesce(x.conversion, w.conversion) as conversion, x.gwp_set, x.inclusion, x.inclusion_reason,
  coalesce(x.formula, ${FORMULA}) as formula, x.problem, coalesce(w.flags, '{}') || coalesce(x.flags, '{}') as flags,
  x.engine_version`

/** Stored results with their calculation lines. */
export const STORED_RESULTS = sql`calculation_results x
  left join calculation_lines w on w.customer_id = x.customer_id and w.id = x.line_id`
