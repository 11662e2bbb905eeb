import { z } from 'zod'
import { endpoint } from '#contract/endpoint.ts'
import { Id } from '#contract/fields.ts'
import { can, Func, Opr } from '#contract/permissions.ts'
import { TARGET_STATE_VALUES } from '../assessments/target-states.ts'

/** A group smaller than this has no benchmark: its members could be inferred. */
export const SMALLEST_GROUP = 5

/** Points of one section or of everything, as plain digits. Questions that aren't applicable don't count. */
export const ScoreLine = z.object({
  /** A section's ID; null for the total. */
  section: z.string().nullable(),
  title: z.string(),
  points: z.string(),
  possible: z.string(),
  /** With at most two decimals; null if no points are possible. */
  percent: z.number().nullable(),
  /** The name of the maturity level or band; null: none. */
  band: z.string().nullable(),
})
export type ScoreLine = z.infer<typeof ScoreLine>

/** What another answer to a question would gain. */
export const Gap = z.object({
  questionCode: z.string(),
  title: z.string(),
  section: z.string(),
  points: z.string(),
  possible: z.string(),
  /** Points of the total, as plain digits. */
  gain: z.string(),
  /** "+12 if …" */
  explanation: z.string(),
})
export type Gap = z.infer<typeof Gap>

const Percent = z.number().nullable()

export const TargetResult = z.object({
  targetId: z.string(),
  name: z.string(),
  organizationName: z.string(),
  state: z.enum(TARGET_STATE_VALUES),
  /** The score is of submitted or approved answers. */
  isFinal: z.boolean(),
  total: Percent,
  band: z.string().nullable(),
  /** In the order of the sections. */
  sections: z.array(Percent),
  /** The same target last year; null: it wasn't assessed. */
  previousTotal: Percent,
})
export type TargetResult = z.infer<typeof TargetResult>

/** Of final targets only; null for fewer than `SMALLEST_GROUP`. */
export const Benchmark = z.object({
  targets: z.number().int(),
  lowest: z.number(),
  median: z.number(),
  highest: z.number(),
})
export type Benchmark = z.infer<typeof Benchmark>

const DETAILS = '/api/assessments/get-target-results/{id}'
const mayRead = can(Func.assessments, Opr.read)

export const assessmentResults = {
  get: endpoint({
    method: 'GET',
    path: '/api/assessments/get-results/{id}',
    allow: mayRead,
    summary:
      'Returns the scores of an assessment: by target and section, compared with last year, with a benchmark for groups of 5 or more.',
    input: z.strictObject({ id: Id }),
    output: z.object({
      isScored: z.boolean(),
      sections: z.array(z.object({ id: z.string(), title: z.string() })),
      targets: z.array(TargetResult),
      benchmark: Benchmark.nullable(),
      sectionBenchmarks: z.array(Benchmark.nullable()),
      /** Means of the final targets, by section; null: none. */
      sectionMeans: z.array(Percent),
      previousSectionMeans: z.array(Percent),
    }),
  }),
  details: endpoint({
    method: 'GET',
    path: DETAILS,
    allow: mayRead,
    summary: 'Returns the score of one target, explained: every section, every gap by gain, and last year.',
    input: z.strictObject({ id: Id }),
    output: z.object({
      isScored: z.boolean(),
      lines: z.array(ScoreLine),
      previousLines: z.array(ScoreLine),
      gaps: z.array(Gap),
    }),
  }),
}
