import { Button, Textarea } from '@mantine/core'
import { useState } from 'react'

type Props = {
  /** What will happen, in a sentence. */
  text: string
  confirm: string
  onAnswer: (reason: string | null) => void
}

/** Asks for a reason, which is saved with the change. */
export function ReasonForm({ text, confirm, onAnswer }: Props) {
  const [reason, setReason] = useState('')
  const [isTried, setIsTried] = useState(false)
  const isMissing = reason.trim() === ''
  return (
    <form
      className="fc-carbon-dialog"
      noValidate
      onSubmit={(event) => {
        event.preventDefault()
        setIsTried(true)
        if (!isMissing) onAnswer(reason.trim())
      }}
    >
      <p>
        <bdi>{text}</bdi>
      </p>
      <Textarea
        label="Reason"
        required
        data-autofocus
        autosize
        minRows={2}
        maxLength={500}
        value={reason}
        onChange={(event) => setReason(event.currentTarget.value)}
        error={isTried && isMissing ? 'Enter a reason.' : null}
      />
      <div className="fc-row fc-carbon-dialog-end">
        <Button variant="default" onClick={() => onAnswer(null)}>
          Cancel
        </Button>
        <Button type="submit">{confirm}</Button>
      </div>
    </form>
  )
}
