import { useState } from 'react'
import { ChangeEffect } from '#contract/carbon/factors/change-effect.ts'
import { showFigure } from '#contract/carbon/factors/figure.ts'
import {
  carbonInventories,
  Inventory,
  type ListedInventory,
} from '#contract/carbon/inventories/inventories.ts'
import { isFrozen } from '#contract/carbon/inventories/inventory-schema.ts'
import type { Sent } from '#contract/endpoint.ts'
import { CallFailure } from '#web/api/failure.ts'
import { send } from '#web/api/query.ts'
import { useSession } from '#web/session/use-session.ts'
import { useToday } from '#web/session/use-today.ts'
import { RecordPage } from '#web/ui/record/RecordPage.tsx'
import { count } from '#web/ui/layout/date-format.ts'
import { ask } from '#web/ui/overlay/dialogs.tsx'
import { Notice } from '#web/ui/feedback/Notice.tsx'
import { describeRequirement } from '#web/ui/controls/permission-of.ts'
import { ChangedRecords } from '../../factors/ChangedRecords.tsx'
import { frozenBecause } from '../inventory-labels.ts'
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
  /** Whose periods a new one must not overlap. */
  others?: readonly ListedInventory[]
  onCreated: (id: string) => void
}

const addInventory = send(carbonInventories.add)
const updateInventory = send(carbonInventories.update)
const FORM = {
  schema: Inventory,
  labels: START_NAMES,
  toValues: toStartValues,
  toInput: (values: StartValues) => ({ input: toStartInput(values), gwpEdition: values.gwpEdition }),
  check: checkStart,
}

/** The form of the first step: period, boundary, factors, scope 3, intensity and people, saved together. */
export function StartForm({ inventory, others = [], onCreated }: Props) {
  const { claims } = useSession()
  const today = useToday()
  const [blank] = useState(() => blankStart(today, { organizationId: claims?.organizationId ?? '', others }))
  return (
    <RecordPage
      load={inventory && { endpoint: carbonInventories.get, data: inventory, error: null, retry: () => {} }}
      noun="inventory"
      thing="this inventory"
      shape="spinner"
      form={{ ...FORM, blank }}
      endpoints={carbonInventories}
      cachedBy={({ id }) => ({ id })}
      save={({ input, gwpEdition }, change) =>
        change
          ? saveChange({ ...input, gwpEdition, id: change.saved.id, version: change.version })
          : addInventory(input)
      }
      nameOf={({ name }) => name}
      onCreated={onCreated}
      isLocked={({ status }) => isFrozen(status)}
      show={showStartField}
      className="fc-profile-form"
    >
      {(record, saved) => {
        const frozen = saved && frozenBecause(saved)
        const { allow } = saved ? carbonInventories.update : carbonInventories.add
        return (
          <>
            {frozen && <Notice>{frozen}</Notice>}
            {!frozen && record.isReadOnly && (
              <p className="fc-profile-note">
                <bdi>View only. Editing requires {describeRequirement(allow)}.</bdi>
              </p>
            )}
            <PeriodSection record={record} />
            <FactorSection record={record} newerGwps={saved?.newerGwps ?? null} />
            <Scope3Section record={record} />
            <IntensitySection record={record} />
            <PeopleSection
              record={record}
              organizationId={saved?.organizationId ?? claims?.organizationId ?? '0'}
              inventory={saved}
            />
          </>
        )
      }}
    </RecordPage>
  )
}

/**
 * Saves the settings of an inventory. If results change, shows which and asks first; null: not confirmed.
 * @throws CallFailure for any other refusal
 */
async function saveChange(change: Sent<typeof carbonInventories.update>): Promise<Inventory | null> {
  try {
    return await updateInventory(change)
  } catch (failure) {
    const { data: effect } = ChangeEffect.safeParse(failure instanceof CallFailure ? failure.preview : null)
    if (effect === undefined) throw failure
    const { affected, before, after } = effect
    const isConfirmed = await ask({
      title: `Change the results of ${count(affected, 'record', 'records')}?`,
      text: `${showFigure(before)} kg CO2e becomes ${showFigure(after)} kg CO2e. Approved records go back into review.`,
      more: <ChangedRecords {...effect} />,
      confirm: 'Save and recalculate',
    })
    return isConfirmed ? saveChange({ ...change, affected }) : null
  }
}
