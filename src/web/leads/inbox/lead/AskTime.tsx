import { TextInput } from '@mantine/core'
import type { Endpoint } from '#contract/endpoint.ts'
import type { LeadRecord } from '#contract/leads/inbox/leads.ts'
import { CallForm } from '#web/ui/call-form/CallForm.tsx'
import { useCallForm } from '#web/ui/call-form/use-call-form.ts'

type Props = {
  lead: LeadRecord
  /** The call that `send` makes. */
  endpoint: Endpoint
  label: string
  confirm: string
  send: (at: Date) => Promise<LeadRecord | null>
  onAnswer: (saved: LeadRecord | null) => void
}

/** Asks for a time in the future, in the time zone of the reader. */
export function AskTime({ lead, endpoint, label, confirm, send, onAnswer }: Props) {
  const call = useCallForm({
    endpoint,
    about: lead.id,
    initial: { at: '' },
    check: ({ at }) => {
      const time = new Date(at).getTime()
      if (Number.isNaN(time)) return { at: 'Enter a date and time.' }
      return time <= Date.now() ? { at: 'Choose a time in the future.' } : {}
    },
    send: ({ at }) => send(new Date(at)),
    onDone: onAnswer,
  })
  return (
    <CallForm call={call} confirm={confirm} onCancel={() => onAnswer(null)}>
      <TextInput
        {...call.field('at')}
        data-autofocus
        label={label}
        type="datetime-local"
        max="2100-12-31T00:00"
      />
    </CallForm>
  )
}
