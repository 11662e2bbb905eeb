import type { CellProblem, GridColumn, GridRow } from './grid-column.ts'

export type Problems = ReadonlyMap<string, Readonly<Record<string, CellProblem>>>

/** What is told of each row by the key of its column; see `Grid`. */
export const NO_PROBLEMS: Problems = new Map()

/** What is told of a cell: first what the grid could not read. */
export function problemAt(
  row: GridRow | null,
  column: GridColumn | undefined,
  told: Readonly<Record<string, CellProblem>> | null,
): CellProblem | null {
  if (!row || !column) return null
  const refused = row.refused[column.key]
  return refused === undefined ? (told?.[column.key] ?? null) : { tone: 'error', text: refused }
}

type Found = Readonly<{ row: number; column: number; tone: CellProblem['tone'] }>

/** Every problem of the table, row by row. */
export function findProblems(
  rows: readonly GridRow[],
  columns: readonly GridColumn[],
  problems: Problems,
): Found[] {
  const found: Found[] = []
  for (const [at, row] of rows.entries()) {
    const told = problems.get(row.key) ?? null
    if (told === null && Object.keys(row.refused).length === 0) continue
    for (const [nth, column] of columns.entries()) {
      const problem = problemAt(row, column, told)
      if (problem) found.push({ row: at, column: nth, tone: problem.tone })
    }
  }
  return found
}

/** The first problem behind a place, from the start again after the last one. */
export function nextProblem(found: readonly Found[], from: { row: number; column: number }): Found | null {
  const isBehind = ({ row, column }: Found) => row > from.row || (row === from.row && column > from.column)
  return found.find(isBehind) ?? found[0] ?? null
}
