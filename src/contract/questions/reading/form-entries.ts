import { localeFormat, type LocaleFormat } from '#contract/parsing/locale-format.ts'
import { parseDate } from '#contract/parsing/parse-date.ts'
import type { Answer, Answers } from '../answers.ts'
import type { CompiledDefinition } from '../compile.ts'
import type { Question, QuestionColumn, QuestionOf } from '../definition.ts'
import { MAX_LINE, MAX_TABLE_ROWS } from '../limits.ts'
import { isNotAnswered } from './read-answer.ts'
import { isRecord } from './reading.ts'
import { OTHER } from '../rule-names.ts'
import { pickLanguage } from '../texts.ts'
import { readTypedNumber } from './typed-number.ts'

/**
 * The name of an input in an HTML form: the code, and a part after a dot. Parts: `other` for the text of another
 * choice, the row of a matrix, `0.column` for a cell of a table, a part of an address or person, `refused` for a
 * reason, `notApplicable`. Values: `true` and `false` for yes and no; the version for a consent; the file's ID for a
 * file, whose details the server adds.
 */
export function inputName(code: string, ...parts: readonly (string | number)[]): string {
  return [code, ...parts].join('.')
}

/**
 * The answers in a posted HTML form, to be evaluated: text becomes what its question expects, if possible, and stays
 * as entered otherwise. Numbers and dates are read as the language writes them. Empty inputs are left out. Names
 * that no question has stay, so that they are refused by name.
 */
export function readFormEntries(
  { definition, questions }: CompiledDefinition,
  entries: Iterable<readonly [name: string, value: string]>,
  language: string,
): Record<string, unknown> {
  const given = new Map<string, string[]>()
  for (const [name, value] of entries) {
    if (value.trim() === '') continue
    const others = given.get(name)
    if (others === undefined) given.set(name, [value])
    else others.push(value)
  }
  const form: Form = { given, format: localeFormat(pickLanguage(definition.languages, language)) }
  const answers: [string, unknown][] = []
  for (const { question } of questions) {
    const answer = takeAnswer(question, form)
    if (answer !== undefined) answers.push([question.code, answer])
  }
  const unknown = [...form.given].map(([name, [value]]): [string, unknown] => [name, value])
  return Object.fromEntries([...unknown, ...answers])
}

/** Entries that no question has taken yet. */
type Form = Readonly<{ given: Map<string, string[]>; format: LocaleFormat }>

function take(form: Form, code: string, ...parts: readonly (string | number)[]): string[] {
  const name = inputName(code, ...parts)
  const values = form.given.get(name) ?? []
  form.given.delete(name)
  return values
}

/** One value; several are no valid answer to a question that takes one. */
function takeOne(form: Form, code: string, ...parts: readonly (string | number)[]): unknown {
  const values = take(form, code, ...parts)
  return values.length > 1 ? values : values[0]
}

function takeAnswer(question: Question, form: Form): unknown {
  const { code } = question
  const reason = takeOne(form, code, 'refused')
  const isNotApplicable = takeOne(form, code, 'notApplicable') !== undefined
  const answer = takeValue(question, form)
  if (answer !== undefined) return answer
  if (reason !== undefined) return { refused: reason }
  return isNotApplicable ? { notApplicable: true } : undefined
}

function takeValue(question: Question, form: Form): unknown {
  const { code } = question
  switch (question.type) {
    case 'number':
    case 'date':
    case 'boolean':
      return convert(question.type, takeOne(form, code), form)
    case 'rating': {
      const value = takeOne(form, code)
      return typeof value === 'string' && /^\d{1,3}$/.test(value) ? Number(value) : value
    }
    case 'single': {
      const choose = otherChoice(question, form)
      return choose(takeOne(form, code))
    }
    case 'multiple': {
      const choose = otherChoice(question, form)
      const values = take(form, code)
      return values.length === 0 ? undefined : values.map(choose)
    }
    case 'matrix':
      return takeParts(
        form,
        code,
        question.rows.map((row) => row.code),
      )
    case 'table':
      return takeTable(form, question)
    case 'file': {
      const ids = take(form, code)
      return ids.length === 0 ? undefined : ids
    }
    case 'address':
      return takeParts(form, code, ['street', 'city', 'region', 'postalCode', 'country'])
    case 'person':
      return takeParts(form, code, ['name', 'role', 'email', 'phone'])
    case 'consent': {
      const value = takeOne(form, code)
      if (value === undefined) return undefined
      return typeof value === 'string' && /^\d{1,9}$/.test(value)
        ? { isGiven: true, version: Number(value) }
        : value
    }
    default:
      return takeOne(form, code)
  }
}

