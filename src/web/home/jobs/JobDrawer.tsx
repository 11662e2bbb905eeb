import { Button } from '@mantine/core'
import { FormDrawer } from '#web/ui/form/FormDrawer.tsx'
import { Loaded, useLoad } from '#web/ui/record/Loaded.tsx'
import { liveJob } from '#web/ui/tasks/use-jobs.ts'
import { JobActions } from './JobActions.tsx'
import { JobFacts } from './JobFacts.tsx'
import { JobFailures } from './JobFailures.tsx'

/** One job: its progress, failed rows with reasons, and actions. */
export function JobDrawer({ id, onClose }: { id: string; onClose: () => void }) {
  const load = useLoad(liveJob(id))
  const { data } = load
  return (
    <FormDrawer
      title={data?.title ?? 'Job'}
      about={data && <bdi>Started by {data.startedBy ?? 'Forecourt'}</bdi>}
      onClose={onClose}
    >
      <Loaded query={load} what="this job" shape="facts">
        {(job) => (
          <div className="fc-form">
            <div className="fc-job">
              <JobFacts job={job} />
              {job.failures > 0 && <JobFailures job={job} />}
            </div>
            <div className="fc-form-footer">
              <span className="fc-grow" />
              <Button variant="default" onClick={onClose}>
                Close
              </Button>
              <JobActions job={job} />
            </div>
          </div>
        )}
      </Loaded>
    </FormDrawer>
  )
}
