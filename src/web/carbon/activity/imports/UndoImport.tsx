import { IconArrowBackUp } from '@tabler/icons-react'
import { activityImports } from '#contract/carbon/activity/activity-imports.ts'
import { useMutation } from '#web/api/mutation.ts'
import { send } from '#web/api/query.ts'
import { Action } from '#web/ui/controls/Action.tsx'
import { ask, showError } from '#web/ui/overlay/dialogs.tsx'
import { count } from '#web/ui/layout/date-format.ts'

const undoImport = send(activityImports.undo)

type Props = {
  id: string
  fileName: string
  /** The facilities and sources of its records. */
  of: string
  /** How many records it would delete or restore. */
  untouched: number
  onUndone: () => void
}

/** Undoes an import: deletes the records that haven't changed since, and lists those that stay. */
export function UndoImport({ id, fileName, of, untouched, onUndone }: Props) {
  const undo = useMutation({
    mutationFn: undoImport,
    onError: (failure) => showError(failure),
    onSuccess: onUndone,
  })
  async function confirm() {
    const isSure = await ask({
      title: `Undo the import of ${fileName}?`,
      text: `${of}: ${count(untouched, "record hasn't changed since", "records haven't changed since")}. What this import added is deleted, and bills that it corrected go back to what they were.`,
      confirm: 'Undo import',
      isDestructive: true,
    })
    if (isSure) undo.mutate({ id })
  }
  if (undo.data) {
    const { deleted, restored, kept, loose } = undo.data
    return (
      <div className="fc-import-undone">
        <output>
          {count(deleted, 'record', 'records')} deleted
          {restored > 0 && `, ${count(restored, 'bill is', 'bills are')} as before the import`}.
        </output>
        {kept.length > 0 && (
          <>
            <p>{count(kept.length, 'record stays', 'records stay')}:</p>
            <ul>
              {kept.slice(0, 100).map(({ line, message }) => (
                <li key={line}>
                  <bdi>
                    Line {line}: {message}
                  </bdi>
                </li>
              ))}
            </ul>
          </>
        )}
        {loose.length > 0 && (
          <>
            <p>
              {count(loose.length, 'credit still counts', 'credits still count')}, although what{' '}
              {loose.length === 1 ? 'it takes' : 'they take'} back is gone. Undo their import, too, or delete
              the records:
            </p>
            <ul>
              {loose.slice(0, 100).map((text) => (
                <li key={text}>
                  <bdi>{text}</bdi>
                </li>
              ))}
            </ul>
          </>
        )}
      </div>
    )
  }
  return (
    <Action
      for={activityImports.undo}
      variant="default"
      leftSection={<IconArrowBackUp size={16} className="fc-flip" aria-hidden="true" />}
      loading={undo.isPending}
      onClick={() => void confirm()}
    >
      Undo {count(untouched, 'record', 'records')}
    </Action>
  )
}
