import { Button, Modal, Textarea } from '@mantine/core'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import {
  participantArea,
  type ParticipantQuestionnaire,
} from '#contract/participants/area/participant-area.ts'
import { MODAL_TRANSITION } from '#web/ui/overlay/dialogs.tsx'
import { sentenceOf, useArea, useParticipantCall } from '../area.ts'

type Props = {
  record: ParticipantQuestionnaire
  /** Null: about the whole questionnaire. */
  question: string | null
  onClose: () => void
}

/** Asks the sender of the invitation. */
export function AskDialog({ record, question, onClose }: Props) {
  const { text, say } = useArea()
  const call = useParticipantCall()
  const client = useQueryClient()
  const [words, setWords] = useState('')
  const ask = useMutation({
    mutationFn: () =>
      call(participantArea.ask, { targetId: record.targetId, questionCode: question, text: words }),
    onSuccess: () => {
      say(text('asked'))
      onClose()
      return client.invalidateQueries({ queryKey: ['questionnaire'] })
    },
  })
  const { sender } = record
  return (
    <Modal
      opened
      onClose={onClose}
      title={sender === null ? text('askAny') : text('ask', { name: sender })}
      closeButtonProps={{ 'aria-label': text('close') }}
      transitionProps={MODAL_TRANSITION}
    >
      <form
        className="fc-area-form"
        noValidate
        onSubmit={(event) => {
          event.preventDefault()
          ask.mutate()
        }}
      >
        <Textarea
          label={text('yourQuestion')}
          autosize
          minRows={3}
          maxRows={10}
          maxLength={2_000}
          data-autofocus
          value={words}
          onChange={(event) => setWords(event.currentTarget.value)}
          error={ask.error === null ? undefined : (ask.error.fields['text'] ?? sentenceOf(ask.error, text))}
        />
        <div className="fc-area-buttons">
          <Button variant="default" onClick={onClose}>
            {text('cancel')}
          </Button>
          <Button type="submit" loading={ask.isPending}>
            {text('send')}
          </Button>
        </div>
      </form>
    </Modal>
  )
}
