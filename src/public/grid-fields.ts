import { localeFormat } from '#contract/parsing/locale-format.ts'
import { showNumber } from '#contract/parsing/parse-number.ts'
import type { QuestionColumn, QuestionOf } from '#contract/questions/definition.ts'
import { MAX_LINE, MAX_TABLE_ROWS } from '#contract/questions/limits.ts'
import { textIn, type Texts } from '#contract/questions/texts.ts'
import { COUNTRIES } from '#contract/questions/vocabulary.ts'
import { FIELD_NAMES } from '#contract/marketing/forms/form-body.ts'
import { type FieldContext, groupField, partOf, titleOf, unitOf } from './field-parts.ts'
import { flag, html, type Html } from './html.ts'

const shown = (texts: Texts, { language, languages }: FieldContext): string =>
  textIn(texts, language, languages)

/** One choice in each row: a group of radio buttons for each, which also fits a phone. */
export function matrixField(question: QuestionOf<'matrix'>, context: FieldContext): Html {
  return groupField(
    question,
    context,
    question.rows.map(({ code, title }) => {
      const { id, name, value, error, invalid } = partOf(question, context, { column: code })
      return html`<fieldset class="row" id="${id}" ${invalid}>
        <legend>${shown(title, context) || code}</legend>
        ${error}
        <div class="choices">
          ${question.choices.map(
            (choice) =>
              html`<label class="choice"
                ><input
                  type="radio"
                  name="${name}"
                  value="${choice.value}"
                  ${flag('checked', value === choice.value)}
                />
                <span>${shown(choice.title, context) || choice.value}</span></label
              >`,
          )}
        </div>
      </fieldset>`
    }),
  )
}

type PartInput = Readonly<{
  name: 'street' | 'city' | 'region' | 'postalCode' | 'country' | 'name' | 'role' | 'email' | 'phone'
  complete: string
  type?: 'email' | 'tel'
  isWide?: true
}>

const ADDRESS: readonly PartInput[] = [
  { name: 'street', complete: 'street-address', isWide: true },
  { name: 'city', complete: 'address-level2' },
  { name: 'region', complete: 'address-level1' },
  { name: 'postalCode', complete: 'postal-code' },
  { name: 'country', complete: 'country' },
]
const PERSON: readonly PartInput[] = [
  { name: 'name', complete: 'name' },
  { name: 'role', complete: 'organization-title' },
  { name: 'email', complete: 'email', type: 'email' },
  { name: 'phone', complete: 'tel', type: 'tel' },
]

/** The parts of an address or of a person. */
export function partsField(question: QuestionOf<'address' | 'person'>, context: FieldContext): Html {
  const inputs = (question.type === 'address' ? ADDRESS : PERSON).map((input) => {
    const { id, name, value, invalid, error } = partOf(question, context, { column: input.name })
    const field =
      input.name === 'country'
        ? html`<select id="${id}" name="${name}" autocomplete="country" ${invalid}>
            <option value="">${context.text('choose')}</option>
            ${countriesWith(value, context).map(({ code, label }) => html`<option value="${code}" ${flag('selected', code === value)}>${label}</option>`)}
          </select>`
        : html`<input
            type="${input.type ?? 'text'}"
            id="${id}"
            name="${name}"
            value="${value}"
            maxlength="${MAX_LINE}"
            autocomplete="${input.complete}"
            ${invalid}
          />`
    return html`<div class="part${input.isWide === true && ' wide'}">
      <label for="${id}">${context.text(input.name)}</label>
      ${field} ${error}
    </div>`
  })
  return groupField(question, context, html`<div class="parts">${inputs}</div>`)
}

/** Countries whose formats are known, and the one that was chosen elsewhere. */
function countriesWith(chosen: string, { language }: FieldContext): { code: string; label: string }[] {
  const names = new Intl.DisplayNames([language, 'en'], { type: 'region' })
  const isOther = /^[A-Z]{2}$/.test(chosen) && !COUNTRIES.some((code) => code === chosen)
  return [...COUNTRIES, ...(isOther ? [chosen] : [])]
    .map((code) => ({ code, label: names.of(code) ?? code }))
    .toSorted((one, other) => one.label.localeCompare(other.label, language))
}

