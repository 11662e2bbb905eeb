import { sql } from 'kysely'
import type { activityImports } from '#contract/carbon/activity/activity-imports.ts'
import type { Returned } from '#contract/endpoint.ts'
import type { Database } from '#server/database/tenant-transaction.ts'
import { conflict, notFound } from '#server/http/failure.ts'
import { daysOf, nameOf, useOf } from './ask-about-bills.ts'
import { type Bill, shareDays, splitCredits, takenBack } from './bill-identity.ts'
import { readUndoable, type Undoable } from './import-versions.ts'
import { readStored } from './stored-bills.ts'
import { lockOpenInventoryRow } from '#server/carbon/staleness/lock-inventory-row.ts'
import { readUnitTable } from '#server/carbon/factors/measures.ts'
import { recalculateStale } from '#server/carbon/calculation/recalculate.ts'

type StoredImport = {
  line: number
  recordId: string
  version: number
  status: string
  updatedBy: string | null
  hasEvidence: boolean
} & Undoable

/**
 * Undoes an import: deletes its records that haven't changed since, restores the bills that it corrected, and the estimates that it
 * replaced. Other records stay and are listed.
 * @throws Failure 404, or 409 if it was already undone or the inventory is frozen.
 */
export async function undoImport(db: Database, id: string): Promise<Returned<typeof activityImports.undo>> {
  const inventoryId = await findImport(db, id)
  await lockOpenInventoryRow(db, inventoryId)
  const undoables = await readUndoable(db, id)
  // The inventory is locked, so a concurrent second undo finds the first one done.
  const { rows: undone } = await sql`
    update activity_imports set undone_at = app_now(), undone_by = nullif(current_setting('app.actor_name', true), '')
    where id = ${id} and undone_at is null returning id`.execute(db)
  if (undone.length === 0) throw conflict('This import was already undone.')
  const rows = await lockRecords(db, id, undoables)
  const undoable = rows.filter((row) => refusalOf(row) === null)
  const ids = undoable.map(({ recordId }) => recordId)
  const looseAfter = await readCredits(db, ids)
  const { rows: deleted } = await sql<{ sourceId: string }>`
    update activity_records set replaced_at = app_now(), replaced_how = 'deleted'
    where id = any(${ids}::bigint[]) and replaced_at is null returning source_id::text`.execute(db)
  const corrected = undoable.filter(({ former }) => former > 0)
  await restoreCorrected(db, corrected)
  const sourceIds = new Set(deleted.map(({ sourceId }) => sourceId))
  await restoreEstimates(db, id, [...sourceIds])
  const loose = await looseAfter()
  await recalculateStale(db, inventoryId)
  return {
    deleted: ids.length - corrected.length,
    restored: corrected.length,
    kept: rows.flatMap((row) => {
      const message = refusalOf(row)
      return message === null ? [] : [{ line: row.line, message }]
    }),
    loose,
  }
}

/**
 * @returns what names the credits, once these records are deleted, that no longer take back any of the bills that they did, or that are of
 * days without a bill now.
 */
async function readCredits(db: Database, ids: readonly string[]): Promise<() => Promise<string[]>> {
  const { rows: days } = await sql<Pick<Bill, 'sourceId' | 'first' | 'last'>>`
    select source_id::text, period_start::text as first, period_end::text as last from activity_records
    where id = any(${[...ids]}::bigint[]) and replaced_at is null`.execute(db)
  const units = await readUnitTable(db)
  const read = async () => {
    const [bills, credits] = splitCredits(await readStored(db, days, units))
    return credits.map((one) => ({
      one,
      takes: takenBack(bills, [one]).size > 0,
      isBeside: bills.some((bill) => bill.sourceId === one.sourceId && shareDays(bill, one)),
    }))
  }
  const before = new Map((await read()).map((credit) => [credit.one.id, credit]))
  if (before.size === 0) return () => Promise.resolve([])
  return async () =>
    (await read()).flatMap(({ one, takes, isBeside }) => {
      const then = before.get(one.id)
      const isLoose = then?.takes === true ? !takes : then?.isBeside === true && !isBeside
      return isLoose ? [`${nameOf(one)} for ${daysOf(one)}: ${useOf(one)}`] : []
    })
}

