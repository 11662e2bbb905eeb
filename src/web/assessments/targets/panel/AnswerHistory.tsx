import { Button } from '@mantine/core'
import { useState } from 'react'
import { assessmentAnswers, type LogEntry } from '#contract/assessments/targets/answers.ts'
import type { Question } from '#contract/questions/definition.ts'
import { showValue } from '#contract/questions/show-answer.ts'
import { query } from '#web/api/query.ts'
import { formatAgo } from '#web/ui/layout/date-format.ts'
import { Loaded } from '#web/ui/record/Loaded.tsx'
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

  return (
    <Loaded
      query={query(assessmentAnswers.log, input)}
      what="the history"
      shape={<p className="fc-small fc-soft">Loading</p>}
    >
      {(history) => {
        const show = ({ rowKey, value }: LogEntry) =>
          showValue(question, { row: rowKey ?? '', value }, wordsOf(target)) || 'Cleared'
        return (
          <>
            {history.entries.length === 0 && <p className="fc-small fc-soft">No changes yet.</p>}
            <ol className="fc-target-comments">
              {history.entries.map((one) => (
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
            {!history.isIntact && (
              <p className="fc-question-error" role="alert">
                The history of this target is not complete: entries were changed or removed in the database.
              </p>
            )}
          </>
        )
      }}
    </Loaded>
  )
}
