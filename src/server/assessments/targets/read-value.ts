import type { FileAnswer } from '#contract/questions/answers.ts'
import type { Question } from '#contract/questions/definition.ts'
import type { ProblemCode } from '#contract/questions/problem-messages.ts'
import { readAnswer } from '#contract/questions/reading/read-answer.ts'
import { isRecord, type Flaw } from '#contract/questions/reading/reading.ts'

/** What answers of some types refer to. File answers take names and sizes from here, not from the sender. */
export type References = Readonly<{
  files: ReadonlyMap<string, FileAnswer>
  facilities: ReadonlySet<string>
}>

/** Flaws of an answer that isn't finished: it is stored, and prevents the submission. */
const UNFINISHED: readonly ProblemCode[] = [
  'required',
  'tooShort',
  'tooFewChoices',
  'tooFewRows',
  'matrixIncomplete',
]

type ReadValue = { value: unknown } | { flaw: Flaw }

/**
 * Reads a value strictly, except that it may be unfinished. `stored`: it was accepted before, so that what it refers to is known.
 */
export function readValue(
  question: Question,
  rowKey: string,
  raw: unknown,
  references: References | 'stored',
): ReadValue {
  if (question.type === 'table') return readRowOf(question, rowKey, raw)
  if (rowKey !== '') return { flaw: { code: 'wrongType' } }
  if (references === 'stored') return readUnfinished(question, raw)
  if (question.type === 'file' && Array.isArray(raw)) return readFileAnswer(question, raw, references)
  const read = readUnfinished(question, raw)
  if ('flaw' in read || question.type !== 'facility' || typeof read.value !== 'string') return read
  return references.facilities.has(read.value) ? read : { flaw: { code: 'notAChoice' } }
}

function readUnfinished(question: Question, raw: unknown): ReadValue {
  const read = readAnswer(withoutMinimums(question), raw, undefined)
  if (read === null) return { value: null }
  if ('value' in read) return { value: read.value }
  const flaw = read.flaws.find(({ code }) => !UNFINISHED.includes(code)) ?? read.flaws[0]
  return { flaw: flaw ?? { code: 'wrongType' } }
}

function readRowOf(question: Extract<Question, { type: 'table' }>, rowKey: string, raw: unknown): ReadValue {
  if (raw === null) return { value: null }
  if (rowKey === '') {
    const read = readUnfinished(question, Array.isArray(raw) ? {} : raw)
    if ('flaw' in read || read.value === null) return read
    const isInstead = isRecord(read.value) && ('refused' in read.value || 'notApplicable' in read.value)
    return isInstead ? read : { flaw: { code: 'wrongType' } }
  }
  const read = readUnfinished(question, [raw])
  if ('flaw' in read) return read
  const rows: readonly unknown[] = Array.isArray(read.value) ? read.value : []
  return { value: rows[0] ?? null }
}

function readFileAnswer(question: Question, raw: readonly unknown[], { files }: References): ReadValue {
  const named = raw.map((one) =>
    isRecord(one) && typeof one.id === 'string' ? files.get(one.id) : undefined,
  )
  if (named.includes(undefined)) return { flaw: { code: 'notAChoice' } }
  return readUnfinished(question, named)
}

/** The question without what only a finished answer must have. */
function withoutMinimums(question: Question): Question {
  switch (question.type) {
    case 'text':
    case 'longText': {
      const { minLength: _, ...rest } = question
      return rest
    }
    case 'multiple': {
      const { minChoices: _, ...rest } = question
      return rest
    }
    case 'table': {
      const { minRows: _, ...rest } = question
      const columns = question.columns.map((column) => {
        const { isRequired: __, ...other } = column
        if (other.type !== 'text') return other
        const { minLength: ___, ...line } = other
        return line
      })
      return { ...rest, columns }
    }
    default:
      return question
  }
}
