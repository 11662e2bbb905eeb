import type { Job } from '#contract/jobs/jobs.ts'
import { formatDay, formatDuration } from '#web/ui/layout/date-format.ts'
import type { Fact } from '#web/ui/record/Facts.tsx'
import { formatBytes, isOver, describeProgress } from '#web/ui/tasks/job-labels.ts'
import { JobProgress } from '#web/ui/tasks/JobProgress.tsx'
import { JobState } from '#web/ui/tasks/JobState.tsx'
import { Link } from '#web/ui/controls/Link.tsx'

const time = new Intl.DateTimeFormat(undefined, { dateStyle: 'medium', timeStyle: 'medium' })

/** A job's status and progress, and why it failed. */
export function JobHead({ job }: { job: Job }) {
  return (
    <>
      <div className="fc-job-head">
        <JobState of={job} isPill />
        <span className="fc-number">{describeProgress(job)}</span>
      </div>
      {!isOver(job) && <JobProgress job={job} />}
      {job.error !== null && (
        <p className="fc-job-error">
          <bdi>{job.error}</bdi>
        </p>
      )}
    </>
  )
}

/** A job's times and file. */
export function jobFacts({ file, createdAt, startedAt, endedAt, undoes }: Job): Fact[] {
  const isTimed = startedAt !== null && endedAt !== null
  return [
    ['Started', time.format(new Date(createdAt))],
    ['Ended', endedAt && time.format(new Date(endedAt))],
    ['Duration', isTimed && formatDuration(Date.parse(endedAt) - Date.parse(startedAt))],
    [
      'File',
      file && (
        <span key="file">
          {file.name}, {formatBytes(file.bytes)}
          <span className="fc-second">Available until {formatDay(file.expiresAt)}</span>
        </span>
      ),
    ],
    [
      'Undoes',
      undoes !== null && (
        <Link key="undoes" from="/jobs" to="/jobs" search={(before) => ({ ...before, job: undoes })}>
          an earlier job
        </Link>
      ),
    ],
  ]
}
