import { type RawBuilder, sql } from 'kysely'
import { sourceTitle } from '#contract/carbon/inventories/source-names.ts'
import type { Database } from '#server/database/tenant-transaction.ts'
import { instant } from '#server/lists/json-text.ts'
import { readFactor } from '../factors/factor-rows.ts'
import { readGwps } from '../factors/measures.ts'
import { readStatusHistory } from '../inventories/change-status.ts'
import { readSources } from '../inventories/emission-sources.ts'
import { readInventoryFacilities } from '../inventories/inventory-facilities.ts'
import { readInventory } from '../inventories/inventory-rows.ts'
import { LEDGER_LINES, LINE, RESULTS } from '../results/ledger-rows.ts'
import { readTotals } from '../results/totals.ts'

/** Everything that an approval depends on except its records and its ledger, which can be long. Names are those of now. */
export async function readApprovalHead(db: Database, inventoryId: string): Promise<Record<string, unknown>> {
  const {
    steps: _steps,
    newerGwps: _newerGwps,
    version: _version,
    updatedAt: _updatedAt,
    updatedBy: _updatedBy,
    restatedById: _restatedById,
    approvals: _approvals,
    ...inventory
  } = await readInventory(db, inventoryId)
  const history = await readStatusHistory(db, inventoryId)
  const { inventory: _inventory, pending: _pending, ...totals } = await readTotals(db, inventoryId)
  return {
    inventory,
    approval: history[0],
    history: history.slice(1),
    datasets: await readDatasets(db, inventory.datasets),
    gwps: (await readGwps(db, inventory.gwpEdition)).filter(({ gwpSet }) => gwpSet === inventory.gwpSet),
    boundary: (await readInventoryFacilities(db, inventoryId)).map(
      ({ version: _own, ...facility }) => facility,
    ),
    sources: (await readSources(db, inventoryId)).map(({ version: _own, ...source }) => source),
    instruments: await readInstruments(db, inventoryId),
    importedTotals: await readImportedTotals(db, inventoryId),
    factors: await readUsedFactors(db, inventoryId),
    totals,
    ledgerTotal: await sumLedger(db, inventoryId),
  }
}

async function readDatasets(db: Database, ids: readonly string[]): Promise<unknown[]> {
  const { rows } = await sql<{ id: string }>`
    select id::text, publisher, title, edition, year, region, license, attribution from library.factor_datasets
    where id = any(${[...ids]}::bigint[])
    union all select id::text, publisher, title, edition, year, region, license, attribution from factor_datasets
    where id = any(${[...ids]}::bigint[])`.execute(db)
  const known = new Map(rows.map((row) => [row.id, row]))
  return ids.map((id) => known.get(id) ?? { id })
}

async function readUsedFactors(db: Database, inventoryId: string): Promise<unknown[]> {
  const { rows } = await sql<{ id: string }>`
    select distinct factor_id::text as id from (
      select factor_id from calculation_results where inventory_id = ${inventoryId}
      union select factor_id from emission_sources where inventory_id = ${inventoryId}) used
    where factor_id is not null order by id`.execute(db)
  const found: unknown[] = []
  // One after the other: a transaction has one connection.
  // oxlint-disable-next-line no-await-in-loop
  for (const { id } of rows) found.push(await readFactor(db, id))
  return found
}

async function readInstruments(db: Database, inventoryId: string): Promise<unknown[]> {
  const { rows } = await sql`
    select n.id::text, n.kind, n.name, trim_scale(n.quantity)::text as quantity, n.unit, trim_scale(n.kg_co2e)::text as kg_co2e,
      n.source_note, (select coalesce(json_agg(json_build_object('sourceId', a.source_id::text,
          'quantity', trim_scale(a.quantity)::text) order by a.source_id), '[]') from instrument_allocations a
        where a.customer_id = n.customer_id and a.instrument_id = n.id) as allocations
    from instruments n where n.inventory_id = ${inventoryId} order by n.id`.execute(db)
  return rows
}

