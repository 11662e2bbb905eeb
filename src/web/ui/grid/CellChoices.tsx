// No element exists for a list controlled by a field: a datalist can't be read, positioned or styled.
/* oxlint-disable jsx-a11y/prefer-tag-over-role */
import { type RefObject, useEffect, useLayoutEffect, useRef } from 'react'
import { createPortal } from 'react-dom'
import type { GridChoice } from './grid-column.ts'

type Props = {
  id: string
  title: string
  field: RefObject<HTMLElement | null>
  choices: readonly GridChoice[]
  /** The option that Enter accepts; -1 for none. */
  marked: number
  onChoose: (label: string) => void
}

/** The options for a cell, below its field. Outside of the frame, which would clip it. */
export function ChoiceList({ id, title, field, choices, marked, onChoose }: Props) {
  const list = useRef<HTMLDivElement>(null)
  useLayoutEffect(() => {
    const element = list.current
    const box = field.current?.getBoundingClientRect()
    if (!element || !box) return
    const isBelow = box.bottom + element.offsetHeight < window.innerHeight || box.top < element.offsetHeight
    const top = isBelow ? box.bottom + 2 : box.top - element.offsetHeight - 2
    const isMirrored = getComputedStyle(element).direction === 'rtl'
    element.style.insetBlockStart = `${top}px`
    element.style.insetInlineStart = `${isMirrored ? window.innerWidth - box.right : box.left}px`
    element.style.minInlineSize = `${box.width}px`
  })
  useEffect(() => {
    if (marked < 0) return
    list.current?.children.item(marked)?.scrollIntoView({ block: 'nearest' })
  }, [marked])
  return createPortal(
    <div ref={list} id={`${id}-list`} role="listbox" aria-label={title} className="fc-grid-choices">
      {choices.map(({ value, label }, at) => (
        // The field hears the keys: it holds the focus all the time.
        // oxlint-disable-next-line jsx-a11y/click-events-have-key-events
        <div
          key={value}
          id={`${id}-${at}`}
          role="option"
          tabIndex={-1}
          aria-selected={at === marked}
          onPointerDown={(event) => event.preventDefault()}
          onMouseDown={(event) => event.preventDefault()}
          onClick={() => onChoose(label)}
        >
          <bdi>{label}</bdi>
        </div>
      ))}
    </div>,
    document.body,
  )
}
