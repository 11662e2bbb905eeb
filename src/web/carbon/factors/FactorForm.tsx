import { Factor } from '#contract/carbon/factors/factor-schema.ts'
import { factors } from '#contract/carbon/factors/factors.ts'
import { keyOf, queryClient, send } from '#web/api/query.ts'
import { FormFooter } from '#web/ui/form/FormFooter.tsx'
import { RecordForm } from '#web/ui/record/RecordForm.tsx'
import { StaleDialog } from '#web/ui/record/StaleDialog.tsx'
import { useRecordForm } from '#web/ui/record/use-record-form.ts'
import { toast } from '#web/ui/feedback/toast.tsx'
import {
  blankFor,
  checkFactor,
  FIELD_NAMES,
  type FactorFor,
  type FactorValues,
  showField,
  toInput,
  toValues,
} from './factor-form.ts'
import { FactorFields } from './FactorFields.tsx'
import { FactorUsage } from './FactorUsage.tsx'

type Props = {
  /** Null for a new factor. */
  factor: Factor | null
  /** For a new factor: what it is for. */
  isFor?: FactorFor
  onClose: (isSaved: boolean) => void
  /** Called with the ID of the added factor or of the new version. */
  onSaved: (id: string) => void
  onKept?: (factor: Factor) => void
}

const addFactor = send(factors.add)
const updateFactor = send(factors.update)

/** The form of a custom factor. Saving an edit adds a new version that replaces the old one. */
export function FactorForm({ factor, isFor = {}, onClose, onSaved, onKept }: Props) {
  const endpoint = factor ? factors.update : factors.add
  const record = useRecordForm<FactorValues, Factor>({
    record: factor,
    blank: blankFor(isFor),
    toValues,
    labels: FIELD_NAMES,
    schema: Factor,
    endpoint,
    check: checkFactor,
    save: (values, version) =>
      factor ? updateFactor({ id: factor.id, version, factor: toInput(values) }) : addFactor(toInput(values)),
    keep: (kept) => {
      queryClient.setQueryData([...keyOf(factors.get), { id: kept.id }], kept)
      onKept?.(kept)
    },
    onSaved: (saved) => {
      toast(factor ? 'Emission factor saved' : 'Emission factor added', saved.name)
      onSaved(saved.id)
    },
  })
  return (
    <RecordForm record={record}>
      {factor && <FactorUsage id={factor.id} />}
      <FactorFields record={record} isNew={factor === null} />
      <FormFooter
        record={record}
        for={endpoint}
        save={factor ? 'Save as new version' : 'Add factor'}
        onCancel={() => onClose(false)}
      />
      <StaleDialog record={record} thing="this factor" show={showField} />
    </RecordForm>
  )
}
