import { localeFormat } from '#contract/parsing/locale-format.ts'
import { showNumber } from '#contract/parsing/parse-number.ts'
import type { Question, QuestionOf } from '#contract/questions/definition.ts'
import { consentText } from '#contract/questions/evaluate.ts'
import { textIn } from '#contract/questions/texts.ts'
import { inputName } from '#contract/questions/reading/form-entries.ts'
import { OTHER } from '#contract/questions/rule-names.ts'
import {
  attributes,
  fieldId,
  type FieldContext,
  groupField,
  labeledField,
  mark,
  notes,
  titleOf,
} from './field-parts.ts'
import { fileField } from './file-field.ts'
import { matrixField, partsField, tableField } from './grid-fields.ts'
import { flag, html, type Html } from './html.ts'

/** The fields of a question, which work without a script. */
export function questionField(question: Question, context: FieldContext): Html {
  const { code } = question
  const { language, languages, typed } = context
  if (question.isHidden === true) {
    return html`<input type="hidden" name="${inputName(code)}" value="${typed.get(inputName(code)) ?? ''}" />`
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
        radio(question, context, 'true', context.text('yes')),
        radio(question, context, 'false', context.text('no')),
      ])
    case 'rating':
      return groupField(
        question,
        context,
        Array.from({ length: question.max }, (_, at) =>
          radio(question, context, String(at + 1), ratingLabel(question, at + 1, context)),
        ),
      )
    case 'matrix':
      return matrixField(question, context)
    case 'table':
      return tableField(question, context)
    case 'address':
    case 'person':
      return partsField(question, context)
    case 'file':
      return fileField(question, context)
    default:
      return labeledField(question, context, inputOf(question, context))
  }
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
  const value = context.typed.get(inputName(question.code)) ?? ''
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
  const name = inputName(question.code)
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
  const name = inputName(question.code)
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
    const chosen = typed.get(inputName(question.code))
    return labeledField(
      question,
      context,
      html`<select ${attributes(question, context)}>
        <option value="">${context.text('choose')}</option>
        ${labels.map(({ value, label }) => html`<option value="${value}" ${flag('selected', value === chosen)}>${label}</option>`)}
      </select>`,
    )
  }
  const one = isOne ? radio : checkbox
  return groupField(question, context, [
    labels.map(({ value, label }) => one(question, context, value, label)),
    question.allowOther === true && [
      one(question, context, OTHER, context.text('other')),
      html`<input
        type="text"
        name="${inputName(question.code, OTHER)}"
        aria-label="${context.page('otherAnswer', titleOf(question, context))}"
        maxlength="500"
        value="${typed.get(inputName(question.code, OTHER)) ?? ''}"
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
  const name = inputName(question.code)
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
  const known = context.text(value === true ? 'yes' : 'no')
  const text = typeof value === 'boolean' ? known : resultText(question, value, context)
  return html`<div class="field">
    <span class="label">${titleOf(question, context)}</span
    ><output>${text} ${value !== null && question.unit}</output>
  </div>`
}

/** A calculated value; a number as the language writes it. */
function resultText(
  { result }: QuestionOf<'computed'>,
  value: string | null,
  { language, page }: FieldContext,
): string {
  if (value === null) return page('unknownYet')
  return result === 'number' ? showNumber(value, localeFormat(language)) : value
}
