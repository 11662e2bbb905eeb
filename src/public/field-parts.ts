import type { ControlText } from '#contract/questions/control-texts.ts'
import type { FileAnswer } from '#contract/questions/answers.ts'
import type { Question, QuestionColumn } from '#contract/questions/definition.ts'
import type { AnswerProblem, Seller } from '#contract/questions/evaluate.ts'
import { groupNameOf, questionsOfProblem } from '#contract/questions/one-of.ts'
import { inputName } from '#contract/questions/reading/form-entries.ts'
import { textIn } from '#contract/questions/texts.ts'
import { flag, html, type Html, type Part } from './html.ts'
import type { PageText } from './page-texts.ts'

/** What a question is shown with. `typed`: the fields as the visitor filled them in. */
export type FieldContext = Readonly<{
  typed: URLSearchParams
  language: string
  languages: readonly string[]
  required: ReadonlySet<string>
  problems: readonly AnswerProblem[]
  computed: Readonly<Record<string, string | boolean | null>>
  /** Sums of table columns, by name. */
  totals: Readonly<Record<string, string | null>>
  /** Files that were sent from this page before, by the code of their question. */
  files: Readonly<Record<string, readonly FileAnswer[]>>
  seller: Seller
  /** Texts of controls and of the page, in the language. */
  text: ControlText
  page: PageText
}>

/** The ID of a question's first field, which error messages link to. */
export const fieldId = (code: string): string => `f-${code}`

/** The title of a question in the visitor's language. */
export const titleOf = (question: Question, { language, languages }: FieldContext): string =>
  textIn(question.title, language, languages) || question.code

/** What is wrong with an answer as a whole. What is wrong with its parts is shown at each. */
const problemsOf = ({ code }: Question, { problems }: FieldContext): readonly AnswerProblem[] =>
  problems.filter(
    ({ question, column, oneOf }) => question === code && column === undefined && oneOf === undefined,
  )

/** What is wrong with the questions of which one must be answered. It is shown once, above them. */
export const groupProblemOf = ({ code }: Question, { problems }: FieldContext): AnswerProblem | null =>
  problems.find((problem) => problem.oneOf !== undefined && questionsOfProblem(problem).includes(code)) ??
  null

/** The ID of what is wrong with such questions. */
export const groupErrorId = (name: string): string => `g-${name}-error`

/** Whether something is wrong with an answer, or with the questions it is one of. */
export const isInvalid = (question: Question, context: FieldContext): boolean =>
  problemsOf(question, context).length > 0 || groupProblemOf(question, context) !== null

/** Help and errors below the title, which the field refers to. */
export function notes(question: Question, context: FieldContext): { part: Part; ids: string } {
  const { code, help } = question
  const text = textIn(help, context.language, context.languages)
  const problems = problemsOf(question, context)
  const ids = [
    text !== '' && `${fieldId(code)}-help`,
    problems.length > 0 && `${fieldId(code)}-error`,
    groupProblemOf(question, context) !== null && groupErrorId(groupNameOf(question) ?? ''),
  ].filter((id) => id !== false)
  return {
    ids: ids.join(' '),
    part: [
      text !== '' && html`<p class="help" id="${fieldId(code)}-help">${text}</p>`,
      problems.length > 0 &&
        html`<p class="error" id="${fieldId(code)}-error">
          ${[...new Set(problems.map(({ message }) => message))].join(' ')}
        </p>`,
    ],
  }
}

/** Says that an answer is optional. Where one of several is needed, their title says so. */
export function mark(question: Question, { required, page }: FieldContext): Part {
  return required.has(question.code) || groupNameOf(question) !== null
    ? null
    : html` <span class="required">${page('optional')}</span>`
}

/** The unit of a number, after its title. */
export const unitOf = (of: Question | QuestionColumn): string | null =>
  of.type === 'number' && of.unit !== undefined ? ` (${of.unit})` : null

/** The fields of an answer that has parts: their ID, name and what was typed. */
export function partOf(
  { code }: Question,
  { typed, problems }: FieldContext,
  { row, column }: { row?: number; column: string },
) {
  const parts = row === undefined ? [column] : [row, column]
  const name = inputName(code, ...parts)
  const id = `f-${name}`
  const found = problems.filter((one) => one.question === code && one.row === row && one.column === column)
  const text = [...new Set(found.map(({ message }) => message))].join(' ')
  return {
    id,
    name,
    value: typed.get(name) ?? '',
    /** Attributes that say what is wrong. */
    invalid: text === '' ? null : html` aria-invalid="true" aria-describedby="${id}-error"`,
    error: text === '' ? null : html`<p class="error" id="${id}-error">${text}</p>`,
  }
}

/** One field with its label, help and errors. */
export function labeledField(question: Question, context: FieldContext, input: Html): Html {
  return html`<div class="field">
    <label class="label" for="${fieldId(question.code)}"
      >${titleOf(question, context)}${unitOf(question)}${mark(question, context)}</label
    >
    ${notes(question, context).part} ${input}
  </div>`
}

/** Attributes that every field of a question has. */
export function attributes(question: Question, context: FieldContext): Html {
  const { ids } = notes(question, context)
  return html`id="${fieldId(question.code)}"
  name="${inputName(question.code)}"${flag('required', context.required.has(question.code))}${ids !== '' && html` aria-describedby="${ids}"`}${isInvalid(question, context) && html` aria-invalid="true"`}`
}

/** Several fields under one title, with help and errors. */
export function groupField(question: Question, context: FieldContext, choices: Part): Html {
  const { part, ids } = notes(question, context)
  return html`<fieldset
    class="field"
    id="${fieldId(question.code)}"
    tabindex="-1"
    ${ids !== '' && html` aria-describedby="${ids}"`}
  >
    <legend class="label">${titleOf(question, context)}${mark(question, context)}</legend>
    ${part} ${choices}
  </fieldset>`
}
