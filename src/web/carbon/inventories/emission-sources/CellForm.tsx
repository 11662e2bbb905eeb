import { Button, Select, TextInput } from '@mantine/core'
import { type FormEvent, useState } from 'react'
import {
  type FactorGap,
  FREQUENCIES,
  METHODS,
  type EmissionSource,
} from '#contract/carbon/inventories/assignments.ts'
import type { CarbonUser } from '#contract/carbon/inventories/inventories.ts'
import type { Cell } from './assignment-draft.ts'
import { sourceTitle } from '#contract/carbon/inventories/source-names.ts'
import { Status } from '#web/ui/controls/Status.tsx'
import { AddCustomFactor } from './AddCustomFactor.tsx'
import { otherRegionsMessage, gapMessage } from './factor-gaps.ts'
import { FactorSelect } from './FactorSelect.tsx'
import { useSubmitHotkey } from '#web/ui/form/save-hotkey.ts'

const FREQUENCY_NAMES: Record<EmissionSource['frequency'], string> = {
  month: 'Monthly',
  quarter: 'Quarterly',
  year: 'Yearly',
  once: 'Once',
}

const METHOD_NAMES: Record<EmissionSource['method'], string> = {
  calculated: 'Calculated with a factor',
  own_factor: 'Custom factor',
  direct: 'Measured emissions',
  estimate: 'Estimated',
  meter: 'Meter readings',
}

/** The changed fields; the others stay as they are in each cell. */
export type CellChanges = Partial<Cell>

type Props = {
  /** The cell, or null to edit several cells together: then only the fields that are set change. */
  cell: Cell | null
  people: readonly CarbonUser[]
  /** The activity path whose factors can be selected; null for several cells. */
  activity: string | null
  /** The missing factor; null if there is one, and for several cells. */
  gap: FactorGap | null
  /** The data of the cell can be requested. */
  isAskable: boolean
  /** Why the data can't be requested; null if it can. */
  problem: string | null
  onAnswer: (changes: CellChanges | 'remove' | 'ask' | null) => void
}

const FREQUENCY_CHOICES = FREQUENCIES.map((value) => ({ value, label: FREQUENCY_NAMES[value] }))
const METHOD_CHOICES = METHODS.map((value) => ({ value, label: METHOD_NAMES[value] }))
const UNCHANGED = 'No change'

/** The data owner, due date, frequency, calculation method and factor of a source. */
export function CellForm({ cell, people, activity, gap, isAskable, problem, onAnswer }: Props) {
  const [changes, setChanges] = useState<CellChanges>({})
  const set = (more: CellChanges) => setChanges({ ...changes, ...more })
  const now: CellChanges = { ...cell, ...changes }
  const submit = (event: FormEvent) => {
    event.preventDefault()
    onAnswer(changes)
  }
  const hint = cell === null ? { placeholder: UNCHANGED } : {}
  return (
    <form ref={useSubmitHotkey()} className="fc-dialog-form" noValidate onSubmit={submit}>
      <Select
        label="Data owner"
        data={people.map(({ id, name }) => ({ value: id, label: name }))}
        value={now.dataOwnerId ?? null}
        onChange={(value) => set({ dataOwnerId: value })}
        data-autofocus
        searchable
        clearable
        nothingFoundMessage="No matches"
        {...hint}
      />
      <div className="fc-carbon-pair">
        <TextInput
          type="date"
          label="Due"
          value={now.dueOn ?? ''}
          onChange={(event) => set({ dueOn: event.currentTarget.value || null })}
        />
        <Select
          label="Frequency"
          data={FREQUENCY_CHOICES}
          value={now.frequency ?? null}
          allowDeselect={false}
          onChange={(value) => {
            const frequency = FREQUENCIES.find((one) => one === value)
            if (frequency) set({ frequency })
          }}
          {...hint}
        />
      </div>
      <Select
        label="Method"
        data={METHOD_CHOICES}
        value={now.method ?? null}
        allowDeselect={false}
        onChange={(value) => {
          const method = METHODS.find((one) => one === value)
          if (method) set({ method })
        }}
        {...hint}
      />
      {activity !== null && (
        <FactorSelect
          activity={activity}
          value={now.factorId ?? null}
          onChange={(factorId) => set({ factorId })}
        />
      )}
      {cell !== null && (
        <TextInput
          label="Meter or asset"
          description={<bdi>As printed on the bill. Imported files can use it to identify the source.</bdi>}
          value={now.label ?? ''}
          onChange={(event) => set({ label: event.currentTarget.value || null })}
          maxLength={80}
          autoComplete="off"
        />
      )}
      <CellNotes {...{ gap, problem, onAnswer }} />
      <div className="fc-buttons">
        {cell !== null && (
          <Button variant="subtle" color="red" onClick={() => onAnswer('remove')}>
            Unassign
          </Button>
        )}
        {isAskable && Object.keys(changes).length === 0 && (
          <Button variant="default" onClick={() => onAnswer('ask')}>
            Request data
          </Button>
        )}
        <span className="fc-grow" />
        <Button variant="default" onClick={() => onAnswer(null)}>
          Cancel
        </Button>
        <Button type="submit">Apply</Button>
      </div>
    </form>
  )
}

/** Why the source isn't calculated, and why its data can't be requested. */
function CellNotes({ gap, problem, onAnswer }: Pick<Props, 'gap' | 'problem' | 'onAnswer'>) {
  return (
    <>
      {gap !== null && (
        <div className="fc-matrix-gap">
          <Status tone="warn" mark="cross">
            <bdi>{gapMessage(gap)}</bdi>
          </Status>
          <bdi className="fc-small fc-soft">{otherRegionsMessage(gap)}</bdi>
          <span className="fc-small">
            <AddCustomFactor gap={gap} title={sourceTitle(gap)} onLeave={() => onAnswer(null)} />
          </span>
        </div>
      )}
      {problem !== null && (
        <p className="fc-small fc-soft">
          <bdi>Can&rsquo;t request data: {problem}</bdi>
        </p>
      )}
    </>
  )
}
