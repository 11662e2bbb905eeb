import { isAnswerable, isReviewed } from '#contract/assessments/targets/target-states.ts'
import { explainObligation } from '#contract/questions/obligations.ts'
import { textIn } from '#contract/questions/texts.ts'
import { type ShownQuestion, opennessOf } from '../target-view.ts'
import type { TargetState } from '../use-target.ts'
import { AnswerHistory } from './AnswerHistory.tsx'
import { Comments } from './Comments.tsx'
import { DelegateCard } from './DelegateCard.tsx'
import { EvidenceCard } from './EvidenceCard.tsx'
import { FlagCard } from './FlagCard.tsx'
import { OfferedAnswers } from './OfferedAnswers.tsx'

type Props = {
  target: TargetState
  shown: ShownQuestion
  /** The comment of a change that is about to be requested. */
  flag: string | undefined
  /** Null: the change is not requested anymore. */
  onFlag: (comment: string | null) => void
}

/** What belongs to one question: earlier answers, evidence, comments, delegation and history. */
export function QuestionPanel({ target, shown, flag, onFlag }: Props) {
  const { record, compiled, language } = target
  const { question, number } = shown
  const title = textIn(question.title, language, compiled.definition.languages)
  const { isOpen } = opennessOf(record, question)
  const reason = explainObligation(
    question,
    { edition: record.assessment.edition, size: record.size ?? record.assessment.size },
    compiled.definition,
  )
  return (
    <>
      <p className="fc-target-about">
        <span className="fc-number">{number}</span> <bdi>{title}</bdi>
      </p>
      {reason !== null && <p className="fc-small fc-soft">{reason}</p>}
      {isReviewed(record) && question.type !== 'computed' && record.assessment.review !== 'none' && (
        <FlagCard targetId={record.id} flag={flag} onFlag={onFlag} />
      )}
      <OfferedAnswers target={target} question={question} isOpen={isOpen} />
      <EvidenceCard target={target} code={question.code} isOpen={isOpen} />
      {question.type !== 'computed' && isAnswerable(record.state) && (
        <DelegateCard target={target} shown={shown} />
      )}
      <Comments target={target} code={question.code} />
      <AnswerHistory target={target} question={question} />
    </>
  )
}
