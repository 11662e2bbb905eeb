import { Checkbox, Select, TextInput } from '@mantine/core'
import { COUNTRIES } from '#contract/countries.ts'
import type { Field, TextKind } from '#contract/record.ts'
import type { RecordFormState } from './use-record-form.ts'

type Props<Values, Saved> = {
  record: RecordFormState<Values, Saved>
  /** As the contract declares them. Those with their own rules are left out. */
  fields: Readonly<Record<string, Field>>
  /** A new record: its first field gets the focus. */
  isNew: boolean
}

/** The inputs of a record, each by its kind, in form order. */
export function RecordInputs<Values extends Record<string, unknown>, Saved>(props: Props<Values, Saved>) {
  const { record, fields, isNew } = props
  const [first] = Object.keys(fields)
  return (
    <div className="fc-form-fields">
      {Object.entries(fields).map(([name, one]) => (
        <Input key={name} record={record} name={name} field={one} hasFocus={isNew && name === first} />
      ))}
    </div>
  )
}

type InputProps<Values, Saved> = {
  record: RecordFormState<Values, Saved>
  name: keyof Values & string
  field: Field
  hasFocus: boolean
}

function Input<Values, Saved>({
  record,
  name,
  field: { label, entry },
  hasFocus,
}: InputProps<Values, Saved>) {
  const { field, form, change, isReadOnly } = record
  const common = { ...field(name), ...(hasFocus && { 'data-autofocus': true }) }
  const value = form.getValues()[name]
  if (entry === undefined) return null
  switch (entry.kind) {
    case 'flag':
      return (
        <Checkbox
          {...form.getInputProps(name, { type: 'checkbox' })}
          className="fc-wide"
          size="sm"
          label={label}
          disabled={isReadOnly}
        />
      )
    case 'choice':
      return <Select {...common} data={entry.choices} allowDeselect={false} />
    case 'country':
      return (
        <Select
          {...common}
          value={typeof value === 'string' && value !== '' ? value : null}
          onChange={(code) => change({ [name]: code ?? '' })}
          required={entry.isRequired}
          data={countries()}
          searchable
          clearable={!entry.isRequired && !isReadOnly}
        />
      )
    default:
      return (
        <TextInput
          {...common}
          type={TYPES[entry.kind]}
          {...(entry.kind !== 'phone' && { className: 'fc-wide' })}
          required={entry.isRequired}
          maxLength={entry.max}
          autoComplete="off"
        />
      )
  }
}

const TYPES: Readonly<Record<TextKind, string>> = {
  text: 'text',
  email: 'email',
  url: 'url',
  phone: 'tel',
  country: 'text',
}

/** By name, in the language of the browser. */
function countries() {
  const names = new Intl.DisplayNames(undefined, { type: 'region' })
  return COUNTRIES.map((value) => ({ value, label: names.of(value) ?? value })).toSorted((one, other) =>
    one.label.localeCompare(other.label),
  )
}
