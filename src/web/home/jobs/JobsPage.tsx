import { IconProgress } from '@tabler/icons-react'
import { getRouteApi } from '@tanstack/react-router'
import { lazy, Suspense, useEffect } from 'react'
import { JOB_LIST } from '#contract/jobs/job-list.ts'
import { type Job, jobs } from '#contract/jobs/jobs.ts'
import { EmptyState } from '#web/ui/feedback/EmptyState.tsx'
import { ListPage } from '#web/ui/list/ListPage.tsx'
import { useListRoute } from '#web/ui/list/use-list-route.ts'
import { isOver, latestEnd } from '#web/ui/tasks/job-labels.ts'
import { lookAtJobs } from '#web/ui/tasks/looked-at.ts'
import { useLatestJobs, useLiveJobs } from '#web/ui/tasks/use-jobs.ts'
import { CELLS, JobBlock } from './job-cells.tsx'
import './jobs.css'

const route = getRouteApi('/shell/jobs')

/** Of what a job did, the words and what can be done about it stand side by side. */
const WIDTHS = { title: 320, done: 280 }

const JobDrawer = lazy(async () => ({ default: (await import('./JobDrawer.tsx')).JobDrawer }))

/** The work the person started, or everybody's for whoever keeps an eye on it; one job open in a drawer. */
export function JobsPage() {
  const search = route.useSearch()
  const { onShow, close } = useListRoute('job')
  useLiveJobs()
  const { data } = useLatestJobs()
  const ended = latestEnd(data?.results ?? [])
  useEffect(() => lookAtJobs(ended), [ended])
  const going = data?.results.filter((job) => !isOver(job)).length ?? 0
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
        searches="Title, person"
        about={({ total }) => sumUp({ total, going })}
        empty={
          <EmptyState
            tone="brand"
            icon={<IconProgress size={18} />}
            title="No jobs yet"
            text="Changes of many rows and large exports run as jobs. Each stands here with its progress and what it was refused."
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

function sumUp({ total, going }: { total: number; going: number }): string {
  if (total === 0) return 'Work that goes on by itself.'
  return going === 0 ? 'Nothing goes on right now.' : `${going.toLocaleString()} going on now.`
}
