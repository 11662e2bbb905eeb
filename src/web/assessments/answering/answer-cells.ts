import type { StoredAnswer } from '#contract/assessments/targets/answer-schema.ts'
import { localeFormat, type LocaleFormat } from '#contract/parsing/locale-format.ts'
import type { CompiledDefinition } from '#contract/questions/compile.ts'
import type { Question } from '#contract/questions/definition.ts'
import { type Drafts, partsOf, toAnswers } from '#web/questions/draft-answers.ts'

// The server stores a table by row, each under a key. The inputs show a table as a list, so a row's key is kept in its draft
// under a name that no column can have.
const ROW_KEY = ' row'

/** The key of a table's row; '' for a row that has none yet. */
export function rowKeyOf(row: unknown): string {
  const key = partsOf(row)[ROW_KEY]
  return typeof key === 'string' ? key : ''
}

/** The inputs of stored answers. Questions of other versions are left out. */
export function toDrafts(
  compiled: CompiledDefinition,
  answers: readonly Pick<StoredAnswer, 'questionCode' | 'rowKey' | 'value'>[],
  language: string,
): Drafts {
  const format = localeFormat(language)
  const drafts: Record<string, unknown> = {}
  const rows = new Map<string, unknown[]>()
  for (const { questionCode, rowKey, value } of answers) {
    const question = compiled.byCode.get(questionCode)?.question
    if (question === undefined || isBlank(value)) continue
    if (rowKey === '') drafts[questionCode] = toDraft(question, value, format)
    else {
      const row = { ...partsOf(toRowDraft(question, value, format)), [ROW_KEY]: rowKey }
      rows.set(questionCode, [...(rows.get(questionCode) ?? []), row])
    }
  }
  // A table that is not applicable counts instead of its rows.
  for (const [code, list] of rows) if (!Object.hasOwn(drafts, code)) drafts[code] = list
  return drafts
}

function toDraft(question: Question, value: unknown, format: LocaleFormat): unknown {
  if (question.type === 'number') return typed(value, format)
  if (question.type === 'table' && Array.isArray(value)) {
    return value.map((row: unknown) => toRowDraft(question, row, format))
  }
  return value
}

function toRowDraft(question: Question, value: unknown, format: LocaleFormat): unknown {
  if (question.type !== 'table') return value
  const cells = partsOf(value)
  const numbers = question.columns.filter(({ type, code }) => type === 'number' && Object.hasOwn(cells, code))
  return {
    ...cells,
    ...Object.fromEntries(numbers.map(({ code }) => [code, typed(cells[code], format)])),
  }
}

/** Plain digits as the language writes them, without groups. */
function typed(value: unknown, { decimal }: LocaleFormat): unknown {
  return typeof value === 'string' ? value.replace('.', decimal) : value
}

/** Gives each row of a table a key. Other drafts stay as they are. */
export function withRowKeys(draft: unknown, newKey: () => string): unknown {
  if (!Array.isArray(draft) || draft.every((row) => !isRow(row) || rowKeyOf(row) !== '')) return draft
  return draft.map((row: unknown) =>
    isRow(row) && rowKeyOf(row) === '' ? { ...partsOf(row), [ROW_KEY]: newKey() } : row,
  )
}

const isRow = (row: unknown) => typeof row === 'object' && row !== null

/** The drafts without the keys of rows, as the evaluation takes them. Rows without any entry are left out. */
export function plainDrafts(compiled: CompiledDefinition, drafts: Drafts): Drafts {
  return Object.fromEntries(
    Object.entries(drafts).map(([code, draft]) => {
      const isTable = compiled.byCode.get(code)?.question.type === 'table' && Array.isArray(draft)
      return [code, isTable ? draft.map(withoutKey).filter((row) => !isBlankRow(row)) : draft]
    }),
  )
}

function withoutKey(row: unknown): Readonly<Record<string, unknown>> {
  const { [ROW_KEY]: _, ...cells } = partsOf(row)
  return cells
}

/**
 * What is sent for a draft, by row key; '' is the whole question. Null clears an answer or removes a row. `known`: the row
 * keys that the server may have; those that are missing in the draft are removed.
 */
export function cellsOf(
  compiled: CompiledDefinition,
  {
    code,
    draft,
    language,
    known,
  }: { code: string; draft: unknown; language: string; known: Iterable<string> },
): Map<string, unknown> {
  const question = compiled.byCode.get(code)?.question
  const cells = new Map<string, unknown>()
  if (question?.type !== 'table' || !Array.isArray(draft)) {
    cells.set('', sent(toAnswers(compiled, { [code]: draft }, language)[code]))
    return cells
  }
  for (const key of known) cells.set(key, null)
  const rows = toAnswers(compiled, { [code]: draft.map(withoutKey) }, language)[code]
  draft.forEach((row: unknown, at) => {
    const value: unknown = Array.isArray(rows) ? rows[at] : null
    cells.set(rowKeyOf(row), isBlankRow(partsOf(value)) ? null : withoutBlanks(partsOf(value)))
  })
  return cells
}

function sent(value: unknown): unknown {
  if (isBlank(value)) return null
  const parts = partsOf(value)
  if (Object.keys(parts).length === 0) return value
  // A refusal without its reason yet is not finished, but it is not blank either.
  if (Object.hasOwn(parts, 'refused')) return value
  const filled = withoutBlanks(parts)
  return Object.keys(filled).length === 0 ? null : filled
}

const isBlank = (value: unknown) =>
  value === undefined || value === null || value === '' || (Array.isArray(value) && value.length === 0)
const isBlankRow = (row: Readonly<Record<string, unknown>>) => Object.values(row).every(isBlank)
const withoutBlanks = (parts: Readonly<Record<string, unknown>>) =>
  Object.fromEntries(Object.entries(parts).filter(([, value]) => !isBlank(value)))
