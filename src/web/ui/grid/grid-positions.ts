import type { GridRow } from './grid-column.ts'

export type CellPosition = Readonly<{ row: number; column: number }>

/** First and last row and column, inclusive. */
export type Range = Readonly<{ top: number; bottom: number; first: number; last: number }>

export type Step =
  | 'up'
  | 'down'
  | 'previous'
  | 'next'
  | 'rowStart'
  | 'rowEnd'
  | 'start'
  | 'end'
  | 'edgeUp'
  | 'edgeDown'
  | 'edgePrevious'
  | 'edgeNext'
  | 'pageUp'
  | 'pageDown'

/** The size of the grid: rows including the empty one at the end, and columns. */
export type Bounds = Readonly<{ rows: number; columns: number; page: number }>

export function rangeOf(one: CellPosition, other: CellPosition): Range {
  return {
    top: Math.min(one.row, other.row),
    bottom: Math.max(one.row, other.row),
    first: Math.min(one.column, other.column),
    last: Math.max(one.column, other.column),
  }
}

/** Clamps a position to the bounds. */
export function held({ row, column }: CellPosition, bounds: Bounds): CellPosition {
  return {
    row: Math.max(0, Math.min(row, bounds.rows - 1)),
    column: Math.max(0, Math.min(column, bounds.columns - 1)),
  }
}

type Filled = (place: CellPosition) => boolean

/**
 * The target of a step. Ctrl+Arrow works as in spreadsheets: to the end of the filled cells, or to the next filled
 * one.
 */
export function stepFrom(from: CellPosition, step: Step, bounds: Bounds, isFilled: Filled): CellPosition {
  const { row, column } = from
  switch (step) {
    case 'up':
      return held({ row: row - 1, column }, bounds)
    case 'down':
      return held({ row: row + 1, column }, bounds)
    case 'previous':
      return held({ row, column: column - 1 }, bounds)
    case 'next':
      return held({ row, column: column + 1 }, bounds)
    case 'rowStart':
      return { row, column: 0 }
    case 'rowEnd':
      return { row, column: bounds.columns - 1 }
    case 'start':
      return { row: 0, column: 0 }
    case 'end':
      return { row: bounds.rows - 1, column: bounds.columns - 1 }
    case 'pageUp':
      return held({ row: row - bounds.page, column }, bounds)
    case 'pageDown':
      return held({ row: row + bounds.page, column }, bounds)
    case 'edgeUp':
      return edge(from, { row: -1, column: 0 }, bounds, isFilled)
    case 'edgeDown':
      return edge(from, { row: 1, column: 0 }, bounds, isFilled)
    case 'edgePrevious':
      return edge(from, { row: 0, column: -1 }, bounds, isFilled)
    default:
      return edge(from, { row: 0, column: 1 }, bounds, isFilled)
  }
}

function edge(from: CellPosition, by: CellPosition, bounds: Bounds, isFilled: Filled): CellPosition {
  const next = (place: CellPosition) => ({ row: place.row + by.row, column: place.column + by.column })
  const isInside = ({ row, column }: CellPosition) =>
    row >= 0 && column >= 0 && row < bounds.rows && column < bounds.columns
  let at = from
  let ahead = next(at)
  if (!isInside(ahead)) return from
  const isLeaving = isFilled(from) && isFilled(ahead)
  while (isInside(ahead)) {
    if (isLeaving && !isFilled(ahead)) return at
    if (!isLeaving && isFilled(ahead)) return ahead
    at = ahead
    ahead = next(ahead)
  }
  return at
}

/**
 * The next cell for Tab: after the end of a row, the first cell of the next row; null after the last cell, where
 * focus leaves the grid.
 */
export function tabFrom({ row, column }: CellPosition, by: 1 | -1, bounds: Bounds): CellPosition | null {
  const place = row * bounds.columns + column + by
  if (place < 0 || place >= bounds.rows * bounds.columns) return null
  return { row: Math.floor(place / bounds.columns), column: place % bounds.columns }
}

/** The existing rows of a range, without the empty row at the end. */
export function rowsIn(rows: readonly GridRow[], { top, bottom }: Range): readonly GridRow[] {
  return rows.slice(top, bottom + 1)
}
