import type { CompiledDefinition } from '../compile.ts'
import type { Evaluation } from '../evaluate.ts'
import {
  compare,
  divide,
  type Fraction,
  fractionOf,
  multiply,
  ONE,
  shareTenths,
  sum,
  toDigits,
  toTenths,
  ZERO,
} from './fraction.ts'
import { type EarnedPoints, earnPoints } from './earn-points.ts'
import { scoreKindOf } from './scorable.ts'
import type { QuestionScore, Scoring } from './scoring.ts'

/** `refused`: with a reason, where the question allows it. Counts like `unanswered`. */
export type AnswerState = 'answered' | 'notApplicable' | 'refused' | 'unanswered'

/** Scores are text with one decimal, from `0.0` to `100.0`, rounded half up. */
type Score = Readonly<{
  /** Null if nothing counts. */
  score: string | null
  /** The index of its band; null without a score or bands. */
  band: number | null
  /** The mean maturity level with one decimal, from 0; null if the scoring has no levels. */
  level: string | null
}>

export type SectionScore = Score &
  Readonly<{
    section: string
    /** Questions with points that are asked and apply, and how many of them are answered. */
    questions: number
    answered: number
    /** What it adds to the total, of what it could add. Null if it doesn't count. */
    contribution: string | null
    possible: string | null
  }>

/** One reason for points: "+6.3 if “Reviewed every year”". */
export type ScoreReason = Readonly<{
  /** What it is for: a choice, the lower limit of a range, or null for none of them. */
  value: string | null
  /** Of a matrix. */
  row: string | null
  points: string
  /** What it adds to the total, or to its section if there is no total. Null if the question doesn't count. */
  adds: string | null
  isMet: boolean
}>

export type QuestionResult = Readonly<{
  question: string
  section: string
  state: AnswerState
  /** Whether it is part of the score: not if it doesn't apply, and only if answered when unanswered ones are left out. */
  counts: boolean
  points: string
  mostPoints: string
  /** Null if it doesn't count. */
  score: string | null
  /**
   * What it adds to the total (to its section if there is no total), of what it could add. Contributions add up to
   * exactly the rounded total. Null if it doesn't count.
   */
  contribution: string | null
  possible: string | null
  /** Those that are met first. */
  reasons: readonly ScoreReason[]
}>

/** What the next band needs: more of the total, and scores of sections. */
export type NextBand = Readonly<{
  band: number
  from: string
  /** How much of the total is missing, `0.0` if none. */
  missing: string
  sections: readonly Readonly<{ section: string; from: string; score: string | null }>[]
}>

export type ScoreResult = Readonly<{
  /** Null if the scoring has no total. */
  total: (Score & Readonly<{ nextBand: NextBand | null }>) | null
  /** Sections with a question that has points and is asked, in order. */
  sections: readonly SectionScore[]
  /** In the order of the definition. */
  questions: readonly QuestionResult[]
}>

/** A scored question that is asked. */
type Scored = Readonly<{
  score: QuestionScore
  section: string
  state: AnswerState
  counts: boolean
  earned: EarnedPoints
  /** 0 to 1. */
  share: Fraction
  weight: Fraction
}>

/** A section, and the weight of each of its questions in the final figure: the total, or the section without one. */
type Scope = Readonly<{
  id: string
  all: readonly Scored[]
  counted: readonly Scored[]
  mean: Fraction | null
  /** What 100 % of this section adds to the final figure, 0 to 1; null if it doesn't count. */
  part: Fraction | null
}>

const HUNDRED = fractionOf('100')

/**
 * Scores answers that `evaluateAnswers` has accepted, with the definition and the scoring of the same version. Pure and
 * exact: only the results are rounded. Questions that aren't asked, and answers that don't apply, are left out.
 */
export function scoreAnswers(
  compiled: CompiledDefinition,
  evaluation: Pick<Evaluation, 'visible' | 'answers' | 'computed'>,
  scoring: Scoring,
): ScoreResult {
  const scored = scoreQuestions(compiled, evaluation, scoring)
  const scopes = makeScopes(compiled, scored, scoring)
  const total = scoring.hasTotal
    ? meanOf(
        scopes.flatMap(({ mean, part }) =>
          mean !== null && part !== null ? [{ share: mean, weight: part }] : [],
        ),
      )
    : null
  const questions = scoring.hasTotal
    ? describeQuestions(scopes, total)
    : scopes.flatMap((scope) => describeQuestions([scope], scope.mean))
  const sections = describeSections(scopes, questions, scoring)
  return {
    total: scoring.hasTotal ? describeTotal(total, sections, scoring) : null,
    sections,
    questions,
  }
}

