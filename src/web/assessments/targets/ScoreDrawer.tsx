import type { QuestionScoreResult } from '#contract/questions/scores/score-schema.ts'
import type { Question } from '#contract/questions/definition.ts'
import { textIn } from '#contract/questions/texts.ts'
import { FormDrawer } from '#web/ui/form/FormDrawer.tsx'
import type { TargetState } from './use-target.ts'

/** The score with the reason for every point, question by question. */
export function ScoreDrawer({ target, onClose }: { target: TargetState; onClose: () => void }) {
  const { record, compiled, language } = target
  const { scores, scoring } = record
  if (scores === null) return null
  const { languages, sections } = compiled.definition
  const words = (texts: Readonly<Record<string, string>> | undefined) => textIn(texts, language, languages)
  const band = (at: number | null) => (at === null ? '' : words(scoring.bands[at]?.title))
  const titleOf = (id: string) => words(sections.find((one) => one.id === id)?.title)
  const next = scores.total?.nextBand ?? null
  return (
    <FormDrawer title="Score" about={record.name} size={640} onClose={onClose}>
      <div className="fc-target-drawer fc-score">
        {scores.total !== null && (
          <p className="fc-score-total">
            <strong className="fc-number">{scores.total.score ?? '–'}</strong> of 100
            {band(scores.total.band) !== '' && `, ${band(scores.total.band)}`}
          </p>
        )}
        {next !== null && (
          <p className="fc-small fc-soft">
            {band(next.band)} starts at {next.from}
            {next.missing === '0.0' ? '' : `: ${next.missing} points more`}
            {next.sections.map((one) => `, ${titleOf(one.section)} needs ${one.from}`).join('')}.
          </p>
        )}
        {scores.sections.map((section) => (
          <section key={section.section} aria-label={titleOf(section.section)}>
            <h3>
              <bdi>{titleOf(section.section)}</bdi>
              <span className="fc-number">
                {section.contribution === null
                  ? (section.score ?? 'Does not count')
                  : `${section.contribution} of ${section.possible}`}
              </span>
            </h3>
            <ul>
              {scores.questions
                .filter((one) => one.section === section.section)
                .map((one) => (
                  <ScoredQuestion key={one.question} result={one} target={target} />
                ))}
            </ul>
          </section>
        ))}
      </div>
    </FormDrawer>
  )
}

function ScoredQuestion({ result, target }: { result: QuestionScoreResult; target: TargetState }) {
  const { compiled, language, record } = target
  const question = compiled.byCode.get(result.question)?.question
  if (question === undefined) return null
  const { languages } = compiled.definition
  const scored = record.scoring.questions.find((one) => one.question === result.question)
  const action = result.contribution !== result.possible ? textIn(scored?.action, language, languages) : ''
  const met = result.reasons.filter(({ isMet }) => isMet)
  const better = result.reasons.filter(
    ({ isMet, adds }) => !isMet && Number(adds ?? 0) > Number(result.contribution ?? 0),
  )
  return (
    <li>
      <p className="fc-score-line">
        <bdi>{textIn(question.title, language, languages)}</bdi>
        <span className="fc-number">
          {result.counts
            ? `${result.contribution ?? '0.0'} of ${result.possible ?? '0.0'}`
            : 'Does not count'}
        </span>
      </p>
      {met.map((reason, at) => (
        <p key={at} className="fc-small">
          +{reason.adds ?? '0.0'} because {reasonWords(question, scored?.kind, reason, language, languages)}
        </p>
      ))}
      {met.length === 0 && <p className="fc-small">{NOTHING[result.state]}</p>}
      {better.map((reason, at) => (
        <p key={at} className="fc-small fc-soft">
          {reason.adds} if {reasonWords(question, scored?.kind, reason, language, languages)}
        </p>
      ))}
      {action !== '' && (
        <p className="fc-small">
          <strong>What to do:</strong> <bdi>{action}</bdi>
        </p>
      )}
    </li>
  )
}

const NOTHING = {
  answered: 'No points for this answer.',
  notApplicable: 'Left out, because it does not apply.',
  refused: 'No points, because it was not answered.',
  unanswered: 'No points, because it was not answered.',
} as const

type Reason = QuestionScoreResult['reasons'][number]

/** "“Reviewed every year”", "80 or more", "Roof: “Insulated”". */
function reasonWords(
  question: Question,
  kind: 'choices' | 'ranges' | undefined,
  { value, row }: Reason,
  language: string,
  languages: readonly string[],
): string {
  const choices = 'choices' in question ? question.choices : []
  const title = textIn(choices.find((one) => one.value === value)?.title, language, languages)
  const rowTitle =
    question.type === 'matrix'
      ? textIn(question.rows.find(({ code }) => code === row)?.title, language, languages)
      : ''
  const where = rowTitle === '' ? '' : `${rowTitle}: `
  if (kind === 'ranges') return value === null ? 'it is below all limits' : `it is ${value} or more`
  if (value === null) return `${where}no listed answer was chosen`
  if (value === 'true' || value === 'false') return `${where}“${value === 'true' ? 'Yes' : 'No'}”`
  return `${where}“${title === '' ? value : title}”`
}
