import { z } from 'zod'

/** How far a definition is answered. */
export const TrialProgress = z.object({
  questions: z.number().int(),
  answered: z.number().int(),
  required: z.number().int(),
  requiredAnswered: z.number().int(),
})

/** What the server says about answers that someone tries a definition with. */
export const TrialVerdict = z.object({
  evaluation: z.object({
    problems: z.array(
      z.object({
        question: z.string(),
        code: z.string(),
        message: z.string(),
        row: z.number().int().optional(),
      }),
    ),
  }),
  progress: TrialProgress,
})
export type TrialVerdict = z.infer<typeof TrialVerdict>
