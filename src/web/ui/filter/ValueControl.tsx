import { TagsInput, TextInput } from '@mantine/core'
import type { Variable } from '#contract/expressions/variables.ts'
import { ChoiceList } from './FilterChoices.tsx'
import { daysSuffix, controlOf, type Draft, comparisonLabel } from './condition.ts'

type Props = {
  variable: Variable
  draft: Draft
  /** Accessible name; defaults to "Price is over". */
  label?: string
  onChange: (values: readonly string[]) => void
}

/** The input for a condition's value: text, number, date or options. Renders nothing if no value is needed. */
export function ValueControl({ variable, draft, label: name, onChange }: Props) {
  const { comparison, values } = draft
  const label = name ?? `${variable.title} ${comparisonLabel(comparison, variable.kind)}`
  const control = controlOf(variable, draft)
  // In a form of its own, it takes the initial focus.
  const focus = name === undefined ? { 'data-autofocus': true } : {}
  const [first = ''] = values
  if (control === 'none') return null
  if (control === 'choices' || control === 'choice') {
    return (
      <ChoiceList
        variable={variable}
        label={label}
        chosen={values}
        isMany={control === 'choices'}
        onChange={onChange}
      />
    )
  }
  if (control === 'many') {
    return (
      <TagsInput
        aria-label={label}
        placeholder={values.length === 0 ? 'Press Enter after each' : ''}
        value={[...values]}
        onChange={onChange}
        acceptValueOnBlur
        {...focus}
      />
    )
  }
  const suffix = control === 'days' ? daysSuffix(comparison) : (variable.unit ?? '')
  return (
    <TextInput
      aria-label={label}
      type={control === 'date' ? 'date' : 'text'}
      {...((control === 'number' || control === 'days') && {
        inputMode: control === 'days' ? 'numeric' : 'decimal',
      })}
      value={first}
      onChange={(event) => onChange([event.currentTarget.value])}
      {...(suffix !== '' && {
        rightSection: <span className="fc-small fc-faint">{suffix}</span>,
        rightSectionWidth: control === 'days' ? 72 : 40,
        rightSectionPointerEvents: 'none',
      })}
      autoComplete="off"
      {...focus}
    />
  )
}
