import { sql } from 'kysely'
import type { CellProblem } from '#contract/carbon/activity/activity-schema.ts'
import type { importedTotals, ImportedTotal } from '#contract/carbon/activity/imported-totals.ts'
import type { Received } from '#contract/endpoint.ts'
import type { Database } from '#server/database/tenant-transaction.ts'
import { isViolation } from '#server/database/violations.ts'
import { conflict, notFound } from '#server/http/failure.ts'
import type { Handlers } from '#server/http/serve.ts'
import { instant } from '#server/lists/json-text.ts'
import { readSources } from '#server/carbon/inventories/emission-sources.ts'
import { lockOpenInventoryRow, readOpenInventory } from '#server/carbon/staleness/lock-inventory-row.ts'
import { saveAssignments } from '#server/carbon/inventories/save-assignments.ts'
import { readSourceDefaults } from '#server/carbon/inventories/source-defaults.ts'
import { importedShares } from '#server/carbon/calculation/imported-shares.ts'
import { checkImportedTotals } from './check-imported-totals.ts'
import { findInventory } from '../../inventories/find-inventory.ts'
import { readImportedFile } from './read-imported-file.ts'
import { FACILITIES_OF_SOURCES } from '#server/carbon/staleness/frozen-facilities.ts'

/** Totals reported for periods without activity data. */
export const importedTotalHandlers: Handlers<typeof importedTotals> = {
  async list({ db, input: { inventoryId } }) {
    await findInventory(db, inventoryId)
    return readImported(db, inventoryId)
  },

  async read({ actor, inTenant, input: { inventoryId, sheet }, files }) {
    await inTenant((db) => readOpenInventory(db, inventoryId))
    return readImportedFile(files, { customerId: actor.customerId, sheetName: sheet ?? null })
  },

  add: ({ db, input }) => importTotals(db, input),

  async remove({ db, input: { inventoryId, batchId } }) {
    await lockOpenInventoryRow(db, inventoryId)
    const { rows } = await sql<{ sourceId: string }>`update imported_totals set removed_at = app_now()
      where inventory_id = ${inventoryId} and batch_id = ${batchId} and removed_at is null
      returning source_id::text`.execute(db)
    if (rows.length === 0 && !(await hasBatch(db, inventoryId, batchId))) throw notFound('Import')
    await closeEmpty(db, inventoryId, batchId)
    return { removed: rows.length }
  },

  async restore({ db, input: { inventoryId, batchId } }) {
    await lockOpenInventoryRow(db, inventoryId)
    if (!(await hasBatch(db, inventoryId, batchId))) throw notFound('Import')
    const restored = sql<{ sourceId: string }>`update imported_totals set removed_at = null
      where inventory_id = ${inventoryId} and batch_id = ${batchId} and removed_at is not null
      returning source_id::text`.execute(db)
    const { rows } = await restored.catch((error: unknown) => {
      throw isViolation(error, 'exclusion')
        ? conflict('Some of these days have another imported total now. Remove that import first.')
        : error
    })
    await sql`update emission_sources set closed = false
      where id = any(${rows.map(({ sourceId }) => sourceId)}::bigint[]) and closed`.execute(db)
    return { restored: rows.length }
  },
}

async function hasBatch(db: Database, inventoryId: string, batchId: string): Promise<boolean> {
  const { rows } = await sql`select from imported_totals
    where inventory_id = ${inventoryId} and batch_id = ${batchId} limit 1`.execute(db)
  return rows.length > 0
}

/** Closes the sources that a batch assigned and that have no other data. */
async function closeEmpty(db: Database, inventoryId: string, batchId: string): Promise<void> {
  await sql`update emission_sources s set closed = true
    where not s.closed and s.inventory_id = ${inventoryId}
      and s.id in (select t.source_id from imported_totals t where t.batch_id = ${batchId} and t.has_assigned)
      and not exists (select from imported_totals o where o.customer_id = s.customer_id and o.source_id = s.id
        and o.removed_at is null)
      and not exists (select from activity_records r where r.customer_id = s.customer_id and r.source_id = s.id
        and r.replaced_at is null)`.execute(db)
}

