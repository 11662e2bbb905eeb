import { useQuery } from '@tanstack/react-query'
import { useEffect } from 'react'
import { jobs } from '#contract/jobs/jobs.ts'
import { keyOf, query, queryClient } from '#web/api/query.ts'
import { isOver } from './job-labels.ts'

const POLL_MS = 1_500
/** Includes every running job: no user starts this many at a time. */
const LATEST = { page: 1, pageSize: 25, sort: '-createdAt' }

/** The latest jobs; polled while one of them is running. */
export function useLatestJobs() {
  return useQuery({
    ...query(jobs.list, LATEST),
    refetchInterval: ({ state }) => (state.data?.results.every(isOver) === false ? POLL_MS : false),
  })
}

/** One job; polled until it ends. */
export function useJob(id: string) {
  return useQuery({
    ...query(jobs.get, { id }),
    refetchInterval: ({ state }) => (state.data && !isOver(state.data) ? POLL_MS : false),
  })
}

/** Keeps visible job lists up to date while a job is running. */
export function useLiveJobs(): void {
  const { data } = useLatestJobs()
  const isLive = data?.results.every(isOver) === false
  useEffect(() => {
    if (!isLive) return undefined
    const timer = setInterval(() => !document.hidden && refreshJobs(), POLL_MS)
    return () => {
      clearInterval(timer)
      // The list may have been fetched a moment before the last job ended.
      refreshJobs()
    }
  }, [isLive])
}

function refreshJobs(): void {
  void queryClient.invalidateQueries({ queryKey: keyOf(jobs.list) })
}
