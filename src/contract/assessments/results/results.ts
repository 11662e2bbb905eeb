import { z } from 'zod'
import { endpoint } from '#contract/endpoint.ts'
import { Id } from '#contract/fields.ts'
import { can, Func, Opr } from '#contract/permissions.ts'
import { TARGET_STATE_VALUES } from '../targets/target-states.ts'

/** A group smaller than this has no benchmark: its members could be inferred. The database enforces it too. */
export const SMALLEST_GROUP = 5
/** The most gaps of the results. */
export const MAX_GAPS = 100

/** 0.0 to 100.0 with one decimal; null without a score. */
const Score = z.string().nullable()

/** The score of one target. */
export const TargetResult = z.object({
  targetId: z.string(),
  name: z.string(),
  organizationName: z.string(),
  state: z.enum(TARGET_STATE_VALUES),
  /** Its answers are submitted or approved, so that its score counts. */
  isFinal: z.boolean(),
  total: Score,
  /** The name of its band. */
  band: z.string().nullable(),
  /** In the order of the sections. */
  sections: z.array(Score),
  /** The same facility or organization in last year's assessment. */
  previousTotal: Score,
})
export type TargetResult = z.infer<typeof TargetResult>

/** The middle half of the scores of all targets, also of organizations that the caller can't see. */
export const Benchmark = z.object({
  targets: z.number().int(),
  lowerQuartile: z.string(),
  median: z.string(),
  upperQuartile: z.string(),
})
export type Benchmark = z.infer<typeof Benchmark>

/** Points that are missing at one question, at all final targets within reach. */
export const Gap = z.object({
  questionCode: z.string(),
  title: z.string(),
  section: z.string(),
  /** Targets with points to gain, and how many answered or should have answered it. */
  targets: z.number().int(),
  of: z.number().int(),
  /** Points of the total that these targets could gain on average, with one decimal. */
  meanGain: z.string(),
  /** What to do, from the questionnaire. */
  action: z.string().nullable(),
  /** Open actions about it. */
  openActions: z.number().int(),
})
export type Gap = z.infer<typeof Gap>

/** What one target could gain at a question. */
export const TargetGap = z.object({
  targetId: z.string(),
  name: z.string(),
  organizationId: z.string(),
  gain: z.string(),
  contribution: z.string(),
  possible: z.string(),
  openActions: z.number().int(),
})
export type TargetGap = z.infer<typeof TargetGap>

export const AssessmentResults = z.object({
  /** The questionnaire gives points. */
  isScored: z.boolean(),
  /** Sections add up to a total. */
  hasTotal: z.boolean(),
  sections: z.array(z.object({ id: z.string(), title: z.string() })),
  targets: z.array(TargetResult),
  /** Targets whose score counts. */
  final: z.number().int(),
  /** Means of the final targets; null without one. */
  meanTotal: Score,
  sectionMeans: z.array(Score),
  /** Of the targets that are final in both years, so that the same ones are compared. */
  previous: z
    .object({
      assessmentId: z.string(),
      name: z.string(),
      /** It asked the same version of the questionnaire. Otherwise scores may not be comparable. */
      isSameVersion: z.boolean(),
      targets: z.number().int(),
      mean: Score,
      meanBefore: Score,
    })
    .nullable(),
  /** Of all targets; null for fewer than 5. */
  benchmark: Benchmark.nullable(),
  sectionBenchmarks: z.array(Benchmark.nullable()),
  /** The largest first, at most 100. */
  gaps: z.array(Gap),
})
export type AssessmentResults = z.infer<typeof AssessmentResults>

export const RESULTS = '/api/assessments/get-results/{id}'
export const GAP = '/api/assessments/get-gap/{id}'

export const assessmentResults = {
  get: endpoint({
    method: 'GET',
    path: RESULTS,
    allow: can(Func.assessments, Opr.read),
    summary:
      'Returns the scores of an assessment by target and section, the gaps, a comparison with last year, and a benchmark for groups of 5 or more.',
    input: z.strictObject({ id: Id }),
    output: AssessmentResults,
  }),
  gap: endpoint({
    method: 'GET',
    path: GAP,
    allow: can(Func.assessments, Opr.read),
    summary: 'Lists the targets that could gain points at a question, the largest gain first.',
    input: z.strictObject({ id: Id, question: z.string().min(1).max(60) }),
    output: z.array(TargetGap),
  }),
}
