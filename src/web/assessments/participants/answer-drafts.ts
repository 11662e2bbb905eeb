import { localeFormat, type LocaleFormat } from '#contract/entries/locale-format.ts'
import { showNumber } from '#contract/entries/parse-number.ts'
import type { CompiledDefinition } from '#contract/questions/compile.ts'
import type { Question } from '#contract/questions/definition.ts'
import { type Drafts, partsOf, textOf, toAnswers } from '#web/questions/draft-answers.ts'
import type { Cell, SentValue } from './answer-queue.ts'

/** Where the key of a row is while a table is edited. No column has this code, and it is never sent. */
const ROW_KEY = '$row'

export type CellValue = Cell & Readonly<{ value: SentValue }>

/** The drafts of answers as their language writes them: rows of tables with their keys, in the order given. */
export function draftsOf(
  compiled: CompiledDefinition,
  cells: readonly CellValue[],
  language: string,
): Drafts {
  let drafts: Drafts = {}
  for (const cell of cells) drafts = withCell(compiled, drafts, cell, language)
  return drafts
}

/** The drafts with the value of one cell; null clears it or removes the row. */
export function withCell(
  compiled: CompiledDefinition,
  drafts: Drafts,
  { question: code, row, value }: CellValue,
  language: string,
): Drafts {
  const question = compiled.byCode.get(code)?.question
  if (question === undefined) return drafts
  const format = localeFormat(language)
  if (question.type !== 'table' || row === '') {
    // A table that was refused as a whole can have rows again.
    if (question.type === 'table' && value === null && Array.isArray(drafts[code])) return drafts
    return { ...drafts, [code]: value === null ? '' : toDraft(question, value, format) }
  }
  const rows = rowsOf(drafts[code])
  const at = rows.findIndex((one) => rowKeyOf(one) === row)
  if (value === null) return at === -1 ? drafts : { ...drafts, [code]: rows.toSpliced(at, 1) }
  const draft = { ...toRowDraft(question, value, format), [ROW_KEY]: row }
  return { ...drafts, [code]: at === -1 ? [...rows, draft] : rows.with(at, draft) }
}

/** The drafts as answers, without the keys of rows. */
export function answersOf(compiled: CompiledDefinition, drafts: Drafts, language: string): Drafts {
  const plain = Object.entries(drafts).map(([code, draft]): [string, unknown] => [
    code,
    Array.isArray(draft) ? draft.map(withoutKey) : draft,
  ])
  return toAnswers(compiled, Object.fromEntries(plain), language)
}

/** Gives each row of a table a key. Other drafts stay as they are. */
export function withRowKeys(question: Question | undefined, draft: unknown, newKey: () => string): unknown {
  if (question?.type !== 'table' || !Array.isArray(draft)) return draft
  return draft.map((row: unknown) => (rowKeyOf(row) === '' ? { ...partsOf(row), [ROW_KEY]: newKey() } : row))
}

/** The cells that differ between two drafts of a question, with the values to send. */
export function changedCells(
  compiled: CompiledDefinition,
  code: string,
  { before, after, language }: { before: unknown; after: unknown; language: string },
): CellValue[] {
  const valueOf = (draft: unknown): unknown => answersOf(compiled, { [code]: draft }, language)[code]
  const whole = (value: unknown): CellValue => ({ question: code, row: '', value })
  if (compiled.byCode.get(code)?.question.type !== 'table') {
    const value = valueOf(after)
    return [whole(value === '' || value === undefined ? null : value)]
  }
  if (!Array.isArray(after)) return [whole(after === '' || after === undefined ? null : after)]
  const changed: CellValue[] = Object.keys(partsOf(before)).length > 0 ? [whole(null)] : []
  const former = new Map(rowsOf(before).map((row) => [rowKeyOf(row), row]))
  for (const row of rowsOf(after)) {
    const key = rowKeyOf(row)
    const value = firstOf(valueOf([row]))
    const known = former.get(key)
    former.delete(key)
    if (known !== row && !(known !== undefined && isSame(firstOf(valueOf([known])), value)))
      changed.push({ question: code, row: key, value })
  }
  return [...changed, ...[...former.keys()].map((row) => ({ question: code, row, value: null }))]
}

/** The keys of a table's rows, in the order shown. */
export function rowKeysOf(draft: unknown): string[] {
  return rowsOf(draft).map(rowKeyOf)
}

const rowsOf = (draft: unknown): readonly unknown[] => (Array.isArray(draft) ? draft : [])
const rowKeyOf = (row: unknown): string => textOf(partsOf(row)[ROW_KEY])
const firstOf = (value: unknown): unknown => (Array.isArray(value) ? value[0] : value)
const isSame = (one: unknown, other: unknown): boolean => JSON.stringify(one) === JSON.stringify(other)

function withoutKey(row: unknown): unknown {
  const parts = partsOf(row)
  if (!Object.hasOwn(parts, ROW_KEY)) return row
  const { [ROW_KEY]: _, ...cells } = parts
  return cells
}

function toDraft(question: Question, value: unknown, format: LocaleFormat): unknown {
  if (question.type !== 'number' || typeof value !== 'string') return value
  return showDigits(value, format)
}

function toRowDraft(
  { columns }: Extract<Question, { type: 'table' }>,
  value: unknown,
  format: LocaleFormat,
): Record<string, unknown> {
  const cells = partsOf(value)
  const numbers = columns.flatMap(({ type, code }) => {
    const cell = cells[code]
    return type === 'number' && typeof cell === 'string' ? [[code, showDigits(cell, format)] as const] : []
  })
  return { ...cells, ...Object.fromEntries(numbers) }
}

/** What isn't a number stays as it was typed. */
function showDigits(value: string, format: LocaleFormat): string {
  return /^-?\d+(\.\d+)?$/.test(value) ? showNumber(value, format) : value
}
