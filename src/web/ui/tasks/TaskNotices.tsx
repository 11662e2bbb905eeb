import { useEffect } from 'react'
import { FileNotice } from './FileNotice.tsx'
import { isOver, describeProgress } from './job-labels.ts'
import { JobNotice } from './JobNotice.tsx'
import { useRejoinedJobs } from './rejoin-jobs.ts'
import { clearTasks, useTasks, type BackgroundTask } from './background-tasks.ts'
import './tasks.css'

/** What goes on beside the page, one bar each, over the foot of the page. One for the whole shell. */
export function WorkNotices() {
  const works = useTasks()
  const latest = works.at(-1)
  useEffect(() => clearTasks, [])
  useRejoinedJobs()
  return (
    <>
      {/* Always there, so that it is read out; and not each step of the way. */}
      <output className="fc-hidden">{latest && describeShort(latest)}</output>
      {works.length > 0 && (
        <section className="fc-works" aria-label="Work in the background">
          {works.map((work) =>
            work.kind === 'job' ? (
              <JobNotice key={work.id} id={work.id} job={work.job} isLost={work.isLost} />
            ) : (
              <FileNotice key={work.id} title={work.title} bytes={work.bytes} onCancel={work.cancel} />
            ),
          )}
        </section>
      )}
    </>
  )
}

/** "Set 86 vehicles to Hold", and once it is over what came of it. */
function describeShort(work: BackgroundTask): string {
  if (work.kind === 'file') return work.title
  const { job } = work
  return isOver(job) ? `${job.title}: ${describeProgress(job)}` : job.title
}
