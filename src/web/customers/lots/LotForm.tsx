import { useMutation } from '@tanstack/react-query'
import { Lot, lots } from '#contract/customers/lots/lots.ts'
import { dashboard } from '#contract/home/dashboard.ts'
import { keyOf, queryClient, send } from '#web/api/query.ts'
import { Action } from '#web/ui/controls/Action.tsx'
import { ask, showError } from '#web/ui/overlay/dialogs.tsx'
import { FormFooter } from '#web/ui/form/FormFooter.tsx'
import { RecordForm } from '#web/ui/record/RecordForm.tsx'
import { StaleDialog } from '#web/ui/record/StaleDialog.tsx'
import { useRecordForm } from '#web/ui/record/use-record-form.ts'
import { toast } from '#web/ui/feedback/toast.tsx'
import { followJob } from '#web/ui/tasks/follow-job.ts'
import { BLANK, checkLot, FIELD_NAMES, type LotValues, showField, toInput, toValues } from './lot-form.ts'
import { LotFields } from './LotFields.tsx'

type Props = {
  /** Null for a new one. */
  lot: Lot | null
  onClose: (isSaved: boolean) => void
  onCreated: (id: string) => void
  /** Saved, or reloaded. */
  onKept?: (lot: Lot) => void
}

const addLot = send(lots.add)
const updateLot = send(lots.update)
const removeLots = send(lots.removeMany)

/** The form of one lot: saves, deletes, and resolves conflicting changes. */
export function LotForm({ lot, onClose, onCreated, onKept }: Props) {
  const endpoint = lot ? lots.update : lots.add
  const record = useRecordForm<LotValues, Lot>({
    record: lot,
    blank: BLANK,
    toValues,
    labels: FIELD_NAMES,
    schema: Lot,
    endpoint,
    check: checkLot,
    save: (values, version) =>
      lot ? updateLot({ ...toInput(values), id: lot.id, version }) : addLot(toInput(values)),
    keep: (saved) => {
      queryClient.setQueryData([...keyOf(lots.get), { id: saved.id }], saved)
      onKept?.(saved)
    },
    onSaved: async (saved) => {
      toast(lot ? 'Lot saved' : 'Lot added', `${saved.name}, ${saved.code}`)
      if (!lot) onCreated(saved.id)
      await invalidateLists()
    },
  })
  // Runs as a job, like a bulk deletion: it can be undone, and reports why a lot with vehicles is kept.
  const remove = useMutation({
    mutationFn: removeLots,
    onSuccess: (job) => {
      record.release()
      onClose(true)
      void followJob(job)
    },
    onError: (failure) => showError(failure),
  })
  async function confirmRemoval({ id, code, name }: Lot) {
    const isSure = await ask({
      title: `Delete lot ${code}?`,
      text: `${name} will be removed from all lists. You can undo this.`,
      confirm: 'Delete lot',
      isDestructive: true,
    })
    if (isSure) remove.mutate({ selection: { ids: [id] } })
  }

  return (
    <RecordForm record={record} isBusy={remove.isPending}>
      <LotFields record={record} lot={lot} />
      <FormFooter
        record={record}
        for={endpoint}
        save={lot ? 'Save lot' : 'Add lot'}
        onCancel={() => onClose(false)}
      >
        {lot && (
          <Action
            for={lots.removeMany}
            variant="subtle"
            className="fc-quiet-danger"
            disabled={record.isSaving || remove.isPending}
            onClick={() => void confirmRemoval(lot)}
          >
            Delete lot
          </Action>
        )}
      </FormFooter>
      <StaleDialog
        record={record}
        thing="this lot"
        show={(name, values) => showField(name, values, record.stale?.current)}
      />
    </RecordForm>
  )
}

/** A changed lot affects the lists and the dashboard figures. */
async function invalidateLists(): Promise<void> {
  await Promise.all([
    queryClient.invalidateQueries({ queryKey: keyOf(lots.list) }),
    queryClient.invalidateQueries({ queryKey: keyOf(dashboard.get) }),
  ])
}
