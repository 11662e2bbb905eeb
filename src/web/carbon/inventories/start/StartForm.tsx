import { useState } from 'react'
import { carbonInventories, Inventory } from '#contract/carbon/inventories/inventories.ts'
import { isFrozen } from '#contract/carbon/inventories/inventory-schema.ts'
import { send } from '#web/api/query.ts'
import { useSession } from '#web/session/use-session.ts'
import { useToday } from '#web/session/use-today.ts'
import { Action } from '#web/ui/controls/Action.tsx'
import { RecordForm } from '#web/ui/record/RecordForm.tsx'
import { StaleDialog } from '#web/ui/record/StaleDialog.tsx'
import { useRecordForm } from '#web/ui/record/use-record-form.ts'
import { count } from '#web/ui/layout/date-format.ts'
import { Notice } from '#web/ui/feedback/Notice.tsx'
import { describeRequirement } from '#web/ui/controls/permission-of.ts'
import { SaveBar } from '#web/ui/form/SaveBar.tsx'
import { toast } from '#web/ui/feedback/toast.tsx'
import { frozenBecause } from '../inventory-labels.ts'
import { setInventoryInCache } from '../wizard/invalidate-inventories.ts'
import { FactorSection } from './FactorSection.tsx'
import { IntensitySection } from './IntensitySection.tsx'
import { PeopleSection } from './PeopleSection.tsx'
import { PeriodSection } from './PeriodSection.tsx'
import { Scope3Section } from './Scope3Section.tsx'
import {
  blankStart,
  checkStart,
  showStartField,
  START_NAMES,
  type StartValues,
  toStartInput,
  toStartValues,
} from './start-form.ts'

type Props = {
  /** Null for a new inventory. */
  inventory: Inventory | null
  onCreated: (id: string) => void
  /** Called after the inventory was saved or reloaded. */
  onKept?: (inventory: Inventory) => void
}

const addInventory = send(carbonInventories.add)
const updateInventory = send(carbonInventories.update)

/** The form of the first step: period, boundary, factors, scope 3, intensity and people, saved together. */
export function StartForm({ inventory, onCreated, onKept }: Props) {
  const { claims } = useSession()
  const today = useToday()
  const [blank] = useState(() => blankStart(today))
  const endpoint = inventory ? carbonInventories.update : carbonInventories.add
  const frozen = inventory && frozenBecause(inventory)
  const record = useRecordForm<StartValues, Inventory>({
    record: inventory,
    blank,
    toValues: toStartValues,
    labels: START_NAMES,
    schema: Inventory,
    endpoint,
    isLocked: inventory !== null && isFrozen(inventory.status),
    check: checkStart,
    save: (values, version) =>
      inventory
        ? updateInventory({
            ...toStartInput(values),
            gwpEdition: values.gwpEdition,
            id: inventory.id,
            version,
          })
        : addInventory(toStartInput(values)),
    keep: (kept) => {
      setInventoryInCache(kept)
      onKept?.(kept)
    },
    onSaved: (saved) => {
      toast(inventory ? 'Inventory saved' : 'Inventory added', saved.name)
      if (!inventory) onCreated(saved.id)
    },
  })
  const { changed, isReadOnly, isSaving, submit, discard } = record
  const labels: Readonly<Record<string, string>> = START_NAMES
  return (
    <RecordForm record={record} className="fc-profile-form">
      {frozen && <Notice>{frozen}</Notice>}
      {!frozen && isReadOnly && (
        <p className="fc-profile-note">
          <bdi>View only. Editing requires {describeRequirement(endpoint.allow)}.</bdi>
        </p>
      )}
      <PeriodSection record={record} />
      <FactorSection record={record} newerGwps={inventory?.newerGwps ?? null} />
      <Scope3Section record={record} />
      <IntensitySection record={record} />
      <PeopleSection
        record={record}
        organizationId={inventory?.organizationId ?? claims?.organizationId ?? '0'}
        inventory={inventory}
      />
      {inventory === null && (
        <div className="fc-profile-end">
          <Action for={endpoint} type="submit" loading={isSaving}>
            Add inventory
          </Action>
        </div>
      )}
      {inventory && changed.length > 0 && (
        <SaveBar
          title={`${count(changed.length, 'field', 'fields')} changed`}
          line={changed.map((name) => labels[name]).join(', ')}
          for={endpoint}
          isSaving={isSaving}
          onSave={submit}
          onDiscard={discard}
        />
      )}
      <StaleDialog record={record} thing="this inventory" show={showStartField} />
    </RecordForm>
  )
}
