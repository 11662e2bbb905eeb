import { IconAlertTriangle } from '@tabler/icons-react'
import type { Question } from '#contract/questions/definition.ts'
import { showAnswer } from '#contract/questions/show-answer.ts'
import type { FieldProps } from '#web/questions/field-props.ts'
import { QuestionField } from '#web/questions/QuestionField.tsx'
import { AnswerStateLine } from './AnswerStateLine.tsx'
import { rowKeyOf, toDrafts } from '../answering/answer-cells.ts'
import { showDay, useArea } from './area.ts'
import { ConflictCard } from './ConflictCard.tsx'
import { DelegationLine } from './DelegationLine.tsx'
import { EvidenceList } from './EvidenceList.tsx'
import { QuestionMenu, type QuestionMenuProps } from './QuestionMenu.tsx'
import type { OpenQuestionnaire } from './use-questionnaire.ts'

type Props = Pick<FieldProps<Question['type']>, 'draft' | 'problems' | 'onLeave'> &
  Omit<QuestionMenuProps, 'isOpen'>

/** A question with its answer, where the answer is, and everything said about it. */
export function QuestionBlock(props: Props) {
  const { question, number, open, draft, problems, context, onLeave } = props
  const { text, language } = useArea()
  const { record, answering, view, evaluation } = open
  const { code } = question
  const isOpen = record.open.includes(code)
  const flags = record.flags.filter(({ questionCode }) => questionCode === code)
  const conflicts = view.sync.queue.changes.filter((one) => one.question === code && one.state === 'conflict')
  const delegations = record.delegations.filter(({ questionCode }) => questionCode === code)
  const rows = Array.isArray(draft) ? draft.map(rowKeyOf) : []
  const hasAnswer = question.type !== 'note' && question.type !== 'computed'
  return (
    <div className="fc-area-question" data-question={code}>
      {flags.map((flag) => (
        <div key={flag.id} className="fc-area-flag" lang={language}>
          <p>
            <IconAlertTriangle size={16} aria-hidden="true" />
            <strong>{text('asks', { name: flag.flaggedBy })}</strong>
          </p>
          <p className="fc-question-text">
            <bdi>{flag.comment}</bdi>
          </p>
        </div>
      ))}
      <span className="fc-area-number fc-number fc-soft" aria-hidden="true">
        {number}
      </span>
      <div className="fc-area-answer">
        <fieldset className="fc-area-field" disabled={!isOpen && hasAnswer}>
          <QuestionField
            question={question}
            draft={draft}
            onChange={(next) => answering.change(code, next)}
            onLeave={onLeave}
            problems={problems}
            isRequired={evaluation.required.includes(code)}
            context={context}
          />
        </fieldset>
        {hasAnswer && conflicts.length === 0 && <AnswerStateLine code={code} open={open} />}
        {conflicts.map((change) => (
          <ConflictCard key={change.id} change={change} question={question} open={open} />
        ))}
        {delegations.map((delegation) => {
          const at = rows.indexOf(delegation.rowKey ?? '')
          const prefix = at === -1 ? '' : `${text('row', { n: at + 1 })}: `
          return (
            <DelegationLine
              key={delegation.id}
              delegation={delegation}
              targetId={record.targetId}
              prefix={prefix}
            />
          )
        })}
        {hasAnswer && <Offered question={question} isOpen={isOpen} open={open} />}
        <EvidenceList code={code} open={open} uploads={props.uploads} />
        <Comments code={code} open={open} />
      </div>
      {hasAnswer && <QuestionMenu {...props} isOpen={isOpen} />}
    </div>
  )
}

/** Last year's answer, or that to the same question elsewhere. */
function Offered({
  question,
  isOpen,
  open,
}: {
  question: Question
  isOpen: boolean
  open: OpenQuestionnaire
}) {
  const { text, language } = useArea()
  const { record, answering, compiled, tag, view } = open
  const offered = record.offered.find(({ questionCode }) => questionCode === question.code)
  if (offered === undefined) return null
  const { languages: all } = record.definition
  const shown = showAnswer(question, offered.value, { tag, all, facilities: record.facilities })
  if (shown === '') return null
  const isEmpty = (view.drafts[question.code] ?? '') === ''
  // Files belong to another year.
  const mayUse = isOpen && isEmpty && question.type !== 'file'
  const name = offered.kind === 'previous' ? text('lastYear') : offered.assessmentName
  return (
    <p className="fc-area-offered fc-small fc-soft" lang={language}>
      <span>
        {name}: <bdi className="fc-area-offered-value">{shown}</bdi>
      </span>
      {mayUse && (
        <button
          type="button"
          className="fc-area-link"
          onClick={() => {
            const cell = { questionCode: question.code, rowKey: '', value: offered.value }
            const draft = toDrafts(compiled, [cell], tag)[question.code]
            answering.change(question.code, draft, offered.targetId)
          }}
        >
          {text('useAnswer')}
        </button>
      )}
    </p>
  )
}

/** What was asked and said about a question. */
function Comments({ code, open }: { code: string; open: OpenQuestionnaire }) {
  const { text, language } = useArea()
  const comments = open.record.comments.filter(({ questionCode }) => questionCode === code)
  if (comments.length === 0) return null
  return (
    <details className="fc-area-comments fc-small" lang={language}>
      <summary>{`${text('comments')} (${comments.length})`}</summary>
      <ul>
        {comments.map((comment) => (
          <li key={comment.id}>
            <p className="fc-soft">
              <bdi>{comment.writtenBy}</bdi>, {showDay(comment.writtenAt, language)}
            </p>
            <p className="fc-question-text">
              <bdi>{comment.text}</bdi>
            </p>
          </li>
        ))}
      </ul>
    </details>
  )
}
