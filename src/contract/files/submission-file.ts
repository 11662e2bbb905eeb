import { z } from 'zod'

/** A file that came with a submission. */
export const SubmissionFile = z.object({
  id: z.string(),
  question: z.string(),
  name: z.string(),
  /** The media type, by content. */
  type: z.string(),
  bytes: z.number().int(),
})
export type SubmissionFile = z.infer<typeof SubmissionFile>
