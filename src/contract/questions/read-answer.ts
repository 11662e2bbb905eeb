import { readDay } from '../expressions/days.ts'
import { Exact } from '../expressions/exact.ts'
import type { Answer, ChosenValue, NotAnswered } from './answers.ts'
import type { Country, Question, QuestionChoice, QuestionOf } from './definition.ts'
import { readEmail, readPhone, readPostalCode, readUrl, readVin } from './formats.ts'
import { MAX_DECIMALS, MAX_LINE, MAX_LONG_TEXT, MAX_WHOLE_DIGITS } from './limits.ts'
import type { ProblemCode } from './problem-messages.ts'

/** What is wrong with an answer, without its question. `fill` is the number or date in the message. */
export type Flaw = Readonly<{ code: ProblemCode; fill?: string | number; row?: number; column?: string }>
/** A valid answer in its stored form, or what is wrong with it; null if there is none. */
export type Reading = Readonly<{ value: Answer } | { flaws: readonly Flaw[] }> | null

const flaw = (code: ProblemCode, fill?: string | number): { flaws: readonly Flaw[] } => ({
  flaws: [fill === undefined ? { code } : { code, fill }],
})

/**
 * Reads an answer strictly by the type of its question: the value must have the right shape, and text is trimmed and
 * written in its usual format. `country` is used for phone numbers and postal codes without one.
 */
export function readAnswer(question: Question, value: unknown, country: Country | undefined): Reading {
  if (value === undefined || value === null) return null
  const instead = readNotAnswered(question, value)
  if (instead !== null) return instead
  switch (question.type) {
    case 'text':
      return readText(value, MAX_LINE, question)
    case 'longText':
      return readText(value, MAX_LONG_TEXT, question)
    case 'email':
      return readFormat(value, 'email', readEmail)
    case 'phone':
      return readFormat(value, 'phone', (text) => readPhone(text, question.country ?? country))
    case 'url':
      return readFormat(value, 'url', readUrl)
    case 'vin':
      return readFormat(value, 'vin', readVin)
    case 'postalCode':
      return readFormat(value, 'postalCode', (text) => readPostalCode(text, question.country ?? country))
    case 'number':
      return readNumber(value, question)
    case 'date':
      return readDate(value, question)
    case 'boolean':
      return typeof value === 'boolean' ? { value } : flaw('wrongType')
    case 'single':
      return readSingle(value, question)
    case 'multiple':
      return readMultiple(value, question)
    case 'rating':
      return readRating(value, question)
    case 'consent':
      return readConsent(value, question)
    default:
      return flaw('notAnswerable')
  }
}

/** A refusal with its reason, or "not applicable". */
function readNotAnswered(question: Question, value: unknown): Reading {
  if (!isRecord(value)) return null
  if (Object.hasOwn(value, 'notApplicable')) {
    if (!hasOnly(value, ['notApplicable']) || value.notApplicable !== true) return flaw('wrongType')
    return question.obligation === 'ifApplicable' ? { value: { notApplicable: true } } : flaw('notRefusable')
  }
  if (!Object.hasOwn(value, 'refused')) return null
  if (!hasOnly(value, ['refused'])) return flaw('wrongType')
  if (question.obligation !== 'mayRefuse') return flaw('notRefusable')
  const reason = readText(value.refused, MAX_LINE, {})
  if (reason === null) return flaw('reasonRequired')
  if ('flaws' in reason) return reason
  return typeof reason.value === 'string' ? { value: { refused: reason.value } } : flaw('wrongType')
}

/** Whether a question was refused or isn't applicable. */
export function isNotAnswered(answer: Answer): answer is NotAnswered {
  return typeof answer === 'object' && ('refused' in answer || 'notApplicable' in answer)
}

/** Text with at most `max` characters; on one line unless `max` is that of long text. */
export function readText(
  value: unknown,
  max: number,
  { minLength, maxLength }: { minLength?: number | undefined; maxLength?: number | undefined },
): Reading {
  if (typeof value !== 'string') return flaw('wrongType')
  // Tested first, so that nothing works on a text of any length.
  if (value.length > MAX_LONG_TEXT * 2) return flaw('tooLong', Math.min(maxLength ?? max, max))
  const isLong = max === MAX_LONG_TEXT
  const text = (isLong ? value.replaceAll(/\r\n?/g, '\n') : value).trim()
  if (text === '') return null
  const isClean = isLong
    ? !/[^\P{Cc}\n\t]|[\uFFFE\uFFFF]/u.test(text)
    : !/[\p{Cc}\u2028\u2029\uFFFE\uFFFF]/u.test(text)
  if (!isClean || !text.isWellFormed()) return flaw('character')
  const most = Math.min(maxLength ?? max, max)
  if (text.length > most) return flaw('tooLong', most)
  return minLength !== undefined && text.length < minLength ? flaw('tooShort', minLength) : { value: text }
}

function readFormat(value: unknown, code: ProblemCode, read: (text: string) => string | null): Reading {
  const line = readText(value, MAX_LINE, {})
  if (line === null || 'flaws' in line) return line
  const written = typeof line.value === 'string' ? read(line.value) : null
  return written === null ? flaw(code) : { value: written }
}

