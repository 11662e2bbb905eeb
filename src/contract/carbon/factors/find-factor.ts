import { trimmed } from '#contract/trimmed.ts'
import { z } from 'zod'
import { Day, FactorRow, Region } from './factor-schema.ts'

/** `exact`: valid on the date. `latest`: otherwise the latest earlier one, with a note. */
export const YEAR_RULES = ['exact', 'latest'] as const

export const FactorQuery = z.strictObject({
  /** An activity path, or search words. */
  query: z
    .string('Enter an activity or keywords.')
    .overwrite(trimmed)
    .min(1, 'Enter an activity or keywords.')
    .max(200),
  region: Region,
  date: Day,
  /** As entered. */
  unit: z.string().trim().max(60).optional(),
  yearRule: z.enum(YEAR_RULES).optional().default('exact'),
  /** Preferred datasets by ID, in order. */
  datasetIds: z
    .array(z.string().regex(/^\d{1,18}$/))
    .max(20)
    .optional()
    .default([]),
})
export type FactorQuery = z.output<typeof FactorQuery>

export const FactorCandidate = z.object({
  factor: FactorRow,
  /** It matches the query. */
  fits: z.boolean(),
  /** Why it matches, with caveats such as another year, or the country instead of a subregion. */
  reasons: z.array(z.string()),
  /** Why it doesn't match; empty if it does. */
  against: z.array(z.string()),
})
export type FactorCandidate = z.infer<typeof FactorCandidate>

export const FactorChoice = z.object({
  /** ID of the chosen factor; null: none, so nothing can be calculated. */
  chosenId: z.string().nullable(),
  /** One sentence: which factor was chosen, or why none was. */
  sentence: z.string(),
  /** Best match first; factors that don't match come last. */
  candidates: z.array(FactorCandidate),
  /** How many more were found than are listed. */
  leftOut: z.number().int(),
})
export type FactorChoice = z.infer<typeof FactorChoice>
