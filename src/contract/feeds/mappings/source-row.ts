/** The value of a row in one column: text, or several texts if XML or JSON repeats it. Missing is ''. */
export type Cell = string | readonly string[]

/**
 * A problem found before mapping. `refusal`: it can't be read as a row. `count`: it has fewer values than columns, which may be
 * harmless or mean that every value is in the wrong column. `leftOut`: it is a title or a total, and no vehicle.
 */
export type RowProblem = Readonly<{ kind: 'refusal' | 'count' | 'leftOut'; sentence: string }>

/** One feed row, complete and unmapped. */
export type FeedRow = Readonly<{
  /** Its first line in the file, starting at 1. */
  line: number
  /** By column name. */
  cells: Readonly<Record<string, Cell>>
  /** Its original text, up to 65,536 characters. */
  raw: string
  problems: readonly RowProblem[]
  /** The file ends inside the row: rows after it may be missing. */
  isCut?: true
}>

/** The value of a row in a column, as one text. */
export function textOf({ cells }: Pick<FeedRow, 'cells'>, column: string): string {
  const cell = Object.hasOwn(cells, column) ? cells[column] : undefined
  if (cell === undefined) return ''
  return typeof cell === 'string' ? cell : (cell.find((one) => one !== '') ?? '')
}

/** The values of a row in a column, as a list. */
export function textsOf({ cells }: Pick<FeedRow, 'cells'>, column: string): readonly string[] {
  const cell = Object.hasOwn(cells, column) ? cells[column] : undefined
  if (cell === undefined || cell === '') return []
  return typeof cell === 'string' ? [cell] : cell
}
