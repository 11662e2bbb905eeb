import { z } from 'zod'
import { Instant } from '#contract/fields.ts'

/** The most files of one target. */
export const MAX_EVIDENCE = 500

/** A file that supports answers. One of a former year may be offered again while it is valid. */
export const AnswerEvidence = z.object({
  id: z.string(),
  name: z.string(),
  type: z.string(),
  /** In bytes. */
  size: z.number().int(),
  periodStart: z.string().nullable(),
  periodEnd: z.string().nullable(),
  validUntil: z.string().nullable(),
  /** It is no longer valid today. */
  isExpired: z.boolean(),
  pages: z.string().nullable(),
  /** The questions of this target that it supports. */
  questionCodes: z.array(z.string()),
  /** It was uploaded for another target of the same facility or organization. */
  isFromEarlier: z.boolean(),
  addedBy: z.string(),
  /** The caller added it. */
  isMine: z.boolean(),
  addedAt: Instant,
  version: z.number().int(),
})
export type AnswerEvidence = z.infer<typeof AnswerEvidence>
