import { useHotkeys } from '@mantine/hooks'
import type { RefObject } from 'react'

type Keys = {
  /** The element around the rows, which have `data-target`. */
  frame: RefObject<HTMLElement | null>
  /** Null: the user can't select. */
  onToggle: ((id: string) => void) | null
  onOpen: (id: string) => void
  onRemind: () => void
}

/** j and k move between rows, x selects, Enter opens and m reminds. */
export function useBoardKeys({ frame, onToggle, onOpen, onRemind }: Keys): void {
  const rows = () => [...(frame.current?.querySelectorAll<HTMLElement>('[data-target]') ?? [])]
  const current = () => rows().find((row) => row.contains(document.activeElement))
  const move = (by: number) => {
    const all = rows()
    const active = current()
    const at = active === undefined ? -1 : all.indexOf(active)
    const next = at === -1 ? all[0] : all[Math.min(all.length - 1, Math.max(0, at + by))]
    next?.focus()
    next?.scrollIntoView({ block: 'nearest' })
  }
  const onRow = (act: ((id: string) => void) | null) => {
    const id = current()?.dataset['target']
    if (id !== undefined) act?.(id)
  }
  useHotkeys(
    [
      ['j', whileReading(() => move(1))],
      ['k', whileReading(() => move(-1))],
      ['x', whileReading(() => onRow(onToggle))],
      ['m', whileReading(onRemind)],
      [
        'Enter',
        whileReading(() => {
          // A focused button or link inside the row has its own Enter.
          if (document.activeElement === current()) onRow(onOpen)
        }),
        { preventDefault: false },
      ],
    ],
    [],
  )
}

/** Not while someone types or a dialog is open. A checkbox takes no letters. */
const whileReading = (act: () => void) => (event: KeyboardEvent) => {
  const { target } = event
  if (!(target instanceof Element)) return
  if (target.closest('input:not([type="checkbox"]), textarea, select, [contenteditable], [role="dialog"]'))
    return
  act()
}
