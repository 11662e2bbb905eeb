import { Button, TextInput } from '@mantine/core'
import { type FormEvent, useState } from 'react'

type Props = { label: string; confirm: string; onAnswer: (at: Date | null) => void }

/** Asks for a time in the future, in the time zone of the reader. */
export function AskTime({ label, confirm, onAnswer }: Props) {
  const [text, setText] = useState('')
  const [error, setError] = useState('')
  const submit = (event: FormEvent) => {
    event.preventDefault()
    const at = new Date(text)
    if (Number.isNaN(at.getTime())) return setError('Enter a date and time.')
    if (at.getTime() <= Date.now()) return setError('Choose a time in the future.')
    onAnswer(at)
  }
  return (
    <form className="fc-dialog-form" noValidate onSubmit={submit}>
      <TextInput
        data-autofocus
        label={label}
        type="datetime-local"
        max="2100-12-31T00:00"
        value={text}
        error={error}
        onChange={(event) => setText(event.currentTarget.value)}
      />
      <div className="fc-row">
        <span className="fc-grow" />
        <Button variant="default" onClick={() => onAnswer(null)}>
          Cancel
        </Button>
        <Button type="submit">{confirm}</Button>
      </div>
    </form>
  )
}
