import type { Cell, FeedRow } from '#contract/inventory/feeds/feed-row.ts'
import { textOf } from '#contract/inventory/feeds/feed-row.ts'
import { FeedRefusal } from './feed-refusal.ts'
import { nameColumns } from './csv-rows.ts'
import type { OpenFeed } from './open-feed.ts'

/** Of the second file all is held at once: so much of it, in rows and in characters. */
export const MOST_JOINED = 200_000
const MOST_TEXT = 100_000_000

type Partner = { row: FeedRow; isTaken: boolean }

/**
 * Two files as one: the rows of the first with what the second says of the same VIN or stock number. A column that both
 * have is `Price (2)` for the second. Rows of the second without a partner come last, refused; nothing is lost.
 * @throws FeedRefusal where a column is missing or the second file is too large.
 */
export async function joinFeeds(
  main: OpenFeed,
  second: OpenFeed,
  { column, secondColumn }: { column: string; secondColumn: string },
): Promise<OpenFeed> {
  refuseMissing(main, column, 'first')
  refuseMissing(second, secondColumn, 'second')
  const columns = nameColumns([...main.columns, ...second.columns])
  const renamed = new Map(second.columns.map((name, at) => [name, columns[main.columns.length + at] ?? name]))
  const partners = new Map<string, Partner>()
  const refused: FeedRow[] = []
  let size = 0
  let count = 0
  for await (const row of second.rows) {
    count += 1
    size += row.raw.length
    if (count > MOST_JOINED || size > MOST_TEXT) {
      throw new FeedRefusal(
        `The second file is too large to join: at most ${MOST_JOINED.toLocaleString('en')} rows and 100 MB.`,
        row.line,
      )
    }
    const key = keyOf(row, secondColumn)
    if (row.problems.some(({ kind }) => kind === 'refusal')) refused.push(row)
    else if (key === '') refused.push(refuse(row, `The second file has no ${secondColumn} here.`))
    else if (partners.has(key)) refused.push(refuse(row, `The second file has ${key} twice.`))
    else partners.set(key, { row, isTaken: false })
  }
  async function* rows(): AsyncGenerator<FeedRow> {
    for await (const row of main.rows) {
      const partner = partners.get(keyOf(row, column))
      if (partner === undefined) {
        yield row
        continue
      }
      partner.isTaken = true
      const more = Object.entries(partner.row.cells).map(([name, cell]): [string, Cell] => [
        renamed.get(name) ?? name,
        cell,
      ])
      yield { ...row, cells: { ...row.cells, ...Object.fromEntries(more) } }
    }
    yield* refused
    for (const [key, { row, isTaken }] of partners) {
      if (!isTaken) yield refuse(row, `The first file has no row with ${key}.`)
    }
  }
  return { ...main, columns, rows: rows() }
}

function refuseMissing({ columns }: OpenFeed, column: string, which: string): void {
  if (!columns.includes(column)) throw new FeedRefusal(`The ${which} file has no column ${column}.`)
}

function keyOf(row: FeedRow, column: string): string {
  return textOf(row, column).toUpperCase().replace(/[\s-]/g, '')
}

function refuse(row: FeedRow, sentence: string): FeedRow {
  return { ...row, problems: [...row.problems, { kind: 'refusal', sentence }] }
}
