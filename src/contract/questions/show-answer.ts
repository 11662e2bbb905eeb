import { localeFormat } from '#contract/parsing/locale-format.ts'
import { showNumber } from '#contract/parsing/parse-number.ts'
import type { Question, QuestionColumn } from './definition.ts'
import { isRecord } from './reading/reading.ts'
import { textIn, type Texts } from './texts.ts'

/** The language of a respondent: its tag, and all languages of the definition for texts that it doesn't have. */
export type AnswerLanguage = Readonly<{
  tag: string
  all: readonly string[]
  /** Names of facilities by their ID. */
  facilities?: readonly Readonly<{ value: string; label: string }>[]
  /** Rows of matrices and tables are on lines of their own. */
  isMultiline?: boolean
}>

const ENGLISH = {
  yes: 'Yes',
  no: 'No',
  none: 'Not applicable',
  refused: 'Not answered',
  agreed: 'Agreed',
  declined: 'Not agreed',
}
type Words = typeof ENGLISH
const WORDS = new Map<string | undefined, Words>([
  [
    'es',
    {
      yes: 'Sí',
      no: 'No',
      none: 'No procede',
      refused: 'Sin respuesta',
      agreed: 'Aceptado',
      declined: 'No aceptado',
    },
  ],
  [
    'fr',
    {
      yes: 'Oui',
      no: 'Non',
      none: 'Sans objet',
      refused: 'Sans réponse',
      agreed: 'Accepté',
      declined: 'Non accepté',
    },
  ],
  [
    'de',
    {
      yes: 'Ja',
      no: 'Nein',
      none: 'Nicht zutreffend',
      refused: 'Nicht beantwortet',
      agreed: 'Zugestimmt',
      declined: 'Nicht zugestimmt',
    },
  ],
])
const wordsOf = ({ tag }: AnswerLanguage): Words => WORDS.get(tag.split('-')[0]) ?? ENGLISH

/**
 * A stored answer in words, with titles instead of values: of choices, of the rows of a matrix and the columns of a table. ''
 * without one. Never rounds a number.
 */
export function showAnswer(question: Question, answer: unknown, language: AnswerLanguage): string {
  const words = wordsOf(language)
  if (answer === null || answer === undefined || answer === '') return ''
  const between = language.isMultiline === true ? '\n' : '; '
  if (isRecord(answer) && typeof answer.refused === 'string') return `${words.refused}: ${answer.refused}`
  if (isRecord(answer) && answer.notApplicable === true) return words.none
  if (typeof answer === 'boolean') return answer ? words.yes : words.no
  switch (question.type) {
    case 'computed':
      // A text that looks like a number is none.
      if (question.result !== 'number') return plain(answer)
      return [number(answer, language), question.unit].filter(Boolean).join(' ')
    case 'number':
      // 1978, not 1,978.
      if (question.unit === 'year') return plain(answer)
      return [number(answer, language), question.unit].filter(Boolean).join(' ')
    case 'single':
      return choice(question.choices, answer, language)
    case 'multiple':
      return list(answer)
        .map((one) => choice(question.choices, one, language))
        .join(', ')
    case 'matrix':
      return question.rows
        .flatMap(({ code, title }) => {
          const chosen = isRecord(answer) ? answer[code] : undefined
          if (chosen === undefined) return []
          return [`${titleOf(title, code, language)}: ${choice(question.choices, chosen, language)}`]
        })
        .join(between)
    case 'table':
      return list(answer)
        .map((row) => showRow(question.columns, row, language))
        .join(between)
    case 'date':
      return day(answer, language)
    case 'facility':
      return language.facilities?.find(({ value }) => value === answer)?.label ?? plain(answer)
    case 'rating':
      return `${plain(answer)} / ${question.max}`
    case 'consent':
      return isRecord(answer) && answer.isGiven === true ? words.agreed : words.declined
    case 'file':
      return list(answer)
        .map((file) => (isRecord(file) ? plain(file.name) : ''))
        .join(', ')
    default:
      return isRecord(answer) ? Object.values(answer).map(plain).filter(Boolean).join(', ') : plain(answer)
  }
}

/** One row of a table: "Meter: Main, Used: 10.5 kWh". */
export function showRow(columns: readonly QuestionColumn[], row: unknown, language: AnswerLanguage): string {
  return columns
    .flatMap((column) => {
      const cell: unknown = isRecord(row) ? row[column.code] : undefined
      if (cell === undefined || cell === null || cell === '') return []
      return [`${titleOf(column.title, column.code, language)}: ${showCell(column, cell, language)}`]
    })
    .join(', ')
}

function showCell(column: QuestionColumn, cell: unknown, language: AnswerLanguage): string {
  if (column.type === 'boolean') return cell === true ? wordsOf(language).yes : wordsOf(language).no
  if (column.type === 'single') return choice(column.choices, cell, language)
  if (column.type === 'date') return day(cell, language)
  if (column.type !== 'number') return plain(cell)
  return [number(cell, language), column.unit].filter(Boolean).join(' ')
}

/** An answer to a question, or one row of its table. */
export const showValue = (
  question: Question,
  { row, value }: { row: string; value: unknown },
  language: AnswerLanguage,
): string =>
  question.type === 'table' && row !== ''
    ? showRow(question.columns, value, language)
    : showAnswer(question, value, language)

const titleOf = (title: Texts, code: string, { tag, all }: AnswerLanguage) => textIn(title, tag, all) || code

function choice(
  choices: Extract<Question, { type: 'single' }>['choices'],
  value: unknown,
  { tag, all }: AnswerLanguage,
): string {
  if (isRecord(value)) return plain(value.other)
  const found = choices.find((one) => one.value === value)
  return found === undefined ? plain(value) : textIn(found.title, tag, all) || found.value
}

const number = (value: unknown, { tag }: AnswerLanguage): string =>
  typeof value === 'string' && /^-?\d+(\.\d+)?$/.test(value)
    ? showNumber(value, localeFormat(tag))
    : plain(value)
/** A calendar day, which has no time zone. */
function day(value: unknown, { tag }: AnswerLanguage): string {
  const date = new Date(`${plain(value)}T00:00:00Z`)
  if (!/^\d{4}-\d\d-\d\d$/.test(plain(value)) || Number.isNaN(date.getTime())) return plain(value)
  return new Intl.DateTimeFormat(tag, { dateStyle: 'medium', timeZone: 'UTC' }).format(date)
}
const list = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : [])
const plain = (value: unknown): string =>
  typeof value === 'string' || typeof value === 'number' ? String(value) : ''
