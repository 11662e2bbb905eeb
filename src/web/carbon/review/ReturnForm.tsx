import { Button, Textarea } from '@mantine/core'
import { type FormEvent, useState } from 'react'

/** Asks why records are returned. The comment is shown at the records. */
export function ReturnForm({ onAnswer }: { onAnswer: (comment: string | null) => void }) {
  const [comment, setComment] = useState('')
  const [isTried, setIsTried] = useState(false)
  const submit = (event: FormEvent) => {
    event.preventDefault()
    if (comment.trim() === '') setIsTried(true)
    else onAnswer(comment.trim())
  }
  return (
    <form noValidate onSubmit={submit} className="fc-review-return">
      <Textarea
        label="What needs to change"
        required
        data-autofocus
        maxLength={1000}
        autosize
        minRows={3}
        value={comment}
        error={isTried && comment.trim() === '' ? 'Enter what needs to change.' : undefined}
        onChange={(event) => setComment(event.currentTarget.value)}
      />
      <div className="fc-row">
        <Button variant="default" onClick={() => onAnswer(null)}>
          Cancel
        </Button>
        <Button type="submit">Return records</Button>
      </div>
    </form>
  )
}
