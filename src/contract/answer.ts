import { z } from 'zod'

/** Specification sections 7 and 8: the default message of a failure. */
export const DEFAULT_FAILURE = 'Error Occurred, please contact system administrator'

/** The JSON object that every call answers with. */
export type Answer<T> = Success<T> | Refusal
export type Success<T> = { status: true; data: T; message: null }
export const Refusal = z.object({
  status: z.literal(false),
  data: z.null(),
  message: z.string(),
  /** A message for each invalid field, by its path: `address.city`. */
  fields: z.record(z.string(), z.string()).optional(),
  /** With 409: the current row, so that a form can show what changed. */
  current: z.unknown().optional(),
  /** With 409: what the call would change, if the caller has to confirm that. */
  preview: z.unknown().optional(),
})
export type Refusal = z.infer<typeof Refusal>
