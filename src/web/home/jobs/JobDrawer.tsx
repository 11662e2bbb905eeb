import { DetailDrawer } from '#web/ui/record/DetailDrawer.tsx'
import { liveJob } from '#web/ui/tasks/use-jobs.ts'
import { jobFacts, JobHead } from './job-facts.tsx'
import { JobActions } from './JobActions.tsx'
import { JobFailures } from './JobFailures.tsx'

/** One job: its progress, failed rows with reasons, and actions. */
export function JobDrawer({ id, onClose }: { id: string; onClose: () => void }) {
  return (
    <DetailDrawer
      query={liveJob(id)}
      what="this job"
      noun="Job"
      onClose={onClose}
      renderParts={(job) => ({
        title: job.title,
        about: <bdi>Started by {job.startedBy ?? 'Forecourt'}</bdi>,
        note: <JobHead job={job} />,
        facts: jobFacts(job),
        actions: <JobActions job={job} />,
      })}
    >
      {(job) => job.failures > 0 && <JobFailures job={job} />}
    </DetailDrawer>
  )
}
