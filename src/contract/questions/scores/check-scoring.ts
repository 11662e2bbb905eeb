import { Exact } from '../../expressions/exact.ts'
import type { Completeness } from '../check-texts.ts'
import type { DefinitionFault, Path } from '../definition-fault.ts'
import type { Definition, Question } from '../definition.ts'
import { textIn, type Texts } from '../texts.ts'
import { isScorable } from './scorable.ts'
import type { QuestionScore, ScoreOf, Scoring } from './scoring.ts'

export type ScoringCheck = Readonly<{
  faults: readonly DefinitionFault[]
  /** Of the texts of the scoring, in the order of the definition's languages. */
  completeness: readonly Completeness[]
}>

/** What is reported with a place: paths start with `scoring`. */
type Report = (path: Path, message: string, more?: { question?: string; severity?: 'warning' }) => void

/** Reports every fault of a scoring. One without errors can be used by `scoreAnswers`. */
export function checkScoring(definition: Definition, scoring: Scoring): ScoringCheck {
  const faults: DefinitionFault[] = []
  const sectionOf = new Map(
    definition.sections.flatMap(({ id, questions }) => questions.map(({ code }) => [code, id])),
  )
  const report: Report = (path, message, { question, severity } = {}) => {
    const section = question === undefined ? undefined : sectionOf.get(question)
    faults.push({
      severity: severity ?? 'error',
      message,
      path: ['scoring', ...path],
      section: section ?? null,
      question: section === undefined ? null : (question ?? null),
      span: null,
    })
  }
  checkQuestions(definition, scoring, report)
  checkSections(definition, scoring, report)
  checkBands(definition, scoring, report)
  return { faults, completeness: checkTexts(definition, scoring, report) }
}

function checkQuestions(definition: Definition, { questions }: Scoring, report: Report): void {
  const byCode = new Map(
    definition.sections.flatMap((section) => section.questions.map((question) => [question.code, question])),
  )
  const seen = new Set<string>()
  questions.forEach((score, at) => {
    const { question: code } = score
    const tell = (path: Path, message: string) =>
      report(['questions', at, ...path], message, { question: code })
    const question = byCode.get(code)
    if (question === undefined) {
      tell(['question'], `Points are given for ${code === '' ? 'a question' : code}, which doesn't exist.`)
      return
    }
    if (seen.has(code)) tell(['question'], `Points for ${code} are given twice.`)
    seen.add(code)
    if (!isScorable(question, score.kind)) {
      tell(['kind'], `Questions of this type can't be scored this way.`)
      return
    }
    if (new Exact(score.weight).isZero()) tell(['weight'], 'The weight must be more than 0.')
    if (score.kind === 'choices') checkChoices(question, score, tell)
    else checkRanges(score, tell)
  })
}

function checkChoices(
  question: Question,
  score: ScoreOf<'choices'>,
  tell: (path: Path, message: string) => void,
): void {
  const values = valuesOf(question)
  const seen = new Set<string>()
  score.points.forEach(({ value }, at) => {
    if (!values.includes(value)) tell(['points', at, 'value'], `The question has no choice ${value}.`)
    else if (seen.has(value)) tell(['points', at, 'value'], `Points for ${value} are given twice.`)
    seen.add(value)
  })
  if (score.points.every(({ points }) => new Exact(points).isZero())) {
    tell(['points'], 'Give points to at least one choice.')
  }
  if (score.most !== undefined) {
    if (question.type !== 'multiple') tell(['most'], 'Only a question with several choices has a limit.')
    else if (new Exact(score.most).isZero()) tell(['most'], 'The maximum points must be more than 0.')
  }
  const rows = question.type === 'matrix' ? question.rows.map(({ code }) => code) : []
  const weights = score.rows ?? []
  weights.forEach(({ row }, at) => {
    if (!rows.includes(row)) tell(['rows', at, 'row'], `The question has no row ${row}.`)
    else if (weights.findIndex((one) => one.row === row) < at) {
      tell(['rows', at, 'row'], `The weight of ${row} is given twice.`)
    }
  })
  const weighs = (code: string) => weights.find(({ row }) => row === code)?.weight ?? '1'
  if (rows.length > 0 && rows.every((code) => new Exact(weighs(code)).isZero())) {
    tell(['rows'], 'At least one row needs a weight of more than 0.')
  }
}

