import { Readable } from 'node:stream'
import type { CellValue, ColumnDef } from 'hucre/xlsx'
import type { FieldKind } from '#contract/lists/list.ts'
import { MAX_ROWS_PER_SHEET } from '#contract/reports/reports.ts'
import { Clock, Exact, type Cell } from './cells.ts'

export const XLSX_TYPE = 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet'

/** Excel's limit on characters per cell. */
export const MAX_TEXT = 32_767

/** Excel counts days from 1900, including a nonexistent February 29, 1900. Earlier dates are written as text. */
const FIRST_DAY = '1900-03-01'

const FORMATS: Partial<Record<FieldKind, string>> = {
  integer: '0',
  money: '#,##0.00',
  date: 'yyyy-mm-dd',
  moment: 'yyyy-mm-dd hh:mm:ss',
}
const WIDTHS: Partial<Record<FieldKind, number>> = {
  text: 28,
  texts: 32,
  references: 32,
  reference: 24,
  choice: 16,
  moment: 20,
}
const PLAIN_WIDTH = 12

/**
 * Rows as a streamed workbook: text is never stored as a formula, and the header row is frozen. Rows that don't fit on one
 * sheet continue on the next, with the same header.
 */
export function xlsxOf(
  title: string,
  head: readonly { title: string; kind: FieldKind }[],
  rows: AsyncIterable<readonly Cell[][]>,
): Readable {
  const columns = head.map(({ title: header, kind }): ColumnDef => {
    const numFmt = FORMATS[kind]
    return {
      header,
      width: Math.max(WIDTHS[kind] ?? PLAIN_WIDTH, header.length + 2),
      ...(numFmt !== undefined && { numFmt }),
    }
  })
  const bytes = bytesOf(async () => {
    // Loaded on first use.
    const { writeXlsxStream } = await import('hucre/xlsx')
    return writeXlsxStream(valuesOf(rows), {
      name: sheetName(title),
      columns,
      freezePane: { rows: 1 },
      maxRowsPerSheet: MAX_ROWS_PER_SHEET + 1,
    })
  })
  return Readable.from(bytes, { objectMode: false })
}

async function* valuesOf(rows: AsyncIterable<readonly Cell[][]>): AsyncGenerator<CellValue[]> {
  for await (const some of rows) for (const row of some) yield row.map(valueOf)
}

async function* bytesOf(open: () => Promise<ReadableStream<Uint8Array>>): AsyncGenerator<Uint8Array> {
  const reader = (await open()).getReader()
  try {
    for (;;) {
      const { value, done } = await reader.read()
      if (done) return
      yield value
    }
  } finally {
    // Stops reading rows if the download is aborted.
    await reader.cancel()
  }
}

function valueOf(cell: Cell): CellValue {
  if (cell instanceof Clock) return cell.text < FIRST_DAY ? cell.text : cell.toDate()
  if (cell instanceof Exact) return Number(cell.text)
  return typeof cell === 'string' ? plainText(cell).slice(0, MAX_TEXT) : cell
}

/** Removes characters that are invalid in XML, and escapes text that looks like an Excel escape sequence. */
export function plainText(text: string): string {
  return text.replace(/[\uFFFE\uFFFF]/g, '').replace(/_(?=x[0-9A-Fa-f]{4}_)/g, '_x005F_')
}

/** A valid sheet name: at most 31 characters, without reserved ones. */
export const sheetName = (title: string): string => title.replace(/[[\]:*?/\\']/g, ' ').slice(0, 31)
