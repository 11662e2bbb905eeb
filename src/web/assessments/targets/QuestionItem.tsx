import { Button } from '@mantine/core'
import { IconDots } from '@tabler/icons-react'
import type { ReactNode } from 'react'
import type { PresentPerson } from '#contract/assessments/targets/presence.ts'
import type { Question } from '#contract/questions/definition.ts'
import { showAnswer } from '#contract/questions/show-answer.ts'
import { textIn } from '#contract/questions/texts.ts'
import { controlTexts } from '#contract/questions/control-texts.ts'
import type { FieldContext, FieldProps } from '#web/questions/field-props.ts'
import { QuestionField } from '#web/questions/QuestionField.tsx'
import { upload } from '#web/api/upload.ts'
import { queryClient, keyOf, send } from '#web/api/query.ts'
import { assessmentAnswers } from '#contract/assessments/targets/answers.ts'
import { assessmentTargets } from '#contract/assessments/targets/targets.ts'
import type { Change } from '../answering/answer-queue.ts'
import { areaTexts } from '../answering/texts/area-texts.ts'
import { Status } from '#web/ui/controls/Status.tsx'
import { rowKeyOf } from '../answering/answer-cells.ts'
import { ConflictCard } from '../answering/ConflictCard.tsx'
import { PresentPeople } from '../answering/PresentPeople.tsx'
import { sayPresent } from '../answering/say-present.ts'
import { AnsweredBy, AnswerPlace, showTime } from './AnswerPlace.tsx'
import { type Openness, opennessOf, type ShownQuestion } from './target-view.ts'
import { type TargetState, wordsOf } from './use-target.ts'

type Props = {
  target: TargetState
  /** Others who are at this question. */
  present: readonly PresentPerson[]
  shown: ShownQuestion
  isChosen: boolean
  /** A change of it is about to be requested. */
  isFlagging: boolean
  /** Those that are shown: of questions that were left. */
  problems: FieldProps<Question['type']>['problems']
  onLeave: () => void
  onChoose: () => void
  /** Opens the details where they aren't at the side. */
  onDetails: () => void
}

/** A question with its answer, where the answer is, and what a reviewer asked for. */
export function QuestionItem(props: Props) {
  const { target, shown, present, isChosen, isFlagging, onChoose, onDetails } = props
  const { record, state, compiled, language } = target
  const { question, number } = shown
  const { code } = question
  const openness = opennessOf(record, question)
  const flag = record.flags.find((one) => one.questionCode === code && one.resolvedAt === null)
  const changes = state.sync.queue.changes.filter((one) => one.question === code)
  const title = textIn(question.title, language, compiled.definition.languages)
  if (question.type === 'note') return <OpenField {...props} openness={openness} />
  return (
    <div className="fc-target-item" data-question={code} data-chosen={isChosen}>
      <span className="fc-target-number fc-number">{number}</span>
      <div className="fc-target-field">
        {flag !== undefined && (
          <div className="fc-target-flag">
            <p>
              <Status tone="warn" mark="alert">
                <strong>{flag.flaggedBy} asks for a change</strong>
              </Status>
            </p>
            <p>
              <bdi>{flag.comment}</bdi>
            </p>
          </div>
        )}
        {openness.isOpen ? <OpenField {...props} openness={openness} /> : <ClosedField {...props} />}
        {changes.map((change) =>
          change.state === 'conflict' ? (
            <Conflict key={change.id} change={change} question={question} target={target} />
          ) : null,
        )}
        <Delegated target={target} question={question} />
        <div className="fc-target-place">
          <PresentPeople people={present} say={sayPresent('is at this question', 'are at this question')} />
          {isFlagging && (
            <Status tone="warn" mark="alert">
              Change
            </Status>
          )}
          {openness.isOpen ? (
            <AnswerPlace target={target} code={code} />
          ) : (
            <AnsweredBy target={target} code={code} />
          )}
        </div>
      </div>
      <div className="fc-target-tools">
        <Button
          variant="subtle"
          color="gray"
          size="compact-xs"
          aria-label={`Details of ${number} ${title}`}
          aria-expanded={isChosen}
          onClick={() => {
            onChoose()
            onDetails()
          }}
        >
          <IconDots size={16} aria-hidden="true" />
        </Button>
      </div>
    </div>
  )
}

