import type { GridColumn, GridRow } from './grid-column.ts'
import type { LocaleFormat } from '#contract/parsing/locale-format.ts'
import { parseAmount } from '#contract/parsing/parse-amount.ts'
import { parseDate, showDate } from '#contract/parsing/parse-date.ts'
import { type ParseResult, parseNumber, showNumber } from '#contract/parsing/parse-number.ts'

/**
 * Parses the input of a cell by its column kind. Empty is always valid: required values are checked by the domain.
 */
export function readEntry(text: string, column: GridColumn, format: LocaleFormat): ParseResult {
  const tidy = text.trim()
  if (tidy === '') return { value: '' }
  if (column.currency !== undefined) return parseAmount(tidy, format, column.currency)
  if (column.kind === 'number') return parseNumber(tidy, format)
  if (column.kind === 'date') return parseDate(tidy, format)
  if (column.kind === 'text') return { value: tidy }
  if (column.read) return column.read(tidy)
  const found = findChoice(tidy, column)
  if (found !== null) return { value: found }
  if (column.kind === 'unit') return { value: tidy }
  return { refusal: `"${tidy}" isn't one of the choices: ${someOf(column)}.` }
}

/** The row with this input in a column: parsed, or kept as typed with the reason. */
export function withEntry(row: GridRow, column: GridColumn, text: string, format: LocaleFormat): GridRow {
  const read = readEntry(text, column, format)
  const { [column.key]: _, ...refused } = row.refused
  if ('value' in read) return { ...row, cells: { ...row.cells, [column.key]: read.value }, refused }
  const cells = { ...row.cells, [column.key]: text.trim() }
  return { ...row, cells, refused: { ...refused, [column.key]: read.refusal } }
}

/** The display text of a cell. */
export function showCell(row: GridRow, column: GridColumn, format: LocaleFormat): string {
  if (column.isFixed) return column.text?.(row) ?? ''
  const value = row.cells[column.key] ?? ''
  if (value === '' || row.refused[column.key] !== undefined) return value
  if (column.kind === 'number') return showNumber(value, format)
  if (column.kind === 'date') return showDate(value, format)
  return column.choices?.find((choice) => choice.value === value)?.label ?? value
}

/** The initial text of a cell's editor: as shown, but numbers without grouping. */
export function editText(row: GridRow, column: GridColumn, format: LocaleFormat): string {
  const value = row.cells[column.key] ?? ''
  if (column.kind !== 'number' || row.refused[column.key] !== undefined) return showCell(row, column, format)
  return value.replace('.', format.decimal)
}

/**
 * Finds a choice by its full value, label or alias, ignoring case. A beginning isn't enough: "kW" is power, not kWh, and
 * pasted rows are saved without anyone looking at each of them. Units also distinguish case: "mt" isn't "Mt".
 */
function findChoice(text: string, { kind, choices = [] }: GridColumn): string | null {
  const exact = choices.find(({ value, label }) => value === text || label === text)
  if (exact) return exact.value
  const fold = (name: string) => (kind === 'unit' ? name : name.toLowerCase())
  const named = choices.filter(({ value, label, aliases = [] }) =>
    [value, label, ...aliases].some((name) => fold(name) === fold(text)),
  )
  return named.length === 1 ? (named[0]?.value ?? null) : null
}

const someOf = ({ choices = [] }: GridColumn) => {
  const names = choices.slice(0, 6).map(({ label }) => label)
  return choices.length > 6 ? `${names.join(', ')} and others` : names.join(', ')
}
