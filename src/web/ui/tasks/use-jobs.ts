import { useQuery } from '@tanstack/react-query'
import { type Job, jobs } from '#contract/jobs/jobs.ts'
import { live, useLiveList, WATCHED_MS } from '#web/api/live.ts'
import { query } from '#web/api/query.ts'
import { isOver } from './job-labels.ts'

/** Includes every running job: no user starts this many at a time. */
const LATEST = { page: 1, pageSize: 25, sort: '-createdAt' }

const hasRunning = (list: { results: readonly Job[] } | undefined) => list?.results.every(isOver) === false

/** The latest jobs; read again while one of them is running. */
export function useLatestJobs() {
  return useQuery(live(query(jobs.list, LATEST), { while: hasRunning, ms: WATCHED_MS }))
}

/** One job, which is read again until it ends. */
export const liveJob = (id: string) =>
  live(query(jobs.get, { id }), {
    while: (job) => job !== undefined && !isOver(job),
    ms: WATCHED_MS,
  })

/** Keeps visible job lists up to date while a job is running. */
export function useLiveJobs(): void {
  useLiveList(jobs.list, hasRunning(useLatestJobs().data))
}
