import { sql, type RawBuilder, type SqlBool } from 'kysely'
import type { ExplainedResult, ledger } from '#contract/carbon/results/ledger.ts'
import type { LedgerRow, ListedResult } from '#contract/carbon/activity/ledger-schema.ts'
import { GWP_SETS, resolve } from '#contract/carbon/factors/resolve.ts'
import type { Received } from '#contract/endpoint.ts'
import type { Database } from '#server/database/tenant-transaction.ts'
import { notFound } from '#server/http/failure.ts'
import { instant } from '#server/lists/json-text.ts'
import { readFactor } from '../factors/factor-rows.ts'
import { readGwps } from '../factors/measures.ts'
import { findInventory } from '../inventories/find-inventory.ts'
import { readRecords } from '../activity/records/record-rows.ts'
import { importedShares } from '../calculation/imported-shares.ts'
import { STORED_RESULTS, RESULT_FIELDS } from '../calculation/result-rows.ts'
import { FACILITIES_OF_SOURCES } from '../staleness/frozen-facilities.ts'

export type RawLine = LedgerRow

/** A line of the ledger, from results `c`, sources `s`, facilities `f` and factors `l`. */
export const LINE = sql`c.id::text, c.record_id::text, c.source_id::text, s.source_type, s.name as source_name, s.label as source_label, s.facility_id::text, f.name as facility_name,
  c.month::text, c.part, c.scope, c.method, trim_scale(c.quantity)::text as quantity, c.record_unit as unit,
  trim_scale(c.kg)::text as kg, coalesce(trim_scale(c.biogenic_kg), 0)::text as biogenic_kg,
  coalesce(trim_scale(c.other_kg), 0)::text as other_kg, c.factor_id::text, l.name as factor_name, l.publisher, l.edition,
  'estimate' = any(c.flags) as is_estimate, c.problem, c.flags`

/**
 * IDs of lines from imported totals: they are calculated when they are read, so they have no row. One ID for each total, month
 * and method, above those of stored results.
 */
const IMPORTED_IDS = sql`900000000000000000 + x.id * 240000 + (extract(year from x.month)::bigint * 12 + extract(month from x.month)::bigint) * 2`

/** The counted part of imported totals as lines. For scope 2 there is one for each method. */
const IMPORTED_LINES = sql`
  select x.customer_id, ${IMPORTED_IDS} + (case when w.method = 'market' then 1 else 0 end) as id, x.inventory_id,
    x.created_at as calculated_at, null::bigint as record_id, x.source_id, x.facility_id, x.month, 'imported' as part, x.scope, w.method,
    null::numeric as quantity, null::numeric as amount, k.kg, x.biogenic_kg, 0::numeric as other_kg, null::bigint as factor_id,
    null as conversion, i.gwp_set, null::numeric as inclusion, 'Imported as a total, which counts in full.' as inclusion_reason,
    'Imported total of ' || to_char(k.whole, 'FM999,999,999,999,999,990.######') || ' kg CO2e for ' || x.period_start || ' to '
      || x.period_end || ', ' || x.days || ' of ' || (x.period_end - x.period_start + 1) || ' days = '
      || to_char(k.kg, 'FM999,999,999,999,999,990.######') || ' kg CO2e' as formula,
    null as problem, array['imported'] as flags, 0 as engine_version, null as record_unit, x.note as reference
  from (${importedShares(sql`true`)}) x
  join carbon_inventories i on i.customer_id = x.customer_id and i.id = x.inventory_id
  cross join lateral unnest(case when x.scope = '2' then array['location', 'market'] else array[null] end::text[]) w(method)
  cross join lateral (select case when w.method = 'market' then x.market_kg else x.kg end as kg,
    case when w.method = 'market' then coalesce(x.whole_market_kg, x.whole_kg) else x.whole_kg end as whole) k`

/** Stored results, and the lines of imported totals: every kilogram of the totals. */
export const LEDGER_LINES = sql`(
  select x.customer_id, x.id, x.inventory_id, x.calculated_at, ${RESULT_FIELDS}, r.unit as record_unit, r.reference
  from ${STORED_RESULTS}
  left join activity_records r on r.customer_id = x.customer_id and r.id = x.record_id and r.version = x.record_version
  union all ${IMPORTED_LINES}) c`

