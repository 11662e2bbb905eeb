import { Textarea } from '@mantine/core'
import type { ReactNode } from 'react'
import type { Endpoint } from '#contract/endpoint.ts'
import type { CallFailure } from '#web/api/failure.ts'
import { CallForm } from './CallForm.tsx'
import { useCallForm } from './use-call-form.ts'

type Props<Result> = {
  /** What will happen, in a sentence. */
  text?: string
  label?: string
  description?: string
  /** The most characters. */
  max: number
  /** What is in the field at first. */
  start?: string
  /** What is said if there is none; null: it is optional. */
  missing: string | null
  /** What the button does. */
  confirm: string
  cancel?: string
  /** The call that `send` makes. */
  endpoint: Endpoint
  /** The ID of what it is about. */
  about: string
  send: (reason: string) => Promise<Result | null>
  onRefused?: (failure: CallFailure) => void
  /** Null if the dialog is closed. */
  onAnswer: (result: Result | null) => void
  /** More of what will happen. */
  children?: ReactNode
}

/** Asks for a reason, which is saved with the change, and makes the change. For `askFor`. */
export function ReasonForm<Result>(props: Props<Result>) {
  const { text, label = 'Reason', description, max, missing, confirm, cancel = 'Cancel' } = props
  const { endpoint, about, send, onRefused, onAnswer, children, start = '' } = props
  const call = useCallForm({
    endpoint,
    about,
    initial: { reason: start },
    check: ({ reason }) => (missing !== null && reason.trim() === '' ? { reason: missing } : {}),
    send: ({ reason }) => send(reason.trim()),
    onDone: onAnswer,
    ...(onRefused && { onRefused }),
  })
  return (
    <CallForm call={call} confirm={confirm} cancel={cancel} onCancel={() => onAnswer(null)}>
      {text !== undefined && (
        <p>
          <bdi>{text}</bdi>
        </p>
      )}
      {children}
      <Textarea
        {...call.field('reason')}
        label={label}
        description={description}
        required={missing !== null}
        data-autofocus
        autosize
        minRows={2}
        maxLength={max}
      />
    </CallForm>
  )
}
