import type { JOB_LIST } from '#contract/jobs/job-list.ts'
import type { Job } from '#contract/jobs/jobs.ts'
import type { Cells } from '#web/ui/list/table/shown-column.ts'
import { formatAgo, formatDay } from '#web/ui/layout/date-format.ts'
import { isOver, describeProgress } from '#web/ui/tasks/job-labels.ts'
import { JobProgress } from '#web/ui/tasks/JobProgress.tsx'
import { JobState } from '#web/ui/tasks/JobState.tsx'
import { JobActions } from './JobActions.tsx'
import { Link } from '#web/ui/controls/Link.tsx'

/** Custom cells. */
export const CELLS: Cells<Job, keyof typeof JOB_LIST.fields> = {
  title: (job) => (
    <>
      <JobLink job={job} />
      <Second>{job.error ?? describeFile(job)}</Second>
    </>
  ),
  state: (job) => <JobState of={job} />,
  done: (job) => (
    <div className="fc-job-done">
      <JobActions job={job} isInRow />
      <div className="fc-grow">
        {!isOver(job) && <JobProgress job={job} />}
        <span className="fc-number">{describeProgress(job)}</span>
      </div>
    </div>
  ),
  failures: ({ failures }) => (failures === 0 ? '' : failures.toLocaleString()),
  startedBy: ({ startedBy }) => <bdi>{startedBy ?? 'Forecourt'}</bdi>,
  createdAt: ({ createdAt }) => formatAgo(createdAt),
  endedAt: ({ endedAt }) => (endedAt === null ? '' : formatAgo(endedAt)),
}

/** A row on a narrow screen. */
export function JobBlock({ job }: { job: Job }) {
  const second = job.error ?? describeFile(job)
  return (
    <>
      <div className="fc-block-head">
        <JobLink job={job} />
        <span className="fc-job-when fc-small fc-soft fc-number">{formatAgo(job.createdAt)}</span>
      </div>
      {second !== null && (
        <div className="fc-small fc-faint">
          <bdi>{second}</bdi>
        </div>
      )}
      <div className="fc-block-head fc-small">
        <JobState of={job} />
        <span className="fc-soft fc-number">{describeProgress(job)}</span>
      </div>
      {!isOver(job) && <JobProgress job={job} />}
      <div className="fc-job-done">
        <JobActions job={job} isInRow />
      </div>
    </>
  )
}

/** "vehicles-2026-11-21.csv, available until Nov 28". */
function describeFile({ file }: Pick<Job, 'file'>): string | null {
  return file && `${file.name}, available until ${formatDay(file.expiresAt)}`
}

function Second({ children }: { children: string | null }) {
  if (children === null) return null
  return (
    <span className="fc-second">
      <bdi>{children}</bdi>
    </span>
  )
}

function JobLink({ job }: { job: Job }) {
  return (
    <Link from="/jobs" to="/jobs" search={(before) => ({ ...before, job: job.id })} className="fc-name">
      <bdi>{job.title}</bdi>
    </Link>
  )
}
