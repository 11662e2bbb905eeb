/** What a row says under one column: text, or several texts where XML or JSON repeats it. Missing is ''. */
export type Cell = string | readonly string[]

/**
 * What is wrong with a row before anybody maps it. `refusal`: it cannot be read as one row. `count`: it has fewer values
 * than there are columns, which may be nothing, or everything in the wrong place.
 */
export type RowProblem = Readonly<{ kind: 'refusal' | 'count'; sentence: string }>

/** One row of a feed as it was read, with nothing lost. */
export type FeedRow = Readonly<{
  /** Where it begins in its file, from 1. */
  line: number
  /** By the name of the column. */
  cells: Readonly<Record<string, Cell>>
  /** As it stands in the file, the first 65,536 characters. */
  raw: string
  problems: readonly RowProblem[]
}>

/** What a row says under a column, as one text. */
export function textOf({ cells }: Pick<FeedRow, 'cells'>, column: string): string {
  const cell = Object.hasOwn(cells, column) ? cells[column] : undefined
  if (cell === undefined) return ''
  return typeof cell === 'string' ? cell : (cell.find((one) => one !== '') ?? '')
}

/** What a row says under a column, one by one. */
export function textsOf({ cells }: Pick<FeedRow, 'cells'>, column: string): readonly string[] {
  const cell = Object.hasOwn(cells, column) ? cells[column] : undefined
  if (cell === undefined || cell === '') return []
  return typeof cell === 'string' ? [cell] : cell
}
