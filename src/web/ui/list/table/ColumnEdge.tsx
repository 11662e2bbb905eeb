import type { KeyboardEvent } from 'react'
import { clampWidth, LEAST_WIDTH, MOST_WIDTH } from './column-widths.ts'

type Props = {
  title: string
  width: number
  isDragged: boolean
  /** Begins to follow the mouse or a finger. */
  onDrag: (event: unknown) => void
  /** Null: the width is found by itself again. */
  onWidth: (width: number | null) => void
}

/** How far one press of a key moves it, in px. */
const STEP = 16

/** The edge of a column: dragged, moved with the arrow keys, and with a double click left to itself. */
export function ColumnEdge({ title, width, isDragged, onDrag, onWidth }: Props) {
  function move(event: KeyboardEvent) {
    const isMirrored = document.documentElement.dir === 'rtl'
    const [narrower, wider] = isMirrored ? ['ArrowRight', 'ArrowLeft'] : ['ArrowLeft', 'ArrowRight']
    const steps = new Map([
      [narrower, clampWidth(width - STEP)],
      [wider, clampWidth(width + STEP)],
      ['Home', LEAST_WIDTH],
      ['Enter', null],
    ])
    const next = steps.get(event.key)
    if (next === undefined) return
    event.preventDefault()
    onWidth(next)
  }
  return (
    <span
      className="fc-edge"
      // A separator that can be moved is a control, and no rule across the page.
      // oxlint-disable-next-line jsx-a11y/prefer-tag-over-role
      role="separator"
      aria-orientation="vertical"
      aria-label={`Width of ${title}`}
      aria-valuenow={width}
      aria-valuemin={LEAST_WIDTH}
      aria-valuemax={MOST_WIDTH}
      // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex
      tabIndex={0}
      data-dragged={isDragged || undefined}
      onMouseDown={onDrag}
      onTouchStart={onDrag}
      onDoubleClick={() => onWidth(null)}
      onKeyDown={move}
    />
  )
}
