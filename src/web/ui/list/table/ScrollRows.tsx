import { type ReactNode, type RefObject, useLayoutEffect } from 'react'
import { createPortal } from 'react-dom'
import type { ListEndpoint, ListQuery } from '../list-endpoint.ts'
import { useScaledRows } from './use-scaled-rows.ts'
import { useWindows } from './use-windows.ts'

type Props<Row> = {
  endpoint: ListEndpoint<Row>
  /** The query for all pages. */
  input: ListQuery
  count: number
  rowHeight: number
  frame: RefObject<HTMLElement | null>
  /** The element that shows the visible range: "1,204 to 1,231". */
  range: HTMLElement | null
  /** Renders a row, or a placeholder until it has loaded. */
  children: (row: Row | undefined, place: number) => ReactNode
  /** An empty gap of this height in px. */
  gap: (height: number) => ReactNode
}

/** All rows of a list, scrolled: only the visible ones are rendered and fetched. Give another list another `key`. */
export function ScrollRows<Row>(props: Props<Row>) {
  const { endpoint, input, count, rowHeight, frame, range, children, gap } = props
  // A new list starts at its top. The first one keeps the current scroll position.
  useLayoutEffect(() => {
    const scrolled = frame.current
    return () => scrolled?.scrollTo(0, 0)
  }, [frame])
  const { places, before, after, seen } = useScaledRows({ frame, count, rowHeight })
  const from = places[0] ?? 0
  const to = places.at(-1) ?? 0
  const windows = useWindows(endpoint, input, { from, to })
  useFocusFallback(frame)
  return (
    <>
      {gap(before)}
      {places.map((place) => children(windows.rowAt(place), place))}
      {gap(after)}
      {range &&
        createPortal(windows.failure ? <Failed onRetry={windows.retry} /> : describeRange(seen), range)}
    </>
  )
}

function describeRange(seen: { startIndex: number; endIndex: number } | null): string {
  if (seen === null) return ''
  return `${(seen.startIndex + 1).toLocaleString()} to ${(seen.endIndex + 1).toLocaleString()}`
}

function Failed({ onRetry }: { onRetry: () => void }) {
  return (
    <button type="button" className="fc-link" onClick={onRetry}>
      {"Some rows couldn't be loaded. Try again"}
    </button>
  )
}

/** When the focused row is scrolled away, the frame takes the focus. */
function useFocusFallback(frame: RefObject<HTMLElement | null>): void {
  // During render the row still exists; after commit it may be gone.
  const had = frame.current?.contains(document.activeElement) ?? false
  useLayoutEffect(() => {
    if (had && document.activeElement === document.body) frame.current?.focus({ preventScroll: true })
  })
}
