import type { ReactNode } from 'react'
import type { FileAnswer } from '#contract/questions/answers.ts'
import type { QuestionOf, QuestionType } from '#contract/questions/definition.ts'
import type { AnswerProblem, Evaluation, Seller } from '#contract/questions/evaluate.ts'
import { problemsAt, questionsOfProblem } from '#contract/questions/one-of.ts'
import { textIn, type Texts } from '#contract/questions/texts.ts'
import type { ControlText } from '#contract/questions/control-texts.ts'

/** What all questions of a form share. */
export type FieldContext = Readonly<{
  language: string
  languages: readonly string[]
  text: ControlText
  evaluation: Evaluation
  seller?: Seller
  /** The facilities that can be chosen. */
  facilities?: readonly Readonly<{ value: string; label: string }>[]
  /**
   * Stores a file. Null: the page keeps it, and adds it to the answer once it is stored. Without this, as in a preview,
   * files can't be added.
   */
  upload?: (file: File) => Promise<FileAnswer | null>
}>

/** What the component of a question type gets. */
export type FieldProps<Type extends QuestionType> = Readonly<{
  question: QuestionOf<Type>
  draft: unknown
  onChange: (draft: unknown) => void
  onLeave: () => void
  problems: readonly AnswerProblem[]
  isRequired: boolean
  context: FieldContext
  /** Rows of a table that can't be changed now, by place, with a note below each of them. */
  locked?: ReadonlyMap<number, ReactNode>
  /** Rows of a table can't be added or removed. */
  hasFixedRows?: boolean
}>

/** A text of the definition in the language of the form. */
export function shownText(texts: Texts | undefined, { language, languages }: FieldContext): string {
  return textIn(texts, language, languages)
}

/** The problem of the whole question, not of one of its cells or parts. */
export function ownProblem(problems: readonly AnswerProblem[]): string | undefined {
  return problems.find(
    ({ row, column, oneOf }) => row === undefined && column === undefined && oneOf === undefined,
  )?.message
}

/** The problem of the questions of which one must be answered. It is shown above them. */
export function groupProblem(problems: readonly AnswerProblem[]): string | undefined {
  return problems.find(({ oneOf }) => oneOf !== undefined)?.message
}

/** The problems to show at a question: those of questions that were left. */
export function problemsAfterLeaving(
  problems: readonly AnswerProblem[],
  code: string,
  left: ReadonlySet<string>,
): readonly AnswerProblem[] {
  return problemsAt(problems, code).filter((problem) =>
    questionsOfProblem(problem).every((one) => left.has(one)),
  )
}

/** Label, help and problem of an input that shows the question on its own. */
export function inputProps({ question, problems, isRequired, context }: FieldProps<QuestionType>) {
  const help = shownText(question.help, context)
  const error = ownProblem(problems)
  const ofGroup = error === undefined ? groupProblem(problems) : undefined
  return {
    label: shownText(question.title, context),
    withAsterisk: isRequired,
    'aria-required': isRequired,
    error: error ?? ofGroup,
    // It is shown once, above the group; the field refers to it for screen readers.
    ...(ofGroup !== undefined && { errorProps: { className: 'fc-hidden' } }),
    ...(help === '' ? {} : { description: help }),
  }
}

/** The same for a group of inputs, on whose wrapper `aria-required` isn't allowed: the asterisk is part of its label. */
export function groupProps(props: FieldProps<QuestionType>) {
  const { 'aria-required': _, ...rest } = inputProps(props)
  return rest
}