type Input = Received<typeof importedTotals.add>
type ImportProblem = { key: string; isKept: boolean; problems: CellProblem[] }

/** Saves the valid rows in one batch and returns the problems of the others. @throws Failure 404 and 409 for the inventory. */
async function importTotals(
  db: Database,
  { inventoryId, rows }: Input,
): Promise<{ batchId: string | null; rows: ImportProblem[] }> {
  const inventory = await lockOpenInventoryRow(db, inventoryId)
  const findDefaults = await readSourceDefaults(db, inventory.organizationId)
  const checked = await checkImportedTotals(db, inventory, { rows, findDefaults })
  const results = rows.map(({ key }, at): ImportProblem => {
    const problems = checked[at] ?? []
    return { key, isKept: problems.every(({ level }) => level === 'warning'), problems }
  })
  const valid = rows.filter((_row, at) => results[at]?.isKept)
  if (valid.length === 0) return { batchId: null, rows: results }
  const keyOf = ({ facilityId, sourceType }: { facilityId: string; sourceType: string }) =>
    `${facilityId}/${sourceType}`
  const before = new Set((await readSources(db, inventoryId)).map(keyOf))
  const fresh = new Map(valid.filter((row) => !before.has(keyOf(row))).map((row) => [keyOf(row), row]))
  const assigned = { isAssigned: true, frequency: 'year' } as const
  const changes = [...fresh.values()].map(({ facilityId, sourceType }) => ({
    facilityId,
    sourceType,
    ...assigned,
  }))
  if (changes.length > 0) await saveAssignments(db, inventory, changes)
  const sources = new Map((await readSources(db, inventoryId)).map((source) => [keyOf(source), source.id]))
  const values = valid.map((row) => ({
    source_id: sources.get(keyOf(row)),
    period_start: row.periodStart,
    period_end: row.periodEnd,
    tonnes: row.tonnes,
    market_tonnes: findDefaults(row.sourceType, null)?.scope === '2' ? row.marketTonnes : null,
    biogenic_tonnes: row.biogenicTonnes ?? '0',
    note: row.note ?? null,
    has_assigned: fresh.has(keyOf(row)),
  }))
  const { rows: inserted } = await sql<{ batchId: string }>`
    insert into imported_totals (organization_id, inventory_id, batch_id, source_id, period_start, period_end, kg, market_kg,
      biogenic_kg, note, has_assigned)
    select ${inventory.organizationId}::bigint, ${inventoryId}::bigint, b.id, x.source_id, x.period_start, x.period_end,
      x.tonnes * 1000, x.market_tonnes * 1000, x.biogenic_tonnes * 1000, x.note, x.has_assigned
    from (select nextval('imported_batches') as id) b
    cross join jsonb_to_recordset(${JSON.stringify(values)}::jsonb) as x(source_id bigint, period_start date, period_end date,
      tonnes numeric, market_tonnes numeric, biogenic_tonnes numeric, note text, has_assigned boolean)
    returning batch_id::text`.execute(db)
  return { batchId: inserted[0]?.batchId ?? null, rows: results }
}

async function readImported(db: Database, inventoryId: string): Promise<ImportedTotal[]> {
  const { rows } = await sql<ImportedTotal>`
    select t.id::text, t.batch_id::text, t.source_id::text, s.source_type, s.name as source_name, s.label as source_label, s.scope, s.facility_id::text,
      f.name as facility_name, t.period_start::text, t.period_end::text, trim_scale(t.kg)::text as kg,
      trim_scale(t.market_kg)::text as market_kg, trim_scale(t.biogenic_kg)::text as biogenic_kg,
      coalesce(trim_scale(c.kg), 0)::text as counted_kg, t.note, ${instant(sql`t.created_at`)} as created_at, t.created_by
    from imported_totals t
    join emission_sources s on s.customer_id = t.customer_id and s.id = t.source_id
    ${FACILITIES_OF_SOURCES}
    left join (select id, sum(kg) as kg from (${importedShares(sql`t.inventory_id = ${inventoryId}`)}) x group by id) c
      on c.id = t.id
    where t.inventory_id = ${inventoryId} and t.removed_at is null
    order by f.code, s.source_type, t.period_start, t.id`.execute(db)
  return rows
}
