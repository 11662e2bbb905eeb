import { z } from 'zod'
import { Day, FactorRow, Region } from './factor-schema.ts'

/** `exact`: valid on the day. `latest`: else the newest that was valid before it, which is said. */
export const YEAR_RULES = ['exact', 'latest'] as const

export const FactorQuery = z.strictObject({
  /** The path of an activity, or words. */
  query: z.string('Say what is looked for.').trim().min(1, 'Say what is looked for.').max(200),
  region: Region,
  date: Day,
  /** As people type it. */
  unit: z.string().trim().max(60).optional(),
  yearRule: z.enum(YEAR_RULES).optional().default('exact'),
  /** Datasets that come first, by their numbers, in order. */
  datasetIds: z
    .array(z.string().regex(/^\d{1,18}$/))
    .max(20)
    .optional()
    .default([]),
})
export type FactorQuery = z.output<typeof FactorQuery>

export const FactorCandidate = z.object({
  factor: FactorRow,
  /** It may be chosen. */
  fits: z.boolean(),
  /** Why it fits, and what is worth knowing: another year, the country in place of its part. */
  reasons: z.array(z.string()),
  /** Why it does not; empty where it fits. */
  against: z.array(z.string()),
})
export type FactorCandidate = z.infer<typeof FactorCandidate>

export const FactorChoice = z.object({
  /** The number of the chosen one; null: there is none, and so no result. */
  chosenId: z.string().nullable(),
  /** One sentence: what was chosen, or why nothing was. */
  sentence: z.string(),
  /** Best first; those that do not fit behind those that do. */
  candidates: z.array(FactorCandidate),
  /** More were found than are listed. */
  leftOut: z.number().int(),
})
export type FactorChoice = z.infer<typeof FactorChoice>
