import { Link } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import type { Job } from '#contract/jobs/jobs.ts'
import { formatDay } from '#web/ui/layout/date-format.ts'
import { formatBytes, isOver, describeProgress } from '#web/ui/tasks/job-labels.ts'
import { JobProgress } from '#web/ui/tasks/JobProgress.tsx'
import { JobState } from '#web/ui/tasks/JobState.tsx'

const time = new Intl.DateTimeFormat(undefined, { dateStyle: 'medium', timeStyle: 'medium' })

/** A job's status, times and file. */
export function JobFacts({ job }: { job: Job }) {
  const { error, file, createdAt, startedAt, endedAt, undoes } = job
  return (
    <>
      <div className="fc-job-head">
        <JobState of={job} isPill />
        <span className="fc-number">{describeProgress(job)}</span>
      </div>
      {!isOver(job) && <JobProgress job={job} />}
      {error !== null && (
        <p className="fc-job-error">
          <bdi>{error}</bdi>
        </p>
      )}
      <dl className="fc-job-facts">
        <Fact title="Started">{time.format(new Date(createdAt))}</Fact>
        {endedAt !== null && <Fact title="Ended">{time.format(new Date(endedAt))}</Fact>}
        {startedAt !== null && endedAt !== null && (
          <Fact title="Duration">{formatDuration(Date.parse(endedAt) - Date.parse(startedAt))}</Fact>
        )}
        {file && (
          <Fact title="File">
            {file.name}, {formatBytes(file.bytes)}
            <span className="fc-second">Available until {formatDay(file.expiresAt)}</span>
          </Fact>
        )}
        {undoes !== null && (
          <Fact title="Undoes">
            <Link from="/jobs" to="/jobs" search={(before) => ({ ...before, job: undoes })}>
              an earlier job
            </Link>
          </Fact>
        )}
      </dl>
    </>
  )
}

function Fact({ title, children }: { title: string; children: ReactNode }) {
  return (
    <div>
      <dt>{title}</dt>
      <dd>
        <bdi>{children}</bdi>
      </dd>
    </div>
  )
}

/** "0.4 s", "12 s", "3 min 5 s". */
function formatDuration(ms: number): string {
  const seconds = ms / 1000
  if (seconds < 0.1) return 'less than 0.1 s'
  if (seconds < 10) return `${seconds.toLocaleString(undefined, { maximumFractionDigits: 1 })} s`
  const minutes = Math.floor(seconds / 60)
  const rest = `${Math.round(seconds % 60)} s`
  return minutes === 0 ? rest : `${minutes.toLocaleString()} min ${rest}`
}
