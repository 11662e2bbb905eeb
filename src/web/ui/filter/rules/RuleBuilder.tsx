import { useMemo } from 'react'
import { QueryBuilder } from 'react-querybuilder'
import type { Variables } from '#contract/expressions/variables.ts'
import { type BuilderGroup, tidied } from './builder-group.ts'
import { BuilderVariables, CONTROLS } from './builder-controls.tsx'
import { newDraft, operatorsFor } from '../condition.ts'
import './rule-builder.css'

type Props = {
  variables: Variables
  group: BuilderGroup
  onChange: (group: BuilderGroup) => void
}

/** Deeper groups are unreadable in the builder; text has no limit. */
const MAX_LEVELS = 4
const COMBINATORS = [
  { name: 'and', label: 'All of these' },
  { name: 'or', label: 'Any of these' },
]
const WORDS = {
  addRule: { label: 'Condition', title: 'Add condition' },
  addGroup: { label: 'Group', title: 'Add group' },
  removeRule: { label: '', title: 'Remove' },
  removeGroup: { label: '', title: 'Remove group' },
  notToggle: { label: 'Not', title: 'Negate' },
}

/** A rule as rows: conditions combined with all or any, in nested groups if needed. */
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
          const current = newDraft(field, variable).comparison
          return operatorsFor(variable, current).map(({ value, label }) => ({ name: value, value, label }))
        }}
        getDefaultOperator={(field) => {
          const variable = variables[field]
          return variable === undefined ? '' : newDraft(field, variable).comparison
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
