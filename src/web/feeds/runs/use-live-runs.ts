import { useQuery } from '@tanstack/react-query'
import { useEffect } from 'react'
import { feedRuns } from '#contract/feeds/runs/feed-runs.ts'
import { keyOf, query, queryClient } from '#web/api/query.ts'
import { isInProgress } from './feed-labels.ts'

const POLL_MS = 1_500
/** Runs in progress are always among the latest. */
const LATEST = { page: 1, pageSize: 25, sort: '-createdAt' }

/** Refreshes the list of runs while one of the latest is in progress and the page is visible. */
export function useLiveRuns(): void {
  const { data } = useQuery(query(feedRuns.list, LATEST))
  const isLive = data?.results.some(isInProgress) === true
  useEffect(() => {
    if (!isLive) return undefined
    const timer = setInterval(() => !document.hidden && refresh(), POLL_MS)
    return () => clearInterval(timer)
  }, [isLive])
}

function refresh(): void {
  void queryClient.invalidateQueries({ queryKey: keyOf(feedRuns.list) })
}
