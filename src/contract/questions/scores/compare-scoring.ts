import { type DefinitionChange, isEqual } from '../changes.ts'
import type { Definition } from '../definition.ts'
import { textIn } from '../texts.ts'
import type { QuestionScore, Scoring } from './scoring.ts'

/** The questions and scoring of one version. */
export type ScoredDefinition = Readonly<{ definition: Definition; scoring: Scoring }>

/**
 * The differences between the scoring of two versions. Answers stay valid in all of them; scores may change. Questions are
 * named by their title in the newer version.
 */
export function compareScoring(before: ScoredDefinition, after: ScoredDefinition): DefinitionChange[] {
  const changes: DefinitionChange[] = []
  const add = (message: string, place: { section?: string; question?: string } = {}) =>
    changes.push({
      kind: 'score',
      section: place.section ?? null,
      question: place.question ?? null,
      message,
      effect: 'kept',
    })
  compareQuestions(before, after, add)
  compareSections(before, after, add)
  compareWhole(before, after, add)
  return changes
}

type Add = (message: string, place?: { section?: string; question?: string }) => void

function compareQuestions(before: ScoredDefinition, after: ScoredDefinition, add: Add): void {
  const former = new Map(before.scoring.questions.map((score) => [score.question, score]))
  const current = new Map(after.scoring.questions.map((score) => [score.question, score]))
  const exists = new Set(
    after.definition.sections.flatMap(({ questions }) => questions.map(({ code }) => code)),
  )
  for (const [code, score] of current) {
    const other = former.get(code)
    const name = titleOf(code, after, before)
    if (other === undefined) add(`${name}: now gives points.`, { question: code })
    else compareScore(name, other, score, (message) => add(message, { question: code }))
  }
  for (const code of former.keys()) {
    // A removed question is already among the changes of the definition.
    if (!current.has(code) && exists.has(code)) {
      add(`${titleOf(code, after, before)}: no longer gives points.`, { question: code })
    }
  }
}

function compareScore(
  name: string,
  before: QuestionScore,
  after: QuestionScore,
  add: (message: string) => void,
): void {
  if (before.weight !== after.weight) add(`${name}: weight ${after.weight} instead of ${before.weight}.`)
  if (!isEqual(pointsOf(before), pointsOf(after))) add(`${name}: other points.`)
  if (!isEqual(before.action, after.action)) add(`${name}: other suggested action.`)
}

/** What gives points, in any order, without what gives none. */
function pointsOf(score: QuestionScore) {
  if (score.kind === 'ranges') return { ranges: score.ranges }
  const points = score.points.filter((one) => Number(one.points) !== 0)
  const rows = (score.rows ?? []).filter(({ weight }) => Number(weight) !== 1)
  return {
    points: Object.fromEntries(points.map((one) => [`=${one.value}`, one.points])),
    rows: Object.fromEntries(rows.map(({ row, weight }) => [`=${row}`, weight])),
    most: score.most ?? null,
  }
}

function compareSections(before: ScoredDefinition, after: ScoredDefinition, add: Add): void {
  const weightOf = ({ scoring }: ScoredDefinition, id: string) =>
    scoring.sections.find(({ section }) => section === id)?.weight ?? '1'
  const ids = new Set(before.definition.sections.map(({ id }) => id))
  for (const { id, title } of after.definition.sections) {
    if (!ids.has(id)) continue
    const [was, is] = [weightOf(before, id), weightOf(after, id)]
    if (was === is) continue
    const { languages } = after.definition
    const name = textIn(title, languages[0] ?? '', languages) || id
    add(`Section “${name}”: weight ${is} instead of ${was}.`, { section: id })
  }
}

function compareWhole(before: ScoredDefinition, after: ScoredDefinition, add: Add): void {
  const [was, is] = [before.scoring, after.scoring]
  if (was.hasTotal !== is.hasTotal) add(`Score: ${is.hasTotal ? 'with a total' : 'without a total'}.`)
  if (was.unanswered !== is.unanswered) {
    add(
      is.unanswered === 'zero'
        ? 'Score: a question without an answer counts as no points.'
        : "Score: a question without an answer doesn't count.",
    )
  }
  const [bandsBefore, bandsAfter] = [bandsIn(before), bandsIn(after)]
  if (bandsBefore !== bandsAfter) add(`Bands: ${bandsAfter || 'none'} instead of ${bandsBefore || 'none'}.`)
  else if (!isEqual(was.bands, is.bands)) add('Bands: other requirements or translations.')
  if (!isEqual(was.levels, is.levels)) add('Maturity levels: other names.')
}

/** "Start from 0, Bronze from 25". */
function bandsIn({ definition: { languages }, scoring }: ScoredDefinition): string {
  return scoring.bands
    .map(({ title, from }) => `${textIn(title, languages[0] ?? '', languages)} from ${from}`)
    .join(', ')
}

function titleOf(code: string, ...versions: readonly ScoredDefinition[]): string {
  for (const { definition } of versions) {
    const question = definition.sections
      .flatMap(({ questions }) => questions)
      .find((one) => one.code === code)
    const title = textIn(question?.title, definition.languages[0] ?? '', definition.languages)
    if (title !== '') return title
  }
  return code
}
