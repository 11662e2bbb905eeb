import { sql } from 'kysely'
import type { Database } from '#server/database/tenant-transaction.ts'

type Saved = Readonly<{
  recordId: string
  version: number
  importId: string
  fileName: string
  undoneAt: string | null
}>
type Version = Readonly<{
  recordId: string
  version: number
  /** The import that saved it; null for a change by hand. */
  importId: string | null
  fileName: string | null
  isUndone: boolean
  /** The import whose undo brought an earlier version back as this one. */
  restoredBy: string | null
}>

/** What an undo does with a record of its import. */
export type Undoable = Readonly<{
  /** The record is as the import saved it. */
  isOwn: boolean
  /** The version that comes back; 0: none, the record is deleted. */
  former: number
  /** The file whose import has changed the record since; null if none has, or a person. */
  changedBy: string | null
}>

/**
 * For records that an import saved: whether they still are as it saved them, also if later corrections were undone, and what they were
 * before it. What imports saved that were undone doesn't come back.
 */
export async function readUndoable(db: Database, importId: string): Promise<ReadonlyMap<string, Undoable>> {
  // Three statements, because the planner can't estimate the number of rows that were just inserted.
  const { rows: own } = await sql<{ id: string }>`
    select distinct record_id::text as id from activity_import_lines where import_id = ${importId} and record_id is not null`.execute(
    db,
  )
  const ids = own.map(({ id }) => id)
  const { rows: saved } = await sql<Saved>`
    select distinct l.record_id::text, l.record_version as version, l.import_id::text, i.file_name, i.undone_at::text
    from activity_import_lines l join activity_imports i on i.id = l.import_id
    where l.record_id = any(${ids}::bigint[])`.execute(db)
  const { rows: versions } = await sql<{ recordId: string; version: number; createdAt: string }>`
    select id::text as record_id, version, created_at::text from activity_records
    where id = any(${ids}::bigint[]) order by id, version`.execute(db)
  const byRecord = Map.groupBy(saved, ({ recordId }) => recordId)
  const whole = versions.map(({ createdAt, ...one }): Version => {
    const all = byRecord.get(one.recordId) ?? []
    const by = all.find(({ version }) => version === one.version)
    const undo = all.findLast(({ version, undoneAt }) => version < one.version && undoneAt === createdAt)
    return {
      ...one,
      importId: by?.importId ?? null,
      fileName: by?.fileName ?? null,
      isUndone: (by?.undoneAt ?? null) !== null,
      restoredBy: undo?.importId ?? null,
    }
  })
  return new Map(
    [...Map.groupBy(whole, ({ recordId }) => recordId)].map(([id, all]) => [id, undoableOf(all, importId)]),
  )
}

function undoableOf(versions: readonly Version[], importId: string): Undoable {
  const at = new Map(versions.map((one) => [one.version, one]))
  const savedBy = (id: string) => versions.filter((one) => one.importId === id)
  /** The version whose values a version has. */
  const valuesOf = (version: number): number => {
    const by = at.get(version)?.restoredBy ?? null
    return by === null ? version : formerOf(by)
  }
  /** The version before an import that no undone import saved. */
  const formerOf = (id: string): number => {
    let version = valuesOf((savedBy(id)[0]?.version ?? 0) - 1)
    while (at.get(version)?.isUndone === true) version = valuesOf(version - 1)
    return at.has(version) ? version : 0
  }
  const current = valuesOf(versions.at(-1)?.version ?? 0)
  const isOwn = savedBy(importId).at(-1)?.version === current
  return {
    isOwn,
    former: formerOf(importId),
    changedBy: isOwn ? null : (at.get(current)?.fileName ?? null),
  }
}
