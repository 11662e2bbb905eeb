import { TagsInput, TextInput } from '@mantine/core'
import type { Variable } from '#contract/expressions/variables.ts'
import { ChoiceList } from './FilterChoices.tsx'
import { behindDays, controlOf, type Draft, wayWords } from './condition.ts'

type Props = {
  variable: Variable
  draft: Draft
  /** Names the control; without it "Price is over". */
  label?: string
  onChange: (values: readonly string[]) => void
}

/** What a condition is filled in with: text, a number, a date or something of few. Nothing where it needs nothing. */
export function ValueControl({ variable, draft, label: name, onChange }: Props) {
  const { way, values } = draft
  const label = name ?? `${variable.title} ${wayWords(way, variable.kind)}`
  const control = controlOf(variable, draft)
  // Where it stands alone it is what one came for.
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
        placeholder={values.length === 0 ? 'Enter after each' : ''}
        value={[...values]}
        onChange={onChange}
        acceptValueOnBlur
        {...focus}
      />
    )
  }
  const behind = control === 'days' ? behindDays(way) : (variable.unit ?? '')
  return (
    <TextInput
      aria-label={label}
      type={control === 'date' ? 'date' : 'text'}
      {...((control === 'number' || control === 'days') && {
        inputMode: control === 'days' ? 'numeric' : 'decimal',
      })}
      value={first}
      onChange={(event) => onChange([event.currentTarget.value])}
      {...(behind !== '' && {
        rightSection: <span className="fc-small fc-faint">{behind}</span>,
        rightSectionWidth: control === 'days' ? 72 : 40,
        rightSectionPointerEvents: 'none',
      })}
      autoComplete="off"
      {...focus}
    />
  )
}