/** The records of an import that still exist, locked for update. */
async function lockRecords(
  db: Database,
  id: string,
  undoables: ReadonlyMap<string, Undoable>,
): Promise<StoredImport[]> {
  const { rows: lines } = await sql<{ line: number; recordId: string }>`
    select line, record_id::text from activity_import_lines where import_id = ${id} and record_id is not null
    order by line desc, place desc`.execute(db)
  const lineOf = new Map(lines.map(({ recordId, line }) => [recordId, line]))
  // Two statements, because the planner can't estimate the number of rows that were just inserted.
  const { rows } = await sql<Omit<StoredImport, 'line' | keyof Undoable>>`
    select id::text as record_id, version, status, created_by as updated_by, exists (
        select from evidence_files e where e.customer_id = activity_records.customer_id and e.record_id = activity_records.id
          and e.removed_at is null) as has_evidence
    from activity_records
    where id = any(${[...lineOf.keys()]}::bigint[]) and replaced_at is null for update`.execute(db)
  const none = { isOwn: false, former: 0, changedBy: null }
  return rows
    .map((row) => ({ ...row, ...(undoables.get(row.recordId) ?? none), line: lineOf.get(row.recordId) ?? 0 }))
    .toSorted((one, other) => one.line - other.line)
}

/** Why a record can't be deleted; null if it hasn't changed since the import. */
function refusalOf({
  isOwn,
  former,
  changedBy,
  status,
  updatedBy,
  hasEvidence,
}: StoredImport): string | null {
  if (!isOwn && changedBy !== null)
    return `The import of ${changedBy} has changed it since. Undo that one first.`
  if (!isOwn) return `${updatedBy ?? 'Someone'} has changed it since.`
  if (hasEvidence && former === 0) return 'It has evidence now.'
  if (status === 'submitted') return 'It is in review.'
  if (status === 'approved') return 'It is approved.'
  return status === 'returned' ? 'It was returned for changes.' : null
}

const RECORD_COLUMNS = sql`organization_id, source_id, kind, quantity, unit, calorific_basis, period_start, period_end, meter_from,
  meter_to, factor_id, quality, estimate_method, direct, price_year, money_rate, money_deflator, reference, comment, cost`

/** Bills that the import corrected are as they were before it, as a new version. */
async function restoreCorrected(db: Database, rows: readonly StoredImport[]): Promise<void> {
  const former = rows.map(({ recordId, version, former: values }) => ({
    id: recordId,
    version,
    former: values,
  }))
  await sql`insert into activity_records (id, version, ${RECORD_COLUMNS})
    select r.id, x.version + 1, ${RECORD_COLUMNS}
    from jsonb_to_recordset(${JSON.stringify(former)}::jsonb) as x(id bigint, version integer, former integer)
    join activity_records r on r.id = x.id and r.version = x.former`.execute(db)
}

async function findImport(db: Database, id: string): Promise<string> {
  const { rows } = await sql<{ inventoryId: string }>`
    select inventory_id::text from activity_imports where id = ${id}`.execute(db)
  const [found] = rows
  if (found === undefined) throw notFound('Import')
  return found.inventoryId
}

/** Estimates that this import replaced, unless another bill covers them now. */
async function restoreEstimates(db: Database, id: string, sourceIds: readonly string[]): Promise<void> {
  await sql`insert into activity_records (id, version, ${RECORD_COLUMNS})
    select e.id, e.version + 1, ${RECORD_COLUMNS} from activity_records e
    where e.source_id = any(${[...sourceIds]}::bigint[]) and e.replaced_how = 'billed'
      and e.replaced_at = (select i.created_at from activity_imports i where i.id = ${id})
      and not exists (select from activity_records later where later.customer_id = e.customer_id and later.id = e.id
        and later.version > e.version)
      and not exists (select from activity_records b where b.customer_id = e.customer_id and b.source_id = e.source_id
        and b.replaced_at is null and b.kind <> 'estimate' and coalesce(b.quantity, 0) >= 0 and b.period_start <= e.period_start and b.period_end >= e.period_end)`.execute(
    db,
  )
}
