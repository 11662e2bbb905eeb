import { type CellStyle, type CellValue, type ColumnDef, writeXlsx } from 'hucre/xlsx'
import type { ReportContent } from './report.ts'
import { MAX_TEXT, plainText, sheetName } from './xlsx.ts'

const WIDEST = 60
/** Wraps multi-line cells. */
const LINED: CellStyle = { alignment: { vertical: 'top', wrapText: true } }

/** A report as a workbook: one sheet with facts and figures, and one with rows, each with its group. */
export async function writeWorkbook(content: ReportContent): Promise<Uint8Array> {
  const { title, facts, figures, columns, groups, signature } = content
  const about: CellValue[][] = [
    [title],
    ...facts.map((fact) => [fact.title, fact.value]),
    [],
    ...figures.map((figure) => [figure.title, Number(figure.value)]),
    ...(signature === null ? [] : [[], [signature]]),
  ]
  const rows: CellValue[][] = groups.flatMap((group) =>
    group.rows.map((row) => [
      group.title,
      ...row.map((cell, at) => (columns[at]?.kind === 'decimal' ? numberOf(cell) : cell)),
    ]),
  )
  const heads = ['Group', ...columns.map((column) => column.title)]
  return writeXlsx({
    sheets: [
      { name: sheetName(title), columns: [{ width: 30 }, { width: 40 }], rows: about.map(plainRow) },
      {
        name: 'Rows',
        columns: heads.map((head, at): ColumnDef => ({ width: widthOf(head, rows, at), style: LINED })),
        rows: [heads, ...rows].map(plainRow),
        freezePane: { rows: 1 },
        autoFilter: { range: `A1:${letterOf(heads.length)}${rows.length + 1}` },
      },
    ],
  })
}

const plainRow = (row: readonly CellValue[]): CellValue[] =>
  row.map((cell) => (typeof cell === 'string' ? fit(plainText(cell)) : cell))

/** Excel refuses longer texts; one that is cut says so. */
const fit = (text: string): string =>
  text.length <= MAX_TEXT ? text : `${text.slice(0, MAX_TEXT - 6)} (cut)`

function widthOf(head: string, rows: readonly CellValue[][], at: number): number {
  const longest = rows.reduce(
    (most, row) =>
      String(row[at] ?? '')
        .split('\n')
        .reduce((longer, line) => Math.max(longer, line.length), most),
    head.length,
  )
  return Math.min(longest + 2, WIDEST)
}

/** Digits as a number, if a spreadsheet shows exactly these; otherwise the text. */
function numberOf(text: string): CellValue {
  const isExact = /^-?(0|[1-9]\d*)(\.\d*[1-9])?$/.test(text) && text.replace(/\D/g, '').length <= 15
  return isExact ? Number(text) : text
}

/** "A" for 1, "AB" for 28. */
function letterOf(column: number): string {
  const last = String.fromCodePoint(65 + ((column - 1) % 26))
  return column <= 26 ? last : `${letterOf(Math.floor((column - 1) / 26))}${last}`
}
