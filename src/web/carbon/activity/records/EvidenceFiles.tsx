import { useState } from 'react'
import { type EvidenceFile, evidence, MAX_EVIDENCE_FILES } from '#contract/carbon/activity/evidence.ts'
import type { CallFailure } from '#web/api/failure.ts'
import { useMutation } from '#web/api/mutation.ts'
import { EvidenceName } from '#web/carbon/activity/evidence/EvidenceName.tsx'
import { query, send } from '#web/api/query.ts'
import { upload } from '#web/api/upload.ts'
import { useHolds } from '#web/session/use-session.ts'
import { Action } from '#web/ui/controls/Action.tsx'
import { showError } from '#web/ui/overlay/dialogs.tsx'
import { FileDrop } from '#web/ui/files/FileDrop.tsx'
import { offerUndo } from '#web/ui/feedback/undo.tsx'
import { Loaded, useLoad } from '#web/ui/record/Loaded.tsx'
import { formatBytes } from '#web/ui/tasks/job-labels.ts'

const removeFile = send(evidence.remove)
const restoreFile = send(evidence.restore)

type Props = {
  recordId: string
  isFrozen: boolean
  /** Called with the new number of files. */
  onCount: (count: number) => void
}

/** The evidence files of a record: upload, open, remove. Hidden from users who may not see them. */
export function EvidenceFiles(props: Props) {
  return useHolds()(evidence.list.allow) === false ? null : <Files {...props} />
}

function Files({ recordId, isFrozen, onCount }: Props) {
  const holds = useHolds()
  const mayAdd = holds(evidence.add.allow) !== false
  const [sent, setSent] = useState<File | null>(null)
  const load = useLoad(query(evidence.list, { recordId }))
  const { data } = load
  const show = (next: readonly EvidenceFile[]) => onCount(next.length)
  const add = useMutation<EvidenceFile[], CallFailure, readonly File[]>({
    mutationFn: (files) =>
      upload(evidence.add, { recordId }, files, {
        signal: new AbortController().signal,
        onSent: () => undefined,
      }),
    onSettled: () => setSent(null),
    onSuccess: show,
  })
  const remove = useMutation({
    mutationFn: removeFile,
    onError: (failure) => showError(failure),
    onSuccess: (_, { id }) => {
      const gone = data?.find((one) => one.id === String(id))
      const left = data?.filter((one) => one !== gone) ?? []
      show(left)
      offerUndo({
        text: `${gone?.name ?? 'File'} removed`,
        undo: async () => show([...left, await restoreFile({ id })]),
        isOverTables: true,
      })
    },
  })
  return (
    <section className="fc-evidence" aria-labelledby="fc-evidence">
      <h3 id="fc-evidence">Evidence</h3>
      <Loaded query={load} what="the evidence" shape={null}>
        {(loaded) => (
          <>
            {loaded.length === 0 && <p className="fc-small fc-soft">No evidence files yet.</p>}
            {loaded.length > 0 && (
              <ul aria-label="Files">
                {loaded.map(({ id, name, size }) => (
                  <li key={id}>
                    <EvidenceName id={id} name={name} />
                    <span className="fc-small fc-faint">{formatBytes(size)}</span>
                    <Action
                      for={evidence.remove}
                      variant="subtle"
                      color="gray"
                      size="compact-xs"
                      aria-label={`Remove ${name}`}
                      lock={isFrozen ? 'The inventory is locked.' : null}
                      onClick={() => remove.mutate({ id })}
                    >
                      Remove
                    </Action>
                  </li>
                ))}
              </ul>
            )}
          </>
        )}
      </Loaded>
      {mayAdd && !isFrozen && (data?.length ?? 0) < MAX_EVIDENCE_FILES && (
        <FileDrop
          text="Drop bills or photos here."
          file={sent}
          accept=".pdf,.png,.jpg,.jpeg,.webp,.heic,.avif,.gif,.xlsx,.docx,.txt,.csv,.eml"
          isBusy={add.isPending}
          onTakeAll={(files) => {
            setSent(files[0] ?? null)
            add.mutate(files)
          }}
        />
      )}
      {add.error && (
        <p className="fc-form-alert" role="alert">
          <bdi>{add.error.message}</bdi>
        </p>
      )}
    </section>
  )
}