function scoreQuestions(
  compiled: CompiledDefinition,
  { visible, answers, computed }: Pick<Evaluation, 'visible' | 'answers' | 'computed'>,
  scoring: Scoring,
): Scored[] {
  const shown = new Set(visible)
  const byCode = new Map(scoring.questions.map((score) => [score.question, score]))
  return compiled.questions.flatMap(({ question, section }) => {
    const { code } = question
    const score = byCode.get(code)
    if (score === undefined || scoreKindOf(question) !== score.kind) return []
    const source = question.type === 'computed' ? computed : answers
    const value = Object.hasOwn(source, code) ? (source[code] ?? null) : null
    // A hidden field is asked if it has a value.
    if (!shown.has(code) && value === null) return []
    const state = stateOf(value)
    const earned = earnPoints(question, score, state === 'answered' ? value : null, scoring.unanswered)
    const share = compare(earned.most, ZERO) > 0 ? divide(earned.points, earned.most) : ZERO
    const isMissing = state !== 'answered' && scoring.unanswered === 'exclude'
    const isOut = state === 'notApplicable' || isMissing || earned.isWeightless
    return [
      { score, section: section.id, state, counts: !isOut, earned, share, weight: fractionOf(score.weight) },
    ]
  })
}

function stateOf(value: unknown): AnswerState {
  if (value === null) return 'unanswered'
  if (typeof value !== 'object' || Array.isArray(value)) return 'answered'
  if ('notApplicable' in value && value.notApplicable === true) return 'notApplicable'
  return 'refused' in value ? 'refused' : 'answered'
}

function makeScopes(compiled: CompiledDefinition, scored: readonly Scored[], scoring: Scoring): Scope[] {
  const scopes = compiled.definition.sections.flatMap(({ id }) => {
    const all = scored.filter(({ section }) => section === id)
    if (all.length === 0) return []
    const counted = all.filter(({ counts }) => counts)
    const listed = scoring.sections.find(({ section }) => section === id)?.weight
    return [
      { id, all, counted, mean: meanOf(counted), weight: listed === undefined ? ONE : fractionOf(listed) },
    ]
  })
  const whole = sum(scopes.filter(({ mean }) => mean !== null).map(({ weight }) => weight))
  return scopes.map(({ weight, ...scope }) => {
    if (scope.mean === null) return { ...scope, part: null }
    if (!scoring.hasTotal) return { ...scope, part: ONE }
    return { ...scope, part: compare(weight, ZERO) > 0 ? divide(weight, whole) : null }
  })
}

/** The weighted mean; null without any weight. */
function meanOf(all: readonly Pick<Scored, 'share' | 'weight'>[]): Fraction | null {
  const weights = sum(all.map(({ weight }) => weight))
  if (compare(weights, ZERO) === 0) return null
  return divide(sum(all.map(({ share, weight }) => multiply(share, weight))), weights)
}

/** The questions of scopes that add up to one figure, `final`. */
function describeQuestions(scopes: readonly Scope[], final: Fraction | null): QuestionResult[] {
  const parts = scopes.flatMap(({ all, counted, part }) => {
    const weights = sum(counted.map(({ weight }) => weight))
    return all.map((one) => {
      const isPart = one.counts && part !== null && compare(weights, ZERO) > 0
      return { one, possible: isPart ? multiply(HUNDRED, multiply(part, divide(one.weight, weights))) : null }
    })
  })
  const added = parts.map(({ one, possible }) => (possible === null ? ZERO : multiply(possible, one.share)))
  const shares = shareTenths(added, final === null ? '0.0' : toTenths(multiply(final, HUNDRED)))
  return parts.map(({ one, possible }, at) => {
    const contribution = possible === null ? null : (shares[at] ?? null)
    return {
      question: one.score.question,
      section: one.section,
      state: one.state,
      counts: one.counts,
      points: toDigits(one.earned.points),
      mostPoints: toDigits(one.earned.most),
      score: one.counts ? toTenths(multiply(one.share, HUNDRED)) : null,
      contribution,
      possible: possible === null ? null : toTenths(possible),
      reasons: describeReasons(one.earned, possible, contribution),
    }
  })
}

