import { Button, TextInput } from '@mantine/core'
import { type FormEvent, useState } from 'react'

/** Asks for the last day of an absence. */
export function AskDay({ onAnswer }: { onAnswer: (day: string | null) => void }) {
  const [day, setDay] = useState('')
  const [error, setError] = useState('')
  const submit = (event: FormEvent) => {
    event.preventDefault()
    if (!/^\d{4}-\d{2}-\d{2}$/.test(day)) return setError('Enter a date.')
    onAnswer(day)
  }
  return (
    <form className="fc-dialog-form" noValidate onSubmit={submit}>
      <TextInput
        data-autofocus
        label="Last day off"
        type="date"
        max="2100-12-31"
        value={day}
        error={error}
        onChange={(event) => setDay(event.currentTarget.value)}
      />
      <div className="fc-row">
        <span className="fc-grow" />
        <Button variant="default" onClick={() => onAnswer(null)}>
          Cancel
        </Button>
        <Button type="submit">Set</Button>
      </div>
    </form>
  )
}
