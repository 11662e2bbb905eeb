import { useMutation } from '#web/api/mutation.ts'
import { askToRemove } from '#web/ui/record/ask-to-remove.ts'
import { useState } from 'react'
import { DomainWhiteLabel, whiteLabels } from '#contract/identity/branding/white-labels.ts'
import { keyOf, queryClient, send } from '#web/api/query.ts'
import { Action } from '#web/ui/controls/Action.tsx'
import { FormFooter } from '#web/ui/form/FormFooter.tsx'
import { RecordForm } from '#web/ui/record/RecordForm.tsx'
import { StaleDialog } from '#web/ui/record/StaleDialog.tsx'
import { useRecordForm } from '#web/ui/record/use-record-form.ts'
import { toast } from '#web/ui/feedback/toast.tsx'
import { BrandPreview } from './BrandPreview.tsx'
import { DomainProof } from './DomainProof.tsx'
import {
  BLANK,
  checkWhiteLabel,
  FIELD_NAMES,
  showField,
  toInput,
  toValues,
  type WhiteLabelValues,
} from './white-label-form.ts'
import { WhiteLabelFields } from './WhiteLabelFields.tsx'

type Props = {
  /** Null for a new one. */
  label: DomainWhiteLabel | null
  onClose: (isSaved: boolean) => void
  onCreated: (id: string) => void
  /** Saved, verified, or reloaded. */
  onKept?: (label: DomainWhiteLabel) => void
}

const saveLabel = send(whiteLabels.save)
const removeLabel = send(whiteLabels.remove)

/** The form of a domain, next to its preview. */
export function WhiteLabelForm({ label: loaded, onClose, onCreated, onKept }: Props) {
  const [isAgain, setAgain] = useState(false)
  const label = isAgain ? null : loaded
  const keep = (current: DomainWhiteLabel) => {
    queryClient.setQueryData([...keyOf(whiteLabels.get), { id: current.id }], current)
    onKept?.(current)
  }
  const record = useRecordForm<WhiteLabelValues, DomainWhiteLabel>({
    record: label,
    blank: BLANK,
    toValues,
    labels: FIELD_NAMES,
    schema: DomainWhiteLabel,
    endpoint: whiteLabels.save,
    check: checkWhiteLabel,
    save: (values, version) =>
      saveLabel(label ? { ...toInput(values), id: label.id, version } : toInput(values)),
    keep,
    onSaved: (saved) => {
      toast(label ? 'Domain saved' : 'Domain added', saved.domain)
      if (!label) onCreated(saved.id)
    },
  })
  const remove = useMutation({ mutationFn: removeLabel })
  async function confirmRemoval(shown: DomainWhiteLabel) {
    const done = await askToRemove({
      read: whiteLabels.get,
      shown,
      thing: 'this domain',
      question: {
        title: `Remove ${shown.domain}?`,
        text: "Visitors will see Forecourt without your branding, and other customers can add this domain. You can't undo this.",
        confirm: 'Remove domain',
      },
      run: ({ id, version }) => remove.mutateAsync({ id, version }),
    })
    if (done === null) return
    record.release()
    if (done !== 'gone') toast('Domain removed', done.removed.domain)
    onClose(true)
  }

  return (
    <RecordForm record={record} isBusy={remove.isPending}>
      <div className="fc-brand">
        <div className="fc-brand-fields">
          <WhiteLabelFields record={record} isNew={label === null} />
          {label && (
            <DomainProof
              label={label}
              isChanged={record.changed.length > 0}
              onVerified={(verified) => {
                keep(verified)
              }}
            />
          )}
        </div>
        <BrandPreview values={record.form.values} />
      </div>
      <FormFooter
        record={record}
        for={whiteLabels.save}
        save={label ? 'Save domain' : 'Add domain'}
        onCancel={() => onClose(false)}
      >
        {label && (
          <Action
            for={whiteLabels.remove}
            variant="subtle"
            className="fc-quiet-danger"
            disabled={record.isSaving || remove.isPending}
            onClick={() => void confirmRemoval(label)}
          >
            Remove domain
          </Action>
        )}
      </FormFooter>
      <StaleDialog
        record={record}
        thing="this domain"
        show={showField}
        again={{ endpoint: whiteLabels.save, start: () => setAgain(true) }}
      />
    </RecordForm>
  )
}
