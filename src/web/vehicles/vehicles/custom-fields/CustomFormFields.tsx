import { Select, TextInput } from '@mantine/core'
import { type CustomField, customFieldName } from '#contract/customers/custom-fields/custom-fields.ts'
import type { VehicleRecord } from '#contract/vehicles/vehicles/vehicles.ts'
import type { RecordFormState } from '#web/ui/record/use-record-form.ts'
import type { VehicleValues } from '../page/vehicle-values.ts'

const YES_OR_NO = [
  { value: 'yes', label: 'Yes' },
  { value: 'no', label: 'No' },
]

type Props = { record: RecordFormState<VehicleValues, VehicleRecord>; fields: readonly CustomField[] }

/** The custom fields in the vehicle form, with an input for each type. */
export function CustomFormFields({ record, fields }: Props) {
  const { form, isReadOnly } = record
  return fields.map((field) => {
    const { name, kind, unit, choices } = field
    const path = `custom.${customFieldName(field)}`
    const given = { label: name, readOnly: isReadOnly, ...form.getInputProps(path) }
    if (kind === 'choice' || kind === 'flag') {
      const { [customFieldName(field)]: value = '' } = form.values.custom
      // Keeps a value that is no longer one of the choices until the user selects another.
      const listed = value === '' || choices.includes(value) ? choices : [...choices, value]
      return (
        <Select
          key={path}
          {...given}
          data={kind === 'flag' ? YES_OR_NO : [...listed]}
          value={value === '' ? null : value}
          onChange={(chosen) => form.setFieldValue(path, chosen ?? '')}
          clearable
          placeholder="Not set"
        />
      )
    }
    return (
      <TextInput
        key={path}
        {...given}
        autoComplete="off"
        {...(kind === 'text' && { maxLength: 200 })}
        {...(kind === 'number' && { inputMode: 'decimal' as const })}
        {...(kind === 'date' && { type: 'date', max: '9999-12-31' })}
        {...(unit !== null && { rightSection: <span className="fc-small fc-faint">{unit}</span> })}
      />
    )
  })
}
