import type { Question } from '../definition.ts'
import { compare, divide, type Fraction, fractionOf, multiply, ONE, sum, ZERO } from './fraction.ts'
import type { QuestionScore, ScoreOf, Scoring } from './scoring.ts'

/** The points of one answer. */
export type EarnedPoints = Readonly<{
  points: Fraction
  most: Fraction
  reasons: readonly Readonly<{
    value: string | null
    row: string | null
    points: string
    isMet: boolean
    /** What it adds to `points`; null if its row doesn't count. */
    part: Fraction | null
  }>[]
  /** The reasons add up to more than `points`, because of a limit. */
  isCapped: boolean
  /** Nothing that was answered has a weight. */
  isWeightless: boolean
}>

/** The points that an answer gets. `value` is a stored answer or a computed value, null if there is none. */
export function earnPoints(
  question: Question,
  score: QuestionScore,
  value: unknown,
  unanswered: Scoring['unanswered'],
): EarnedPoints {
  if (score.kind === 'ranges') return fromRanges(score, value)
  if (question.type === 'matrix') return fromRows(question.rows, score, value, unanswered)
  return fromChoices(question, score, value)
}

function fromChoices(question: Question, score: ScoreOf<'choices'>, value: unknown): EarnedPoints {
  const chosen = new Set((Array.isArray(value) ? value : [value]).map(String))
  const reasons = score.points.map((one) => {
    const isMet = value !== null && chosen.has(one.value)
    return { ...one, row: null, isMet, part: fractionOf(one.points) }
  })
  const given = sum(reasons.filter(({ isMet }) => isMet).map(({ part }) => part))
  const base = { reasons, isWeightless: false }
  if (question.type !== 'multiple') {
    return { ...base, points: given, most: highest(score.points), isCapped: false }
  }
  const possible = sum(reasons.map(({ part }) => part))
  const limit = score.most === undefined ? possible : fractionOf(score.most)
  const most = compare(limit, possible) < 0 ? limit : possible
  const isCapped = compare(given, most) > 0
  return { ...base, points: isCapped ? most : given, most, isCapped }
}

function fromRanges({ ranges }: ScoreOf<'ranges'>, value: unknown): EarnedPoints {
  const number = typeof value === 'string' || typeof value === 'number' ? fractionOf(String(value)) : null
  const reached =
    number === null ? -1 : ranges.findLastIndex(({ from }) => compare(number, fractionOf(from)) >= 0)
  return {
    points: fractionOf(ranges[reached]?.points ?? '0'),
    most: highest(ranges),
    reasons: ranges.map(({ from, points }, at) => ({
      value: from,
      row: null,
      points,
      isMet: at === reached,
      part: fractionOf(points),
    })),
    isCapped: false,
    isWeightless: false,
  }
}

/** The weighted mean of the rows. */
function fromRows(
  rows: readonly { code: string }[],
  score: ScoreOf<'choices'>,
  value: unknown,
  unanswered: Scoring['unanswered'],
): EarnedPoints {
  const answers = new Map(typeof value === 'object' && value !== null ? Object.entries(value) : [])
  const weights = new Map(score.rows?.map(({ row, weight }) => [row, fractionOf(weight)]))
  const pointsOf = new Map(score.points.map((one) => [one.value, one.points]))
  const counted = rows.flatMap(({ code: row }) => {
    const chosen: unknown = answers.get(row)
    if (typeof chosen !== 'string' && unanswered === 'leaveOut') return []
    const weight = weights.get(row) ?? ONE
    const points = typeof chosen === 'string' ? (pointsOf.get(chosen) ?? '0') : '0'
    return [{ row, value: typeof chosen === 'string' ? chosen : null, points, weight }]
  })
  const whole = sum(counted.map(({ weight }) => weight))
  const reasons = counted.map(({ weight, ...one }) => ({
    ...one,
    isMet: one.value !== null,
    part: compare(whole, ZERO) > 0 ? multiply(fractionOf(one.points), divide(weight, whole)) : null,
  }))
  const given = sum(reasons.map(({ part }) => part ?? ZERO))
  const isWeightless = compare(whole, ZERO) === 0
  return { points: given, most: highest(score.points), reasons, isCapped: false, isWeightless }
}

function highest(all: readonly { points: string }[]): Fraction {
  return all
    .map(({ points }) => fractionOf(points))
    .reduce((most, one) => (compare(one, most) > 0 ? one : most), ZERO)
}
