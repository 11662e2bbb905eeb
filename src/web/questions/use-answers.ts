import { useMemo, useState } from 'react'
import type { CompiledDefinition } from '#contract/questions/compile.ts'
import {
  evaluateAnswers,
  type AnswerProblem,
  type Evaluation,
  type Seller,
} from '#contract/questions/evaluate.ts'
import { problemsAfterLeaving } from './field-props.ts'
import { toAnswers, type Drafts } from './draft-answers.ts'

type Options = Readonly<{
  language: string
  /** The instant for `today()`. Keep it for the life of the form, so that questions don't change at midnight. */
  now: Date
  zone: string
  seller?: Seller
  initial?: Drafts
}>

export type AnswersState = Readonly<{
  drafts: Drafts
  evaluation: Evaluation
  change: (code: string, draft: unknown) => void
  /** The problems to show at a question: those of questions that were left, or all after `showAll`. */
  problemsOf: (code: string) => readonly AnswerProblem[]
  leave: (code: string) => void
  /** Shows the problems of these questions: before a step or the whole form is sent. */
  showAll: (codes: readonly string[]) => void
}>

/** The answers of a form while they are entered. Answers to questions that disappear are kept until they return. */
export function useAnswers(compiled: CompiledDefinition, options: Options): AnswersState {
  const { language, now, zone, seller, initial } = options
  const [drafts, setDrafts] = useState<Drafts>(initial ?? {})
  const [left, setLeft] = useState<ReadonlySet<string>>(new Set())
  const evaluation = useMemo(() => {
    const answers = toAnswers(compiled, drafts, language)
    const place = seller === undefined ? {} : { seller }
    return evaluateAnswers(compiled, answers, { language, now, zone, setAside: true, ...place })
  }, [compiled, drafts, language, now, zone, seller])
  const show = (codes: readonly string[]) => setLeft((former) => new Set([...former, ...codes]))
  return {
    drafts,
    evaluation,
    change: (code, draft) => setDrafts((former) => ({ ...former, [code]: draft })),
    problemsOf: (code) => problemsAfterLeaving(evaluation.problems, code, left),
    leave: (code) => show([code]),
    showAll: show,
  }
}
