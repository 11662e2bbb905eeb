import { useEffect } from 'react'
import { FileNotice } from './FileNotice.tsx'
import { isOver, describeProgress } from './job-labels.ts'
import { JobNotice } from './JobNotice.tsx'
import { useRejoinedJobs } from './rejoin-jobs.ts'
import { clearTasks, useTasks, type BackgroundTask } from './background-tasks.ts'
import './tasks.css'

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
