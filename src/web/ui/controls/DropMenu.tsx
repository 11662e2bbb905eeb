import {
  type FocusEvent,
  type KeyboardEvent,
  type ReactNode,
  type ToggleEvent,
  useId,
  useRef,
  useState,
} from 'react'
import { moveFocus } from '../overlay/move-focus.ts'
import './drop-menu.css'

type Props = {
  trigger: ReactNode
  className: string
  /** `menu`: actions. `links`: destinations. `panel`: settings, stays open until the user leaves it. */
  kind: 'menu' | 'links' | 'panel'
  /** Accessible name of a panel. */
  name?: string
  /** The edge of the button that the list aligns to. */
  side: 'start' | 'end'
  isCurrent?: boolean
  children: ReactNode
}

const GAP = 4
/** With less space than this below the button, the list opens above it. In px. */
const MIN_SPACE = 200
const EDGE = 8

/**
 * A button that opens a list below itself, or above if there isn't enough space. Uses the browser's popover: it is
 * on top of everything, closes on Escape and on an outside click, and returns the focus. Arrow keys move through
 * it, and choosing an entry closes it. A panel is rendered only while it is open.
 */
export function DropMenu({ trigger, className, kind, name, side, isCurrent = false, children }: Props) {
  const isPanel = kind === 'panel'
  const id = useId()
  const button = useRef<HTMLButtonElement>(null)
  const list = useRef<HTMLDivElement>(null)
  const [isOpen, setIsOpen] = useState(false)

  function follow(event: ToggleEvent) {
    const opens = event.newState === 'open'
    setIsOpen(opens)
    if (!opens) return
    if (isPanel) list.current?.focus()
    else list.current?.querySelector<HTMLElement>('a, button')?.focus()
  }
  function place(event: ToggleEvent) {
    if (event.newState === 'open' && button.current && list.current) {
      placeNextTo(list.current, button.current.getBoundingClientRect(), side)
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
        {...(kind !== 'links' && { 'aria-haspopup': isPanel ? 'dialog' : 'menu' })}
        {...(isCurrent && { 'aria-current': true })}
        onKeyDown={openByKey}
      >
        {trigger}
      </button>
      {/* Each entry is a button or link with its own handler; the list only moves the focus. */}
      {/* oxlint-disable-next-line jsx-a11y/no-static-element-interactions */}
      <div
        ref={list}
        id={id}
        popover="auto"
        className="fc-drop"
        {...(kind === 'menu' && { role: 'menu' })}
        {...(isPanel && { role: 'dialog', 'aria-label': name, tabIndex: -1 })}
        onBeforeToggle={place}
        onToggle={follow}
        onKeyDown={(event) => !isPanel && moveFocus(event, 'a, button', 'vertical')}
        onBlur={closeBehind}
        onClick={() => !isPanel && list.current?.hidePopover()}
      >
        {(!isPanel || isOpen) && children}
      </div>
    </>
  )
}

/**
 * Aligns the list to one edge of its button and keeps it inside the window. Logical edges, so right-to-left needs
 * no extra code.
 */
function placeNextTo(list: HTMLElement, { top, bottom, left, right }: DOMRect, side: Props['side']): void {
  const isMirrored = document.documentElement.dir === 'rtl'
  const toStart = isMirrored ? innerWidth - right : left
  const toEnd = isMirrored ? left : innerWidth - right
  const isAbove = innerHeight - bottom < MIN_SPACE && top > innerHeight - bottom
  list.style.insetBlockStart = isAbove ? 'auto' : `${bottom + GAP}px`
  list.style.insetBlockEnd = isAbove ? `${innerHeight - top + GAP}px` : 'auto'
  list.style.maxBlockSize = `${(isAbove ? top : innerHeight - bottom) - GAP - EDGE}px`
  list.style.insetInlineStart = side === 'start' ? `min(${toStart}px, 100vw - 240px - ${EDGE}px)` : 'auto'
  list.style.insetInlineEnd = side === 'end' ? `${Math.max(EDGE, toEnd)}px` : 'auto'
}
