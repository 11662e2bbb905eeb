import { Button } from '@mantine/core'
import { IconAlertTriangle } from '@tabler/icons-react'
import { useMutation } from '@tanstack/react-query'
import { participantArea } from '#contract/assessments/participants/participant-area.ts'
import type { Question } from '#contract/questions/definition.ts'
import { showAnswer } from '#contract/questions/show-answer.ts'
import { type Change, combine } from './answer-queue.ts'
import { sentenceOf, showTime, useArea, useParticipantCall } from './area.ts'
import type { OpenQuestionnaire } from './use-questionnaire.ts'

type Props = {
  change: Change
  question: Question
  open: Pick<OpenQuestionnaire, 'tag' | 'refresh'> & {
    record: Pick<OpenQuestionnaire['record'], 'definition' | 'facilities' | 'targetId'>
    answering: Pick<OpenQuestionnaire['answering'], 'resolveConflict'>
  }
}

/** Someone else changed the same answer: both versions with their authors, and the choice between them. */
export function ConflictCard({ change, question, open }: Props) {
  const { text, language, name } = useArea()
  const call = useParticipantCall()
  const { record, answering, tag } = open
  const { current, value, at, row } = change
  const shown = (answer: unknown): string => {
    const of = { tag, all: record.definition.languages, facilities: record.facilities }
    const isRow = question.type === 'table' && row !== ''
    return showAnswer(question, isRow && answer !== null ? [answer] : answer, of) || text('empty')
  }
  const combined = combine(question.type, current?.value ?? null, value)
  const keepBoth = useMutation({
    mutationFn: async () => {
      if (combined !== null) return answering.resolveConflict(change, 'both')
      const words = text('myVersion', { text: shown(value) })
      await call(participantArea.ask, {
        targetId: record.targetId,
        questionCode: question.code,
        text: words.slice(0, 2_000),
      })
      await answering.resolveConflict(change, 'theirs')
      await open.refresh()
    },
  })
  const theirName = current === undefined || current.by === '' ? '–' : current.by
  return (
    <fieldset className="fc-area-conflict" aria-label={text('conflict', { name: theirName })} lang={language}>
      <p>
        <IconAlertTriangle size={16} aria-hidden="true" />
        <strong>{text('conflict', { name: theirName })}</strong>
      </p>
      <dl>
        <div>
          <dt>
            {text('mineIs')}{' '}
            <span className="fc-soft">{[name, showTime(at, language)].filter(Boolean).join(', ')}</span>
          </dt>
          <dd>
            <bdi>{shown(value)}</bdi>
          </dd>
        </div>
        <div>
          <dt>
            {text('theirsIs')}{' '}
            <span className="fc-soft">
              {[theirName, current?.at ? showTime(current.at, language) : ''].filter(Boolean).join(', ')}
            </span>
          </dt>
          <dd>
            <bdi>{shown(current?.value ?? null)}</bdi>
          </dd>
        </div>
      </dl>
      {combined === null && (
        <p className="fc-small fc-soft">{`${text('keepBoth')}: ${text('bothAsComment')}`}</p>
      )}
      {keepBoth.error !== null && (
        <p role="alert" className="fc-area-problem">
          {sentenceOf(keepBoth.error, text)}
        </p>
      )}
      <div className="fc-area-buttons">
        <Button variant="default" onClick={() => void answering.resolveConflict(change, 'mine')}>
          {text('keepMine')}
        </Button>
        <Button variant="default" onClick={() => void answering.resolveConflict(change, 'theirs')}>
          {text('keepTheirs')}
        </Button>
        <Button variant="default" loading={keepBoth.isPending} onClick={() => keepBoth.mutate()}>
          {text('keepBoth')}
        </Button>
      </div>
    </fieldset>
  )
}
