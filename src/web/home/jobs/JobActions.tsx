import { Button } from '@mantine/core'
import { IconArrowBackUp, IconDownload, IconPlayerStop } from '@tabler/icons-react'
import { type Job, jobs } from '#contract/jobs/jobs.ts'
import type { CallFailure } from '#web/api/failure.ts'
import { useMutation } from '#web/api/mutation.ts'
import { keyOf, queryClient, send } from '#web/api/query.ts'
import { showError } from '#web/ui/overlay/dialogs.tsx'
import { fetchFile } from '#web/ui/tasks/fetch-file.ts'
import { undoJob } from '#web/ui/tasks/follow-job.ts'
import { isOver } from '#web/ui/tasks/job-labels.ts'

const cancel = send(jobs.cancel)

type Props = {
  job: Job
  /** In a list, accessible names include the job title. */
  isInRow?: boolean
}

/** Buttons to cancel or undo a job, or download its file. */
export function JobActions({ job, isInRow = false }: Props) {
  const { id, title, file, canCancel, canUndo } = job
  const after = { onError: showFailure, onSettled: invalidateJobs }
  const stopping = useMutation({ mutationFn: cancel, ...after })
  const undoing = useMutation({ mutationFn: undoJob, ...after })
  const fetching = useMutation({ mutationFn: () => fetchFile(jobs.download, { id }, title), ...after })
  const shared = { variant: isInRow ? 'subtle' : 'default', className: 'fc-job-action' }
  const nameFor = (verb: string) => (isInRow ? { 'aria-label': `${verb}: ${title}` } : {})
  return (
    <>
      {canCancel && !isOver(job) && (
        <Button
          {...shared}
          {...nameFor('Cancel')}
          leftSection={<IconPlayerStop size={16} stroke={1.6} aria-hidden="true" />}
          loading={stopping.isPending}
          onClick={() => stopping.mutate({ id })}
        >
          Cancel
        </Button>
      )}
      {canUndo && isOver(job) && (
        <Button
          {...shared}
          {...nameFor('Undo')}
          leftSection={<IconArrowBackUp size={16} stroke={1.6} className="fc-flip" aria-hidden="true" />}
          loading={undoing.isPending}
          onClick={() => undoing.mutate(job)}
        >
          Undo
        </Button>
      )}
      {file && (
        <Button
          {...shared}
          {...nameFor('Download')}
          leftSection={<IconDownload size={16} stroke={1.6} aria-hidden="true" />}
          loading={fetching.isPending}
          onClick={() => fetching.mutate()}
        >
          Download
        </Button>
      )}
    </>
  )
}

function showFailure(failure: CallFailure): void {
  showError(failure)
}

/** Runs after failures too: the job may have changed. */
async function invalidateJobs(): Promise<void> {
  await Promise.all([
    queryClient.invalidateQueries({ queryKey: keyOf(jobs.list) }),
    queryClient.invalidateQueries({ queryKey: keyOf(jobs.get) }),
  ])
}
