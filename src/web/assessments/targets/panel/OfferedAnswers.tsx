import { Button } from '@mantine/core'
import type { OfferedAnswer } from '#contract/assessments/targets/targets.ts'
import type { Question } from '#contract/questions/definition.ts'
import { showAnswer } from '#contract/questions/show-answer.ts'
import { formatDay } from '#web/ui/layout/date-format.ts'
import { toDrafts } from '../../answering/answer-cells.ts'
import { differenceFrom } from '../target-view.ts'
import { type TargetState, wordsOf } from '../use-target.ts'

type Props = { target: TargetState; question: Question; isOpen: boolean }

/** The same question last year, and the same figure in other questionnaires, each with a button that takes it. */
export function OfferedAnswers({ target, question, isOpen }: Props) {
  const offered = target.record.offered.filter(({ questionCode }) => questionCode === question.code)
  return offered.map((one) => (
    <Offered
      key={`${one.kind}-${one.targetId}`}
      offered={one}
      target={target}
      question={question}
      isOpen={isOpen}
    />
  ))
}

function Offered({ offered, target, question, isOpen }: Props & { offered: OfferedAnswer }) {
  const { compiled, language, answering, evaluation } = target
  const words = showAnswer(question, offered.value, wordsOf(target))
  const now = evaluation.answers[question.code]
  const isSame = now !== undefined && showAnswer(question, now, wordsOf(target)) === words
  const difference = question.type === 'number' ? differenceFrom(offered.value, now) : null
  const title = offered.kind === 'previous' ? 'Last year' : offered.assessmentName
  // Files belong to the target they were added to.
  const canUse = isOpen && !isSame && question.type !== 'file' && question.type !== 'consent'
  const take = () => {
    const drafts = toDrafts(
      compiled,
      [{ questionCode: question.code, rowKey: '', value: offered.value }],
      language,
    )
    answering.change(question.code, drafts[question.code] ?? '', offered.targetId)
  }
  return (
    <section className="fc-target-card" aria-label={title}>
      <h3>
        <bdi>{title}</bdi>
      </h3>
      <p className="fc-target-offered">
        <bdi>{words}</bdi>
      </p>
      <p className="fc-small fc-soft">
        <bdi>
          {offered.kind === 'previous' ? '' : 'The same figure. '}
          Answered by {offered.answeredBy}, {formatDay(offered.answeredAt)}.
          {difference !== null && !isSame && ` This year is ${difference}.`}
          {isSame && ' The same as now.'}
        </bdi>
      </p>
      {canUse && (
        <div>
          <Button size="compact-sm" variant="default" onClick={take}>
            Use this answer
          </Button>
        </div>
      )}
    </section>
  )
}
