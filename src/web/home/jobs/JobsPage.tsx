import { IconProgress } from '@tabler/icons-react'
import { getRouteApi } from '@tanstack/react-router'
import { lazy, Suspense, useEffect } from 'react'
import { JOB_LIST } from '#contract/jobs/job-list.ts'
import { type Job, jobs } from '#contract/jobs/jobs.ts'
import { EmptyState } from '#web/ui/feedback/EmptyState.tsx'
import { ListPage } from '#web/ui/list/ListPage.tsx'
import { useListRoute } from '#web/ui/list/use-list-route.ts'
import { isOver, latestEnd } from '#web/ui/tasks/job-labels.ts'
import { markJobsSeen } from '#web/ui/tasks/jobs-seen.ts'
import { useLatestJobs, useLiveJobs } from '#web/ui/tasks/use-jobs.ts'
import { CELLS, JobBlock } from './job-cells.tsx'
import './jobs.css'

const route = getRouteApi('/shell/jobs')

/** The progress column holds its text and the action buttons. */
const WIDTHS = { title: 320, done: 280 }

const JobDrawer = lazy(async () => ({ default: (await import('./JobDrawer.tsx')).JobDrawer }))

/** The user's jobs, or all jobs for administrators; one job opens in a drawer. */
export function JobsPage() {
  const search = route.useSearch()
  const { onShow, close } = useListRoute('job')
  useLiveJobs()
  const { data } = useLatestJobs()
  const ended = latestEnd(data?.results ?? [])
  useEffect(() => markJobsSeen(ended), [ended])
  const running = data?.results.filter((job) => !isOver(job)).length ?? 0
  return (
    <>
      <ListPage
        list={JOB_LIST}
        endpoint={jobs.list}
        search={search}
        onShow={onShow}
        cells={CELLS}
        block={showBlock}
        rowId={(job) => job.id}
        rowName={(job) => job.title}
        widths={WIDTHS}
        selectedId={search.job}
        searches="Title, user"
        about={({ total }) => summarize({ total, running })}
        empty={
          <EmptyState
            tone="brand"
            icon={<IconProgress size={18} />}
            title="No jobs yet"
            text="Background tasks: bulk changes and exports, with progress and errors."
          />
        }
      />
      {search.job !== undefined && (
        <Suspense>
          <JobDrawer key={search.job} id={search.job} onClose={close} />
        </Suspense>
      )}
    </>
  )
}

function showBlock(job: Job) {
  return <JobBlock job={job} />
}

function summarize({ total, running }: { total: number; running: number }): string {
  if (total === 0) return 'Bulk changes and exports that run in the background.'
  return running === 0 ? 'No jobs running.' : `${running.toLocaleString()} running.`
}
