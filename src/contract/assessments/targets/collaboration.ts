import { z } from 'zod'
import { Instant } from '#contract/fields.ts'

/** A comment on a question, or on the whole target. */
export const Comment = z.object({
  id: z.string(),
  questionCode: z.string().nullable(),
  text: z.string(),
  /** Not shown to participants. */
  isInternal: z.boolean(),
  writtenBy: z.string(),
  writtenAt: Instant,
  /** The caller wrote it. */
  isMine: z.boolean(),
})
export type Comment = z.infer<typeof Comment>

/** What one person was asked to answer: a section, a question, or a row of a table. */
export const Delegation = z.object({
  id: z.string(),
  assigneeId: z.string(),
  assigneeName: z.string(),
  sectionId: z.string().nullable(),
  questionCode: z.string().nullable(),
  rowKey: z.string().nullable(),
  delegatedBy: z.string(),
  delegatedAt: Instant,
  /** All required questions of it have an answer; for a row, it was answered since. */
  isAnswered: z.boolean(),
})
export type Delegation = z.infer<typeof Delegation>
