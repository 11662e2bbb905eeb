import { z } from 'zod'
import {
  MAX_CHOICES,
  MAX_CODE,
  MAX_LANGUAGES,
  MAX_QUESTIONS,
  MAX_SECTIONS,
  MAX_TEXT,
  MAX_TITLE,
} from '../limits.ts'

// These schemas accept an unfinished draft. What must be true before it can be published is in `check-scoring.ts`.
// Questions, sections and choices are named in lists, not as keys, so that every code is safe.

/** Bands, and names of maturity levels. */
const MAX_BANDS = 20

const text = (max: number) =>
  z
    .string()
    .max(max)
    .refine((value) => value.isWellFormed() && !value.includes('\0'), 'Remove the special characters.')
const textsOf = (max: number) =>
  z
    .record(text(35), text(max))
    .refine((texts) => Object.keys(texts).length <= MAX_LANGUAGES, `At most ${MAX_LANGUAGES} languages.`)
/** Plain digits, so that nothing is rounded. */
const Points = z.string().regex(/^\d{1,6}(\.\d{1,4})?$/, 'Enter a number from 0 to 999999, like 3 or 0.5.')
const Limit = z
  .string()
  .regex(/^-?\d{1,15}(\.\d{1,10})?$/, 'Enter a number in plain digits, like 1500 or 0.25.')

const base = {
  /** The code of the question. */
  question: text(MAX_CODE),
  /** Relative to the other questions of its section. */
  weight: Points,
  /** What to do if the answer gets less than all points. */
  action: textsOf(MAX_TEXT).optional(),
}

export const QuestionScore = z.discriminatedUnion('kind', [
  /**
   * Points for choices, for `true` and `false`, or for the choices of each row of a matrix. Choices that aren't listed
   * get none. Several chosen values are added, up to `most`.
   */
  z.strictObject({
    kind: z.literal('choices'),
    ...base,
    points: z.array(z.strictObject({ value: text(MAX_CODE), points: Points })).max(MAX_CHOICES),
    most: Points.optional(),
    /** Of the rows of a matrix; 1 for rows that aren't listed. */
    rows: z
      .array(z.strictObject({ row: text(MAX_CODE), weight: Points }))
      .max(MAX_CHOICES)
      .optional(),
  }),
  /** Points for a number, a rating or a computed number: those of the highest `from` that it reaches, otherwise none. */
  z.strictObject({
    kind: z.literal('ranges'),
    ...base,
    ranges: z.array(z.strictObject({ from: Limit, points: Points })).max(MAX_CHOICES),
  }),
])
export type QuestionScore = z.infer<typeof QuestionScore>
/** How a question of one kind is scored. */
export type ScoreOf<Kind extends QuestionScore['kind']> = Extract<QuestionScore, { kind: Kind }>

const Band = z.strictObject({
  /** The lowest score of the band, 0 to 100. */
  from: Points,
  title: textsOf(MAX_TITLE),
  /** Lowest scores of single sections that the band needs as well. */
  needs: z
    .array(z.strictObject({ section: text(MAX_CODE), from: Points }))
    .max(MAX_SECTIONS)
    .optional(),
})
export type Band = z.infer<typeof Band>

/**
 * How answers become scores from 0 to 100. A question's score is its share of the highest points; a section's is the
 * weighted mean of its questions, the total the weighted mean of the sections. Answers that don't apply are left out.
 */
export const Scoring = z.strictObject({
  questions: z.array(QuestionScore).max(MAX_QUESTIONS),
  /** Weights of sections in the total; 1 for sections that aren't listed. */
  sections: z.array(z.strictObject({ section: text(MAX_CODE), weight: Points })).max(MAX_SECTIONS),
  /** From the lowest to the highest. */
  bands: z.array(Band).max(MAX_BANDS),
  /** Names of 0, 1, 2 … points, for questions whose points are maturity levels. */
  levels: z.array(textsOf(MAX_TITLE)).max(MAX_BANDS),
  /** `zero`: an unanswered question gets no points. `exclude`: it doesn't count until it is answered. */
  unanswered: z.enum(['zero', 'exclude']),
  /** Whether sections add up to a total. A screening only compares its sections. */
  hasTotal: z.boolean(),
})
export type Scoring = z.infer<typeof Scoring>

/** Nothing is scored. */
export const NO_SCORING: Scoring = {
  questions: [],
  sections: [],
  bands: [],
  levels: [],
  unanswered: 'zero',
  hasTotal: true,
}
