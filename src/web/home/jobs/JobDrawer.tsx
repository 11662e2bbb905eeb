import { Button } from '@mantine/core'
import { jobs } from '#contract/jobs/jobs.ts'
import { FailureState } from '#web/ui/feedback/FailureState.tsx'
import { FormDrawer } from '#web/ui/form/FormDrawer.tsx'
import { RecordSkeleton } from '#web/ui/layout/RecordSkeleton.tsx'
import { useJob } from '#web/ui/tasks/use-jobs.ts'
import { JobActions } from './JobActions.tsx'
import { JobFacts } from './JobFacts.tsx'
import { JobFailures } from './JobFailures.tsx'

/** One job: its progress, failed rows with reasons, and actions. */
export function JobDrawer({ id, onClose }: { id: string; onClose: () => void }) {
  const { data, error, isPending, refetch } = useJob(id)
  return (
    <FormDrawer
      title={data?.title ?? 'Job'}
      about={data && <bdi>Started by {data.startedBy ?? 'Forecourt'}</bdi>}
      onClose={onClose}
    >
      {error && !data && (
        <FailureState failure={error} endpoint={jobs.get} what="this job" onRetry={() => void refetch()} />
      )}
      {isPending && <RecordSkeleton label="Loading the job" shape="facts" />}
      {data && (
        <div className="fc-form">
          <div className="fc-job">
            <JobFacts job={data} />
            {data.failures > 0 && <JobFailures job={data} />}
          </div>
          <div className="fc-form-footer">
            <span className="fc-grow" />
            <Button variant="default" onClick={onClose}>
              Close
            </Button>
            <JobActions job={data} />
          </div>
        </div>
      )}
    </FormDrawer>
  )
}
