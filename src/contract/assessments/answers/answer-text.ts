import { localeFormat } from '#contract/entries/locale-format.ts'
import { showNumber } from '#contract/entries/parse-number.ts'
import type { Question, QuestionColumn } from '#contract/questions/definition.ts'
import { isRecord } from '#contract/questions/reading.ts'
import { textIn } from '#contract/questions/texts.ts'

export type TextContext = Readonly<{
  /** Of titles, numbers and dates. */
  language: string
  /** Of the definition, the default first. */
  languages: readonly string[]
  /** Names of facilities by ID. */
  facilities?: ReadonlyMap<string, string>
}>

/**
 * A stored answer in words: titles of choices, units, dates. Several parts are separated by commas, rows of a table by line
 * breaks. '' without an answer. Never rounds a number.
 */
export function answerText(question: Question, value: unknown, context: TextContext): string {
  if (value === null || value === undefined || value === '') return ''
  if (isRecord(value) && typeof value['refused'] === 'string') return `Declined: ${value['refused']}`
  if (isRecord(value) && value['notApplicable'] === true) return 'Not applicable'
  switch (question.type) {
    case 'number':
      return withUnit(digits(value, context), question.unit)
    case 'computed':
      if (question.result !== 'number') return plain(value)
      return withUnit(digits(value, context), question.unit)
    case 'rating':
      return `${plain(value)} of ${question.max}`
    case 'date':
      return day(value, context)
    case 'single':
      return choice(question.choices, value, context)
    case 'multiple':
      return list(value)
        .map((one) => choice(question.choices, one, context))
        .join(', ')
    case 'matrix':
      return question.rows
        .flatMap(({ code, title }) => {
          const chosen = isRecord(value) ? value[code] : undefined
          if (chosen === undefined) return []
          return [`${textOf(title, context) || code}: ${choice(question.choices, chosen, context)}`]
        })
        .join('\n')
    case 'table':
      return list(value)
        .map((row) => rowText(question.columns, row, context))
        .join('\n')
    case 'file':
      return list(value)
        .map((file) => (isRecord(file) ? plain(file['name']) : ''))
        .join(', ')
    case 'consent':
      return isRecord(value) && value['isGiven'] === true ? 'Agreed' : 'Not agreed'
    case 'facility':
      return context.facilities?.get(plain(value)) ?? plain(value)
    case 'address':
    case 'person':
      return isRecord(value) ? Object.values(value).map(plain).filter(Boolean).join(', ') : ''
    default:
      return plain(value)
  }
}

/** One row of a table: "Meter: Main, Used: 10.5 kWh". */
export function rowText(columns: readonly QuestionColumn[], row: unknown, context: TextContext): string {
  if (!isRecord(row)) return ''
  return columns
    .flatMap((column) => {
      const value = row[column.code]
      if (value === undefined || value === null || value === '') return []
      return [`${textOf(column.title, context) || column.code}: ${cellText(column, value, context)}`]
    })
    .join(', ')
}

/** One cell of a table. */
export function cellText(column: QuestionColumn, value: unknown, context: TextContext): string {
  if (column.type === 'number') return withUnit(digits(value, context), column.unit)
  if (column.type === 'date') return day(value, context)
  if (column.type === 'single') return choice(column.choices, value, context)
  return plain(value)
}

type Choices = readonly Readonly<{ value: string; title: Readonly<Record<string, string>> }>[]

function choice(choices: Choices, value: unknown, context: TextContext): string {
  if (isRecord(value)) return plain(value['other'])
  const found = choices.find((one) => one.value === value)
  return textOf(found?.title, context) || plain(value)
}

const textOf = (texts: Readonly<Record<string, string>> | undefined, { language, languages }: TextContext) =>
  textIn(texts, language, languages)
const list = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : [])
const withUnit = (text: string, unit: string | undefined) => (unit === undefined ? text : `${text} ${unit}`)

function digits(value: unknown, { language }: TextContext): string {
  const text = plain(value)
  return /^-?\d+(\.\d+)?$/.test(text) ? showNumber(text, localeFormat(language)) : text
}

function day(value: unknown, { language }: TextContext): string {
  const text = plain(value)
  const date = new Date(`${text}T00:00:00Z`)
  if (!/^\d{4}-\d\d-\d\d$/.test(text) || Number.isNaN(date.getTime())) return text
  return new Intl.DateTimeFormat(language, { dateStyle: 'medium', timeZone: 'UTC' }).format(date)
}

function plain(value: unknown): string {
  if (typeof value === 'boolean') return value ? 'Yes' : 'No'
  return typeof value === 'string' || typeof value === 'number' ? String(value) : ''
}
