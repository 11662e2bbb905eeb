import { Select, TextInput } from '@mantine/core'
import {
  type CustomField,
  customFieldName,
  readCustomValue,
} from '#contract/customers/custom-fields/custom-fields.ts'
import type { Job } from '#contract/jobs/jobs.ts'
import type { Selection } from '#contract/lists/selection.ts'
import { CallForm } from '#web/ui/call-form/CallForm.tsx'
import { count } from '#web/ui/layout/date-format.ts'
import { useBulkChange } from '../use-bulk-change.ts'
import { readTyped } from './custom-labels.ts'

type Props = {
  fields: readonly CustomField[]
  selection: Selection
  vehicles: number
  onAnswer: (job: Job | null) => void
}

/** Changes a custom field of the selected vehicles; a blank value clears it. */
export function CustomChoice({ fields, selection, vehicles, onAnswer }: Props) {
  const read = ({ key, text }: { key: string; text: string }) => {
    const field = fields.find((one) => one.key === key)
    return field === undefined ? null : { field, value: readCustomValue(field, readTyped(field, text)) }
  }
  const call = useBulkChange({
    name: 'custom field',
    selection,
    initial: { key: fields.length === 1 ? (fields[0]?.key ?? '') : '', text: '' },
    check: (values) => {
      const found = read(values)
      if (found === null) return { key: 'Choose a field.' }
      return typeof found.value === 'string' ? { text: found.value } : {}
    },
    toChange: (values) => {
      const found = read(values)
      if (found === null || found.value === null || typeof found.value === 'string')
        throw new Error('The value was not checked.')
      return { custom: customFieldName(found.field), value: found.value.value }
    },
    onAnswer,
  })
  const { key, text } = call.values
  const field = fields.find((one) => one.key === key)
  const isCleared = field !== undefined && text.trim() === ''

  const choices = field?.kind === 'flag' ? ['yes', 'no'] : (field?.choices ?? [])
  return (
    <CallForm
      call={call}
      confirm={`${isCleared ? 'Clear for' : 'Change'} ${count(vehicles, 'vehicle', 'vehicles')}`}
      onCancel={() => onAnswer(null)}
    >
      <Select
        label="Field"
        required
        data-autofocus
        placeholder="Choose a field"
        data={fields.map((one) => ({ value: one.key, label: one.name }))}
        value={key || null}
        allowDeselect={false}
        onChange={(chosen) => call.change({ key: chosen ?? '', text: '' })}
        error={call.errors['key']}
      />
      {choices.length > 0 ? (
        <Select
          label="Value"
          description="Leave blank to clear the field."
          data={[...choices]}
          value={text === '' ? null : text}
          clearable
          onChange={(chosen) => call.change({ text: chosen ?? '' })}
          error={call.errors['text']}
        />
      ) : (
        <TextInput
          {...call.field('text')}
          label="Value"
          description="Leave blank to clear the field."
          disabled={field === undefined}
          autoComplete="off"
          {...(field?.kind === 'date' && { type: 'date', max: '9999-12-31' })}
          {...(field?.kind === 'number' && { inputMode: 'decimal' as const })}
        />
      )}
    </CallForm>
  )
}
