import { Button, Textarea } from '@mantine/core'
import { type SubmitEvent, useState } from 'react'

type Props = {
  /** Why the change needs approval. */
  why: string
  onAnswer: (note: string | null) => void
}

/** Asks whether to send a change for approval, with a note for the user who decides. */
export function ApprovalNote({ why, onAnswer }: Props) {
  const [note, setNote] = useState('')
  function ask(event: SubmitEvent) {
    event.preventDefault()
    onAnswer(note.trim())
  }
  return (
    <form className="fc-dialog-form" noValidate onSubmit={ask}>
      <p>
        <bdi>{why} Nothing changes until another user approves it.</bdi>
      </p>
      <Textarea
        label="Note"
        description="Tells the approver why you want this change."
        data-autofocus
        autosize
        minRows={2}
        maxLength={500}
        value={note}
        onChange={(event) => setNote(event.currentTarget.value)}
      />
      <div className="fc-buttons">
        <Button variant="default" onClick={() => onAnswer(null)}>
          Go back
        </Button>
        <Button type="submit">Ask for approval</Button>
      </div>
    </form>
  )
}
