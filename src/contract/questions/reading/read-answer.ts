import type { Answer, ChosenValue, NotAnswered } from '../answers.ts'
import type { Country, Question, QuestionOf } from '../definition.ts'
import { readEmail, readPhone, readPostalCode, readUrl, readVin } from './formats.ts'
import { MAX_LINE, MAX_LONG_TEXT } from '../limits.ts'
import type { ProblemCode } from '../problem-messages.ts'
import { readAddress, readFiles, readPerson } from './read-parts.ts'
import { findChoice, readDate, readNumber, readText } from './read-plain.ts'
import { readMatrix, readTable } from './read-rows.ts'
import { flaw, hasOnly, isRecord, type Flaw, type Reading } from './reading.ts'

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
    case 'matrix':
      return readMatrix(value, question)
    case 'table':
      return readTable(value, question)
    case 'file':
      return readFiles(value, question)
    case 'address':
      return readAddress(value, question, country)
    case 'person':
      return readPerson(value, country)
    case 'facility':
      return readFacility(value)
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

function readFormat(value: unknown, code: ProblemCode, read: (text: string) => string | null): Reading {
  const line = readText(value, MAX_LINE, {})
  if (line === null || 'flaws' in line) return line
  const written = typeof line.value === 'string' ? read(line.value) : null
  return written === null ? flaw(code) : { value: written }
}

function readChoice(
  value: unknown,
  question: QuestionOf<'single' | 'multiple'>,
): { chosen: ChosenValue } | Flaw {
  const found = findChoice(value, question.choices)
  if (found !== null) return { chosen: found }
  if (question.allowOther !== true || !isRecord(value) || !hasOnly(value, ['other']))
    return { code: 'notAChoice' }
  const other = readText(value.other ?? '', MAX_LINE, {})
  if (other === null) return { code: 'otherRequired' }
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
  const different = new Set(keys)
  if (different.size < keys.length) return flaw('duplicateChoice')
  if (minChoices !== undefined && chosen.length < minChoices) return flaw('tooFewChoices', minChoices)
  if (maxChoices !== undefined && chosen.length > maxChoices) return flaw('tooManyChoices', maxChoices)
  const known = choices.map((choice) => choice.value).filter((one) => different.has(one))
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

/** The ID of a facility. The server checks that the sender may choose it. */
function readFacility(value: unknown): Reading {
  if (value === '') return null
  return typeof value === 'string' && /^[1-9]\d{0,17}$/.test(value) ? { value } : flaw('wrongType')
}
