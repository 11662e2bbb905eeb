import { Button } from '@mantine/core'
import { useState } from 'react'
import { assessmentAnswers, type LogEntry } from '#contract/assessments/targets/answers.ts'
import type { Output } from '#contract/endpoint.ts'
import type { Question } from '#contract/questions/definition.ts'
import { showValue } from '#contract/questions/show-answer.ts'
import { query } from '#web/api/query.ts'
import { Timeline } from '#web/ui/record/Timeline.tsx'
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
  const show = ({ rowKey, value }: LogEntry) =>
    showValue(question, { row: rowKey ?? '', value }, wordsOf(target)) || 'Cleared'
  return (
    <Timeline
      query={query(assessmentAnswers.log, { targetId: target.record.id, question: question.code })}
      what="the history"
      title="History"
      entries={({ entries }) =>
        entries.map((one) => ({
          what: <bdi className="fc-question-text">{show(one)}</bdi>,
          by: one.loggedBy,
          at: one.loggedAt,
          more: <Note entry={one} />,
        }))
      }
      empty={<p className="fc-small fc-soft">No changes yet.</p>}
      note={noteMissing}
    />
  )
}

function noteMissing({ isIntact }: Output<typeof assessmentAnswers.log>) {
  if (isIntact) return null
  return (
    <p className="fc-question-error" role="alert">
      The history of this target is not complete: entries were changed or removed in the database.
    </p>
  )
}

/** Why a value was not accepted, or why the state changed. */
function Note({ entry: { kind, note } }: { entry: LogEntry }) {
  if (kind === 'refused') {
    return <bdi className="fc-second">{`Not accepted: ${note ?? 'changed by someone else.'}`}</bdi>
  }
  return kind === 'state' && note !== null && <bdi className="fc-second">{note}</bdi>
}
