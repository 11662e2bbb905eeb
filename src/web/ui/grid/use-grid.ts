import { useCallback, useState } from 'react'
import type { GridRow, GridSettings } from './grid-column.ts'
import { type GridAction, type GridState, openGrid, reduceGrid } from './grid-state.ts'

export type GridHandle = Readonly<{
  state: GridState
  settings: GridSettings
  act: (action: GridAction) => void
}>

/**
 * The rows of a grid with their undo history. `rows` are the initial rows; load new ones with `act({ type: 'load',
 * rows })`, which clears the history. Changed settings re-render every row: memoize them with useMemo.
 */
export function useGrid(
  rows: readonly GridRow[] | (() => readonly GridRow[]),
  settings: GridSettings,
): GridHandle {
  const [state, setState] = useState(() => openGrid(typeof rows === 'function' ? rows() : rows))
  const act = useCallback(
    (action: GridAction) => setState((before) => reduceGrid(before, action, settings)),
    [settings],
  )
  return { state, settings, act }
}
