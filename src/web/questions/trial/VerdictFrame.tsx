import { IconAlertTriangle, IconCircleCheck } from '@tabler/icons-react'
import type { ReactNode } from 'react'
import type { Definition } from '#contract/questions/definition.ts'
import { isMissing } from '#contract/questions/one-of.ts'
import { questionsOf } from '#contract/questions/rule-names.ts'
import { textIn } from '#contract/questions/texts.ts'
import type { TrialVerdict } from '#contract/questions/trial.ts'
import type { CallFailure } from '#web/api/failure.ts'
import { count } from '#web/ui/layout/date-format.ts'

type Props = {
  draft: Definition
  language: string
  /** Null until the first response. */
  verdict: TrialVerdict | null
  failure: CallFailure | null
  /** Answers have changed since. */
  isStale: boolean
  /** What else the verdict says. */
  children?: ReactNode
}

/** What the server says about the answers: problems and progress. */
export function VerdictFrame({ draft, language, verdict, failure, isStale, children }: Props) {
  return (
    <aside className="fc-verdict" aria-label="Result of the check" aria-busy={isStale}>
      <h2>Result of the check</h2>
      {failure !== null && (
        <p className="fc-rows-error" role="alert">
          <bdi>{Object.values(failure.fields)[0] ?? failure.message}</bdi>
        </p>
      )}
      {verdict !== null && failure === null && (
        <>
          <Findings {...{ draft, language, verdict }} />
          {children}
        </>
      )}
    </aside>
  )
}

/** The required questions without a valid answer. */
export const openRequired = ({ progress }: Pick<TrialVerdict, 'progress'>): number =>
  progress.required - progress.requiredAnswered

function Findings({
  draft,
  language,
  verdict,
}: {
  draft: Definition
  language: string
  verdict: TrialVerdict
}) {
  const { progress, evaluation } = verdict
  const wrong = evaluation.problems.filter((problem) => !isMissing(problem))
  const open = openRequired(verdict)
  const nameOf = (code: string) => {
    const question = questionsOf(draft).find((one) => one.code === code)
    return textIn(question?.title, language, draft.languages) || code
  }
  return (
    <>
      <p>
        {count(progress.answered, 'answer', 'answers')} to{' '}
        {count(progress.questions, 'question', 'questions')}
        {open > 0 && `, ${count(open, 'required question', 'required questions')} open`}.
      </p>
      {evaluation.problems.length === 0 ? (
        <p className="fc-verdict-line">
          <IconCircleCheck size={16} className="fc-good-mark" aria-hidden="true" /> Could be submitted
        </p>
      ) : (
        <p className="fc-verdict-line">
          <IconAlertTriangle size={16} className="fc-warning-mark" aria-hidden="true" /> Can't be submitted
          yet
        </p>
      )}
      {wrong.length > 0 && (
        <ul className="fc-verdict-list">
          {wrong.map(({ question, message, row }, at) => (
            <li key={at}>
              <bdi>
                {nameOf(question)}
                {row !== undefined && `, row ${row + 1}`}: {message}
              </bdi>
            </li>
          ))}
        </ul>
      )}
    </>
  )
}
