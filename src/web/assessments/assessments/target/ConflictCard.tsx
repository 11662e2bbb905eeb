import { Button } from '@mantine/core'
import { answerText, rowText } from '#contract/assessments/answers/answer-text.ts'
import type { Question } from '#contract/questions/definition.ts'
import { type Change, combine } from '../../participants/answer-queue.ts'
import type { TargetState } from './use-target.ts'

type Props = { change: Change; question: Question; target: TargetState }

/** Two people changed one answer. Neither value is lost: the other one stays in the history. */
export function ConflictCard({ change, question, target: { answering, compiled, language, record } }: Props) {
  const { current, value } = change
  const context = {
    language,
    languages: compiled.definition.languages,
    facilities: new Map(record.facilities.map((one) => [one.value, one.label])),
  }
  const show = (one: unknown) => {
    const isRow = question.type === 'table' && change.row !== ''
    const words = isRow ? rowText(question.columns, one, context) : answerText(question, one, context)
    return words === '' ? 'No answer' : words
  }
  const canCombine = combine(question.type, current?.value ?? null, value) !== null
  return (
    <div className="fc-target-conflict" role="alert">
      <p>
        <strong>{current?.by === '' ? 'Someone' : current?.by} changed this answer too.</strong> Choose which
        one to keep. The other one stays in the history.
      </p>
      <dl>
        <dt>Yours</dt>
        <dd>
          <bdi>{show(value)}</bdi>
        </dd>
        <dt>Theirs</dt>
        <dd>
          <bdi>{show(current?.value ?? null)}</bdi>
        </dd>
      </dl>
      <div className="fc-row">
        <Button size="compact-sm" onClick={() => void answering.resolveConflict(change, 'mine')}>
          Keep mine
        </Button>
        <Button
          size="compact-sm"
          variant="default"
          onClick={() => void answering.resolveConflict(change, 'theirs')}
        >
          Keep theirs
        </Button>
        {canCombine && (
          <Button
            size="compact-sm"
            variant="default"
            onClick={() => void answering.resolveConflict(change, 'both')}
          >
            Keep both
          </Button>
        )}
      </div>
    </div>
  )
}
