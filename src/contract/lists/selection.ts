import { z } from 'zod'
import { Id } from '../fields.ts'
import { narrowing } from '../queried-list.ts'

/** The maximum number of individually selected rows. */
export const MAX_CHOSEN = 1_000

/** The rows of a bulk action: these, or all matching except these. */
export const Selection = z.union(
  [
    z.strictObject({ ids: z.array(Id).min(1, 'Choose at least one.').max(MAX_CHOSEN) }),
    z.strictObject({ all: z.literal(true), ...narrowing, except: z.array(Id).max(MAX_CHOSEN).optional() }),
  ],
  'Select rows by ID, or all matching rows.',
)
export type Selection = z.infer<typeof Selection>
