import type { KeyboardEvent } from 'react'
import { clampWidth, MIN_WIDTH, MAX_WIDTH } from './column-widths.ts'

type Props = {
  title: string
  width: number
  isDragged: boolean
  /** Starts dragging by mouse or touch. */
  onDrag: (event: unknown) => void
  /** Null resets to the automatic width. */
  onWidth: (width: number | null) => void
}

/** Width change per key press, in px. */
const STEP = 16

/** The resize handle of a column: drag it, use the arrow keys, or double-click to reset. */
export function ColumnEdge({ title, width, isDragged, onDrag, onWidth }: Props) {
  function move(event: KeyboardEvent) {
    const isMirrored = document.documentElement.dir === 'rtl'
    const [narrower, wider] = isMirrored ? ['ArrowRight', 'ArrowLeft'] : ['ArrowLeft', 'ArrowRight']
    const steps = new Map([
      [narrower, clampWidth(width - STEP)],
      [wider, clampWidth(width + STEP)],
      ['Home', MIN_WIDTH],
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
      aria-valuemin={MIN_WIDTH}
      aria-valuemax={MAX_WIDTH}
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
