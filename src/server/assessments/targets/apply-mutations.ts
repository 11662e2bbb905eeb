import { isDeepStrictEqual } from 'node:util'
import type { MutationResult, StoredAnswer } from '#contract/assessments/targets/answer-schema.ts'
import type { CompiledDefinition } from '#contract/questions/compile.ts'
import type { Question } from '#contract/questions/definition.ts'
import { evaluateAnswers, type Evaluation } from '#contract/questions/evaluate.ts'
import { MAX_CODE, MAX_TABLE_ROWS } from '#contract/questions/limits.ts'
import { problemMessage } from '#contract/questions/problem-messages.ts'
import type { Flaw } from '#contract/questions/reading/reading.ts'
import { type References, readValue } from './read-value.ts'

/** A stored answer, or a row of a table. `place` orders the rows. */
export type CurrentAnswer = StoredAnswer & Readonly<{ place: number }>

/** A change as it was sent, with the base it was made from. */
export type SentMutation = Readonly<{
  mutationId: string
  questionCode: string
  rowKey: string
  base: number
  value?: unknown
  sourceTargetId?: string | undefined
}>

export type BatchContext = Readonly<{
  compiled: CompiledDefinition
  answers: readonly CurrentAnswer[]
  /** Results of changes that were processed before, by their ID. */
  known: ReadonlyMap<string, MutationResult>
  references: References
  /** Whether the sender was offered a value of another target for a question: only then it is noted as the source. */
  isOffered: (offered: { questionCode: string; targetId: string; value: unknown }) => boolean
  /** Why the sender may not change an answer now, as a sentence; null if they may. */
  refusal: (questionCode: string, rowKey: string) => string | null
  language: string
  now: Date
  zone: string
  sender: string
}>

/** What a batch does. `results` are in the order of the changes; the other parts only have what is new. */
export type AppliedBatch = Readonly<{
  results: readonly MutationResult[]
  processed: readonly Readonly<{ mutation: SentMutation; result: MutationResult; value: unknown }>[]
  answers: readonly CurrentAnswer[]
  changed: readonly CurrentAnswer[]
  evaluation: Evaluation
}>

/** Rows of one table, removed ones included. More would not be a mistake. */
const MAX_ROW_KEYS = 1_000
const keyOf = (code: string, row: string) => `${code}\n${row}`

/**
 * Applies changes in the order they were sent. A change is accepted if it was made from the current answer or has its value;
 * otherwise it is refused with the current answer. An answer to a question that isn't asked now is set aside: someone may have
 * closed its branch meanwhile, or opened it in a change that is still on its way. Pure: the caller stores the result.
 */
export function applyMutations(context: BatchContext, mutations: readonly SentMutation[]): AppliedBatch {
  const answers = new Map(context.answers.map((one) => [keyOf(one.questionCode, one.rowKey), one]))
  const known = new Map(context.known)
  const applied: { mutation: SentMutation; result: MutationResult; value: unknown }[] = []
  for (const mutation of mutations) {
    const { mutationId } = mutation
    if (known.has(mutationId)) continue
    const done = applyOne(context, answers, mutation)
    known.set(mutationId, done.result)
    applied.push({ mutation, ...done })
  }
  const evaluation = evaluateStored(context, [...answers.values()])
  const all = withSetAside(context.compiled, evaluation, [...answers.values()])
  const setAside = new Set(
    all.flatMap((one) => (one.isSetAside ? [keyOf(one.questionCode, one.rowKey)] : [])),
  )
  const processed = applied.map(({ mutation, result, value }) => {
    const isAside = setAside.has(keyOf(mutation.questionCode, mutation.rowKey))
    const told = {
      ...result,
      current: result.current === null ? null : { ...result.current, isSetAside: isAside },
    }
    known.set(mutation.mutationId, told)
    return { mutation, result: told, value }
  })
  const original = new Map(context.answers.map((one) => [keyOf(one.questionCode, one.rowKey), one]))
  return {
    results: mutations.flatMap(({ mutationId }) => known.get(mutationId) ?? []),
    processed,
    answers: all,
    changed: all.filter(
      (answer) => !isDeepStrictEqual(original.get(keyOf(answer.questionCode, answer.rowKey)), answer),
    ),
    evaluation,
  }
}

/** Answers with whether each is set aside: its question isn't asked now. */
export function withSetAside(
  compiled: CompiledDefinition,
  evaluation: Evaluation,
  answers: readonly CurrentAnswer[],
): CurrentAnswer[] {
  const asked = new Set(evaluation.visible)
  return answers.map((answer) => ({
    ...answer,
    isSetAside: isSetAside(compiled, asked, evaluation, answer),
  }))
}

/** Evaluates stored answers: which questions are asked, what is open, and computed values. */
export function evaluateStored(
  context: Pick<BatchContext, 'compiled' | 'language' | 'now' | 'zone'>,
  answers: readonly CurrentAnswer[],
): Evaluation {
  const { compiled, language, now, zone } = context
  return evaluateAnswers(compiled, assembleAnswers(compiled, answers), {
    language,
    now,
    zone,
    setAside: true,
  })
}

/** Answers by question; a table has its rows in the order they were added. Questions of other versions are left out. */
export function assembleAnswers(
  compiled: CompiledDefinition,
  answers: readonly CurrentAnswer[],
): Record<string, unknown> {
  const values: [string, unknown][] = []
  const rows = new Map<string, CurrentAnswer[]>()
  for (const answer of answers) {
    const question = compiled.byCode.get(answer.questionCode)?.question
    if (question === undefined || answer.value === null || answer.value === undefined) continue
    if (question.type !== 'table' || answer.rowKey === '') values.push([question.code, answer.value])
    else rows.set(question.code, [...(rows.get(question.code) ?? []), answer])
  }
  const tables = [...rows].map(([code, list]): [string, unknown] => [
    code,
    list.toSorted((one, other) => one.place - other.place).map(({ value }) => value),
  ])
  // A refusal of the whole table counts instead of its rows.
  return Object.fromEntries([...tables, ...values])
}

