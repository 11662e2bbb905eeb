import {
  type FocusEvent,
  type KeyboardEvent,
  type ReactNode,
  type ToggleEvent,
  useId,
  useRef,
  useState,
} from 'react'
import { moveFocus } from './move-focus.ts'
import './drop-menu.css'

type Props = {
  /** What the button shows. */
  trigger: ReactNode
  className: string
  /** `menu`: things to do. `links`: places to go to. */
  kind: 'menu' | 'links'
  /** Which edge of the button it keeps to. */
  side: 'start' | 'end'
  isCurrent?: boolean
  children: ReactNode
}

const GAP = 4
const EDGE = 8

/**
 * A button that drops a list below itself. The browser's own popover: it lies over everything, closes on Escape and on
 * a press elsewhere, and gives the focus back. Arrow keys walk through it, choosing closes it.
 */
export function DropMenu({ trigger, className, kind, side, isCurrent = false, children }: Props) {
  const id = useId()
  const button = useRef<HTMLButtonElement>(null)
  const list = useRef<HTMLDivElement>(null)
  const [isOpen, setIsOpen] = useState(false)

  function follow(event: ToggleEvent) {
    const opens = event.newState === 'open'
    setIsOpen(opens)
    if (opens) list.current?.querySelector<HTMLElement>('a, button')?.focus()
  }
  function place(event: ToggleEvent) {
    if (event.newState === 'open' && button.current && list.current) {
      placeBelow(list.current, button.current.getBoundingClientRect(), side)
    }
  }
  function closeBehind({ relatedTarget }: FocusEvent) {
    if (relatedTarget instanceof Node && !list.current?.contains(relatedTarget)) list.current?.hidePopover()
  }
  function openByKey(event: KeyboardEvent) {
    if (event.key !== 'ArrowDown') return
    event.preventDefault()
    list.current?.showPopover()
  }

  return (
    <>
      <button
        ref={button}
        type="button"
        className={className}
        popoverTarget={id}
        aria-expanded={isOpen}
        aria-controls={id}
        {...(kind === 'menu' && { 'aria-haspopup': 'menu' })}
        {...(isCurrent && { 'aria-current': true })}
        onKeyDown={openByKey}
      >
        {trigger}
      </button>
      {/* Each thing in it is a button or a link of its own; the list only moves between them. */}
      {/* oxlint-disable-next-line jsx-a11y/no-static-element-interactions */}
      <div
        ref={list}
        id={id}
        popover="auto"
        className="fc-drop"
        {...(kind === 'menu' && { role: 'menu' })}
        onBeforeToggle={place}
        onToggle={follow}
        onKeyDown={(event) => moveFocus(event, 'a, button', 'vertical')}
        onBlur={closeBehind}
        onClick={() => list.current?.hidePopover()}
      >
        {children}
      </div>
    </>
  )
}

/** The list keeps to one edge of its button and stays inside the window. Logical edges, so it mirrors by itself. */
function placeBelow(list: HTMLElement, { bottom, left, right }: DOMRect, side: Props['side']): void {
  const isMirrored = document.documentElement.dir === 'rtl'
  const toStart = isMirrored ? innerWidth - right : left
  const toEnd = isMirrored ? left : innerWidth - right
  list.style.insetBlockStart = `${bottom + GAP}px`
  list.style.insetInlineStart = side === 'start' ? `min(${toStart}px, 100vw - 240px - ${EDGE}px)` : 'auto'
  list.style.insetInlineEnd = side === 'end' ? `${Math.max(EDGE, toEnd)}px` : 'auto'
}
