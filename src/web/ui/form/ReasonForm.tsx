import { Textarea } from '@mantine/core'
import { DialogForm } from './DialogForm.tsx'

type Props = {
  /** What will happen, in a sentence. */
  text: string
  /** The most characters. */
  max: number
  /** What is said if there is none. */
  missing: string
  /** What the button does. */
  confirm: string
  onAnswer: (reason: string | null) => void
}

const BLANK = { reason: '' }

/** Asks for a reason, which is saved with the change. */
export function ReasonForm({ text, max, missing, confirm, onAnswer }: Props) {
  return (
    <DialogForm
      text={text}
      confirm={confirm}
      blank={BLANK}
      check={({ reason }) => (reason.trim() === '' ? { reason: missing } : {})}
      onAnswer={(values) => onAnswer(values === null ? null : values.reason.trim())}
    >
      {(field) => (
        <Textarea
          {...field('reason')}
          label="Reason"
          required
          data-autofocus
          autosize
          minRows={2}
          maxLength={max}
        />
      )}
    </DialogForm>
  )
}
