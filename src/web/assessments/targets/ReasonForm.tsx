import { Button, Textarea } from '@mantine/core'
import { useState } from 'react'

type Props = {
  text: string
  label: string
  /** What the button does. */
  confirm: string
  onAnswer: (reason: string | null) => void
}

/** Asks for a reason in a dialog. */
export function ReasonForm({ text, label, confirm, onAnswer }: Props) {
  const [reason, setReason] = useState('')
  const [isTried, setTried] = useState(false)
  return (
    <form
      className="fc-dialog-form"
      noValidate
      onSubmit={(event) => {
        event.preventDefault()
        setTried(true)
        if (reason.trim() !== '') onAnswer(reason.trim())
      }}
    >
      <p>{text}</p>
      <Textarea
        label={label}
        required
        maxLength={1000}
        autosize
        minRows={2}
        data-autofocus
        value={reason}
        onChange={(event) => setReason(event.currentTarget.value)}
        error={isTried && reason.trim() === '' ? `${label} is required.` : null}
      />
      <div className="fc-buttons">
        <Button variant="default" onClick={() => onAnswer(null)}>
          Cancel
        </Button>
        <Button type="submit">{confirm}</Button>
      </div>
    </form>
  )
}
