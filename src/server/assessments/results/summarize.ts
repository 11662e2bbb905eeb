import {
  type AssessmentResults,
  type Gap,
  type TargetGap,
  type TargetResult,
  MAX_GAPS,
} from '#contract/assessments/results/results.ts'
import type { QuestionScoreResult, StoredScores } from '#contract/questions/scores/score-schema.ts'
import type { TargetState } from '#contract/assessments/targets/target-states.ts'
import { Exact } from '#contract/expressions/exact.ts'
import type { Definition } from '#contract/questions/definition.ts'
import type { Scoring } from '#contract/questions/scores/scoring.ts'
import { textIn } from '#contract/questions/texts.ts'

/** A target with its stored score. */
export type ScoredTarget = Readonly<{
  targetId: string
  name: string
  organizationId: string
  organizationName: string
  /** The facility, or the organization as a whole: what is compared with last year. */
  place: string
  state: TargetState
  scores: StoredScores | null
}>

export type ScoredQuestionnaire = Readonly<{ definition: Definition; scoring: Scoring }>

/** Whether answers are submitted or approved and not being changed, so that their score counts. */
export function isFinal({ state, scores }: Pick<ScoredTarget, 'state' | 'scores'>): boolean {
  const isSubmitted =
    state === 'submitted' || state === 'in_review' || state === 'approved' || state === 'closed'
  return isSubmitted && scores !== null
}

type Summary = Omit<AssessmentResults, 'previous' | 'benchmark' | 'sectionBenchmarks' | 'gaps'>

/** Scores by target and section. Targets whose answers may still change have no score. */
export function summarizeScores(
  { definition, scoring }: ScoredQuestionnaire,
  targets: readonly ScoredTarget[],
  before: readonly ScoredTarget[],
): Summary {
  const [language = 'en'] = definition.languages
  const scored = new Set(scoring.questions.map(({ question }) => question))
  const sections = definition.sections
    .filter(({ questions }) => questions.some(({ code }) => scored.has(code)))
    .map(({ id, title }) => ({ id, title: textIn(title, language, definition.languages) || id }))
  const former = new Map(before.filter(isFinal).map((one) => [one.place, totalOf(one)]))
  const results = targets.map((target): TargetResult => {
    const { targetId, name, organizationName, state, place } = target
    const counts = isFinal(target)
    const band = counts ? (target.scores?.total?.band ?? null) : null
    return {
      targetId,
      name,
      organizationName,
      state,
      isFinal: counts,
      total: counts ? totalOf(target) : null,
      band: band === null ? null : textIn(scoring.bands[band]?.title, language, definition.languages),
      sections: sections.map(({ id }) => (counts ? sectionOf(target, id) : null)),
      previousTotal: former.get(place) ?? null,
    }
  })
  return {
    isScored: sections.length > 0,
    hasTotal: scoring.hasTotal,
    sections,
    targets: results,
    final: results.filter((one) => one.isFinal).length,
    meanTotal: meanOf(results.map(({ total }) => total)),
    sectionMeans: sections.map((_, at) => meanOf(results.map((one) => one.sections[at] ?? null))),
  }
}

/** The means of the targets that have a score in both years; the others would change the figure without any change. */
export function compareYears(targets: readonly TargetResult[]): {
  targets: number
  mean: string | null
  meanBefore: string | null
} {
  const both = targets.filter(({ total, previousTotal }) => total !== null && previousTotal !== null)
  return {
    targets: both.length,
    mean: meanOf(both.map(({ total }) => total)),
    meanBefore: meanOf(both.map(({ previousTotal }) => previousTotal)),
  }
}

type OpenActions = (questionCode: string, targetId?: string) => number

/** Questions with points to gain at final targets, those that cost most in total first. */
export function findGaps(
  { definition, scoring }: ScoredQuestionnaire,
  targets: readonly ScoredTarget[],
  openActions: OpenActions,
): Gap[] {
  const [language = 'en'] = definition.languages
  const all = targets.filter(isFinal)
  const found = definition.sections.flatMap((section) =>
    section.questions.flatMap(({ code, title }) => {
      const results = all.flatMap(
        ({ scores }) => scores?.questions.find(({ question }) => question === code) ?? [],
      )
      const gains = results.filter(({ counts }) => counts).map(gainOf)
      const missing = gains.filter((gain) => gain.greaterThan(0))
      if (missing.length === 0) return []
      const total = missing.reduce((sum, gain) => sum.plus(gain), new Exact(0))
      const action = scoring.questions.find(({ question }) => question === code)?.action
      const gap: Gap = {
        questionCode: code,
        title: textIn(title, language, definition.languages) || code,
        section: section.id,
        targets: missing.length,
        of: gains.length,
        meanGain: inTenths(total.dividedBy(missing.length)),
        action: textIn(action, language, definition.languages) || null,
        openActions: openActions(code),
      }
      return [{ gap, total }]
    }),
  )
  return found
    .toSorted((one, other) => other.total.comparedTo(one.total))
    .slice(0, MAX_GAPS)
    .map(({ gap }) => gap)
}

/** What each final target could gain at a question, the most first. */
export function gapsAt(
  questionCode: string,
  targets: readonly ScoredTarget[],
  openActions: OpenActions,
): TargetGap[] {
  return targets
    .filter(isFinal)
    .flatMap(({ targetId, name, organizationId, scores }) => {
      const result = scores?.questions.find(({ question }) => question === questionCode)
      if (result === undefined || !result.counts) return []
      const gain = gainOf(result)
      if (!gain.greaterThan(0)) return []
      return [
        {
          targetId,
          name,
          organizationId,
          gain: gain.toFixed(1),
          contribution: result.contribution ?? '0.0',
          possible: result.possible ?? '0.0',
          openActions: openActions(questionCode, targetId),
        },
      ]
    })
    .toSorted((one, other) => Number(other.gain) - Number(one.gain))
}

function gainOf({ possible, contribution }: QuestionScoreResult): Exact {
  return new Exact(possible ?? '0').minus(contribution ?? '0')
}

const totalOf = ({ scores }: ScoredTarget): string | null => scores?.total?.score ?? null
const sectionOf = ({ scores }: ScoredTarget, id: string): string | null =>
  scores?.sections.find(({ section }) => section === id)?.score ?? null

/** With one decimal, rounded half up; null without any score. */
function meanOf(scores: readonly (string | null)[]): string | null {
  const known = scores.filter((score) => score !== null)
  if (known.length === 0) return null
  return inTenths(known.reduce((sum, score) => sum.plus(score), new Exact(0)).dividedBy(known.length))
}

const inTenths = (figure: Exact): string => figure.toFixed(1, Exact.ROUND_HALF_UP)
