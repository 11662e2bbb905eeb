import { useQuery } from '@tanstack/react-query'
import type { FeedRun } from '#contract/feeds/runs/feed-runs.ts'
import { formatBytes, describeProgress } from '#web/ui/tasks/job-labels.ts'
import { liveJob } from '#web/ui/tasks/use-jobs.ts'
import '#web/ui/tasks/job-progress.css'

const ACTIVITIES: Readonly<Record<string, string>> = {
  reading: 'Reading the file and comparing it with your inventory',
  applying: 'Updating vehicles, lot by lot',
  undoing: 'Restoring vehicles',
}

/** The progress of a run; indeterminate if the job belongs to another user. */
export function RunProgress({ run }: { run: FeedRun }) {
  return (
    <section className="fc-feed-progress" aria-label="Progress">
      {run.jobId === null ? <Bar run={run} /> : <JobBar run={run} jobId={run.jobId} />}
      {run.status === 'reading' && (
        <p className="fc-small fc-faint">This doesn't change any vehicles. You can leave this page.</p>
      )}
    </section>
  )
}

function JobBar({ run, jobId }: { run: FeedRun; jobId: string }) {
  const { data } = useQuery(liveJob(jobId))
  if (data === undefined) return <Bar run={run} />
  return (
    <Bar
      run={run}
      label={describeProgress(data)}
      total={data.total}
      done={data.total === null ? null : data.done}
    />
  )
}

type BarProps = { run: FeedRun; label?: string; total?: number | null; done?: number | null }

function Bar({ run: { status, fileName, bytes }, label = '', total = null, done = null }: BarProps) {
  const measure = total === null || done === null ? {} : { value: done, max: Math.max(1, total) }
  return (
    <>
      <p className="fc-feed-sending-words">
        <span>{ACTIVITIES[status]}</span>
        <span className="fc-small fc-soft fc-number">
          <bdi>{status === 'reading' ? formatBytes(bytes) : label}</bdi>
        </span>
      </p>
      <progress className="fc-progress" aria-label={`Progress: ${fileName}`} {...measure} />
    </>
  )
}
