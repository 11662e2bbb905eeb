import { onlineManager, type QueryState } from '@tanstack/react-query'
import { type RefObject, useEffect, useRef } from 'react'
import type { Endpoint } from '#contract/endpoint.ts'
import { keyOf, type Query, queryClient } from './query.ts'

/** A queue that others change: new rows are visible within this time, in milliseconds. */
const QUEUE_MS = 10_000
/** Something that runs, in milliseconds. */
const RUNNING_MS = 3_000
/** Something that runs and that a user waits for, such as a job, in milliseconds. */
export const WATCHED_MS = 1_500
/** After failures, the next attempt is made within this time, in milliseconds. */
const LONGEST_WAIT_MS = 60_000

type Pace<Data> =
  | 'queue'
  | {
      /** Whether it still runs. Reads for as long as the screen is open if not given. */
      while?: (data: Data | undefined) => boolean
      /** How often it is read, in milliseconds. */
      ms?: number
    }

/**
 * Keeps what a query shows up to date: `live(query(jobs.get, { id }), { while: isRunning })` reads every three seconds
 * while something runs, `live(query(leads.counts, {}), 'queue')` every ten seconds. Waits while the tab is hidden or
 * offline, and longer and longer after failures.
 */
export function live<Data>(source: Query<Data>, pace: Pace<Data>): Query<Data> {
  return { ...source, ...again(pace) }
}

type Attempts = Pick<QueryState, 'status' | 'dataUpdatedAt' | 'errorUpdatedAt' | 'errorUpdateCount'>
type LiveOptions<Data> = {
  refetchInterval: (query: { state: Attempts & { data: Data | undefined } }) => number | false
  refetchOnReconnect: 'always'
}

/** The options of `live`, for a query without an endpoint. */
export function again<Data>(pace: Pace<Data>): LiveOptions<Data> {
  const { while: runs = () => true, ms = RUNNING_MS } = pace === 'queue' ? { ms: QUEUE_MS } : pace
  return {
    // The library skips hidden tabs itself, and reads again when one is shown.
    refetchInterval: ({ state }) =>
      onlineManager.isOnline() && runs(state.data) ? waitAfter(state, ms) : false,
    // Otherwise data that isn't stale yet would stay as it is: no interval runs while offline.
    refetchOnReconnect: 'always',
  }
}

/** The time until the next attempt, in milliseconds. After a failure, as long again as it has been failing. */
function waitAfter(state: Attempts, ms: number): number {
  const { status, dataUpdatedAt, errorUpdatedAt, errorUpdateCount } = state
  if (status !== 'error') return ms
  const failing = dataUpdatedAt === 0 ? errorUpdateCount * ms : errorUpdatedAt - dataUpdatedAt
  return Math.max(ms, Math.min(failing, LONGEST_WAIT_MS))
}

/**
 * Keeps the rows of a list up to date, as `live` does. Waits also while the user is busy with them: scrolled, so that
 * they don't move under the reader, or `isOn` is false.
 *
 * @returns the ref for the element around the rows
 */
export function useLiveRows(endpoint: Endpoint, isOn: boolean): RefObject<HTMLDivElement | null> {
  const host = useRef<HTMLDivElement>(null)
  useEffect(() => {
    if (!isOn) return undefined
    const timer = setInterval(() => !isScrolled(host.current) && readAgain(endpoint, QUEUE_MS), QUEUE_MS)
    return () => clearInterval(timer)
  }, [endpoint, isOn])
  return host
}

const isScrolled = (host: HTMLElement | null): boolean =>
  host !== null && [...host.children].some(({ scrollTop }) => scrollTop > 0)

/** Keeps the lists of an endpoint up to date while something in them runs and the user waits for it. */
export function useLiveList(endpoint: Endpoint, isRunning: boolean): void {
  useEffect(() => {
    if (!isRunning) return undefined
    const timer = setInterval(() => readAgain(endpoint, WATCHED_MS), WATCHED_MS)
    return () => {
      clearInterval(timer)
      // The list may have been read a moment before the last one ended.
      void queryClient.invalidateQueries({ queryKey: keyOf(endpoint) })
    }
  }, [endpoint, isRunning])
}

/** Reads what is shown of an endpoint again, unless no one sees it, there is no connection, or it failed lately. */
export function readAgain(endpoint: Endpoint, ms: number): void {
  if (document.hidden || !onlineManager.isOnline()) return
  const queryKey = keyOf(endpoint)
  const shown = queryClient.getQueryCache().findAll({ queryKey, type: 'active' })
  if (shown.some(({ state }) => isWaiting(state, ms))) return
  void queryClient.invalidateQueries({ queryKey })
}

const isWaiting = (state: Attempts, ms: number): boolean =>
  state.status === 'error' && Date.now() - state.errorUpdatedAt < waitAfter(state, ms)
