import { Textarea } from '@mantine/core'
import { useQueryClient } from '@tanstack/react-query'
import {
  participantArea,
  type ParticipantQuestionnaire,
} from '#contract/participants/area/participant-area.ts'
import { useCallForm } from '#web/ui/call-form/use-call-form.ts'
import { useArea, useParticipantCall } from '../area.ts'
import { AreaDialog } from './AreaDialog.tsx'

type Props = {
  record: ParticipantQuestionnaire
  /** Null: about the whole questionnaire. */
  question: string | null
  onClose: () => void
}

/** Asks the sender of the invitation. */
export function AskDialog({ record: { targetId, sender }, question, onClose }: Props) {
  const { session, text, say } = useArea()
  const call = useParticipantCall()
  const client = useQueryClient()
  const asking = useCallForm({
    endpoint: participantArea.ask,
    about: [session.participantId, targetId, question].join('/'),
    initial: { text: '' },
    send: (values) => call(participantArea.ask, { targetId, questionCode: question, ...values }),
    onDone: () => {
      say(text('asked'))
      onClose()
      void client.invalidateQueries({ queryKey: ['questionnaire'] })
    },
  })
  return (
    <AreaDialog
      title={sender === null ? text('askAny') : text('ask', { name: sender })}
      call={asking}
      confirm={text('send')}
      onClose={onClose}
    >
      <Textarea
        {...asking.field('text')}
        label={text('yourQuestion')}
        autosize
        minRows={3}
        maxRows={10}
        maxLength={2_000}
        data-autofocus
      />
    </AreaDialog>
  )
}
