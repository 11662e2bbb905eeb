import { MultiSelect, Select } from '@mantine/core'
import { useState } from 'react'
import type { Variable } from '#contract/expressions/variables.ts'
import { useChoices } from './choices.ts'

type Props = {
  variable: Variable
  label: string
  isMany: boolean
  chosen: readonly string[]
  onChange: (values: readonly string[]) => void
}

/** Selects one of the field's options in a row of the builder. */
export function ChoiceSelect({ variable, label, isMany, chosen, onChange }: Props) {
  const [typed, setTyped] = useState('')
  const { all, labelOf, failure } = useChoices(variable, typed, chosen)
  const unseen = chosen.filter((value) => !all.some((choice) => choice.value === value))
  const data = [...all, ...unseen.map((value) => ({ value, label: labelOf(value) }))]
  const select = {
    'aria-label': label,
    className: 'rule-value',
    data,
    searchable: true,
    placeholder: chosen.length === 0 ? 'Choose' : '',
    nothingFoundMessage: failure ?? 'No matches',
    onSearchChange: setTyped,
  }
  if (!isMany) {
    const [first = null] = chosen
    return (
      <Select
        {...select}
        value={first}
        onChange={(value) => onChange(value === null ? [] : [value])}
        allowDeselect={false}
      />
    )
  }
  return <MultiSelect {...select} value={[...chosen]} onChange={onChange} comboboxProps={{ shadow: 'md' }} />
}
