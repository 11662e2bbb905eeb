import { Button, Select, TextInput } from '@mantine/core'
import { type SubmitEvent, useState } from 'react'
import {
  type CustomField,
  customFieldName,
  readCustomValue,
} from '#contract/customers/custom-fields/custom-fields.ts'
import { count } from '#web/ui/layout/date-format.ts'
import type { CustomChange } from './custom-change.ts'
import { readTyped } from './custom-labels.ts'

type Props = {
  fields: readonly CustomField[]
  vehicles: number
  onAnswer: (change: CustomChange | null) => void
}

/** Asks for a custom field and its new value for the selected vehicles; a blank value clears the field. */
export function CustomChoice({ fields, vehicles, onAnswer }: Props) {
  const [key, setKey] = useState(fields.length === 1 ? (fields[0]?.key ?? null) : null)
  const [text, setText] = useState('')
  const [isTried, setIsTried] = useState(false)
  const field = fields.find((one) => one.key === key)
  const read = field === undefined ? null : readCustomValue(field, readTyped(field, text))
  const wrong = typeof read === 'string' ? read : null
  const isCleared = field !== undefined && text.trim() === ''

  function decide(event: SubmitEvent) {
    event.preventDefault()
    setIsTried(true)
    if (field === undefined || read === null || typeof read === 'string') return
    onAnswer({ custom: customFieldName(field), value: read.value })
  }

  const choices = field?.kind === 'flag' ? ['yes', 'no'] : (field?.choices ?? [])
  const props = { label: 'Value', description: 'Leave blank to clear the field.', error: isTried && wrong }
  return (
    <form className="fc-dialog-form" noValidate onSubmit={decide}>
      <Select
        label="Field"
        required
        data-autofocus
        placeholder="Choose a field"
        data={fields.map((one) => ({ value: one.key, label: one.name }))}
        value={key}
        allowDeselect={false}
        onChange={(chosen) => {
          setKey(chosen)
          setText('')
        }}
        error={isTried && field === undefined && 'Choose a field.'}
      />
      {choices.length > 0 ? (
        <Select
          {...props}
          data={[...choices]}
          value={text === '' ? null : text}
          clearable
          onChange={(chosen) => setText(chosen ?? '')}
        />
      ) : (
        <TextInput
          {...props}
          disabled={field === undefined}
          autoComplete="off"
          {...(field?.kind === 'date' && { type: 'date', max: '9999-12-31' })}
          {...(field?.kind === 'number' && { inputMode: 'decimal' as const })}
          value={text}
          onChange={(event) => setText(event.currentTarget.value)}
        />
      )}
      <div className="fc-buttons">
        <Button variant="default" onClick={() => onAnswer(null)}>
          Cancel
        </Button>
        <Button type="submit">
          {isCleared ? 'Clear for' : 'Change'} {count(vehicles, 'vehicle', 'vehicles')}
        </Button>
      </div>
    </form>
  )
}
