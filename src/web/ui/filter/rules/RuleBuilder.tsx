import { useMemo } from 'react'
import { QueryBuilder } from 'react-querybuilder'
import type { Variables } from '#contract/expressions/variables.ts'
import { type BuilderGroup, tidied } from './builder-group.ts'
import { BuilderVariables, CONTROLS } from './builder-controls.tsx'
import { newDraft, otpChannels } from '../condition.ts'
import './rule-builder.css'

type Props = {
  variables: Variables
  group: BuilderGroup
  onChange: (group: BuilderGroup) => void
}

/** Groups deeper than this nobody reads; as text they may be. */
const MAX_LEVELS = 4
const COMBINATORS = [
  { name: 'and', label: 'All of these' },
  { name: 'or', label: 'Any of these' },
]
const WORDS = {
  addRule: { label: 'Condition', title: 'Add a condition' },
  addGroup: { label: 'Group', title: 'Add a group' },
  removeRule: { label: '', title: 'Remove' },
  removeGroup: { label: '', title: 'Remove the group' },
  notToggle: { label: 'Not', title: 'The opposite' },
}

/** A rule as rows: conditions that all or any must hold, in groups where that takes more than one level. */
export function RuleBuilder({ variables, group, onChange }: Props) {
  const fields = useMemo(
    () => Object.entries(variables).map(([name, { title }]) => ({ name, value: name, label: title })),
    [variables],
  )
  return (
    <BuilderVariables value={variables}>
      <QueryBuilder
        controlElements={CONTROLS}
        translations={WORDS}
        fields={fields}
        combinators={COMBINATORS}
        query={group}
        onQueryChange={(next: BuilderGroup) => onChange(tidied(next, variables))}
        getOperators={(field) => {
          const variable = variables[field]
          if (variable === undefined) return []
          const current = newDraft(field, variable).way
          return otpChannels(variable, current).map(({ value, label }) => ({ name: value, value, label }))
        }}
        getDefaultOperator={(field) => {
          const variable = variables[field]
          return variable === undefined ? '' : newDraft(field, variable).way
        }}
        getDefaultValue={() => []}
        accessibleDescriptionGenerator={() => ''}
        maxLevels={MAX_LEVELS}
        listsAsArrays
        showNotToggle
      />
    </BuilderVariables>
  )
}
