import type { CellProblem, GridColumn, GridRow } from './grid-column.ts'

export type Problems = ReadonlyMap<string, Readonly<Record<string, CellProblem>>>

/** Messages by row and column key; see `Grid`. */
export const NO_PROBLEMS: Problems = new Map()

/** The message of a cell: the grid's own validation first. */
export function problemAt(
  row: GridRow | null,
  column: GridColumn | undefined,
  told: Readonly<Record<string, CellProblem>> | null,
): CellProblem | null {
  if (!row || !column) return null
  const refused = row.refused[column.key]
  return refused === undefined ? (told?.[column.key] ?? null) : { tone: 'error', text: refused }
}

type LocatedProblem = Readonly<{ row: number; column: number; tone: CellProblem['tone'] }>

/** All problems of the table, row by row. */
export function findProblems(
  rows: readonly GridRow[],
  columns: readonly GridColumn[],
  problems: Problems,
): LocatedProblem[] {
  const found: LocatedProblem[] = []
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

/** The first problem after a position, wrapping around at the end. */
export function nextProblem(
  found: readonly LocatedProblem[],
  from: { row: number; column: number },
): LocatedProblem | null {
  const isBehind = ({ row, column }: LocatedProblem) =>
    row > from.row || (row === from.row && column > from.column)
  return found.find(isBehind) ?? found[0] ?? null
}
