import { useEffect, useRef } from 'react'
import { followJob } from './follow-job.ts'
import { isOver } from './job-labels.ts'
import { useLatestJobs } from './use-jobs.ts'

/** Shows notices for the user's jobs that were already running when the page loaded. */
export function useRejoinedJobs(): void {
  const { data } = useLatestJobs()
  const hasCome = useRef(false)
  useEffect(() => {
    if (!data || hasCome.current) return
    hasCome.current = true
    for (const job of data.results) if (job.isMine && !isOver(job)) void followJob(job)
  }, [data])
}
