import { isDeepStrictEqual } from 'node:util'
import type { Question } from '#contract/questions/definition.ts'
import { isRecord } from '#contract/questions/reading/reading.ts'
import { readValue } from './read-value.ts'

/** What of a stored value a question of another version accepts; null: nothing. `isWhole`: all of it. */
export type FittingValue = Readonly<{ value: unknown; isWhole: boolean }>

/**
 * Fits a stored answer, or a row of a table, to the question that another version has under its code. Of choices, matrices and
 * rows, the parts that still exist stay. `undefined`: the version doesn't have the question.
 */
export function fitAnswer(
  question: Question | undefined,
  { rowKey, value }: { rowKey: string; value: unknown },
): FittingValue {
  if (value === null || value === undefined) return { value: null, isWhole: true }
  if (question === undefined) return { value: null, isWhole: false }
  const read = (one: unknown): unknown => {
    const result = readValue(question, rowKey, one, 'stored')
    return 'value' in result ? result.value : null
  }
  const whole = read(value)
  if (whole !== null) return { value: whole, isWhole: true }
  return { value: read(partsOf(question, value, (one) => read(one) !== null)), isWhole: false }
}

/** The parts of a value that are accepted on their own. */
function partsOf(question: Question, value: unknown, accepts: (one: unknown) => boolean): unknown {
  if (question.type === 'multiple' && Array.isArray(value))
    return value.filter((one: unknown) => accepts([one]))
  if ((question.type === 'matrix' || question.type === 'table') && isRecord(value))
    return Object.fromEntries(Object.entries(value).filter(([code, one]) => accepts({ [code]: one })))
  return null
}

/** A value that a version didn't accept, with the revision that the answer has had since. */
export type DroppedValue = Readonly<{ questionCode: string; rowKey: string; value: unknown; rev: number }>

type Stored = Readonly<{ questionCode: string; rowKey: string; value: unknown; rev: number }>

/**
 * Fits the answers of a target to another version. Answers to questions that the version doesn't have stay as they are: they are
 * set aside. A value that an earlier change of the version dropped comes back if it fits now, unless the answer was changed since.
 */
export function fitAnswers<A extends Stored>(
  answers: readonly A[],
  {
    former,
    questionOf,
  }: {
    former: readonly DroppedValue[]
    questionOf: (code: string) => Question | undefined
  },
): { answers: A[]; dropped: DroppedValue[]; changed: A[] } {
  const dropped: DroppedValue[] = []
  const changed: A[] = []
  const next = answers.map((answer) => {
    const { questionCode, rowKey, value, rev } = answer
    const question = questionOf(questionCode)
    const earlier = former.find(
      (one) => one.questionCode === questionCode && one.rowKey === rowKey && one.rev === rev,
    )
    const whole = earlier?.value ?? value
    if (question === undefined) {
      if (earlier !== undefined) dropped.push(earlier)
      return answer
    }
    const fit = fitAnswer(question, { rowKey, value: whole })
    const isSame = isDeepStrictEqual(fit.value, value)
    const moved = isSame ? answer : { ...answer, value: fit.value, rev: rev + 1 }
    if (!fit.isWhole) dropped.push({ questionCode, rowKey, value: whole, rev: moved.rev })
    if (!isSame) changed.push(moved)
    return moved
  })
  return { answers: next, dropped, changed }
}
