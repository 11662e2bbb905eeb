import type { CompiledDefinition } from '#contract/questions/compile.ts'
import type { Question, QuestionOf } from '#contract/questions/definition.ts'
import { consentText, type AnswerProblem, type Seller } from '#contract/questions/evaluate.ts'
import { textIn } from '#contract/questions/texts.ts'
import { fieldName, OTHER_VALUE, otherName } from '#contract/marketing/forms/form-body.ts'
import { flag, html, type Html, type Part } from './html.ts'

/** What a question is shown with. `typed`: the fields as the visitor filled them in. */
export type FieldContext = Readonly<{
  typed: URLSearchParams
  language: string
  languages: readonly string[]
  required: ReadonlySet<string>
  problems: readonly AnswerProblem[]
  computed: Readonly<Record<string, string | boolean | null>>
  seller: Seller
}>

/** The fields of questions that work without a script. */
export function questionFields(questions: readonly Question[], context: FieldContext): Html[] {
  return questions.map((question) => questionField(question, context))
}

function questionField(question: Question, context: FieldContext): Html {
  const { code } = question
  const { language, languages, typed } = context
  if (question.isHidden === true) {
    return html`<input type="hidden" name="${fieldName(code)}" value="${typed.get(fieldName(code)) ?? ''}" />`
  }
  switch (question.type) {
    case 'note':
      return html`<p class="note">${textIn(question.text, language, languages)}</p>`
    case 'computed':
      return computedField(question, context)
    case 'consent':
      return consentField(question, context)
    case 'single':
    case 'multiple':
      return choiceField(question, context)
    case 'boolean':
      return groupField(question, context, [
        radio(question, context, 'yes', 'Yes'),
        radio(question, context, 'no', 'No'),
      ])
    case 'rating':
      return groupField(
        question,
        context,
        Array.from({ length: question.max }, (_, at) =>
          radio(question, context, String(at + 1), ratingLabel(question, at + 1, context)),
        ),
      )
    default:
      return labeledField(question, context, inputOf(question, context))
  }
}

/** The ID of a question's first field, which error messages link to. */
export const fieldId = (code: string): string => `f-${code}`

const titleOf = (question: Question, { language, languages }: FieldContext): string =>
  textIn(question.title, language, languages) || question.code
const problemsOf = ({ code }: Question, { problems }: FieldContext): readonly AnswerProblem[] =>
  problems.filter((problem) => problem.question === code)

