import { useQueries } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import { query } from '#web/api/query.ts'
import { type ListEndpoint, type ListQuery, WINDOW } from '../list-endpoint.ts'

/** A window must be in view this long before it is fetched, so that fast scrolling fetches nothing. */
const PASSING_MS = 80
const CACHE_MS = 60_000

/**
 * The rows at these positions, as far as loaded. Fetched in windows; windows scrolled past are canceled, so only
 * visible ones are in flight.
 */
export function useWindows<Row>(
  endpoint: ListEndpoint<Row>,
  input: ListQuery,
  { from, to }: { from: number; to: number },
) {
  const first = Math.floor(from / WINDOW)
  const last = Math.floor(to / WINDOW)
  const settled = useSettled(`${first} ${last}`)
  const pages = Array.from({ length: last - first + 1 }, (_, index) => first + index)
  const windows = useQueries({
    queries: pages.map((page) => ({
      ...query(endpoint, { ...input, page: page + 1, pageSize: WINDOW }),
      enabled: settled === `${first} ${last}`,
      gcTime: CACHE_MS,
    })),
  })
  return {
    rowAt: (place: number) => windows[Math.floor(place / WINDOW) - first]?.data?.results[place % WINDOW],
    failure: windows.find(({ error }) => error !== null)?.error ?? null,
    retry: () => windows.forEach(({ error, refetch }) => void (error && refetch())),
  }
}

/** The latest value that stayed unchanged for a while. */
function useSettled(value: string): string {
  const [settled, setSettled] = useState(value)
  useEffect(() => {
    const timer = setTimeout(() => setSettled(value), PASSING_MS)
    return () => clearTimeout(timer)
  }, [value])
  return settled
}