/** The inputs of a question. */
function OpenField({ target, shown, openness, problems, onLeave, onChoose }: Props & { openness: Openness }) {
  const { record, answering, state, evaluation } = target
  const { question } = shown
  const { code } = question
  const draft = state.drafts[code]
  const refused = state.sync.queue.changes.find((one) => one.question === code && one.state === 'refused')
  const rows = openness.rows
  const own =
    rows === null || !Array.isArray(draft) ? draft : draft.filter((row) => rows.includes(rowKeyOf(row)))
  const context = contextOf(target, question)
  return (
    <div onFocus={onChoose}>
      <QuestionField
        question={
          rows === null || question.type !== 'table' ? question : { ...question, maxRows: rows.length }
        }
        draft={own}
        onChange={(next) => answering.change(code, rows === null ? next : mergeRows(draft, next, rows))}
        onLeave={onLeave}
        problems={problems}
        isRequired={evaluation.required.includes(code)}
        context={context}
        locked={lockedRows(record, code, draft)}
      />
      {refused !== undefined && (
        <p className="fc-question-error" role="alert">
          <bdi>Not saved: {refused.message}</bdi>{' '}
          <Button variant="subtle" size="compact-sm" onClick={() => void answering.resend(code)}>
            Send again
          </Button>
        </p>
      )}
      {rows !== null && (
        <p className="fc-small fc-soft">
          You were asked to fill in {rows.length === 1 ? 'this row' : 'these rows'}. Others of {record.name}{' '}
          fill in the rest.
        </p>
      )}
    </div>
  )
}

/** The rows that others were asked to fill in, by place, with whom. */
function lockedRows(
  { lockedRows: locked, delegations }: TargetState['record'],
  code: string,
  draft: unknown,
): ReadonlyMap<number, ReactNode> {
  const keys = Array.isArray(draft) ? draft.map(rowKeyOf) : []
  return new Map(
    locked.flatMap(({ questionCode, rowKey }): [number, ReactNode][] => {
      const at = questionCode === code ? keys.indexOf(rowKey) : -1
      const given = delegations.find((one) => one.questionCode === code && one.rowKey === rowKey)
      if (at === -1) return []
      return [[at, <bdi key={rowKey}>With {given?.assigneeName}. Take it back to change it.</bdi>]]
    }),
  )
}

/** The rows of the whole table, with the changed ones of someone who may only change these. */
function mergeRows(draft: unknown, changed: unknown, rows: readonly string[]): unknown {
  if (!Array.isArray(draft) || !Array.isArray(changed)) return draft
  return draft.flatMap((row: unknown): unknown[] => {
    const key = rowKeyOf(row)
    if (!rows.includes(key)) return [row]
    const found: unknown = changed.find((one) => rowKeyOf(one) === key)
    return found === undefined ? [] : [found]
  })
}

const TEXT = areaTexts('en')
const addComment = send(assessmentAnswers.comment)

/** Someone else changed the answer; what can't be kept beside it becomes a comment. */
function Conflict({ change, question, target }: { change: Change; question: Question; target: TargetState }) {
  return (
    <ConflictCard
      change={change}
      question={question}
      words={wordsOf(target)}
      text={TEXT}
      name=""
      showTime={showTime}
      answering={target.answering}
      comment={(text) =>
        addComment({ targetId: target.record.id, questionCode: question.code, text, isInternal: false })
      }
    />
  )
}

/** An answer that can't be changed now, in words. */
function ClosedField({ target, shown }: Props) {
  const { compiled, language, evaluation } = target
  const { question } = shown
  const { languages } = compiled.definition
  const value =
    question.type === 'computed' ? evaluation.computed[question.code] : evaluation.answers[question.code]
  const words = showAnswer(question, value, wordsOf(target))
  return (
    <>
      <p className="fc-question-title">
        <bdi>{textIn(question.title, language, languages)}</bdi>
      </p>
      <p className={words === '' ? 'fc-faint' : 'fc-question-text'}>
        <bdi>{words === '' ? 'No answer' : words}</bdi>
      </p>
    </>
  )
}

/** Who was asked to answer it. */
function Delegated({ target: { record }, question: { code } }: { target: TargetState; question: Question }) {
  const own = record.delegations.filter((one) => one.questionCode === code)
  if (own.length === 0) return null
  return (
    <p className="fc-small">
      {own.map(({ id, assigneeName, isAnswered, rowKey }) => (
        <Status key={id} tone="info" mark={isAnswered ? 'check' : 'quarter'}>
          {rowKey === null ? 'With' : 'A row is with'} {assigneeName},{' '}
          {isAnswered ? 'answered' : 'not answered yet'}
        </Status>
      ))}
    </p>
  )
}

function contextOf(
  { record, compiled, language, evaluation }: TargetState,
  { code }: Question,
): FieldContext {
  return {
    language,
    languages: compiled.definition.languages,
    text: controlTexts(language),
    evaluation,
    facilities: record.facilities,
    async upload(file) {
      const [added] = await upload(
        assessmentAnswers.addEvidence,
        { targetId: record.id, questionCode: code },
        [file],
        {
          signal: new AbortController().signal,
          onSent: () => undefined,
        },
      )
      if (added === undefined) throw new Error('The file was not stored.')
      void queryClient.invalidateQueries({ queryKey: keyOf(assessmentTargets.get) })
      return { id: added.id, name: added.name, bytes: added.size, mediaType: added.type }
    },
  }
}
