import type { PointerEvent, RefObject } from 'react'
import type { CellPosition } from './grid-positions.ts'
import type { GridHandle } from './use-grid.ts'

/**
 * Selection by pointer: a cell, a range by dragging or with Shift, a whole row by its number; double-click edits.
 */
export function useGridPointer({ state, settings, act }: GridHandle, frame: RefObject<HTMLElement | null>) {
  const go = (to: CellPosition, isExtending: boolean) => act({ type: 'go', to, isExtending })
  return {
    onPointerDown: (event: PointerEvent<HTMLElement>) => {
      if (event.button !== 0 || isField(event.target)) return
      const at = placeOf(event.target)
      if (!at) return
      const last = settings.columns.length - 1
      if (at.column < 0) {
        act({ type: 'choose', range: { top: at.row, bottom: at.row, first: 0, last } })
        return
      }
      // A second tap on the same cell edits it, like a double-click.
      const isSame = at.row === state.active.row && at.column === state.active.column
      if (event.pointerType === 'touch' && isSame) act({ type: 'edit', text: null })
      else go(at, event.shiftKey)
    },
    onPointerOver: (event: PointerEvent<HTMLElement>) => {
      if (event.buttons !== 1 || event.pointerType !== 'mouse' || isField(event.target)) return
      if (state.editing !== null || !frame.current?.contains(document.activeElement)) return
      const at = placeOf(event.target)
      if (at && at.column >= 0) go(at, true)
    },
    onDoubleClick: (event: { target: EventTarget }) => {
      const at = placeOf(event.target)
      if (at && at.column >= 0 && !isField(event.target)) act({ type: 'edit', text: null })
    },
  }
}

const isField = (target: EventTarget) => target instanceof HTMLInputElement

/** The cell of an element; column -1 is the row number, null is the header. */
function placeOf(target: EventTarget): CellPosition | null {
  if (!(target instanceof Element)) return null
  const row = target.closest('tr')?.dataset['place']
  if (row === undefined) return null
  const column = target.closest('td')?.dataset['at']
  return { row: Number(row), column: Number(column ?? -1) }
}
