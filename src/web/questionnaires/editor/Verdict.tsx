import type { questionnaires } from '#contract/questionnaires/questionnaires/questionnaires.ts'
import type { Output } from '#contract/endpoint.ts'
import { questionsOf } from '#contract/questions/rule-names.ts'
import type { ScoreReason } from '#contract/questions/scores/score-answers.ts'
import { textIn } from '#contract/questions/texts.ts'
import type { CallFailure } from '#web/api/failure.ts'
import { openRequired, VerdictFrame } from '#web/questions/trial/VerdictFrame.tsx'
import type { DraftContent } from './draft-saver.ts'
import { valuesOf } from './scoring/score-defaults.ts'

type Trial = Output<typeof questionnaires.tryOut>
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
    <VerdictFrame {...{ draft: content.draft, language, verdict, failure, isStale }}>
      {verdict !== null && verdict.scores !== null && (
        <ScoreExplanation
          {...{ content, language }}
          scores={verdict.scores}
          isOpen={openRequired(verdict) > 0}
        />
      )}
    </VerdictFrame>
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
