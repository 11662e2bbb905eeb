import { type Cell, type FeedRow, textOf } from '#contract/feeds/mappings/source-row.ts'
import { FeedRefusal } from '#server/formats/feed-refusal.ts'
import { nameColumns } from '#server/formats/csv-rows.ts'
import type { OpenFeed } from '#server/formats/open-feed.ts'

/** How many rows are looked up at once. */
const BATCH_SIZE = 500

/** A row of the second file; without a key it can't be joined. */
export type Partner = { key: string | null; row: FeedRow }

/** Storage for the rows of the second file until they are joined with the first. */
export type Partners = {
  /** Stores rows. @returns those whose key is already stored, which are not stored again. */
  add: (rows: readonly Partner[]) => Promise<readonly Partner[]>
  /** The rows with these keys, which are then marked as used. */
  take: (keys: readonly string[]) => Promise<ReadonlyMap<string, FeedRow>>
  /** The unused rows, in file order. */
  rest: () => AsyncIterable<Partner>
}

/**
 * Joins two files: the rows of the first, extended by the second file's columns for the same VIN or stock number. A column name
 * found in both becomes `Price (2)` for the second. Unmatched rows of the second file come last, as rejected rows.
 * @throws FeedRefusal if a column is missing or the second file can't be read.
 */
export async function joinFeeds(
  main: OpenFeed,
  second: OpenFeed,
  { column, secondColumn, partners }: { column: string; secondColumn: string; partners: Partners },
): Promise<OpenFeed> {
  refuseMissing(main, column, 'first')
  refuseMissing(second, secondColumn, 'second')
  const columns = joinedColumns(main.columns, second.columns)
  const renamed = new Map(second.columns.map((name, at) => [name, columns[main.columns.length + at] ?? name]))
  for await (const batch of inBatches(second.rows)) await saveRows(partners, batch, secondColumn)
  async function* rows(): AsyncGenerator<FeedRow> {
    for await (const batch of inBatches(main.rows)) {
      const keys = batch.map((row) => keyOf(row, column)).filter((key) => key !== '')
      const found = await partners.take([...new Set(keys)])
      for (const row of batch) {
        const partner = found.get(keyOf(row, column))
        yield partner === undefined ? row : withPartner(row, partner, renamed)
      }
    }
    for await (const { key, row } of partners.rest()) {
      yield key === null ? row : refuse(row, `The first file has no row for ${key}.`)
    }
  }
  return { ...main, columns, rows: rows() }
}

/** The column names of the two files combined. */
export function joinedColumns(first: readonly string[], second: readonly string[]): string[] {
  return nameColumns([...first, ...second])
}

/** Stores partners in memory, for samples. */
export function memoryPartners(): Partners {
  const kept: Partner[] = []
  const byKey = new Map<string, Partner>()
  const taken = new Set<Partner>()
  return {
    async add(rows) {
      const repeated = rows.filter((one) => {
        const isRepeated = one.key !== null && byKey.has(one.key)
        if (isRepeated) return true
        kept.push(one)
        if (one.key !== null) byKey.set(one.key, one)
        return false
      })
      return await Promise.resolve(repeated)
    },
    async take(keys) {
      const found = keys.flatMap((key): [string, FeedRow][] => {
        const one = byKey.get(key)
        if (one === undefined) return []
        taken.add(one)
        return [[key, one.row]]
      })
      return await Promise.resolve(new Map(found))
    },
    async *rest() {
      yield* await Promise.resolve(kept.filter((one) => !taken.has(one)))
    },
  }
}

async function saveRows(partners: Partners, rows: readonly FeedRow[], column: string): Promise<void> {
  const repeated = await partners.add(
    rows.map((row): Partner => {
      if (row.problems.some(({ kind }) => kind === 'refusal')) return { key: null, row }
      const key = keyOf(row, column)
      if (key !== '') return { key, row }
      return { key: null, row: refuse(row, `This row of the second file has no ${column}.`) }
    }),
  )
  if (repeated.length === 0) return
  await partners.add(
    repeated.map(({ key, row }) => ({
      key: null,
      row: refuse(row, `The second file lists ${key} more than once.`),
    })),
  )
}

function withPartner(row: FeedRow, partner: FeedRow, renamed: ReadonlyMap<string, string>): FeedRow {
  const more = Object.entries(partner.cells).map(([name, cell]): [string, Cell] => [
    renamed.get(name) ?? name,
    cell,
  ])
  return { ...row, cells: { ...row.cells, ...Object.fromEntries(more) } }
}

/** Rows in batches. If the file breaks off, the rows read so far come before the error. */
async function* inBatches(rows: AsyncIterable<FeedRow>): AsyncGenerator<FeedRow[]> {
  let batch: FeedRow[] = []
  let refusal: FeedRefusal | null = null
  try {
    for await (const row of rows) {
      batch.push(row)
      if (batch.length < BATCH_SIZE) continue
      const full = batch
      batch = []
      yield full
    }
  } catch (error) {
    if (!(error instanceof FeedRefusal)) throw error
    refusal = error
  }
  if (batch.length > 0) yield batch
  if (refusal !== null) throw refusal
}

function refuseMissing({ columns }: OpenFeed, column: string, which: string): void {
  if (!columns.includes(column)) throw new FeedRefusal(`The ${which} file has no ${column} column.`)
}

function keyOf(row: FeedRow, column: string): string {
  return textOf(row, column).toUpperCase().replace(/[\s-]/g, '').slice(0, 200)
}

function refuse(row: FeedRow, sentence: string): FeedRow {
  return { ...row, problems: [...row.problems, { kind: 'refusal', sentence }] }
}
