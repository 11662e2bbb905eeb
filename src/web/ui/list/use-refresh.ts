import { type RefObject, useEffect, useRef } from 'react'
import type { Endpoint } from '#contract/endpoint.ts'
import { keyOf, queryClient } from '#web/api/query.ts'

/**
 * Reads a list again every `ms` milliseconds, so that new rows appear without a reload; never if undefined. Waits while the
 * tab is hidden or offline, and while the rows are scrolled, so that they don't move under the reader.
 *
 * @returns the ref for the element around the rows
 */
export function useRefresh(endpoint: Endpoint, ms: number | undefined): RefObject<HTMLDivElement | null> {
  const host = useRef<HTMLDivElement>(null)
  useEffect(() => {
    if (ms === undefined) return undefined
    const timer = setInterval(() => {
      if (document.hidden || !navigator.onLine || isScrolled(host.current)) return
      void queryClient.invalidateQueries({ queryKey: keyOf(endpoint) })
    }, ms)
    return () => clearInterval(timer)
  }, [endpoint, ms])
  return host
}

const isScrolled = (host: HTMLElement | null): boolean =>
  host !== null && [...host.children].some(({ scrollTop }) => scrollTop > 0)
