import { useQueryClient } from '@tanstack/react-query'
import type { Delegation } from '#contract/assessments/targets/collaboration.ts'
import {
  participantArea,
  type ParticipantQuestionnaire,
} from '#contract/participants/area/participant-area.ts'
import { useMutation } from '#web/api/mutation.ts'
import { Status } from '#web/ui/controls/Status.tsx'
import { sentenceOf, showDay, useArea, useParticipantCall } from '../area.ts'

type Props = {
  delegation: Delegation
  record: Pick<ParticipantQuestionnaire, 'targetId' | 'role' | 'receipt' | 'flags'>
}

/** Who was asked to answer a part, and the way to remind them or take it back. */
export function DelegationLine({ delegation, record }: Props) {
  const { text, language, say } = useArea()
  const call = useParticipantCall()
  const client = useQueryClient()
  const { id, assigneeName: name, delegatedAt, isAnswered, questionCode } = delegation
  const { targetId, role, receipt, flags } = record
  const mayChange = role === 'owner' && receipt === null
  const isWaiting = !isAnswered || flags.some((flag) => flag.questionCode === questionCode)
  const onError = (error: Error) => say(sentenceOf(error, text))
  const remind = useMutation({
    mutationFn: () => call(participantArea.remind, { targetId, id }),
    onSuccess: () => say(text('reminded')),
    onError,
  })
  const takeBack = useMutation({
    mutationFn: () => call(participantArea.takeBack, { targetId, id }),
    onSuccess: () => client.invalidateQueries({ queryKey: ['questionnaire'] }),
    onError,
  })
  return (
    <p className="fc-area-delegation fc-small" lang={language}>
      <Status tone="info" mark="quarter">
        {text('delegated')}
      </Status>
      <span className="fc-soft">
        {text(isAnswered ? 'withDone' : 'withOpen', { name, date: showDay(delegatedAt, language) })}
      </span>
      {mayChange && isWaiting && (
        <button
          type="button"
          className="fc-area-link"
          disabled={remind.isPending}
          onClick={() => remind.mutate()}
        >
          {text('remind')}
        </button>
      )}
      {mayChange && (
        <button
          type="button"
          className="fc-area-link"
          disabled={takeBack.isPending}
          onClick={() => takeBack.mutate()}
        >
          {text('takeBack')}
        </button>
      )}
    </p>
  )
}
