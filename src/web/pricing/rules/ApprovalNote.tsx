import { Textarea } from '@mantine/core'
import { DialogForm } from '#web/ui/form/DialogForm.tsx'

type Props = {
  /** Why the change needs approval. */
  why: string
  onAnswer: (note: string | null) => void
}

const BLANK = { note: '' }

/** Asks whether to send a change for approval, with a note for the user who decides. */
export function ApprovalNote({ why, onAnswer }: Props) {
  return (
    <DialogForm
      text={`${why} Nothing changes until another user approves it.`}
      confirm="Ask for approval"
      cancel="Go back"
      blank={BLANK}
      onAnswer={(values) => onAnswer(values === null ? null : values.note.trim())}
    >
      {(field) => (
        <Textarea
          {...field('note')}
          label="Note"
          description="Tells the approver why you want this change."
          data-autofocus
          autosize
          minRows={2}
          maxLength={500}
        />
      )}
    </DialogForm>
  )
}
