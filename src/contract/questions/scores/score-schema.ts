import { z } from 'zod'

// The shape of `scoreAnswers`, as it is stored with the answers it was calculated from.

const Score = z.string().nullable()
const scored = {
  /** 0.0 to 100.0 with one decimal; null if nothing counts. */
  score: Score,
  /** The index of its band. */
  band: z.number().int().nullable(),
  /** The mean maturity level with one decimal. */
  level: Score,
}

const ScoreReason = z.object({
  value: z.string().nullable(),
  row: z.string().nullable(),
  points: z.string(),
  adds: z.string().nullable(),
  isMet: z.boolean(),
})

/** A question's points, with a reason for each of them. */
export const QuestionScoreResult = z.object({
  question: z.string(),
  section: z.string(),
  state: z.enum(['answered', 'notApplicable', 'refused', 'unanswered']),
  counts: z.boolean(),
  points: z.string(),
  mostPoints: z.string(),
  score: Score,
  contribution: z.string().nullable(),
  possible: z.string().nullable(),
  reasons: z.array(ScoreReason),
})
export type QuestionScoreResult = z.infer<typeof QuestionScoreResult>

export const SectionScoreResult = z.object({
  ...scored,
  section: z.string(),
  questions: z.number().int(),
  answered: z.number().int(),
  contribution: z.string().nullable(),
  possible: z.string().nullable(),
})
export type SectionScoreResult = z.infer<typeof SectionScoreResult>

/** The score of a target with the reason for each point. */
export const StoredScores = z.object({
  total: z
    .object({
      ...scored,
      nextBand: z
        .object({
          band: z.number().int(),
          from: z.string(),
          missing: z.string(),
          sections: z.array(z.object({ section: z.string(), from: z.string(), score: Score })),
        })
        .nullable(),
    })
    .nullable(),
  sections: z.array(SectionScoreResult),
  questions: z.array(QuestionScoreResult),
})
export type StoredScores = z.infer<typeof StoredScores>