/** Rows of a table that are shown at first, and how many the button adds. */
const FIRST_ROWS = 2
const MORE_ROWS = 3

/** Rows with typed columns. On a phone each row is a block. A button asks for more rows; the page comes back with them. */
export function tableField(question: QuestionOf<'table'>, context: FieldContext): Html {
  const { code, columns, maxRows = MAX_TABLE_ROWS } = question
  const { text, page } = context
  const rows = rowsOf(question, context)
  const titles = columns.map(
    (column) => `${shown(column.title, context) || column.code}${unitOf(column) ?? ''}`,
  )
  return groupField(question, context, [
    html`<table class="rows">
      <thead>
        <tr>
          ${titles.map((title) => html`<th scope="col">${title}</th>`)}
        </tr>
      </thead>
      <tbody>
        ${Array.from(
          { length: rows.count },
          (_, row) =>
            html`<tr>
              ${columns.map(
                (column, at) =>
                  html`<td data-title="${titles[at]}">
                    ${cell(question, context, {
                      row,
                      column,
                      label: `${titles[at] ?? ''}, ${text('row', row + 1)}`,
                      isFirstNew: row === rows.firstNew && at === 0,
                    })}
                  </td>`,
              )}
            </tr>`,
        )}
      </tbody>
      ${totalsRow(question, context)}
    </table>`,
    rows.count < maxRows &&
      html`<p>
        <button class="button quiet" name="${FIELD_NAMES.more}" value="${code}" formnovalidate>
          ${page('moreRows')}<span class="hidden">: ${titleOf(question, context)}</span>
        </button>
      </p>`,
  ])
}

/** How many rows to show: those that were on the page, and more if its button was pressed. */
function rowsOf(
  { code, minRows = 0, maxRows = MAX_TABLE_ROWS }: QuestionOf<'table'>,
  { typed }: FieldContext,
): { count: number; firstNew: number | null } {
  let last = -1
  for (const name of typed.keys()) {
    const [of, row = ''] = name.split('.')
    if (of === code && /^\d{1,3}$/.test(row)) last = Math.max(last, Number(row))
  }
  const most = Math.max(1, Math.min(maxRows, MAX_TABLE_ROWS))
  const before = Math.min(Math.max(last + 1, minRows, FIRST_ROWS), most)
  if (typed.get(FIELD_NAMES.more) !== code) return { count: before, firstNew: null }
  return { count: Math.min(before + MORE_ROWS, most), firstNew: before < most ? before : null }
}

function cell(
  question: QuestionOf<'table'>,
  context: FieldContext,
  of: { row: number; column: QuestionColumn; label: string; isFirstNew: boolean },
): Html {
  const { row, column, label, isFirstNew } = of
  const { name, value, invalid, error } = partOf(question, context, { row, column: column.code })
  // After a page with more rows, the first new one is where typing goes on.
  const shared = html`name="${name}" aria-label="${label}"${flag('autofocus', isFirstNew)}${invalid}`
  if (column.type === 'boolean') {
    return html`<input type="checkbox" ${shared} value="true" ${flag('checked', value === 'true')} />${error}`
  }
  if (column.type === 'single') {
    return html`<select ${shared}>
        <option value="">${context.text('choose')}</option>
        ${column.choices.map((choice) => html`<option value="${choice.value}" ${flag('selected', value === choice.value)}>${shown(choice.title, context) || choice.value}</option>`)}</select
      >${error}`
  }
  const type = column.type === 'date' ? 'date' : 'text'
  return html`<input
      type="${type}"
      ${shared}
      value="${value}"
      ${type === 'text' && html` maxlength="${MAX_LINE}"`}${column.type === 'number' && html` inputmode="decimal"`}
    />${error}`
}

/** The sums of the columns, as of when the page was made. */
function totalsRow({ columns }: QuestionOf<'table'>, { totals, language, text }: FieldContext): Html | null {
  const sums = columns.map((column) =>
    column.type === 'number' && column.total !== undefined ? (totals[column.total] ?? null) : null,
  )
  if (sums.every((sum) => sum === null)) return null
  const format = localeFormat(language)
  return html`<tfoot>
    <tr>
      ${sums.map((sum) => html`<td>${sum !== null && `${text('total')} ${showNumber(sum, format)}`}</td>`)}
    </tr>
  </tfoot>`
}
