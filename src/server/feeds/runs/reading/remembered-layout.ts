import { sql } from 'kysely'
import { columnsOf, FeedMapping } from '#contract/feeds/mappings/mapping.ts'
import { isPositional } from './positional.ts'
import type { Database } from '#server/database/tenant-transaction.ts'

/** How an applied file looked and was read. */
export type RememberedLayout = {
  format: string
  columns: readonly string[]
  /** The saved mapping it was read with; otherwise its own. */
  mappingId: string | null
  mapping: FeedMapping | null
  name: string
  /** Whether it came from the same source, so that a different layout is unexpected. */
  isOfSource: boolean
}

/** How many of the latest runs are searched for a file with the same columns. */
const MAX_RUNS = 500

/**
 * The layout of the last applied file of a source; for a file without a source, of the last applied file with the same columns.
 * Null if there is none.
 */
export async function rememberedLayout(
  db: Database,
  sourceId: string | null,
  columns: readonly string[],
): Promise<RememberedLayout | null> {
  // Files without a header all have the same columns, of every provider.
  if (sourceId === null && isPositional(columns)) return null
  const from =
    sourceId === null
      ? sql`(select * from feed_runs order by created_at desc, id desc limit ${sql.lit(MAX_RUNS)}) r
          where r.source_id is null and r.status = 'applied' and r.columns = ${[...columns]}::text[]`
      : sql`feed_runs r where r.source_id = ${sourceId} and r.status = 'applied' and r.columns is not null`
  const { rows } = await sql<{
    format: string
    columns: string[]
    mappingId: string | null
    mapping: unknown
    name: string | null
  }>`select r.format, r.columns, r.mapping_id, r.mapping, r.mapping_name as name from ${from}
    order by r.applied_at desc, r.id desc limit 1`.execute(db)
  const [row] = rows
  if (row === undefined) return null
  return {
    ...row,
    mapping: row.mapping === null ? null : (FeedMapping.safeParse(row.mapping).data ?? null),
    name: row.name ?? '',
    isOfSource: sourceId !== null,
  }
}

/** The share of the mapped elements that an XML or JSON file must have: those without a value may be left out. */
const MIN_SHARE = 0.8
/** How many columns a message lists. */
const MAX_NAMES = 8

/** How a file looks different from the last applied one of its source, a sentence for each way. */
export function layoutChanges(
  last: RememberedLayout,
  { format, columns }: { format: string; columns: readonly string[] },
): string[] {
  if (!last.isOfSource) return []
  if (last.format !== format)
    return [
      `The layout of the file changed: it is ${format.toUpperCase()} instead of ${last.format.toUpperCase()}.`,
    ]
  const gone = last.columns.filter((name) => !columns.includes(name))
  const added = columns.filter((name) => !last.columns.includes(name))
  const isLoose = format !== 'csv'
  if (isLoose && !lacksMapped(last, columns)) return []
  return [
    ...(gone.length === 0 ? [] : [`The layout of the file changed: missing ${listOf(gone)}.`]),
    ...(added.length === 0 ? [] : [`The layout of the file changed: new ${listOf(added)}.`]),
  ]
}

function lacksMapped({ mapping, columns: before }: RememberedLayout, columns: readonly string[]): boolean {
  const mapped = mapping === null ? before : mappedColumns(mapping)
  const found = mapped.filter((name) => columns.includes(name)).length
  return found < mapped.length * MIN_SHARE
}

const mappedColumns = ({ fields }: FeedMapping): string[] => [
  ...new Set(Object.values(fields).flatMap((field) => (field === undefined ? [] : columnsOf(field)))),
]

function listOf(names: readonly string[]): string {
  const shown = names.slice(0, MAX_NAMES).join(', ')
  const more = names.length - MAX_NAMES
  return `${names.length === 1 ? 'column' : 'columns'} ${shown}${more > 0 ? ` and ${more} more` : ''}`
}

/** A proposed mapping with the fields that the last file was read with, where their columns still exist. */
export function keepKnown(last: FeedMapping, proposed: FeedMapping, columns: readonly string[]): FeedMapping {
  const kept = Object.entries(last.fields).filter(
    ([, field]) =>
      field !== undefined &&
      field.source.kind !== 'rule' &&
      columnsOf(field).every((name) => columns.includes(name)),
  )
  return { ...proposed, fields: { ...proposed.fields, ...Object.fromEntries(kept) } }
}
