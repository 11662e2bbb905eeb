import { Readable } from 'node:stream'
import { stringify } from 'csv-stringify/sync'
import { neutral } from '#server/formats/formula-guard.ts'
import { Clock, Exact, type Cell } from './cells.ts'

/**
 * Rows as CSV: UTF-8 with a byte order mark, CRLF line endings, text quoted. Numbers stay numbers; text that a spreadsheet
 * would read as a formula is prefixed with an apostrophe.
 */
export function csvOf(head: readonly string[], rows: AsyncIterable<readonly Cell[][]>): Readable {
  return Readable.from(linesOf(head, rows), { objectMode: false })
}

async function* linesOf(
  head: readonly string[],
  rows: AsyncIterable<readonly Cell[][]>,
): AsyncGenerator<Buffer> {
  // A single empty cell would be an empty line, which readers skip.
  const nothing = head.length === 1 ? '' : null
  const written = (cell: Cell): Cell => (typeof cell === 'string' ? neutral(cell) : (cell ?? nothing))
  yield Buffer.from(`\uFEFF${write([head.map(neutral)])}`)
  for await (const some of rows) {
    yield Buffer.from(write(some.map((row) => row.map(written))))
  }
}

function write(rows: readonly (readonly Cell[])[]): string {
  return stringify([...rows], {
    record_delimiter: '\r\n',
    quoted_string: true,
    cast: {
      object: (value: unknown) => (value instanceof Exact || value instanceof Clock ? value.text : ''),
    },
  })
}
