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
import { STORED_RESULTS, RESULT_FIELDS } from '../calculation/result-rows.ts'

export type RawLine = LedgerRow

/** A line of the ledger, from results `c`, sources `s`, facilities `f` and factors `l`. */
export const LINE = sql`c.id::text, c.record_id::text, c.source_id::text, s.source_type, s.name as source_name, s.label as source_label, s.facility_id::text, f.name as facility_name,
  c.month::text, c.part, c.scope, c.method, trim_scale(c.quantity)::text as quantity, c.record_unit as unit,
  trim_scale(c.kg)::text as kg, coalesce(trim_scale(c.biogenic_kg), 0)::text as biogenic_kg,
  coalesce(trim_scale(c.other_kg), 0)::text as other_kg, c.factor_id::text, l.name as factor_name, l.publisher, l.edition,
  'estimate' = any(c.flags) as is_estimate, c.problem, c.flags`

/** Stored results `c` with their sources `s`, facilities `f` as they were at a lock, inventories `i` and factors `l`. */
export const RESULTS = sql`(select x.customer_id, x.id, x.inventory_id, x.calculated_at, ${RESULT_FIELDS}, r.unit as record_unit,
      r.reference from ${STORED_RESULTS}
    left join activity_records r on r.customer_id = x.customer_id and r.id = x.record_id and r.version = x.record_version) c
  join carbon_inventories i on i.customer_id = c.customer_id and i.id = c.inventory_id
  join emission_sources s on s.customer_id = c.customer_id and s.id = c.source_id
  cross join lateral (select coalesce(n.name, g.name) as name
    from facilities g left join inventory_facility_snapshots n on n.customer_id = g.customer_id
      and n.inventory_id = s.inventory_id and n.facility_id = g.id
    where g.customer_id = s.customer_id and g.id = s.facility_id) f
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
    sql`x.inventory_id = ${inventoryId}`,
    ...(filter.scope === undefined
      ? []
      : [sql`(x.scope = ${filter.scope} or (${filter.scope} = '3' and x.scope like '3.%'))`]),
    ...(filter.method === undefined ? [] : [sql`(x.method is null or x.method = ${filter.method})`]),
    ...(filter.facilityId === undefined ? [] : [sql`x.facility_id = ${filter.facilityId}`]),
    ...(filter.sourceId === undefined ? [] : [sql`x.source_id = ${filter.sourceId}`]),
    ...(filter.recordId === undefined ? [] : [sql`x.record_id = ${filter.recordId}`]),
    ...(filter.factorId === undefined ? [] : [sql`x.factor_id = ${filter.factorId}`]),
    ...(filter.isMissing === true ? [sql`x.kg is null`] : []),
    ...(filter.month === undefined ? [] : [sql`x.month = ${filter.month}::date`]),
  ]
  const where = sql.join(conditions, sql` and `)
  const { rows: counts } = await sql<{ filteredRows: number; totalRows: number }>`
    select count(*) filter (where ${where})::int as filtered_rows, count(*)::int as total_rows
    from calculation_results x where x.inventory_id = ${inventoryId}`.execute(db)
  const { rows } = await sql<LedgerRow>`select ${LINE} from ${RESULTS}
    where c.id in (select x.id from calculation_results x where ${where}
      order by x.month, x.source_id, x.record_id, x.part, x.method, x.id limit ${pageSize} offset ${(page - 1) * pageSize})
    order by c.month, c.source_id, c.record_id, c.part, c.method, c.id`.execute(db)
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
