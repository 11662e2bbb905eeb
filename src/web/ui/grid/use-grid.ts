import { useCallback, useState } from 'react'
import type { GridRow, GridSettings } from './grid-column.ts'
import { type GridAction, type GridState, openGrid, reduceGrid } from './grid-state.ts'

export type GridHandle = Readonly<{
  state: GridState
  settings: GridSettings
  act: (action: GridAction) => void
}>

/**
 * The rows of a grid with all that was done to them. `rows` are what it opens with; later ones come by
 * `act({ type: 'load', rows })`, which forgets the steps back. Settings that change draw every row
 * anew: keep them with useMemo.
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
