import { z } from 'zod'
import { AnswerState } from '#contract/questions/answer-state.ts'
import { Instant } from '#contract/fields.ts'
import { TARGET_STATE_VALUES } from './target-states.ts'

/** The most changes of one request. */
export const MAX_MUTATIONS = 200
/** Characters of a row's key. */
const MAX_ROW_KEY = 40

/** An answer, or one row of a table. */
export const StoredAnswer = z.object({
  questionCode: z.string(),
  /** A row of a table; '' for the whole question. */
  rowKey: z.string(),
  /** In stored form; null: cleared. */
  value: z.unknown(),
  /** Counts its changes. */
  rev: z.number().int(),
  /** The question isn't asked now. */
  isSetAside: z.boolean(),
  /** The target it was taken from; null: entered. */
  sourceTargetId: z.string().nullable(),
  answeredBy: z.string(),
  answeredAt: Instant,
})
export type StoredAnswer = z.infer<typeof StoredAnswer>

/**
 * A change of one answer. `base`: the `rev` it was made from, 0 for none. A table is answered by row: `rowKey` is chosen by
 * the sender and `value` is the row. `null` clears an answer and removes a row.
 */
export const Mutation = z.strictObject({
  /** Chosen by the sender. The same ID always returns the same response. */
  mutationId: z
    .string()
    .regex(/^[\w-]{16,40}$/, 'A mutation ID has 16 to 40 letters, digits, hyphens and underscores.'),
  questionCode: z.string().max(60),
  rowKey: z
    .string()
    .max(MAX_ROW_KEY)
    .regex(/^[\w-]*$/, 'A row key has letters, digits, hyphens and underscores.')
    .optional()
    .default(''),
  base: z.number().int().min(0).max(2_147_483_647),
  value: z.unknown(),
  /** The target whose offered answer it is. */
  sourceTargetId: z
    .string()
    .regex(/^[1-9]\d{0,17}$/)
    .optional(),
})
export type Mutation = z.output<typeof Mutation>
export const Mutations = z
  .array(Mutation)
  .min(1, 'Send at least one answer.')
  .max(MAX_MUTATIONS, `Send at most ${MAX_MUTATIONS} answers at a time.`)

/** Why a value was refused, and where. */
export const MutationProblem = z.object({
  /** A code of problem-messages.ts, or `locked` if the question can't be changed now. */
  code: z.string(),
  message: z.string(),
  column: z.string().optional(),
})

/**
 * The response to one change. `conflict`: the answer was changed since `base`; `current` is the answer now. `refused`:
 * `problem` says why. Values that weren't accepted are kept on the server.
 */
export const MutationResult = z.object({
  mutationId: z.string(),
  status: z.enum(['accepted', 'conflict', 'refused']),
  /** The revision of the accepted answer, otherwise null. */
  rev: z.number().int().nullable(),
  current: StoredAnswer.nullable(),
  problem: MutationProblem.nullable(),
})
export type MutationResult = z.infer<typeof MutationResult>

/** The response to a batch of changes. */
export const SavedAnswers = z.object({
  /** In the order they were sent. */
  results: z.array(MutationResult),
  state: z.enum(TARGET_STATE_VALUES),
  evaluation: AnswerState,
  questions: z.number().int(),
  answered: z.number().int(),
  required: z.number().int(),
  requiredAnswered: z.number().int(),
  score: z.number().nullable(),
})
export type SavedAnswers = z.infer<typeof SavedAnswers>
