import { Button, Select, TextInput } from '@mantine/core'
import { type FormEvent, useState } from 'react'
import { type FactorGap, FREQUENCIES, METHODS } from '#contract/carbon/inventories/assignments.ts'
import type { CarbonPerson } from '#contract/carbon/inventories/inventories.ts'
import type { Cell } from './assignment-draft.ts'
import { FREQUENCY_NAMES, METHOD_NAMES } from './emission-labels.ts'
import { findSourceType } from '#contract/carbon/inventories/source-types.ts'
import { Status } from '#web/ui/controls/Status.tsx'
import { AddOwnFactor } from './AddOwnFactor.tsx'
import { elsewhereWords, gapWords } from './factor-gaps.ts'
import { FactorSelect } from './FactorSelect.tsx'

/** What is set; what is not named stays as it is in each cell. */
export type CellChanges = Partial<Cell>

type Props = {
  /** The cell, or null where several are set at once: then only what is chosen changes. */
  cell: Cell | null
  people: readonly CarbonPerson[]
  /** The path whose factors can be chosen by hand; null for several cells. */
  activity: string | null
  /** What it lacks a factor for; null where one leads there, and for several cells. */
  gap: FactorGap | null
  /** The figures of the cell can be asked for. */
  isAskable: boolean
  /** Why nobody can be asked for them. */
  problem: string | null
  onAnswer: (changes: CellChanges | 'remove' | 'ask' | null) => void
}

const FREQUENCY_CHOICES = FREQUENCIES.map((value) => ({ value, label: FREQUENCY_NAMES[value] }))
const METHOD_CHOICES = METHODS.map((value) => ({ value, label: METHOD_NAMES[value] }))
const UNCHANGED = 'Stays as it is'

/** Who brings the figures of a source, until when, how often, and how they are reckoned. */
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
    <form className="fc-carbon-dialog" noValidate onSubmit={submit}>
      <Select
        label="Person"
        data={people.map(({ id, name }) => ({ value: id, label: name }))}
        value={now.personId ?? null}
        onChange={(value) => set({ personId: value })}
        data-autofocus
        searchable
        clearable
        nothingFoundMessage="Nobody of this name"
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
          label="Figures come"
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
      {gap !== null && (
        <div className="fc-matrix-gap">
          <Status tone="warn" mark="cross">
            <bdi>{gapWords(gap)}</bdi>
          </Status>
          <bdi className="fc-small fc-soft">{elsewhereWords(gap)}</bdi>
          <span className="fc-small">
            <AddOwnFactor
              gap={gap}
              title={findSourceType(gap.sourceType)?.title ?? gap.sourceType}
              onLeave={() => onAnswer(null)}
            />
          </span>
        </div>
      )}
      {problem !== null && (
        <p className="fc-small fc-soft">
          <bdi>Cannot be asked for figures: {problem}</bdi>
        </p>
      )}
      <div className="fc-row fc-wrap fc-carbon-dialog-end">
        {cell !== null && (
          <Button variant="subtle" color="red" onClick={() => onAnswer('remove')}>
            Not assigned
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
