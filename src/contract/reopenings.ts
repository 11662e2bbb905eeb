import { z } from 'zod'
import { Id, Instant, line } from './fields.ts'

const DECISIONS = ['confirmed', 'declined', 'withdrawn'] as const

/** A request to open what two people approved, and what a second person decided. */
export const REOPENING = {
  id: z.string(),
  reason: z.string(),
  requestedBy: z.string().nullable(),
  requestedAt: Instant,
  /** Null: no one has decided yet. */
  decision: z.enum(DECISIONS).nullable(),
  decisionReason: z.string().nullable(),
  decidedBy: z.string().nullable(),
  decidedAt: Instant.nullable(),
  /** The caller asked for it. */
  isMine: z.boolean(),
  /** Why the caller can't confirm it, as a sentence; null if they can. */
  refusal: z.string().nullable(),
}
const AnyReopening = z.object(REOPENING)
export type AnyReopening = z.infer<typeof AnyReopening>

/** Why something is opened, or why a request for it is confirmed or declined. */
export const openingReason = line(500, 'Reason')

/** What confirming and declining take. */
export const ReopeningDecision = z.strictObject({ id: Id, reason: openingReason })
