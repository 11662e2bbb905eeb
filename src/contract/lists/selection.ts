import { z } from 'zod'
import { Id } from '../fields.ts'
import { narrowing } from '../queried-list.ts'

/** The most rows that are chosen one by one. */
export const MAX_CHOSEN = 1_000

/** Which rows of a list something is done to: these, or all that match but these. */
export const Selection = z.union(
  [
    z.strictObject({ ids: z.array(Id).min(1, 'Choose at least one.').max(MAX_CHOSEN) }),
    z.strictObject({ all: z.literal(true), ...narrowing, except: z.array(Id).max(MAX_CHOSEN).optional() }),
  ],
  'Choose rows by their numbers, or all that match.',
)
export type Selection = z.infer<typeof Selection>
