import { useVirtualizer, type Virtualizer } from '@tanstack/react-virtual'
import { type RefObject, useLayoutEffect, useRef, useState } from 'react'
import { flushSync } from 'react-dom'
import { boxHeight, follow, isStuck, type Position, type Scale, toTop } from './scroll-scale.ts'

type ScalingOptions = { frame: RefObject<HTMLElement | null>; count: number; rowHeight: number }

const START: Position = { top: 0, offset: 0 }
/** Extra rows rendered above and below the visible ones. */
const OVERSCAN = 10
/** Scrolling has stopped after this long without a step. */
const REST_MS = 150

/**
 * The visible rows and their positions, for any number of rows. With very many, their box is shorter than the rows
 * (scroll-scale.ts), so they are shifted inside it.
 */
export function useScaledRows({ frame, count, rowHeight }: ScalingOptions) {
  const position = useRef(START)
  // The distance of the rows from their position in an unscaled box.
  const [shift, setShift] = useState(0)
  const height = boxHeight(count * rowHeight)
  const beyond = useRef(0)
  useLayoutEffect(() => {
    beyond.current = count * rowHeight - height
  }, [count, rowHeight, height])

  function scaleOf(element: HTMLElement): Scale {
    const real = element.scrollHeight - element.clientHeight
    return { real, wanted: real + beyond.current }
  }
  function moveTo(next: Position) {
    position.current = next
    setShift(next.top - next.offset)
  }
  /** Moves the scroll bar to match the rows. */
  function alignScrollBar(element: HTMLElement) {
    const { offset } = position.current
    const top = Math.round(toTop(scaleOf(element), offset))
    if (Math.abs(top - position.current.top) < 1) return
    flushSync(() => moveTo({ top, offset }))
    element.scrollTop = top
  }
  function observe(rows: Virtualizer<HTMLElement, Element>, report: Report) {
    const element = rows.scrollElement
    if (!element) return undefined
    let rest: ReturnType<typeof setTimeout> | undefined
    const come = () => {
      const scale = scaleOf(element)
      const next = follow(scale, position.current, element.scrollTop, element.clientHeight)
      moveTo(next)
      report(next.offset, true)
      if (isStuck(scale, next)) alignScrollBar(element)
      clearTimeout(rest)
      rest = setTimeout(() => {
        alignScrollBar(element)
        report(position.current.offset, false)
      }, REST_MS)
    }
    report(position.current.offset, false)
    element.addEventListener('scroll', come, { passive: true })
    return () => {
      clearTimeout(rest)
      element.removeEventListener('scroll', come)
    }
  }

  // It hands out functions that change what they return: nothing here is memoized.
  // oxlint-disable-next-line react/incompatible-library
  const rows = useVirtualizer<HTMLElement, Element>({
    count,
    getScrollElement: () => frame.current,
    estimateSize: () => rowHeight,
    overscan: OVERSCAN,
    observeElementOffset: observe,
    scrollToFn: (offset, _options, { scrollElement }) => {
      if (scrollElement) scrollElement.scrollTop = toTop(scaleOf(scrollElement), offset)
    },
  })
  const items = rows.getVirtualItems()
  const start = items[0]?.start ?? 0
  const before = Math.max(0, start + shift)
  const drawn = (items.at(-1)?.end ?? 0) - start
  return {
    places: items.map(({ index }) => index),
    /** The gaps above and below the rendered rows. */
    before,
    after: Math.max(0, height - before - drawn),
    /** The visible rows. */
    seen: rows.range,
  }
}
type Report = (offset: number, isScrolling: boolean) => void
