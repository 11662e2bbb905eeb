import type { CellStyle, CellValue, ColumnDef } from 'hucre/xlsx'
import type { ReportContent } from './report.ts'
import { plainText, sheetName } from './xlsx.ts'

const WIDEST = 60
/** Wraps multi-line cells. */
const LINED: CellStyle = { alignment: { vertical: 'top', wrapText: true } }

/** A report as a workbook: one sheet with facts and figures, and one with rows, each with its group. */
export async function workbookOf(content: ReportContent): Promise<Buffer> {
  const { title, facts, figures, columns, groups, signature } = content
  const about: CellValue[][] = [
    [title],
    ...facts.map((fact) => [fact.title, fact.value]),
    [],
    ...figures.map((figure) => [figure.title, Number(figure.value)]),
    ...(signature === null ? [] : [[], [signature]]),
  ]
  const rows: CellValue[][] = groups.flatMap((group) => group.rows.map((row) => [group.title, ...row]))
  const heads = ['Group', ...columns.map((column) => column.title)]
  // Loaded on first use.
  const { writeXlsx } = await import('hucre/xlsx')
  const bytes = await writeXlsx({
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
  return Buffer.from(bytes)
}

const plainRow = (row: readonly CellValue[]): CellValue[] =>
  row.map((cell) => (typeof cell === 'string' ? plainText(cell) : cell))

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

const letterOf = (column: number): string => String.fromCodePoint(64 + column)