function describeReasons(
  { reasons, most, isCapped }: EarnedPoints,
  possible: Fraction | null,
  contribution: string | null,
): ScoreReason[] {
  const fullPoints = reasons.map(({ part }) =>
    possible === null || part === null || compare(most, ZERO) === 0
      ? null
      : divide(multiply(possible, part), most),
  )
  const met = reasons.flatMap(({ isMet }, at) => (isMet ? [fullPoints[at] ?? ZERO] : []))
  // Those that are met add up to the contribution, unless there is a limit.
  const shares = contribution === null || isCapped ? [] : shareTenths(met, contribution)
  let next = 0
  return reasons
    .map(({ value: reached, row, points, isMet }, at): ScoreReason => {
      const full = fullPoints[at] ?? null
      const own = isMet ? shares[next] : undefined
      if (isMet) next += 1
      return { value: reached, row, points, isMet, adds: full === null ? null : (own ?? toTenths(full)) }
    })
    .toSorted((a, b) => Number(b.isMet) - Number(a.isMet))
}

function describeSections(
  scopes: readonly Scope[],
  questions: readonly QuestionResult[],
  scoring: Scoring,
): SectionScore[] {
  return scopes.map(({ id, all, mean, part }) => {
    const score = mean === null ? null : toTenths(multiply(mean, HUNDRED))
    const applying = all.filter(({ state }) => state !== 'notApplicable')
    const isPart = scoring.hasTotal && part !== null && mean !== null
    return {
      section: id,
      score,
      band: scoring.bands.length === 0 || score === null ? null : bandOf(score, scoring),
      level: levelOf(mean, scoring),
      questions: applying.length,
      answered: applying.filter(({ state }) => state === 'answered').length,
      contribution: isPart ? addTenths(questions.filter(({ section }) => section === id)) : null,
      possible: isPart && part !== null ? toTenths(multiply(HUNDRED, part)) : null,
    }
  })
}

function addTenths(questions: readonly QuestionResult[]): string {
  return toTenths(sum(questions.map(({ contribution }) => fractionOf(contribution ?? '0'))))
}

function levelOf(mean: Fraction | null, { levels }: Scoring): string | null {
  if (mean === null || levels.length < 2) return null
  return toTenths(multiply(mean, fractionOf(String(levels.length - 1))))
}

function describeTotal(
  mean: Fraction | null,
  sections: readonly SectionScore[],
  scoring: Scoring,
): ScoreResult['total'] {
  const score = mean === null ? null : toTenths(multiply(mean, HUNDRED))
  const band = score === null || scoring.bands.length === 0 ? null : bandOf(score, scoring, sections)
  return { score, band, level: levelOf(mean, scoring), nextBand: nextBandOf(score, band, sections, scoring) }
}

/** The highest band whose limit is reached, as the reader sees the score: rounded. With `sections`, their scores too. */
function bandOf(score: string, { bands }: Scoring, sections?: readonly SectionScore[]): number | null {
  const at = bands.findLastIndex(
    (band) =>
      reaches(score, band.from) && (sections === undefined || missingSections(band, sections).length === 0),
  )
  return at === -1 ? null : at
}

function reaches(score: string | null, from: string): boolean {
  return score !== null && compare(fractionOf(score), fractionOf(from)) >= 0
}

function missingSections(
  { needs = [] }: Scoring['bands'][number],
  sections: readonly SectionScore[],
): NextBand['sections'] {
  return needs.flatMap(({ section, from }) => {
    const found = sections.find((one) => one.section === section)
    // A section that isn't asked, or doesn't apply, can't be in the way.
    if (found === undefined || found.questions === 0) return []
    return reaches(found.score, from) ? [] : [{ section, from, score: found.score }]
  })
}

function nextBandOf(
  score: string | null,
  current: number | null,
  sections: readonly SectionScore[],
  { bands }: Scoring,
): NextBand | null {
  const at = (current ?? -1) + 1
  const band = bands[at]
  if (score === null || band === undefined) return null
  const from = fractionOf(band.from)
  const own = fractionOf(score)
  const missing = compare(own, from) < 0 ? sum([from, { over: -own.over, under: own.under }]) : ZERO
  return { band: at, from: band.from, missing: toTenths(missing), sections: missingSections(band, sections) }
}