const PLAIN = new RegExp(`^-?\\d{1,${MAX_WHOLE_DIGITS}}(\\.\\d{1,${MAX_DECIMALS}})?$`)

type NumberLimits = Pick<QuestionOf<'number'>, 'decimals' | 'min' | 'max'>

/** A number as plain digits, without needless zeros. */
export function readNumber(value: unknown, { decimals, min, max }: NumberLimits): Reading {
  if (value === '') return null
  const digits = typeof value === 'number' && Number.isFinite(value) ? new Exact(value).toFixed() : value
  if (typeof digits !== 'string' || digits.length > MAX_LINE) return flaw('notANumber')
  const plain = digits.trim()
  if (plain === '') return null
  if (!PLAIN.test(plain)) return flaw('notANumber')
  const number = new Exact(plain)
  if (decimals !== undefined && number.decimalPlaces() > decimals) {
    return decimals === 0 ? flaw('wholeNumber') : flaw('tooManyDecimals', decimals)
  }
  if (min !== undefined && number.lessThan(min)) return flaw('tooSmall', min)
  if (max !== undefined && number.greaterThan(max)) return flaw('tooLarge', max)
  // No minus before a zero.
  return { value: number.isZero() ? '0' : number.toFixed() }
}

/** A date as `2026-03-01`. */
export function readDate(
  value: unknown,
  { earliest, latest }: { earliest?: string | undefined; latest?: string | undefined },
): Reading {
  if (value === '') return null
  if (typeof value !== 'string' || readDay(value) === null) return flaw('notADate')
  if (earliest !== undefined && value < earliest) return flaw('tooEarly', earliest)
  return latest !== undefined && value > latest ? flaw('tooLate', latest) : { value }
}

/** The declared value of a choice; null if there is no such choice. */
export function findChoice(value: unknown, choices: readonly QuestionChoice[]): string | null {
  return choices.find((choice) => choice.value === value)?.value ?? null
}

function readChoice(
  value: unknown,
  question: QuestionOf<'single' | 'multiple'>,
): { chosen: ChosenValue } | Flaw {
  const found = findChoice(value, question.choices)
  if (found !== null) return { chosen: found }
  if (question.allowOther !== true || !isRecord(value) || !hasOnly(value, ['other']))
    return { code: 'notAChoice' }
  const other = readText(value.other, MAX_LINE, {})
  if (other === null) return { code: 'notAChoice' }
  if ('flaws' in other) return other.flaws[0] ?? { code: 'notAChoice' }
  return typeof other.value === 'string' ? { chosen: { other: other.value } } : { code: 'notAChoice' }
}

function readSingle(value: unknown, question: QuestionOf<'single'>): Reading {
  if (value === '') return null
  const read = readChoice(value, question)
  return 'chosen' in read ? { value: read.chosen } : { flaws: [read] }
}

/** In the order of the choices, so that the same choices are the same answer. */
function readMultiple(value: unknown, question: QuestionOf<'multiple'>): Reading {
  if (!Array.isArray(value)) return flaw('wrongType')
  if (value.length === 0) return null
  const { choices, minChoices, maxChoices } = question
  if (value.length > choices.length + 1) return flaw('notAChoice')
  const read = value.map((one: unknown) => readChoice(one, question))
  const wrong = read.find((one) => !('chosen' in one))
  if (wrong !== undefined && !('chosen' in wrong)) return { flaws: [wrong] }
  const chosen = read.flatMap((one) => ('chosen' in one ? [one.chosen] : []))
  const keys = chosen.map((one) => (typeof one === 'string' ? one : null))
  if (new Set(keys).size < keys.length) return flaw('duplicateChoice')
  if (minChoices !== undefined && chosen.length < minChoices) return flaw('tooFewChoices', minChoices)
  if (maxChoices !== undefined && chosen.length > maxChoices) return flaw('tooManyChoices', maxChoices)
  const known = choices.map((choice) => choice.value).filter((one) => keys.includes(one))
  return { value: [...known, ...chosen.filter((one) => typeof one !== 'string')] }
}

function readRating(value: unknown, { max }: QuestionOf<'rating'>): Reading {
  if (value === '') return null
  if (typeof value !== 'number') return flaw('wrongType')
  return Number.isInteger(value) && value >= 1 && value <= max ? { value } : flaw('rating', max)
}

function readConsent(value: unknown, { version }: QuestionOf<'consent'>): Reading {
  if (!isRecord(value) || !hasOnly(value, ['isGiven', 'version'])) return flaw('wrongType')
  const { isGiven, version: shown } = value
  if (typeof isGiven !== 'boolean' || typeof shown !== 'number') return flaw('wrongType')
  return shown === version ? { value: { isGiven, version } } : flaw('consentChanged')
}

/** A JSON object. */
export function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

/** Whether an object has no other keys. */
export function hasOnly(value: Record<string, unknown>, keys: readonly string[]): boolean {
  return Object.keys(value).every((key) => keys.includes(key))
}
