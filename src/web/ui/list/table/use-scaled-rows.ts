import { useVirtualizer, type Virtualizer } from '@tanstack/react-virtual'
import { type RefObject, useLayoutEffect, useRef, useState } from 'react'
import { flushSync } from 'react-dom'
import { boxHeight, follow, isStuck, type Position, type Scale, toTop } from './scroll-scale.ts'

type ScalingOptions = { frame: RefObject<HTMLElement | null>; count: number; rowHeight: number }

const START: Position = { top: 0, offset: 0 }
/** Rows above and below that are drawn before they are seen. */
const OVERSCAN = 10
/** After so long without a step, scrolling has come to rest. */
const REST_MS = 150

/**
 * The rows in view and where they stand, however many there are. With very many, the box they stand in is lower than
 * they are (scroll-scale.ts), and they are moved along in it.
 */
export function useScaledRows({ frame, count, rowHeight }: ScalingOptions) {
  const position = useRef(START)
  // How far the rows stand from where they would be in a box of their own height.
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
  /** Puts the scroll bar to where the rows are. */
  function settle(element: HTMLElement) {
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
      if (isStuck(scale, next)) settle(element)
      clearTimeout(rest)
      rest = setTimeout(() => {
        settle(element)
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
    /** The empty stretches of the box above and below the rows that are drawn. */
    before,
    after: Math.max(0, height - before - drawn),
    /** The rows that can be seen. */
    seen: rows.range,
  }
}
type Report = (offset: number, isScrolling: boolean) => void
