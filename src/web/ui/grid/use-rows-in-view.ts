import { type RefObject, useLayoutEffect, useState } from 'react'

/** Extra rows rendered above and below the visible ones. */
const OVERSCAN = 8

type RowsInView = Readonly<{ first: number; last: number; page: number }>

/**
 * The rows visible in a frame, all of the same height, below a header of `head` px. Follows scrolling and resizing.
 */
export function useRowsInView(
  frame: RefObject<HTMLElement | null>,
  { count, rowHeight, head }: { count: number; rowHeight: number; head: number },
): RowsInView {
  const [seen, setSeen] = useState({ top: 0, height: 600 })
  useLayoutEffect(() => {
    const element = frame.current
    if (!element) return undefined
    const look = () => {
      // Only whole rows count, so that scrolling by a pixel renders nothing.
      const top = Math.floor(element.scrollTop / rowHeight)
      const height = element.clientHeight
      setSeen((before) => (before.top === top && before.height === height ? before : { top, height }))
    }
    look()
    const watcher = new ResizeObserver(look)
    watcher.observe(element)
    element.addEventListener('scroll', look, { passive: true })
    return () => {
      watcher.disconnect()
      element.removeEventListener('scroll', look)
    }
  }, [frame, rowHeight])
  const page = Math.max(1, Math.floor((seen.height - head) / rowHeight) - 1)
  const first = Math.max(0, Math.min(seen.top, count - 1) - OVERSCAN)
  return { first, last: Math.min(count - 1, seen.top + page + OVERSCAN + 2), page }
}

type Gap = Readonly<{ before: number; rows: number }>

/**
 * The rows to render and the gaps between them: the visible ones, and always the active one, since the table refers
 * to it.
 */
export function stretchesOf({ first, last }: RowsInView, active: number, count: number): (number | Gap)[] {
  const places = Array.from({ length: Math.max(0, last - first + 1) }, (_, at) => first + at)
  if (active < first) places.unshift(active)
  if (active > last && active < count) places.push(active)
  const stretches: (number | Gap)[] = []
  let next = 0
  for (const place of places) {
    if (place > next) stretches.push({ before: place, rows: place - next })
    stretches.push(place)
    next = place + 1
  }
  return next < count ? [...stretches, { before: count, rows: count - next }] : stretches
}

type Cell = Readonly<{ top: number; height: number; head: number; number: number }>

/** Scrolls the frame so that a cell is fully visible, clear of the header and the row numbers. */
export function bringIntoView(
  frame: HTMLElement,
  { top, height, head, number }: Cell,
  cell: Element | null,
): void {
  const bottom = top + height + head
  if (top < frame.scrollTop) frame.scrollTop = top
  if (bottom > frame.scrollTop + frame.clientHeight) frame.scrollTop = bottom - frame.clientHeight
  const box = cell?.getBoundingClientRect()
  if (!box) return
  const room = frame.getBoundingClientRect()
  const isMirrored = getComputedStyle(frame).direction === 'rtl'
  const start = isMirrored ? room.x : room.x + number
  const end = room.x + frame.clientWidth - (isMirrored ? number : 0)
  if (box.x < start) frame.scrollLeft += box.x - start
  else if (box.x + box.width > end) frame.scrollLeft += box.x + box.width - end
}