/** The values that an answer can have, as text. */
function valuesOf(question: Question): string[] {
  if (question.type === 'boolean' || question.type === 'computed') return ['true', 'false']
  return 'choices' in question ? question.choices.map(({ value }) => value) : []
}

function checkRanges({ ranges }: ScoreOf<'ranges'>, tell: (path: Path, message: string) => void): void {
  ranges.forEach(({ from }, at) => {
    const former = ranges[at - 1]
    if (former !== undefined && new Exact(from).lessThanOrEqualTo(former.from)) {
      tell(['ranges', at, 'from'], `This must be more than ${former.from}.`)
    }
  })
  if (ranges.every(({ points }) => new Exact(points).isZero())) {
    tell(['ranges'], 'Give points to at least one range.')
  }
}

function checkSections(
  definition: Definition,
  { sections, questions, hasTotal }: Scoring,
  report: Report,
): void {
  const ids = definition.sections.map(({ id }) => id)
  sections.forEach(({ section }, at) => {
    if (!ids.includes(section)) report(['sections', at, 'section'], `There is no section ${section}.`)
    else if (sections.findIndex((one) => one.section === section) < at) {
      report(['sections', at, 'section'], `The weight of ${section} is given twice.`)
    }
  })
  const scored = scoredSections(definition, questions)
  const weighs = (id: string) => sections.find(({ section }) => section === id)?.weight ?? '1'
  if (hasTotal && scored.length > 0 && scored.every((id) => new Exact(weighs(id)).isZero())) {
    report(['sections'], 'At least one section with points needs a weight of more than 0.')
  }
}

/** The sections with a question that gets points. */
function scoredSections(definition: Definition, questions: readonly QuestionScore[]): string[] {
  const codes = new Set(questions.map(({ question }) => question))
  return definition.sections.flatMap((section) =>
    section.questions.some(({ code }) => codes.has(code)) ? [section.id] : [],
  )
}

function checkBands(definition: Definition, { bands, questions, hasTotal }: Scoring, report: Report): void {
  const scored = scoredSections(definition, questions)
  if (bands.length > 0 && questions.length === 0) {
    report(['bands'], 'Give points to a question, or remove the bands.')
  }
  bands.forEach(({ from, needs = [] }, at) => {
    const former = bands[at - 1]
    if (at === 0 && !new Exact(from).isZero()) report(['bands', 0, 'from'], 'The first band must start at 0.')
    if (former !== undefined && new Exact(from).lessThanOrEqualTo(former.from)) {
      report(['bands', at, 'from'], `This must be more than ${former.from}, where the band before it starts.`)
    }
    if (new Exact(from).greaterThan(100)) report(['bands', at, 'from'], 'Scores end at 100.')
    if (at === 0 && needs.length > 0) {
      report(['bands', 0, 'needs'], "The first band can't need anything: it is for everyone else.")
    }
    if (!hasTotal && needs.length > 0) {
      report(['bands', at, 'needs'], 'Only bands of a total can need scores of sections.')
    }
    needs.forEach((need, number) => {
      const path = ['bands', at, 'needs', number]
      if (!scored.includes(need.section)) {
        report([...path, 'section'], `There is no section ${need.section} with points.`)
      }
      if (new Exact(need.from).greaterThan(100)) report([...path, 'from'], 'Scores end at 100.')
    })
  })
}

function checkTexts({ languages }: Definition, scoring: Scoring, report: Report): Completeness[] {
  const [main = ''] = languages
  const required: { path: Path; texts: Texts; noun: string }[] = [
    ...scoring.bands.map(({ title }, at) => ({
      path: ['bands', at, 'title'],
      texts: title,
      noun: 'name of the band',
    })),
    ...scoring.levels.map((texts, at) => ({ path: ['levels', at], texts, noun: 'name of the level' })),
  ]
  const optional = scoring.questions.flatMap(({ action }) =>
    action !== undefined && Object.values(action).some((text) => text.trim() !== '') ? [action] : [],
  )
  for (const { path, texts, noun } of required) {
    if (textIn(texts, main, []) === '') {
      report([...path, main], `Enter the ${noun} in the default language (${main}).`)
    }
  }
  const all = [...required.map(({ texts }) => texts), ...optional]
  return languages.map((language) => ({
    language,
    translated: all.filter((texts) => textIn(texts, language, []) !== '').length,
    total: all.length,
  }))
}
