import type { OfferedAnswer } from '#contract/assessments/targets/targets.ts'
import type { Question } from '#contract/questions/definition.ts'
import { showAnswer } from '#contract/questions/show-answer.ts'
import { toDrafts } from '#web/assessments/index.ts'
import { showDay, useArea } from '../area.ts'
import type { OpenQuestionnaire } from './use-questionnaire.ts'

type Props = { question: Question; isOpen: boolean; open: OpenQuestionnaire }

/** Last year's answer, and answers to the same question elsewhere, with who gave them and when. */
export function OfferedAnswers({ question, isOpen, open }: Props) {
  const offered = open.record.offered.filter(({ questionCode }) => questionCode === question.code)
  return offered.map((one) => (
    <Offered
      key={`${one.kind} ${one.targetId}`}
      offered={one}
      question={question}
      isOpen={isOpen}
      open={open}
    />
  ))
}

function Offered({ offered, question, isOpen, open }: Props & { offered: OfferedAnswer }) {
  const { text, language } = useArea()
  const { record, answering, compiled, tag, view, stored } = open
  const { languages: all } = record.definition
  const shown = showAnswer(question, offered.value, { tag, all, facilities: record.facilities })
  if (shown === '') return null
  const { kind, assessmentName, answeredBy, answeredAt, targetId } = offered
  const draft = view.drafts[question.code] ?? ''
  const isEmpty = draft === '' || (Array.isArray(draft) && draft.length === 0)
  // Files belong to another year.
  const mayUse = isOpen && isEmpty && question.type !== 'file'
  const newest = stored.findLast(({ questionCode }) => questionCode === question.code)
  const isTaken = !isEmpty && newest?.sourceTargetId === targetId
  const name = kind === 'previous' ? `${text('lastYear')} (${assessmentName})` : assessmentName
  return (
    <p className="fc-area-offered fc-small fc-soft" lang={language}>
      <span>
        <bdi>{isTaken ? text('takenFrom', { name }) : name}</bdi>:{' '}
        <bdi className="fc-area-offered-value">{shown}</bdi>
      </span>
      <bdi>{text('answeredBy', { name: answeredBy, date: showDay(answeredAt, language) })}</bdi>
      {mayUse && (
        <button
          type="button"
          className="fc-area-link"
          onClick={() => {
            const cell = { questionCode: question.code, rowKey: '', value: offered.value }
            answering.change(question.code, toDrafts(compiled, [cell], tag)[question.code], targetId)
          }}
        >
          {text('useAnswer')}
        </button>
      )}
    </p>
  )
}
