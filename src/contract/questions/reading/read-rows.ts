import type { Answer, TableRow } from '../answers.ts'
import type { QuestionColumn, QuestionOf } from '../definition.ts'
import { sumDigits } from './digits.ts'
import { MAX_LINE, MAX_TABLE_ROWS } from '../limits.ts'
import { findChoice, readDate, readNumber, readText } from './read-plain.ts'
import { flaw, hasOnly, isRecord, type Flaw, type Reading } from './reading.ts'

/** One choice for each row of a matrix; rows may be left out, unless the question is required. */
export function readMatrix(value: unknown, question: QuestionOf<'matrix'>): Reading {
  const codes = question.rows.map(({ code }) => code)
  if (!isRecord(value) || !hasOnly(value, codes)) return flaw('wrongType')
  const flaws: Flaw[] = []
  const chosen: [string, string][] = []
  for (const code of codes) {
    const given = Object.hasOwn(value, code) ? value[code] : undefined
    if (given === undefined || given === null || given === '') continue
    const choice = findChoice(given, question.choices)
    if (choice === null) flaws.push({ code: 'notAChoice', column: code })
    else chosen.push([code, choice])
  }
  if (flaws.length > 0) return { flaws }
  return chosen.length === 0 ? null : { value: Object.fromEntries(chosen) }
}

/** The rows of a matrix that an answer leaves out. */
export function missingRows(answer: Answer, { rows }: QuestionOf<'matrix'>): string[] {
  return rows.map(({ code }) => code).filter((code) => !isRecord(answer) || !Object.hasOwn(answer, code))
}

/** Rows without any value are left out. */
export function readTable(value: unknown, question: QuestionOf<'table'>): Reading {
  if (!Array.isArray(value)) return flaw('wrongType')
  const { columns, minRows, maxRows = MAX_TABLE_ROWS } = question
  if (value.length > MAX_TABLE_ROWS) return flaw('tooManyRows', Math.min(maxRows, MAX_TABLE_ROWS))
  const codes = columns.map(({ code }) => code)
  const flaws: Flaw[] = []
  const rows: TableRow[] = []
  for (const [row, cells] of value.entries()) {
    if (!isRecord(cells) || !hasOnly(cells, codes)) return { flaws: [{ code: 'wrongType', row }] }
    const read = readRow(cells, columns)
    if (read.isEmpty) continue
    flaws.push(...read.flaws.map((one) => ({ ...one, row })))
    rows.push(read.row)
  }
  if (flaws.length > 0) return { flaws }
  if (rows.length === 0) return null
  if (minRows !== undefined && rows.length < minRows) return flaw('tooFewRows', minRows)
  return rows.length > maxRows ? flaw('tooManyRows', maxRows) : { value: rows }
}

function readRow(
  cells: Record<string, unknown>,
  columns: readonly QuestionColumn[],
): { row: TableRow; flaws: Flaw[]; isEmpty: boolean } {
  const flaws: Flaw[] = []
  const values: [string, string | boolean][] = []
  let isEmpty = true
  for (const column of columns) {
    const { code } = column
    const read = readCell(Object.hasOwn(cells, code) ? cells[code] : undefined, column)
    if (read !== null) isEmpty = false
    if (read === null && column.isRequired === true) flaws.push({ code: 'required', column: code })
    if (read !== null && 'flaws' in read) flaws.push(...read.flaws.map((one) => ({ ...one, column: code })))
    if (read === null || 'flaws' in read) continue
    if (typeof read.value === 'string' || typeof read.value === 'boolean') values.push([code, read.value])
  }
  return { row: Object.fromEntries(values), flaws, isEmpty }
}

function readCell(value: unknown, column: QuestionColumn): Reading {
  if (value === undefined || value === null || value === '') return null
  switch (column.type) {
    case 'text':
      return readText(value, MAX_LINE, column)
    case 'number':
      return readNumber(value, column)
    case 'date':
      return readDate(value, column)
    case 'boolean':
      return typeof value === 'boolean' ? { value } : flaw('wrongType')
    default: {
      const choice = findChoice(value, column.choices)
      return choice === null ? flaw('notAChoice') : { value: choice }
    }
  }
}

/**
 * The exact sums of the columns that have one, by their names in rules; null for a column without a number. Empty
 * cells of other rows don't count.
 */
export function tableTotals(
  answer: Answer | null,
  { columns }: QuestionOf<'table'>,
): [string, string | null][] {
  const rows: readonly unknown[] = Array.isArray(answer) ? answer : []
  return columns.flatMap((column): [string, string | null][] => {
    if (column.type !== 'number' || column.total === undefined) return []
    const numbers = rows.flatMap((row) => {
      const cell = isRecord(row) && Object.hasOwn(row, column.code) ? row[column.code] : undefined
      return typeof cell === 'string' ? [cell] : []
    })
    return [[column.total, sumDigits(numbers)]]
  })
}
