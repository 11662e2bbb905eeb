import { ActionIcon, Button } from '@mantine/core'
import { IconArrowBackUp, IconDownload, IconX } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { type Job, jobs } from '#contract/jobs/jobs.ts'
import { useMutation } from '#web/api/mutation.ts'
import { query, send } from '#web/api/query.ts'
import { showError } from '../overlay/dialogs.tsx'
import { Status } from '../controls/Status.tsx'
import { fetchFile } from './fetch-file.ts'
import { undoJob } from './follow-job.ts'
import { JobProgress } from './JobProgress.tsx'
import { JobState } from './JobState.tsx'
import { isOver, describeProgress } from './job-labels.ts'
import { NoticeBar } from './NoticeBar.tsx'
import { dismissTask } from './background-tasks.ts'
import { Link } from '#web/ui/controls/Link.tsx'

type Props = {
  /** Task ID, for dismissing. */
  id: number
  job: Job
  isLost: boolean
}

const cancel = send(jobs.cancel)
const onError = (failure: Parameters<typeof showError>[0]) => showError(failure)

/** A job while it is running, and its result if the user needs to see it. */
export function JobNotice({ id, job, isLost }: Props) {
  const stopping = useMutation({ mutationFn: cancel, onError })
  const undoing = useMutation({ mutationFn: undoJob, onError, onSuccess: () => dismissTask(id) })
  const fetching = useMutation({
    mutationFn: () => fetchFile(jobs.download, { id: job.id }, job.title),
    onError,
    onSuccess: () => dismissTask(id),
  })
  const isEnded = isOver(job)
  const { title, failures, file, canCancel, canUndo, error, undoes } = job
  // The only row: why it was left as it is says more than numbers.
  const isOneRefused = isEnded && job.total === 1 && failures === 1
  const { data: refused } = useQuery({ ...query(jobs.failures, { id: job.id }), enabled: isOneRefused })
  const outcome = error ?? (isOneRefused ? refused?.[0]?.reason : null) ?? describeProgress(job)
  return (
    <NoticeBar
      bar={isEnded ? null : <JobProgress job={job} />}
      actions={
        <>
          {!isEnded && canCancel && (
            <Button
              variant="subtle"
              loading={stopping.isPending}
              onClick={() => stopping.mutate({ id: job.id })}
            >
              Cancel
            </Button>
          )}
          {failures > 0 && isEnded && (
            <Link
              to="/jobs"
              search={{ job: job.id }}
              className="fc-work-link"
              aria-label={`Show ${failures.toLocaleString()} rejected`}
              onClick={() => dismissTask(id)}
            >
              Show
            </Link>
          )}
          {isEnded && canUndo && (
            <Button
              variant="subtle"
              leftSection={<IconArrowBackUp size={16} className="fc-flip" aria-hidden="true" />}
              loading={undoing.isPending}
              onClick={() => undoing.mutate(job)}
            >
              Undo
            </Button>
          )}
          {file && (
            <Button
              leftSection={<IconDownload size={16} aria-hidden="true" />}
              loading={fetching.isPending}
              onClick={() => fetching.mutate()}
            >
              Download
            </Button>
          )}
          {isEnded && (
            <ActionIcon aria-label={`Close: ${title}`} onClick={() => dismissTask(id)}>
              <IconX size={16} stroke={1.6} />
            </ActionIcon>
          )}
        </>
      }
    >
      {isEnded &&
        (isOneRefused ? (
          <Status tone="bad" mark="wait">
            {undoes === null ? 'Not done' : 'Not all undone'}
          </Status>
        ) : (
          <JobState of={job} />
        ))}
      <bdi className="fc-cut">{file && isEnded ? file.name : title}</bdi>
      <bdi className="fc-work-count">{isLost ? 'Connection lost. The job is still running.' : outcome}</bdi>
    </NoticeBar>
  )
}
