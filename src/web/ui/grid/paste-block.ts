import { splitCurrency } from '#contract/parsing/parse-amount.ts'
import { isOnlyIn, parseNumber } from '#contract/parsing/parse-number.ts'
import { dateOrderOf } from '#contract/parsing/date-order.ts'
import { parseDate } from '#contract/parsing/parse-date.ts'
import { otherDecimal, otherOrder, type LocaleFormat } from '#contract/parsing/locale-format.ts'
import type { GridColumn, GridRow, GridSettings } from './grid-column.ts'
import { writeBlock } from './clipboard-block.ts'
import type { Range } from './grid-positions.ts'
import { withEntry } from './read-entry.ts'

/** `told`: messages for the user; `leftover`: what didn't fit, in clipboard format. */
export type PasteResult = Readonly<{
  rows: readonly GridRow[]
  range: Range
  told: readonly string[]
  leftover: string | null
}>

type Target = Readonly<{ rows: readonly GridRow[]; range: Range; newKey: (at: number) => string }>

/**
 * Pastes a block starting at the first cell of the range. One cell fills the whole range, and a block repeats if
 * the range is a multiple of it. A first line with column names determines the columns. Rows are added if the
 * settings allow it. Nothing is lost: what doesn't fit is returned, and invalid input stays as typed.
 */
export function pasteBlock(
  block: readonly (readonly string[])[],
  { rows, range, newKey }: Target,
  settings: GridSettings,
): PasteResult {
  const named = headOf(block[0] ?? [], settings.columns)
  const lines = repeat(named === null ? block : block.slice(1), range)
  const width = Math.max(0, ...lines.map((line) => line.length))
  const columns =
    named ?? Array.from({ length: width }, (_, at) => settings.columns[range.first + at] ?? null)
  const told: string[] = []
  const formats = columns.map((column, at) => formatOfColumn(column, lines, at, settings.format, told))
  const next = [...rows]
  const leftover: (readonly string[])[] = []
  let locked = 0
  let fixed = 0
  for (const [at, line] of lines.entries()) {
    const place = range.top + at
    if (place > next.length && settings.blank === null) break
    const row = next[place] ?? blankRow(place, next.length, newKey, settings)
    if (row === null) {
      leftover.push(line)
      continue
    }
    if ((settings.lockOf?.(row) ?? null) !== null) {
      locked += 1
      leftover.push(line)
      continue
    }
    let changed = row
    for (const [nth, text] of line.entries()) {
      const column = columns[nth] ?? null
      if (column === null) continue
      if (column.isFixed) fixed += text === '' ? 0 : 1
      else changed = withEntry(changed, column, text, formats[nth] ?? settings.format)
    }
    next[place] = changed
    if (columns.some((column, nth) => column === null && (line[nth] ?? '') !== '')) leftover.push(line)
  }
  const handedBack = new Set(leftover)
  const beyond = lines.slice(Math.max(0, next.length - range.top)).filter((line) => !handedBack.has(line))
  leftover.push(...beyond)
  if (locked > 0) told.push(`${rowWords(locked)} can't be changed.`)
  if (fixed > 0) told.push(`${fixed} ${fixed === 1 ? 'value' : 'values'} skipped in calculated columns.`)
  if (leftover.length > 0)
    told.push(`${rowWords(leftover.length)} didn't fit, or fit only in part. Copy the rest from here.`)
  const lastRow = Math.min(next.length - 1, range.top + lines.length - 1)
  const reach = named === null ? range.first + width - 1 : settings.columns.length - 1
  return {
    rows: next,
    range: {
      top: range.top,
      bottom: Math.max(range.top, lastRow),
      first: named === null ? range.first : 0,
      last: Math.max(range.first, Math.min(reach, settings.columns.length - 1)),
    },
    told,
    leftover: leftover.length > 0 ? writeBlock(leftover) : null,
  }
}

const rowWords = (count: number) => (count === 1 ? '1 row' : `${count.toLocaleString()} rows`)

/** The row after the last one if rows can be added; null if the table is full. */
function blankRow(
  place: number,
  length: number,
  newKey: (at: number) => string,
  { blank, most }: GridSettings,
): GridRow | null {
  if (blank === null || place !== length || length >= most) return null
  return { key: newKey(place), cells: blank, refused: {} }
}

/** The columns named by a header line, with null for unknown names; null if it isn't a header line. */
function headOf(line: readonly string[], columns: readonly GridColumn[]): (GridColumn | null)[] | null {
  const found = line.map((text) => {
    const wanted = text.trim().toLowerCase()
    const isNamed = ({ title, key, aliases = [] }: GridColumn) =>
      [title, key, ...aliases].some((name) => name.toLowerCase() === wanted)
    return columns.find(isNamed) ?? null
  })
  return found.filter((column) => column !== null).length >= 2 ? found : null
}

function repeat(block: readonly (readonly string[])[], range: Range): readonly (readonly string[])[] {
  const height = range.bottom - range.top + 1
  const width = range.last - range.first + 1
  const wide = Math.max(1, ...block.map((line) => line.length))
  if (block.length === 0 || height % block.length !== 0 || width % wide !== 0) return block
  return Array.from({ length: height }, (_, row) =>
    Array.from({ length: width }, (__, column) => block[row % block.length]?.[column % wide] ?? ''),
  )
}

/**
 * If most values of a column only parse in the other number or date format, the whole column is read that way, and
 * the user is told.
 */
function formatOfColumn(
  column: GridColumn | null,
  lines: readonly (readonly string[])[],
  at: number,
  format: LocaleFormat,
  told: string[],
): LocaleFormat {
  if (column === null || column.isFixed) return format
  const texts = lines
    .map((line) => line[at] ?? '')
    .filter((text) => text.trim() !== '')
    .map((text) => (column.currency === undefined ? text : splitCurrency(text).number))
  const numbers = otherDecimal(format)
  const isOther = (text: string) => 'value' in parseNumber(text, numbers)
  // One misplaced comma must not change every other amount by a factor of a thousand: most values must agree.
  const parted = texts.filter((text) => /[.,]/.test(text))
  const onlyOther = parted.filter((text) => isOnlyIn(text, numbers))
  if (column.kind === 'number' && onlyOther.length * 2 > parted.length && texts.every(isOther)) {
    // If any value is only valid in the user's own format, the column is ambiguous, so each value is read by
    // itself.
    if (texts.some((text) => isOnlyIn(text, format))) return format
    told.push(`${column.title} was read with a decimal ${numbers.decimal === ',' ? 'comma' : 'point'}.`)
    return numbers
  }
  const days = otherOrder(format)
  const reads = (text: string, as: LocaleFormat) => 'value' in parseDate(text, as)
  if (
    column.kind === 'date' &&
    texts.some((text) => !reads(text, format)) &&
    texts.every((text) => reads(text, days))
  ) {
    told.push(
      `Dates in ${column.title} were read as ${days.order === 'dmy' ? 'day, month' : 'month, day'}, year.`,
    )
    return days
  }
  const { order, ambiguous } = dateOrderOf(column.kind === 'date' && texts.length > 1 ? texts : [])
  if (order === null && ambiguous !== null)
    told.push(
      `Dates in ${column.title} were read in your format: ${format.order === 'mdy' ? 'month, day' : 'day, month'}, year. If they are in another one, undo and change them first.`,
    )
  return format
}
