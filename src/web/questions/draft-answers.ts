import { localeFormat, type LocaleFormat } from '#contract/parsing/locale-format.ts'
import type { CompiledDefinition } from '#contract/questions/compile.ts'
import type { Question } from '#contract/questions/definition.ts'
import { readTypedNumber } from '#contract/questions/reading/typed-number.ts'

/** What is in the inputs, by the code of the question: answers, with numbers as they were typed. */
export type Drafts = Readonly<Record<string, unknown>>

/** The drafts as answers: numbers are read as the language writes them, and stay as typed if they can't be read. */
export function toAnswers(compiled: CompiledDefinition, drafts: Drafts, language: string): Drafts {
  const format = localeFormat(language)
  return Object.fromEntries(
    Object.entries(drafts).map(([code, draft]) => {
      const question = compiled.byCode.get(code)?.question
      return [code, question === undefined ? draft : toAnswer(question, draft, format)]
    }),
  )
}

function toAnswer(question: Question, draft: unknown, format: LocaleFormat): unknown {
  if (question.type === 'number') return toDigits(draft, format)
  if (question.type !== 'table' || !Array.isArray(draft)) return draft
  return draft.map((row: unknown) => {
    const cells = partsOf(row)
    const numbers = question.columns.filter(
      (column) => column.type === 'number' && Object.hasOwn(cells, column.code),
    )
    return {
      ...cells,
      ...Object.fromEntries(numbers.map(({ code }) => [code, toDigits(cells[code], format)])),
    }
  })
}

function toDigits(draft: unknown, format: LocaleFormat): unknown {
  return typeof draft === 'string' && draft.trim() !== '' ? readTypedNumber(draft, format) : draft
}

/** The parts of a draft with several; {} for any other. */
export function partsOf(draft: unknown): Readonly<Record<string, unknown>> {
  const isObject = typeof draft === 'object' && draft !== null && !Array.isArray(draft)
  return isObject ? Object.fromEntries(Object.entries(draft)) : {}
}

/** The text of an input; '' without one. */
export function textOf(draft: unknown): string {
  return typeof draft === 'string' || typeof draft === 'number' ? String(draft) : ''
}