/** Lines `c` with their sources `s`, facilities `f` as they were at a lock, inventories `i` and factors `l`. */
export const RESULTS = sql`${LEDGER_LINES}
  join carbon_inventories i on i.customer_id = c.customer_id and i.id = c.inventory_id
  join emission_sources s on s.customer_id = c.customer_id and s.id = c.source_id
  ${FACILITIES_OF_SOURCES}
  left join library.factors l on l.id = c.factor_id`

/**
 * The results behind a total.
 * @throws Failure 404 for the inventory.
 */
export async function readLedger(
  db: Database,
  { inventoryId, page, pageSize, ...filter }: Received<typeof ledger.rows>,
): Promise<{ filteredRows: number; totalRows: number; results: LedgerRow[] }> {
  await findInventory(db, inventoryId)
  const conditions = [
    sql`c.inventory_id = ${inventoryId}`,
    ...(filter.scope === undefined
      ? []
      : [sql`(c.scope = ${filter.scope} or (${filter.scope} = '3' and c.scope like '3.%'))`]),
    ...(filter.method === undefined ? [] : [sql`(c.method is null or c.method = ${filter.method})`]),
    ...(filter.facilityId === undefined ? [] : [sql`c.facility_id = ${filter.facilityId}`]),
    ...(filter.sourceId === undefined ? [] : [sql`c.source_id = ${filter.sourceId}`]),
    ...(filter.recordId === undefined ? [] : [sql`c.record_id = ${filter.recordId}`]),
    ...(filter.factorId === undefined ? [] : [sql`c.factor_id = ${filter.factorId}`]),
    ...(filter.isMissing === true ? [sql`c.kg is null`] : []),
    ...(filter.month === undefined ? [] : [sql`c.month = ${filter.month}::date`]),
  ]
  const where = sql.join(conditions, sql` and `)
  const { rows: counts } = await sql<{ filteredRows: number; totalRows: number }>`
    select count(*) filter (where ${where})::int as filtered_rows, count(*)::int as total_rows
    from ${LEDGER_LINES} where c.inventory_id = ${inventoryId}`.execute(db)
  const order = sql`c.month, c.source_id, c.record_id nulls last, c.part, c.method, c.id`
  // First the IDs of the page, so that only its lines are joined.
  const { rows: found } = await sql<{ id: string }>`
    select c.id::text from ${LEDGER_LINES} where ${where} order by ${order} limit ${pageSize} offset ${(page - 1) * pageSize}`.execute(
    db,
  )
  const { rows } = await sql<LedgerRow>`select ${LINE} from ${RESULTS}
    where c.id = any(${found.map(({ id }) => id)}::bigint[]) order by ${order}`.execute(db)
  return { filteredRows: counts[0]?.filteredRows ?? 0, totalRows: counts[0]?.totalRows ?? 0, results: rows }
}

/** Results that match a condition on `c.id`, for the list. */
export async function readListedResults(
  db: Database,
  condition: RawBuilder<SqlBool>,
): Promise<ListedResult[]> {
  const { rows } = await sql<ListedResult>`
    select ${LINE}, c.inventory_id::text, i.name as inventory_name, c.reference, c.formula from ${RESULTS}
    where ${condition}`.execute(db)
  return rows
}

type StoredLine = Omit<ExplainedResult, 'factor' | 'perUnit' | 'record'> & { gwpEdition: number }

/**
 * One stored result with its complete calculation.
 * @throws Failure 404, also for another tenant's.
 */
export async function explainResult(db: Database, id: string): Promise<ExplainedResult> {
  const { rows } = await sql<StoredLine>`
    select ${LINE}, c.formula, c.conversion, trim_scale(c.amount)::text as amount, c.gwp_set, i.gwp_edition,
      trim_scale(c.inclusion)::text as inclusion, c.inclusion_reason, c.engine_version, ${instant(sql`c.calculated_at`)} as calculated_at
    from ${RESULTS} where c.id = ${id}`.execute(db)
  const [found] = rows
  if (found === undefined) throw notFound('Result')
  const { gwpEdition, ...row } = found
  const factor = row.factorId === null ? null : await readFactor(db, row.factorId)
  const set = GWP_SETS.find((one) => one === row.gwpSet)
  const records = await readRecords(db, sql`r.id = ${row.recordId} and r.replaced_at is null`, { limit: 1 })
  return {
    ...row,
    factor,
    perUnit:
      factor === null || set === undefined ? null : resolve(factor, set, await readGwps(db, gwpEdition)),
    record: records[0] ?? null,
  }
}
