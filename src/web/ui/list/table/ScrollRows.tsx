import { type ReactNode, type RefObject, useLayoutEffect } from 'react'
import { createPortal } from 'react-dom'
import type { ListEndpoint, ListQuery } from '../list-endpoint.ts'
import { useScaledRows } from './use-scaled-rows.ts'
import { useWindows } from './use-windows.ts'

type Props<Row> = {
  endpoint: ListEndpoint<Row>
  /** Which rows, whatever page of them. */
  input: ListQuery
  count: number
  rowHeight: number
  frame: RefObject<HTMLElement | null>
  /** Where the rows in view are told: "1,204 to 1,231". */
  range: HTMLElement | null
  /** What stands there as long as a row is not. */
  children: (row: Row | undefined, place: number) => ReactNode
  /** An empty stretch of so many pixels. */
  gap: (height: number) => ReactNode
}

/** All rows of a list, scrolled: those in view are drawn and fetched. A new list is a new one of these, by its key. */
export function ScrollRows<Row>(props: Props<Row>) {
  const { endpoint, input, count, rowHeight, frame, range, children, gap } = props
  // The next list begins at its top. The first one leaves alone how far somebody scrolled before it was here.
  useLayoutEffect(() => {
    const scrolled = frame.current
    return () => scrolled?.scrollTo(0, 0)
  }, [frame])
  const { places, before, after, seen } = useScaledRows({ frame, count, rowHeight })
  const from = places[0] ?? 0
  const to = places.at(-1) ?? 0
  const windows = useWindows(endpoint, input, { from, to })
  useKeptFocus(frame)
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
      Some rows did not load. Try again
    </button>
  )
}

/** A row that is scrolled away takes its focus along: then the frame has it, and not nobody. */
function useKeptFocus(frame: RefObject<HTMLElement | null>): void {
  // While rendering the row is still there; once drawn it may be gone.
  const had = frame.current?.contains(document.activeElement) ?? false
  useLayoutEffect(() => {
    if (had && document.activeElement === document.body) frame.current?.focus({ preventScroll: true })
  })
}
