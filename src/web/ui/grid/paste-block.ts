import { isOnlyIn, readNumber } from '#contract/entries/read-number.ts'
import { readDate } from '#contract/entries/read-date.ts'
import { otherDecimal, otherOrder, type PersonFormat } from '#contract/entries/person-format.ts'
import type { GridColumn, GridRow, GridSettings } from './grid-column.ts'
import { writeBlock } from './clipboard-block.ts'
import type { Range } from './grid-positions.ts'
import { withEntry } from './read-entry.ts'

/** `told`: what the person should know, as sentences; `leftover`: what found no place, as it was on the clipboard. */
export type Pasted = Readonly<{
  rows: readonly GridRow[]
  range: Range
  told: readonly string[]
  leftover: string | null
}>

type Target = Readonly<{ rows: readonly GridRow[]; range: Range; newKey: (at: number) => string }>

/**
 * Puts a block into a table, from the first cell of the range on. One cell fills the whole range, a block repeats where
 * the range is a multiple of it. A first line that names columns places what is under it by those names. Rows are added
 * where the settings allow it. Nothing is lost: what has no place is handed back, what cannot be read stays as written.
 */
export function pasteBlock(
  block: readonly (readonly string[])[],
  { rows, range, newKey }: Target,
  settings: GridSettings,
): Pasted {
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
  if (locked > 0) told.push(`${rowWords(locked)} may not be changed.`)
  if (fixed > 0)
    told.push(`${fixed} ${fixed === 1 ? 'value' : 'values'} of columns that follow by themselves left out.`)
  if (leftover.length > 0)
    told.push(`${rowWords(leftover.length)} found no place or not all of it: copy them from here.`)
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

/** The row behind the last one, where rows may be added; null where the table is full. */
function blankRow(
  place: number,
  length: number,
  newKey: (at: number) => string,
  { blank, most }: GridSettings,
): GridRow | null {
  if (blank === null || place !== length || length >= most) return null
  return { key: newKey(place), cells: blank, refused: {} }
}

/** The columns that a first line names, null in the place of words that name none; null where it is no such line. */
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

/** Where a column of a block reads only in the other format, all of it is meant so, and the person is told. */
function formatOfColumn(
  column: GridColumn | null,
  lines: readonly (readonly string[])[],
  at: number,
  format: PersonFormat,
  told: string[],
): PersonFormat {
  if (column === null || column.isFixed) return format
  const texts = lines.map((line) => line[at] ?? '').filter((text) => text.trim() !== '')
  const numbers = otherDecimal(format)
  const isOther = (text: string) => 'value' in readNumber(text, numbers)
  // One comma in a wrong place must not make a thousand of every other bill a one: most must say so.
  const parted = texts.filter((text) => /[.,]/.test(text))
  const onlyOther = parted.filter((text) => isOnlyIn(text, numbers))
  if (column.kind === 'number' && onlyOther.length * 2 > parted.length && texts.every(isOther)) {
    // One that can only be of the person's own format leaves the block in doubt: then each is read by itself.
    if (texts.some((text) => isOnlyIn(text, format))) return format
    told.push(
      `${column.title} was read with a ${numbers.decimal === ',' ? 'comma' : 'point'} before the decimals.`,
    )
    return numbers
  }
  const days = otherOrder(format)
  const reads = (text: string, as: PersonFormat) => 'value' in readDate(text, as)
  if (
    column.kind === 'date' &&
    texts.some((text) => !reads(text, format)) &&
    texts.every((text) => reads(text, days))
  ) {
    told.push(`${column.title} was read as ${days.order === 'dmy' ? 'day, month' : 'month, day'}, year.`)
    return days
  }
  return format
}