/** Help and errors below the title, which the field refers to. */
function notes(question: Question, context: FieldContext): { part: Part; ids: string } {
  const { code, help } = question
  const text = textIn(help, context.language, context.languages)
  const problems = problemsOf(question, context)
  const ids = [
    text !== '' && `${fieldId(code)}-help`,
    problems.length > 0 && `${fieldId(code)}-error`,
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

function mark(question: Question, { required }: FieldContext): Part {
  return required.has(question.code) ? null : html` <span class="required">(optional)</span>`
}

/** The unit of a number, after its title. */
const unitOf = (question: Question): string | null =>
  question.type === 'number' && question.unit !== undefined ? ` (${question.unit})` : null

function labeledField(question: Question, context: FieldContext, input: Html): Html {
  return html`<div class="field">
    <label class="label" for="${fieldId(question.code)}"
      >${titleOf(question, context)}${unitOf(question)}${mark(question, context)}</label
    >
    ${notes(question, context).part} ${input}
  </div>`
}

/** Attributes that every field of a question has. */
function attributes(question: Question, context: FieldContext): Html {
  const { ids } = notes(question, context)
  return html`id="${fieldId(question.code)}"
  name="${fieldName(question.code)}"${flag('required', context.required.has(question.code))}${ids !== '' && html` aria-describedby="${ids}"`}${problemsOf(question, context).length > 0 && html` aria-invalid="true"`}`
}

type Input = Readonly<{ type: string; complete?: string; mode?: string; length?: number }>
const TEXT_INPUT: Input = { type: 'text' }
const INPUTS: Readonly<Record<string, Input>> = {
  email: { type: 'email', complete: 'email', length: 254 },
  phone: { type: 'tel', complete: 'tel', length: 40 },
  url: { type: 'text', mode: 'url' },
  vin: { type: 'text', length: 30 },
  postalCode: { type: 'text', complete: 'postal-code', length: 12 },
  number: { type: 'text', mode: 'decimal', length: 40 },
  date: { type: 'date' },
}
/** Names of questions that browsers can fill in. */
const COMPLETIONS: Readonly<Record<string, string>> = {
  name: 'name',
  fullName: 'name',
  firstName: 'given-name',
  lastName: 'family-name',
}

function inputOf(question: Question, context: FieldContext): Html {
  const value = context.typed.get(fieldName(question.code)) ?? ''
  if (question.type === 'longText') {
    return html`<textarea
      ${attributes(question, context)}
      maxlength="${question.maxLength ?? 20_000}"
      rows="4"
    >
${value}</textarea>`
  }
  const { type, complete, mode, length } = INPUTS[question.type] ?? TEXT_INPUT
  const most = question.type === 'text' ? (question.maxLength ?? 500) : (length ?? 500)
  const completion =
    complete ?? (Object.hasOwn(COMPLETIONS, question.code) ? COMPLETIONS[question.code] : undefined)
  return html`<input
      type="${type}"
      ${attributes(question, context)}
      value="${value}"
      ${type !== 'date' && html` maxlength="${most}"`}${completion !== undefined && html` autocomplete="${completion}"`}${mode !== undefined && html` inputmode="${mode}"`}
    />`
}

function radio(question: Question, context: FieldContext, value: string, label: string): Html {
  const name = fieldName(question.code)
  return html`<label class="choice"
    ><input
      type="radio"
      name="${name}"
      value="${value}"
      ${flag('checked', context.typed.get(name) === value)}${flag('required', context.required.has(question.code))}
    />
    <span>${label}</span></label
  >`
}

function checkbox(question: Question, context: FieldContext, value: string, label: string): Html {
  const name = fieldName(question.code)
  return html`<label class="choice"
    ><input
      type="checkbox"
      name="${name}"
      value="${value}"
      ${flag('checked', context.typed.getAll(name).includes(value))}
    />
    <span>${label}</span></label
  >`
}

function groupField(question: Question, context: FieldContext, choices: Part): Html {
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

/** More choices than this are a list to choose from. */
const MAX_RADIOS = 8

function choiceField(question: QuestionOf<'single' | 'multiple'>, context: FieldContext): Html {
  const { language, languages, typed } = context
  const labels = question.choices.map(({ value, title }) => ({
    value,
    label: textIn(title, language, languages) || value,
  }))
  const isOne = question.type === 'single'
  if (isOne && labels.length > MAX_RADIOS && question.allowOther !== true) {
    const chosen = typed.get(fieldName(question.code))
    return labeledField(
      question,
      context,
      html`<select ${attributes(question, context)}>
        <option value="">Choose</option>
        ${labels.map(({ value, label }) => html`<option value="${value}" ${flag('selected', value === chosen)}>${label}</option>`)}
      </select>`,
    )
  }
  const one = isOne ? radio : checkbox
  return groupField(question, context, [
    labels.map(({ value, label }) => one(question, context, value, label)),
    question.allowOther === true && [
      one(question, context, OTHER_VALUE, 'Other'),
      html`<input
        type="text"
        name="${otherName(question.code)}"
        aria-label="Other: ${titleOf(question, context)}"
        maxlength="500"
        value="${typed.get(otherName(question.code)) ?? ''}"
      />`,
    ],
  ])
}

function ratingLabel(
  question: QuestionOf<'rating'>,
  value: number,
  { language, languages }: FieldContext,
): string {
  const highest = value === question.max ? question.highest : undefined
  const text = textIn(value === 1 ? question.lowest : highest, language, languages)
  return text === '' ? String(value) : `${value} (${text})`
}

function consentField(question: QuestionOf<'consent'>, context: FieldContext): Html {
  const name = fieldName(question.code)
  const { text } = consentText(question, context.languages, context)
  const { part, ids } = notes(question, context)
  const version = String(question.version)
  return html`<div class="field">
    <label class="choice"
      ><input
        type="checkbox"
        id="${fieldId(question.code)}"
        name="${name}"
        value="${version}"
        ${flag('checked', context.typed.get(name) === version)}${flag('required', context.required.has(question.code))}${ids !== '' && html` aria-describedby="${ids}"`}
      />
      <span>${text}${mark(question, context)}</span></label
    >
    ${part}
  </div>`
}

function computedField(question: QuestionOf<'computed'>, context: FieldContext): Html {
  const value = context.computed[question.code] ?? null
  const known = value === true ? 'Yes' : 'No'
  const text = typeof value === 'boolean' ? known : (value ?? 'Not known yet')
  return html`<div class="field">
    <span class="label">${titleOf(question, context)}</span
    ><output>${text} ${value !== null && question.unit}</output>
  </div>`
}

/** The questions of a section that are asked now, with its hidden fields. */
export function questionsOf(
  compiled: CompiledDefinition,
  sectionId: string,
  visible: ReadonlySet<string>,
): Question[] {
  return compiled.questions
    .filter(({ section }) => section.id === sectionId)
    .map(({ question }) => question)
    .filter(({ code, isHidden, type }) => visible.has(code) || (isHidden === true && type !== 'computed'))
}