async function readImportedTotals(db: Database, inventoryId: string): Promise<unknown[]> {
  const { rows } = await sql`
    select t.id::text, t.source_id::text, t.period_start::text, t.period_end::text, trim_scale(t.kg)::text as kg,
      trim_scale(t.market_kg)::text as market_kg, trim_scale(t.biogenic_kg)::text as biogenic_kg, t.note,
      ${instant(sql`t.created_at`)} as created_at, t.created_by
    from imported_totals t where t.inventory_id = ${inventoryId} and t.removed_at is null order by t.id`.execute(
    db,
  )
  return rows
}

/** The sum of all lines, so that a reader can compare it with the total. */
async function sumLedger(db: Database, inventoryId: string): Promise<{ location: string; market: string }> {
  const { rows } = await sql<{ location: string; market: string }>`
    select trim_scale(coalesce(sum(c.kg) filter (where c.method is distinct from 'market'), 0))::text as location,
      trim_scale(coalesce(sum(c.kg) filter (where c.method is distinct from 'location'), 0))::text as market
    from ${LEDGER_LINES} where c.inventory_id = ${inventoryId}`.execute(db)
  const [sum] = rows
  if (sum === undefined) throw new Error('A sum returned no row.')
  return sum
}

/** Rows of an approval are fetched in pages of this length. */
const PAGE = 2_000

/** The rows of a query, read once from start to end. The query has no parameters, which a cursor can't have. */
async function* fetchAll<Row>(db: Database, name: string, query: RawBuilder<unknown>): AsyncGenerator<Row> {
  const cursor = sql.id(name)
  await sql`declare ${cursor} no scroll cursor for ${query}`.execute(db)
  for (;;) {
    // Each page starts where the one before ended.
    // oxlint-disable-next-line no-await-in-loop
    const { rows } = await sql<Row>`fetch ${sql.lit(PAGE)} from ${cursor}`.execute(db)
    yield* rows
    if (rows.length < PAGE) break
  }
  await sql`close ${cursor}`.execute(db)
}

/** The current records of an inventory by source and period, with their evidence. */
export function readApprovedRecords(db: Database, inventoryId: string): AsyncGenerator {
  const query = sql`
    select r.id::text, r.version, r.source_id::text, r.kind, trim_scale(r.quantity)::text as quantity, r.unit, r.calorific_basis,
      r.period_start::text, r.period_end::text, trim_scale(r.meter_from)::text as meter_from,
      trim_scale(r.meter_to)::text as meter_to, r.factor_id::text, r.quality, r.estimate_method, r.direct, r.price_year,
      trim_scale(r.money_rate)::text as money_rate, trim_scale(r.money_deflator)::text as money_deflator, r.reference, r.comment,
      r.status, r.review_comment, r.created_by as entered_by, ${instant(sql`r.created_at`)} as entered_at,
      r.submitted_by_name as submitted_by, r.approved_by, ${instant(sql`r.approved_at`)} as approved_at,
      (select coalesce(json_agg(json_build_object('id', e.id::text, 'name', e.name, 'type', e.type, 'size', e.size,
          'sha256', e.sha256) order by e.id), '[]') from evidence_files e
        where e.customer_id = r.customer_id and e.record_id = r.id and e.removed_at is null) as evidence
    from activity_records r join emission_sources s on s.customer_id = r.customer_id and s.id = r.source_id
    where s.inventory_id = ${sql.lit(inventoryId)}::bigint and r.replaced_at is null
    order by r.source_id, r.period_start, r.id`
  return fetchAll(db, 'approved_records', query)
}

type ApprovedLine = Parameters<typeof sourceTitle>[0]

/** The ledger of an inventory by month and source, with every step of each calculation. */
export async function* readApprovedLedger(db: Database, inventoryId: string): AsyncGenerator {
  const query = sql`
    select ${LINE}, c.reference, c.conversion, trim_scale(c.amount)::text as amount, c.gwp_set,
      trim_scale(c.inclusion)::text as inclusion, c.inclusion_reason, c.formula, c.engine_version
    from ${RESULTS} where c.inventory_id = ${sql.lit(inventoryId)}::bigint
    order by c.month, c.source_id, c.record_id nulls last, c.part, c.method, c.id`
  for await (const row of fetchAll<ApprovedLine>(db, 'approved_ledger', query))
    yield { ...row, source: sourceTitle(row) }
}