/** Takes the text for another choice, which is sent even if a listed choice was made after all. */
function otherChoice(question: QuestionOf<'single' | 'multiple'>, form: Form): (value: unknown) => unknown {
  if (question.allowOther !== true) return (value) => value
  const other = takeOne(form, question.code, OTHER)
  return (value) => (value === OTHER ? { other } : value)
}

function takeParts(form: Form, code: string, parts: readonly string[]): Record<string, unknown> | undefined {
  const values = parts.flatMap((part): [string, unknown][] => {
    const value = takeOne(form, code, part)
    return value === undefined ? [] : [[part, value]]
  })
  return values.length === 0 ? undefined : Object.fromEntries(values)
}

function takeTable(
  form: Form,
  { code, columns }: QuestionOf<'table'>,
): Record<string, unknown>[] | undefined {
  const rows = Array.from({ length: MAX_TABLE_ROWS }, (_, row) => {
    const cells = columns.flatMap((column): [string, unknown][] => {
      const value = convert(column.type, takeOne(form, code, row, column.code), form)
      return value === undefined ? [] : [[column.code, value]]
    })
    return Object.fromEntries(cells)
  })
  const last = rows.findLastIndex((cells) => Object.keys(cells).length > 0)
  return last === -1 ? undefined : rows.slice(0, last + 1)
}

function convert(type: QuestionColumn['type'], value: unknown, { format }: Form): unknown {
  if (typeof value !== 'string' || value.length > MAX_LINE) return value
  if (type === 'boolean') return value === 'true' || value === 'false' ? value === 'true' : value
  if (type === 'number') return readTypedNumber(value, format)
  if (type !== 'date') return value
  const parsed = parseDate(value, format)
  return 'value' in parsed ? parsed.value : value
}

/**
 * The entries of a form that was filled in with these answers: what `readFormEntries` reads as the same answers. Numbers
 * are in the format of the language; files by their ID.
 */
export function writeFormEntries(
  { definition, questions }: CompiledDefinition,
  answers: Answers,
  language: string,
): [name: string, value: string][] {
  const format = localeFormat(pickLanguage(definition.languages, language))
  return questions.flatMap(({ question }) => {
    const answer = Object.hasOwn(answers, question.code) ? answers[question.code] : undefined
    return answer === undefined ? [] : writeAnswer(question, answer, format)
  })
}

function writeAnswer(question: Question, answer: Answer, format: LocaleFormat): [string, string][] {
  const { code, type } = question
  if (isNotAnswered(answer)) {
    return 'refused' in answer
      ? [[inputName(code, 'refused'), answer.refused]]
      : [[inputName(code, 'notApplicable'), 'true']]
  }
  if (typeof answer !== 'object')
    return [[code, type === 'number' ? showPlain(answer, format) : String(answer)]]
  if (type === 'consent') {
    return 'isGiven' in answer && answer.isGiven === true ? [[code, String(question.version)]] : []
  }
  const parts: readonly unknown[] = Array.isArray(answer) ? answer : [answer]
  return parts.flatMap((part, row): [string, string][] => {
    if (typeof part === 'string') return [[code, part]]
    if (!isRecord(part)) return []
    if (type === 'file') return [[code, String(part.id)]]
    const isOther = (type === 'single' || type === 'multiple') && typeof part.other === 'string'
    const cells = Object.entries(part).map(([name, value]): [string, string] => {
      const column = type === 'table' ? question.columns.find((one) => one.code === name) : undefined
      const shown = column?.type === 'number' ? showPlain(value, format) : String(value)
      return [type === 'table' ? inputName(code, row, name) : inputName(code, name), shown]
    })
    return isOther ? [[code, OTHER], ...cells] : cells
  })
}

/** A number without thousands separators, for an input. */
function showPlain(digits: unknown, { decimal }: LocaleFormat): string {
  return String(digits).replace('.', decimal)
}
