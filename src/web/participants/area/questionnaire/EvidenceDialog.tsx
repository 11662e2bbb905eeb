import { Button, TextInput } from '@mantine/core'
import type { AnswerEvidence } from '#contract/assessments/targets/answer-evidence.ts'
import { participantArea } from '#contract/participants/area/participant-area.ts'
import { useCallForm } from '#web/ui/call-form/use-call-form.ts'
import { useArea, useParticipantCall } from '../area.ts'
import { AreaDialog } from './AreaDialog.tsx'
import type { OpenQuestionnaire } from './use-questionnaire.ts'

const { useEvidence: changeEvidence, removeEvidence } = participantArea

type Props = { file: AnswerEvidence; code: string; open: OpenQuestionnaire; onClose: () => void }

/** Until when a file is valid, and its removal from a question. */
export function EvidenceDialog({ file, code, open: { record, refresh }, onClose }: Props) {
  const { session, text } = useArea()
  const call = useParticipantCall()
  const { id, name, isFromEarlier, isMine } = file
  const input = { targetId: record.targetId, id, questionCode: code }
  const of = {
    about: [session.participantId, record.targetId, id].join('/'),
    onDone: onClose,
  }
  const save = useCallForm({
    ...of,
    endpoint: changeEvidence,
    initial: { validUntil: file.validUntil ?? '' },
    send: async ({ validUntil }) => {
      const saved = await call(changeEvidence, { ...input, validUntil: validUntil || null })
      await refresh()
      return saved
    },
  })
  const remove = useCallForm({
    ...of,
    endpoint: removeEvidence,
    initial: {},
    send: async () => {
      const removed = await call(removeEvidence, input)
      await refresh()
      return removed
    },
  })
  const mayRemove = isMine || isFromEarlier || record.role === 'owner'
  return (
    <AreaDialog
      title={<bdi>{name}</bdi>}
      call={{
        ...save,
        refusal: save.refusal ?? remove.refusal,
        isBusy: save.isBusy || remove.isBusy,
      }}
      confirm={isFromEarlier ? null : text('save')}
      onClose={onClose}
      buttons={
        mayRemove && (
          <Button
            variant="default"
            className="fc-area-destructive"
            loading={remove.isBusy}
            onClick={remove.submit}
          >
            {text('removeFile')}
          </Button>
        )
      }
    >
      <TextInput
        {...save.field('validUntil')}
        type="date"
        label={text('validLabel')}
        disabled={isFromEarlier}
        max="2100-12-31"
      />
    </AreaDialog>
  )
}
