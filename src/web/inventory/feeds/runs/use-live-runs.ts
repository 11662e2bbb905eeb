import { useQuery } from '@tanstack/react-query'
import { useEffect } from 'react'
import { feedRuns } from '#contract/inventory/feeds/runs/feed-runs.ts'
import { keyOf, query, queryClient } from '#web/api/query.ts'
import { isUnderWay } from './feed-labels.ts'

const POLL_MS = 1_500
/** Whatever goes on is among these. */
const LATEST = { page: 1, pageSize: 25, sort: '-createdAt' }

/** Keeps the list of runs fresh while one of the latest goes on and somebody looks. */
export function useLiveRuns(): void {
  const { data } = useQuery(query(feedRuns.list, LATEST))
  const isLive = data?.results.some(isUnderWay) === true
  useEffect(() => {
    if (!isLive) return undefined
    const timer = setInterval(() => !document.hidden && refresh(), POLL_MS)
    return () => clearInterval(timer)
  }, [isLive])
}

function refresh(): void {
  void queryClient.invalidateQueries({ queryKey: keyOf(feedRuns.list) })
}
