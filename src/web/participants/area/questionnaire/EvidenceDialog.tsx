import { Button, Modal, TextInput } from '@mantine/core'
import { useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import type { AnswerEvidence } from '#contract/assessments/targets/answer-evidence.ts'
import { participantArea } from '#contract/participants/area/participant-area.ts'
import { MODAL_TRANSITION } from '#web/ui/overlay/dialogs.tsx'
import { sentenceOf, useArea, useParticipantCall } from '../area.ts'
import type { OpenQuestionnaire } from './use-questionnaire.ts'

type Props = { file: AnswerEvidence; code: string; open: OpenQuestionnaire; onClose: () => void }

/** Until when a file is valid, and its removal from a question. */
export function EvidenceDialog({ file, code, open: { record, refresh }, onClose }: Props) {
  const { text } = useArea()
  const call = useParticipantCall()
  const { id, name, isFromEarlier, isMine } = file
  const [validUntil, setValidUntil] = useState(file.validUntil ?? '')
  const input = { targetId: record.targetId, id, questionCode: code }
  const onSuccess = async () => {
    await refresh()
    onClose()
  }
  const save = useMutation({
    mutationFn: () =>
      call(participantArea.useEvidence, { ...input, validUntil: validUntil === '' ? null : validUntil }),
    onSuccess,
  })
  const remove = useMutation({ mutationFn: () => call(participantArea.removeEvidence, input), onSuccess })
  const error = save.error ?? remove.error
  const mayRemove = isMine || isFromEarlier || record.role === 'owner'
  return (
    <Modal
      opened
      onClose={onClose}
      title={<bdi>{name}</bdi>}
      closeButtonProps={{ 'aria-label': text('close') }}
      transitionProps={MODAL_TRANSITION}
    >
      <form
        className="fc-area-form"
        noValidate
        onSubmit={(event) => {
          event.preventDefault()
          save.mutate()
        }}
      >
        <TextInput
          type="date"
          label={text('validLabel')}
          disabled={isFromEarlier}
          max="2100-12-31"
          value={validUntil}
          onChange={(event) => setValidUntil(event.currentTarget.value)}
          error={save.error?.fields['validUntil']}
        />
        {error !== null && error.fields['validUntil'] === undefined && (
          <p role="alert" className="fc-area-problem">
            {sentenceOf(error, text)}
          </p>
        )}
        <div className="fc-area-buttons">
          {mayRemove && (
            <Button
              variant="default"
              className="fc-area-destructive"
              loading={remove.isPending}
              onClick={() => remove.mutate()}
            >
              {text('removeFile')}
            </Button>
          )}
          <Button variant="default" onClick={onClose}>
            {text('cancel')}
          </Button>
          {!isFromEarlier && (
            <Button type="submit" loading={save.isPending}>
              {text('save')}
            </Button>
          )}
        </div>
      </form>
    </Modal>
  )
}
