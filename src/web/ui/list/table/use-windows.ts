import { useQueries } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import { query } from '#web/api/query.ts'
import { type ListEndpoint, type ListQuery, WINDOW } from '../list-endpoint.ts'

/** A window must be in view for this long before it is asked for: nobody wants what is only passed. */
const PASSING_MS = 80
const KEPT_MS = 60_000

/**
 * The rows at these places, as far as they are there. Asked for by windows; what is scrolled past is given up, so that
 * never more than those in view are on their way.
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
      gcTime: KEPT_MS,
    })),
  })
  return {
    rowAt: (place: number) => windows[Math.floor(place / WINDOW) - first]?.data?.results[place % WINDOW],
    failure: windows.find(({ error }) => error !== null)?.error ?? null,
    retry: () => windows.forEach(({ error, refetch }) => void (error && refetch())),
  }
}

/** The latest value that stayed for a while. */
function useSettled(value: string): string {
  const [settled, setSettled] = useState(value)
  useEffect(() => {
    const timer = setTimeout(() => setSettled(value), PASSING_MS)
    return () => clearTimeout(timer)
  }, [value])
  return settled
}
