import { useEffect, useRef } from 'react'
import { isOver, describeProgress, formatBytes } from './job-labels.ts'
import { JobNotice } from './JobNotice.tsx'
import { clearTasks, useTasks, type BackgroundTask } from './background-tasks.ts'
import './tasks.css'
import { followJob } from './follow-job.ts'
import { useLatestJobs } from './use-jobs.ts'
import { Button } from '@mantine/core'
import { NoticeBar } from './NoticeBar.tsx'

/** Notices for background tasks, above the page footer. One for the whole shell. */
export function TaskNotices() {
  const tasks = useTasks()
  const latest = tasks.at(-1)
  useEffect(() => clearTasks, [])
  useRejoinedJobs()
  return (
    <>
      {/* Always rendered, so that screen readers announce it, but without every progress step. */}
      <output className="fc-hidden">{latest && describeShort(latest)}</output>
      {tasks.length > 0 && (
        <section className="fc-tasks" aria-label="Background tasks">
          {tasks.map((task) =>
            task.kind === 'job' ? (
              <JobNotice key={task.id} id={task.id} job={task.job} isLost={task.isLost} />
            ) : (
              <FileNotice key={task.id} title={task.title} bytes={task.bytes} onCancel={task.cancel} />
            ),
          )}
        </section>
      )}
    </>
  )
}

/** "Set 86 vehicles to Hold", followed by the result once it is done. */
function describeShort(task: BackgroundTask): string {
  if (task.kind === 'file') return task.title
  const { job } = task
  return isOver(job) ? `${job.title}: ${describeProgress(job)}` : job.title
}

/** Shows notices for the user's jobs that were already running when the page loaded. */
function useRejoinedJobs(): void {
  const { data } = useLatestJobs()
  const hasCome = useRef(false)
  useEffect(() => {
    if (!data || hasCome.current) return
    hasCome.current = true
    for (const job of data.results) if (job.isMine && !isOver(job)) void followJob(job)
  }, [data])
}

type Props = { title: string; bytes: number; onCancel: () => void }

/** A file being downloaded. Its total size isn't known, so the received bytes are shown. */
function FileNotice({ title, bytes, onCancel }: Props) {
  return (
    <NoticeBar
      // A small file arrives before anyone could read the notice.
      isPatient
      bar={<progress className="fc-progress" aria-label={`Progress: ${title}`} />}
      actions={
        <Button variant="subtle" onClick={onCancel}>
          Cancel
        </Button>
      }
    >
      <bdi className="fc-cut">{title}</bdi>
      <bdi className="fc-work-count">{bytes === 0 ? 'Preparing' : formatBytes(bytes)}</bdi>
    </NoticeBar>
  )
}
