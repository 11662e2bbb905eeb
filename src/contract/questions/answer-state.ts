import { z } from 'zod'
import type { AnswerProblem } from './evaluate.ts'

/** What is wrong with the answers as a whole; a target can't be submitted while there is any. */
export const AnswerFinding = z.object({
  question: z.string(),
  section: z.string().nullable(),
  code: z.string(),
  message: z.string(),
  row: z.number().int().optional(),
  column: z.string().optional(),
  /** The questions of which one must be answered; `question` is the first of them. */
  oneOf: z.array(z.string()).optional(),
})
export type AnswerFinding = z.infer<typeof AnswerFinding>

/** A problem as callers see it. */
export function findingOf({ oneOf, ...problem }: AnswerProblem): AnswerFinding {
  return { ...problem, ...(oneOf !== undefined && { oneOf: [...oneOf] }) }
}

/** The server's verdict on all answers of a target. */
export const AnswerState = z.object({
  /** Codes of the questions that are asked, in order. */
  visible: z.array(z.string()),
  required: z.array(z.string()),
  /** Codes of questions with an answer that is set aside. */
  setAside: z.array(z.string()),
  computed: z.record(z.string(), z.union([z.string(), z.boolean(), z.null()])),
  totals: z.record(z.string(), z.union([z.string(), z.null()])),
  problems: z.array(AnswerFinding),
})
export type AnswerState = z.infer<typeof AnswerState>
