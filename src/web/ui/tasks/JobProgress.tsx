import type { Job } from '#contract/jobs/jobs.ts'
import './job-progress.css'

/** The progress bar of a job; indeterminate while the rows are being counted. */
export function JobProgress({ job }: { job: Pick<Job, 'title' | 'total' | 'done'> }) {
  const { title, total, done } = job
  const measure = total === null ? {} : { value: done, max: Math.max(1, total) }
  return <progress className="fc-progress" aria-label={`Progress: ${title}`} {...measure} />
}
