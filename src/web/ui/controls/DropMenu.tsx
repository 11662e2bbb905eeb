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
  /** What the button shows. */
  trigger: ReactNode
  className: string
  /** `menu`: things to do. `links`: places to go to. `panel`: something to set, which stays until it is left. */
  kind: 'menu' | 'links' | 'panel'
  /** Names a panel. */
  name?: string
  /** Which edge of the button it keeps to. */
  side: 'start' | 'end'
  isCurrent?: boolean
  children: ReactNode
}

const GAP = 4
/** With less room than this below it, a list stands above its button. */
const LEAST_ROOM = 200
const EDGE = 8

/**
 * A button that drops a list below itself, or above where there is no room. The browser's own popover: it lies over
 * everything, closes on Escape and on a press elsewhere, and gives the focus back. Arrow keys walk through it, choosing
 * closes it. A panel is drawn only while it is open.
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
      {/* Each thing in it is a button or a link of its own; the list only moves between them. */}
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

/** The list keeps to one edge of its button and stays inside the window. Logical edges, so it mirrors by itself. */
function placeNextTo(list: HTMLElement, { top, bottom, left, right }: DOMRect, side: Props['side']): void {
  const isMirrored = document.documentElement.dir === 'rtl'
  const toStart = isMirrored ? innerWidth - right : left
  const toEnd = isMirrored ? left : innerWidth - right
  const isAbove = innerHeight - bottom < LEAST_ROOM && top > innerHeight - bottom
  list.style.insetBlockStart = isAbove ? 'auto' : `${bottom + GAP}px`
  list.style.insetBlockEnd = isAbove ? `${innerHeight - top + GAP}px` : 'auto'
  list.style.maxBlockSize = `${(isAbove ? top : innerHeight - bottom) - GAP - EDGE}px`
  list.style.insetInlineStart = side === 'start' ? `min(${toStart}px, 100vw - 240px - ${EDGE}px)` : 'auto'
  list.style.insetInlineEnd = side === 'end' ? `${Math.max(EDGE, toEnd)}px` : 'auto'
}
