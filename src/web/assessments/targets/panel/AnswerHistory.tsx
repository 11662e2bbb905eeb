import { Button } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { assessmentAnswers, type LogEntry } from '#contract/assessments/targets/answers.ts'
import type { Question } from '#contract/questions/definition.ts'
import { showValue } from '#contract/questions/show-answer.ts'
import { query } from '#web/api/query.ts'
import { FailureState } from '#web/ui/feedback/FailureState.tsx'
import { formatAgo } from '#web/ui/layout/date-format.ts'
import { type TargetState, wordsOf } from '../use-target.ts'

type Props = { target: TargetState; question: Question }

/** Every value that was sent for a question, newest first, with those that were not accepted. */
export function AnswerHistory({ target, question }: Props) {
  const [isOpen, setOpen] = useState(false)
  return (
    <section className="fc-target-card" aria-label="History">
      <h3>History</h3>
      {isOpen ? (
        <Entries target={target} question={question} />
      ) : (
        <div>
          <Button size="compact-sm" variant="default" onClick={() => setOpen(true)}>
            Show history
          </Button>
        </div>
      )}
    </section>
  )
}

function Entries({ target, question }: Props) {
  const input = { targetId: target.record.id, question: question.code }
  const { data, error, isPending, refetch } = useQuery(query(assessmentAnswers.log, input))
  if (error) {
    return (
      <FailureState
        failure={error}
        endpoint={assessmentAnswers.log}
        what="the history"
        onRetry={() => void refetch()}
      />
    )
  }
  if (isPending) return <p className="fc-small fc-soft">Loading</p>
  const show = ({ rowKey, value }: LogEntry) =>
    showValue(question, { row: rowKey ?? '', value }, wordsOf(target)) || 'Cleared'
  return (
    <>
      {data.entries.length === 0 && <p className="fc-small fc-soft">No changes yet.</p>}
      <ol className="fc-target-comments">
        {data.entries.map((one) => (
          <li key={one.number}>
            <p className="fc-question-text">
              <bdi>{show(one)}</bdi>
            </p>
            <p className="fc-small fc-soft">
              <bdi>
                {one.loggedBy}, {formatAgo(one.loggedAt)}
                {one.kind === 'refused' && `. Not accepted: ${one.note ?? 'changed by someone else.'}`}
                {one.kind === 'state' && one.note !== null && `. ${one.note}`}
              </bdi>
            </p>
          </li>
        ))}
      </ol>
      {!data.isIntact && (
        <p className="fc-question-error" role="alert">
          The history of this target is not complete: entries were changed or removed in the database.
        </p>
      )}
    </>
  )
}