type AppliedMutation = { result: MutationResult; value: unknown }

function applyOne(
  context: BatchContext,
  answers: Map<string, CurrentAnswer>,
  mutation: SentMutation,
): AppliedMutation {
  const { questionCode, rowKey, base } = mutation
  const question = context.compiled.byCode.get(questionCode)?.question
  const key = keyOf(questionCode, rowKey)
  const current = answers.get(key)
  const raw = mutation.value ?? null
  // Without the current answer: the sender may not be allowed to see it.
  const refuse = (code: string, message: string, column?: string): AppliedMutation => ({
    result: {
      mutationId: mutation.mutationId,
      status: 'refused',
      rev: null,
      current: null,
      problem: { code, message, ...(column === undefined ? {} : { column }) },
    },
    value: raw,
  })
  const refuseFor = ({ code, fill, column }: Flaw) =>
    refuse(code, problemMessage(code, context.language, fill), column)
  if (question === undefined) return refuseFor({ code: 'unknown', fill: questionCode.slice(0, MAX_CODE) })
  if (question.type === 'computed') return refuseFor({ code: 'computedChanged' })
  if (question.type === 'note') return refuseFor({ code: 'notAnswerable' })
  if (question.isHidden === true) return refuseFor({ code: 'notAsked' })
  const reason = context.refusal(questionCode, rowKey)
  if (reason !== null) return refuse('locked', reason)
  const read = readValue(question, rowKey, raw, context.references)
  if ('flaw' in read) return refuseFor(read.flaw)
  const { value } = read
  if (current !== undefined && isDeepStrictEqual(current.value, value))
    return accept(mutation, current, value)
  if (base !== (current?.rev ?? 0)) {
    // An answer that never existed and one that was cleared are the same.
    if (current === undefined && value === null) return accept(mutation, undefined, value)
    const result = {
      mutationId: mutation.mutationId,
      status: 'conflict',
      rev: null,
      current: current === undefined ? null : publicAnswer(current),
      problem: null,
    } as const
    return { result, value }
  }
  if (current === undefined && value === null) return accept(mutation, undefined, value)
  const tooMany =
    current?.value === undefined || current.value === null ? faultOfNewRow(question, rowKey, answers) : null
  if (tooMany !== null) return refuseFor(tooMany)
  const next: CurrentAnswer = {
    questionCode,
    rowKey,
    value,
    rev: base + 1,
    isSetAside: false,
    sourceTargetId: sourceOf(context, mutation, value),
    answeredBy: context.sender,
    answeredAt: context.now.toISOString(),
    place: current?.place ?? nextPlace(answers),
  }
  answers.set(key, next)
  return accept(mutation, next, value)
}

/**
 * The target that a value was taken from. A source that wasn't offered is left out instead of refusing the answer: the other
 * target may have been reopened while the sender was offline.
 */
function sourceOf(context: BatchContext, mutation: SentMutation, value: unknown): string | null {
  const { questionCode, sourceTargetId: targetId } = mutation
  if (targetId === undefined) return null
  return context.isOffered({ questionCode, targetId, value }) ? targetId : null
}

function accept(mutation: SentMutation, answer: CurrentAnswer | undefined, value: unknown): AppliedMutation {
  const { mutationId } = mutation
  const current = answer === undefined ? null : publicAnswer(answer)
  return { result: { mutationId, status: 'accepted', rev: answer?.rev ?? 0, current, problem: null }, value }
}

/** An answer as callers see it. */
export function publicAnswer(answer: CurrentAnswer): StoredAnswer {
  return {
    questionCode: answer.questionCode,
    rowKey: answer.rowKey,
    value: answer.value,
    rev: answer.rev,
    isSetAside: answer.isSetAside,
    sourceTargetId: answer.sourceTargetId,
    answeredBy: answer.answeredBy,
    answeredAt: answer.answeredAt,
  }
}

function nextPlace(answers: ReadonlyMap<string, CurrentAnswer>): number {
  let last = 0
  for (const { place } of answers.values()) last = Math.max(last, place)
  return last + 1
}

/** Why another row can't be added. */
function faultOfNewRow(
  question: Question,
  rowKey: string,
  answers: ReadonlyMap<string, CurrentAnswer>,
): Flaw | null {
  if (question.type !== 'table' || rowKey === '') return null
  const rows = [...answers.values()].filter((one) => one.questionCode === question.code && one.rowKey !== '')
  const most = Math.min(question.maxRows ?? MAX_TABLE_ROWS, MAX_TABLE_ROWS)
  const filled = rows.filter(({ value }) => value !== null && value !== undefined).length
  return filled >= most || rows.length >= MAX_ROW_KEYS ? { code: 'tooManyRows', fill: most } : null
}

/** Whether an answer exists to a question that isn't asked now. */
function isSetAside(
  compiled: CompiledDefinition,
  asked: ReadonlySet<string>,
  evaluation: Evaluation,
  { questionCode, value }: CurrentAnswer,
): boolean {
  if (value === null || value === undefined || asked.has(questionCode)) return false
  const question = compiled.byCode.get(questionCode)?.question
  return question?.isHidden === true ? Object.hasOwn(evaluation.setAside, questionCode) : true
}
