import type { GridRow } from '#web/ui/grid/grid-column.ts'
import { isRecord, parseRecord } from '#web/api/read-json.ts'

/** Unsaved changes: changed rows with the record version and the cells they were based on, and the IDs of deleted ones. */
export type Draft = Readonly<{
  rows: readonly (GridRow & { version: number; base?: GridRow['cells'] | undefined })[]
  removed: readonly string[]
}>

/** Stores a draft in this browser, so that a crash, a closed tab or an expired session loses nothing. */
export function saveDraft(key: string, draft: Draft | null): void {
  try {
    if (draft === null) localStorage.removeItem(key)
    else localStorage.setItem(key, JSON.stringify(draft))
  } catch {
    // Storage is full or blocked: editing and saving still work.
  }
}

/** The stored draft; null if there is none or it can't be read. */
export function readDraft(key: string): Draft | null {
  const found = parseRecord(localStorage.getItem(key) ?? '')
  if (!found || !Array.isArray(found['rows']) || !Array.isArray(found['removed'])) return null
  const rows = found['rows'].flatMap((row: unknown) => readRow(row))
  const removed = found['removed'].filter((id: unknown) => typeof id === 'string')
  return rows.length + removed.length === 0 ? null : { rows, removed }
}

function readRow(row: unknown): Draft['rows'] {
  if (!isRecord(row) || typeof row['key'] !== 'string' || typeof row['version'] !== 'number') return []
  const { key, version, cells, refused, base } = row
  // A draft saved before it had a base has none.
  const under = isRecord(base) ? { base: texts(base) } : {}
  return [{ key, version, cells: texts(cells), refused: texts(refused), ...under }]
}

function texts(value: unknown): Record<string, string> {
  if (!isRecord(value)) return {}
  return Object.fromEntries(
    Object.entries(value).filter((entry): entry is [string, string] => typeof entry[1] === 'string'),
  )
}
