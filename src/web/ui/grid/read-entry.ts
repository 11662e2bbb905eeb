import type { GridColumn, GridRow } from './grid-column.ts'
import type { PersonFormat } from '#contract/entries/person-format.ts'
import { readDate, showDate } from '#contract/entries/read-date.ts'
import { type Read, readNumber, showNumber } from '#contract/entries/read-number.ts'

/** What was written into a cell, by the kind of its column. Empty is always allowed: what is missing the domain says. */
export function readEntry(text: string, column: GridColumn, format: PersonFormat): Read {
  const tidy = text.trim()
  if (tidy === '') return { value: '' }
  if (column.kind === 'number') return readNumber(tidy, format)
  if (column.kind === 'date') return readDate(tidy, format)
  if (column.kind === 'text') return { value: tidy }
  const found = findChoice(tidy, column)
  if (found !== null) return { value: found }
  if (column.kind === 'unit') return { value: tidy }
  return { refusal: `"${tidy}" is not one of the choices: ${someOf(column)}.` }
}

/** The row with this text in this column: read, or kept as written with the reason. */
export function withEntry(row: GridRow, column: GridColumn, text: string, format: PersonFormat): GridRow {
  const read = readEntry(text, column, format)
  const { [column.key]: _, ...refused } = row.refused
  if ('value' in read) return { ...row, cells: { ...row.cells, [column.key]: read.value }, refused }
  const cells = { ...row.cells, [column.key]: text.trim() }
  return { ...row, cells, refused: { ...refused, [column.key]: read.refusal } }
}

/** What stands in a cell. */
export function showCell(row: GridRow, column: GridColumn, format: PersonFormat): string {
  if (column.isFixed) return column.text?.(row) ?? ''
  const value = row.cells[column.key] ?? ''
  if (value === '' || row.refused[column.key] !== undefined) return value
  if (column.kind === 'number') return showNumber(value, format)
  if (column.kind === 'date') return showDate(value, format)
  return column.choices?.find((choice) => choice.value === value)?.label ?? value
}

/** What the editor of a cell begins with: as shown, a number without its groups. */
export function editText(row: GridRow, column: GridColumn, format: PersonFormat): string {
  const value = row.cells[column.key] ?? ''
  if (column.kind !== 'number' || row.refused[column.key] !== undefined) return showCell(row, column, format)
  return value.replace('.', format.decimal)
}

/** By value, label or alias, whatever the case; else the only one that begins so. */
function findChoice(text: string, { choices = [] }: GridColumn): string | null {
  const wanted = text.toLowerCase()
  const exact = choices.find(({ value, label }) => value === text || label === text)
  if (exact) return exact.value
  const named = choices.filter(({ value, label, aliases = [] }) =>
    [value, label, ...aliases].some((name) => name.toLowerCase() === wanted),
  )
  if (named.length === 1) return named[0]?.value ?? null
  const begun = choices.filter(({ label }) => label.toLowerCase().startsWith(wanted))
  return begun.length === 1 && wanted.length > 1 ? (begun[0]?.value ?? null) : null
}

const someOf = ({ choices = [] }: GridColumn) => {
  const names = choices.slice(0, 6).map(({ label }) => label)
  return choices.length > 6 ? `${names.join(', ')} and others` : names.join(', ')
}
