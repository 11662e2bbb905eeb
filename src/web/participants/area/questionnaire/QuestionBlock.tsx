import { IconAlertTriangle } from '@tabler/icons-react'
import type { ReactNode } from 'react'
import type { Question } from '#contract/questions/definition.ts'
import { problemMessage } from '#contract/questions/problem-messages.ts'
import { participantArea } from '#contract/participants/area/participant-area.ts'
import { CallFailure } from '#web/api/failure.ts'
import type { FieldProps } from '#web/questions/field-props.ts'
import { QuestionField } from '#web/questions/QuestionField.tsx'
import { type Change, rowKeyOf, ConflictCard, PresentPeople } from '#web/assessments/index.ts'
import { AnswerStateLine } from './AnswerStateLine.tsx'
import { showDay, showTime, useArea, useParticipantCall } from '../area.ts'
import { DelegationLine } from './DelegationLine.tsx'
import { EvidenceList } from './EvidenceList.tsx'
import { OfferedAnswers } from './OfferedAnswers.tsx'
import { QuestionMenu, type QuestionMenuProps } from './QuestionMenu.tsx'
import { idOf } from '../use-files.ts'
import type { OpenQuestionnaire } from './use-questionnaire.ts'
import type { PresentPerson } from '#contract/assessments/targets/presence.ts'

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
  const locked = lockedRows({ code, draft, record })
  const hasAnswer = question.type !== 'note' && question.type !== 'computed'
  const answered = new Set(question.type === 'file' && Array.isArray(draft) ? draft.map(idOf) : [])
  /** A file that is taken out of the answer doesn't stay as evidence. Without a connection it does. */
  const withdraw = useWithdraw(open, code)
  const change = (next: unknown) => {
    answering.change(code, next)
    if (question.type !== 'file') return
    const rest = new Set(Array.isArray(next) ? next.map(idOf) : [])
    for (const id of answered) if (typeof id === 'string' && !rest.has(id)) void withdraw(id)
  }
  return (
    <div className="fc-area-question" data-question={code} onFocus={() => open.focus(code)}>
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
            onChange={change}
            onLeave={onLeave}
            problems={problems}
            isRequired={evaluation.required.includes(code)}
            context={context}
            locked={locked}
            hasFixedRows={record.openRows.some(({ questionCode }) => questionCode === code)}
          />
        </fieldset>
        {hasAnswer && !evaluation.visible.includes(code) && (
          <p className="fc-small fc-soft">{problemMessage('notAsked', open.tag)}</p>
        )}
        <PresentHere people={open.present.filter(({ questionCode }) => questionCode === code)} />
        {hasAnswer && conflicts.length === 0 && <AnswerStateLine code={code} open={open} />}
        {conflicts.map((one) => (
          <Conflict key={one.id} change={one} question={question} open={open} />
        ))}
        {delegations
          .filter(({ rowKey }) => rowKey === null)
          .map((delegation) => (
            <DelegationLine key={delegation.id} delegation={delegation} record={record} />
          ))}
        {hasAnswer && <OfferedAnswers question={question} isOpen={isOpen} open={open} />}
        <EvidenceList code={code} open={open} answered={answered} isOpen={isOpen} />
        <Comments code={code} open={open} />
      </div>
      {hasAnswer && <QuestionMenu {...props} isOpen={isOpen} />}
    </div>
  )
}

type ConflictProps = { change: Change; question: Question; open: OpenQuestionnaire }

/** Someone else changed the answer; what can't be kept beside it becomes a question to the sender. */
function Conflict({ change, question, open }: ConflictProps) {
  const { text, language, name } = useArea()
  const call = useParticipantCall()
  const { record, answering, tag, refresh } = open
  const { targetId, definition, facilities } = record
  return (
    <div lang={language}>
      <ConflictCard
        change={change}
        question={question}
        words={{ tag, all: definition.languages, facilities, isMultiline: true }}
        text={text}
        name={name}
        showTime={(at) => showTime(at, language)}
        answering={answering}
        comment={async (words) => {
          await call(participantArea.ask, { targetId, questionCode: question.code, text: words })
          await refresh()
        }}
      />
    </div>
  )
}

/** The rows that others were asked to fill in, with who and since when. */
function lockedRows({
  code,
  draft,
  record,
}: {
  code: string
  draft: unknown
  record: OpenQuestionnaire['record']
}): ReadonlyMap<number, ReactNode> {
  const keys = Array.isArray(draft) ? draft.map(rowKeyOf) : []
  return new Map(
    record.delegations.flatMap((delegation): [number, ReactNode][] => {
      const { questionCode, rowKey } = delegation
      const at = questionCode === code && rowKey !== null ? keys.indexOf(rowKey) : -1
      return at === -1
        ? []
        : [[at, <DelegationLine key={delegation.id} delegation={delegation} record={record} />]]
    }),
  )
}

function useWithdraw({ record: { targetId }, answering, refresh }: OpenQuestionnaire, questionCode: string) {
  const call = useParticipantCall()
  return async (id: string): Promise<void> => {
    await answering.sync.flush()
    if (answering.sync.countWaiting() > 0) return
    try {
      await call(participantArea.removeEvidence, { targetId, id, questionCode })
    } catch (error) {
      // It stays in the list of files below the question, where it can be removed.
      if (!(error instanceof CallFailure)) throw error
    }
    await refresh()
  }
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

/** Who else is at the same place, in the reader's language. */
function PresentHere({ people }: { people: readonly PresentPerson[] }) {
  const { text, language } = useArea()
  if (people.length === 0) return null
  const list = new Intl.ListFormat(language)
  return (
    <p className="fc-area-state fc-small" lang={language}>
      <PresentPeople people={people} say={(names) => text('here', { names: list.format(names) })} />
    </p>
  )
}
