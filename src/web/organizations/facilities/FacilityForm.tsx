import { useMutation, useQuery } from '@tanstack/react-query'
import { useId } from 'react'
import { facilities, Facility } from '#contract/organizations/facilities/facilities.ts'
import type { Consolidation } from '#contract/organizations/facilities/inclusion.ts'
import type { OrganizationProfile } from '#contract/organizations/profile/profiles.ts'
import { keyOf, query, queryClient, send } from '#web/api/query.ts'
import { useTodayIn } from '#web/session/use-today.ts'
import { Action } from '#web/ui/controls/Action.tsx'
import { showError } from '#web/ui/overlay/dialogs.tsx'
import { FormFooter } from '#web/ui/form/FormFooter.tsx'
import { RecordForm } from '#web/ui/record/RecordForm.tsx'
import { StaleDialog } from '#web/ui/record/StaleDialog.tsx'
import { useRecordForm } from '#web/ui/record/use-record-form.ts'
import { toast } from '#web/ui/feedback/toast.tsx'
import { offerUndo } from '#web/ui/feedback/undo.tsx'
import { ControlRows } from './ControlRows.tsx'
import { FacilityFields } from './FacilityFields.tsx'
import {
  blankOf,
  checkFacility,
  FIELD_NAMES,
  type FacilityValues,
  showField,
  toValues,
} from './facility-form.ts'
import { chainOf } from '#contract/organizations/chain.ts'
import { InclusionHistory } from './InclusionHistory.tsx'

type Props = {
  /** Null for a new facility. */
  facility: Facility | null
  organization: OrganizationProfile
  /** All facilities of the organization. */
  others: readonly Facility[]
  approach: Consolidation
  onClose: (isSaved: boolean) => void
  onCreated: (id: string) => void
  /** Called after the facility was saved or reloaded. */
  onKept?: (facility: Facility) => void
}

const addFacility = send(facilities.add)
const updateFacility = send(facilities.update)
const removeFacility = send(facilities.remove)

/** The form of one facility: save, delete with undo, and resolve conflicts with changes of other users. */
export function FacilityForm({
  facility,
  organization,
  others,
  approach,
  onClose,
  onCreated,
  onKept,
}: Props) {
  const endpoint = facility ? facilities.update : facilities.add
  const heading = useId()
  const today = useTodayIn(organization.timeZone)
  const { data: lots = [] } = useQuery(query(facilities.lots, { organization: organization.id }))
  const record = useRecordForm<FacilityValues, Facility>({
    record: facility,
    blank: blankOf(organization, today),
    toValues,
    labels: FIELD_NAMES,
    schema: Facility,
    endpoint,
    check: checkFacility,
    save: (values, version) =>
      facility
        ? updateFacility({ ...values, id: facility.id, version })
        : addFacility({ ...values, organizationId: organization.id }),
    keep: (kept) => {
      queryClient.setQueryData([...keyOf(facilities.get), { id: kept.id }], kept)
      onKept?.(kept)
    },
    onSaved: (saved) => {
      toast(facility ? 'Facility saved' : 'Facility added', `${saved.name}, ${saved.code}`)
      if (!facility) onCreated(saved.id)
    },
  })
  const remove = useMutation({
    mutationFn: (removed: Facility) => removeFacility({ id: removed.id }),
    onSuccess: (_answer, removed) => {
      record.release()
      offerUndo({ text: `${removed.name} deleted`, undo: () => restoreFacility(removed) })
      onClose(true)
    },
    onError: (failure) => showError(failure),
  })
  const nameOf = (field: 'parentId' | 'lotId', id: string) =>
    (field === 'lotId' ? lots : others).find((one) => one.id === id)?.name ?? `ID ${id}`

  return (
    <RecordForm record={record} isBusy={remove.isPending}>
      <div className="fc-form-fields">
        <FacilityFields record={record} facility={facility} others={others} lots={lots} />
        <section className="fc-wide fc-form-section fc-control-rows" aria-labelledby={heading}>
          <h2 id={heading}>{FIELD_NAMES.control}</h2>
          <ControlRows record={record} />
        </section>
        {facility && (
          <InclusionHistory
            chain={chainOf(others, facility.id)}
            organization={organization}
            approach={approach}
          />
        )}
      </div>
      <FormFooter
        record={record}
        for={endpoint}
        save={facility ? 'Save facility' : 'Add facility'}
        onCancel={() => onClose(false)}
      >
        {facility && (
          <Action
            for={facilities.remove}
            variant="subtle"
            className="fc-quiet-danger"
            disabled={record.isSaving || remove.isPending}
            onClick={() => remove.mutate(facility)}
          >
            Delete facility
          </Action>
        )}
      </FormFooter>
      <StaleDialog
        record={record}
        thing="this facility"
        show={(name, values) => showField(name, values, nameOf)}
      />
    </RecordForm>
  )
}

/** Adds the facility again. Only unused facilities can be deleted, so nothing refers to the old ID. */
async function restoreFacility(removed: Facility): Promise<void> {
  const { organizationId } = removed
  await addFacility({ ...toValues(removed), organizationId })
}
