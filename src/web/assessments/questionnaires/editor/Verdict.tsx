import { IconAlertTriangle, IconCircleCheck } from '@tabler/icons-react'
import type { questionnaires } from '#contract/assessments/questionnaires/questionnaires.ts'
import type { Got } from '#contract/endpoint.ts'
import { questionsOf } from '#contract/questions/rule-names.ts'
import type { ScoreReason } from '#contract/questions/scores/score-answers.ts'
import { textIn } from '#contract/questions/texts.ts'
import type { CallFailure } from '#web/api/failure.ts'
import { count } from '#web/ui/layout/date-format.ts'
import type { DraftContent } from './draft-saver.ts'
import { valuesOf } from './score-defaults.ts'

type Trial = Got<typeof questionnaires.tryOut>
type Scores = NonNullable<Trial['scores']>
type Props = {
  content: DraftContent
  language: string
  /** Null until the first response. */
  verdict: Trial | null
  failure: CallFailure | null
  /** Answers have changed since. */
  isStale: boolean
}

/** What the server says about the answers: problems, progress and the score with its reasons. */
export function Verdict({ content, language, verdict, failure, isStale }: Props) {
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
          <Findings {...{ content, language, verdict }} />
          {verdict.scores !== null && (
            <ScoreExplanation
              {...{ content, language }}
              scores={verdict.scores}
              isOpen={openRequired(verdict) > 0}
            />
          )}
        </>
      )}
    </aside>
  )
}

const openRequired = ({ progress }: Trial): number => progress.required - progress.requiredAnswered

function Findings({
  content: { draft },
  language,
  verdict,
}: {
  content: DraftContent
  language: string
  verdict: Trial
}) {
  const { progress, evaluation } = verdict
  const wrong = evaluation.problems.filter(({ code }) => code !== 'required' && code !== 'consentRequired')
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

function ScoreExplanation({
  content: { draft, scoring },
  language,
  scores: { total, sections, questions },
  isOpen,
}: {
  content: DraftContent
  language: string
  scores: Scores
  isOpen: boolean
}) {
  const text = (texts: Readonly<Record<string, string>> | undefined) =>
    textIn(texts, language, draft.languages)
  const bandOf = (band: number | null) => (band === null ? '' : text(scoring.bands[band]?.title))
  const byCode = new Map(questionsOf(draft).map((question) => [question.code, question]))
  return (
    <>
      <h3>Score</h3>
      {isOpen && (
        <p className="fc-small fc-soft">
          Of the answers so far. Assessments show a score when all required questions are answered.
        </p>
      )}
      {total !== null && (
        <p className="fc-verdict-total">
          <span className="fc-number">{total.score ?? 'None'}</span>
          {total.score !== null && ' of 100'} <strong>{bandOf(total.band)}</strong>
          {total.level !== null && <span className="fc-small fc-soft"> maturity level {total.level}</span>}
        </p>
      )}
      {total?.nextBand != null && (
        <p className="fc-small fc-soft">
          {text(scoring.bands[total.nextBand.band]?.title)} needs {total.nextBand.missing} more points
          {total.nextBand.sections.map(({ section, from }) => {
            const found = draft.sections.find(({ id }) => id === section)
            return `, at least ${from} in ${text(found?.title) || section}`
          })}
          .
        </p>
      )}
      {sections.map((one) => {
        const found = draft.sections.find(({ id }) => id === one.section)
        return (
          <details key={one.section} className="fc-verdict-section">
            <summary>
              <span className="fc-grow">
                <bdi>{text(found?.title) || one.section}</bdi>
              </span>
              <span className="fc-number">{one.score ?? '–'}</span> <span>{bandOf(one.band)}</span>
            </summary>
            <ul className="fc-verdict-list">
              {questions
                .filter(({ section }) => section === one.section)
                .map(({ question: code, contribution, possible, reasons, state }) => {
                  const question = byCode.get(code)
                  return (
                    <li key={code}>
                      <bdi>{text(question?.title) || code}</bdi>
                      <span className="fc-second">
                        {contribution === null || possible === null
                          ? STATES[state]
                          : `+${contribution} of ${possible}`}
                        {question !== undefined &&
                          reasons
                            .filter(({ isMet }) => isMet)
                            .map((reason) => `, ${reasonWords(reason, valuesOf(question), text)}`)}
                      </span>
                    </li>
                  )
                })}
            </ul>
          </details>
        )
      })}
    </>
  )
}

const STATES = {
  answered: "Doesn't count",
  notApplicable: "Not applicable, doesn't count",
  refused: "Declined, doesn't count",
  unanswered: "Not answered, doesn't count",
} as const

/** "+6.3 if “Reviewed every year”". */
function reasonWords(
  { value, adds, row }: ScoreReason,
  values: ReturnType<typeof valuesOf>,
  text: (texts: Readonly<Record<string, string>> | undefined) => string,
): string {
  const found = values.find((one) => one.value === value)
  const name = found === undefined ? `from ${value ?? 0}` : `“${text(found.title) || found.value}”`
  const points = adds === null ? '' : `+${adds} `
  return `${points}for ${name}${row === null ? '' : ` (${row})`}`
}
