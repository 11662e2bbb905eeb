import { createHash } from 'node:crypto'
import { MAX_COLUMNS } from '#contract/carbon/activity/import-mapping.ts'
import type { Sheet } from '#server/spreadsheets/sheet.ts'
import { plainHeading, roleOf } from './column-roles.ts'
import { isDay, isMonth, isTimeOnly } from './import-day.ts'
import { isAmount } from './read-amount.ts'

/**
 * A line of values with its line number in the file, from 1. A line that has several bills, such as one column a month, is
 * several lines with a `place` each.
 */
export type SheetLine = { line: number; place: number; cells: readonly string[] }
export type SheetColumns = {
  titles: readonly string[]
  lines: readonly SheetLine[]
  /** A hash of the titles: the same for files with the same layout. */
  head: string
  /** The file separates its cells by semicolons, as spreadsheets with a decimal comma do. Null: a workbook. */
  delimiter: string | null
  /** Of a workbook: the figures that are texts. All others are numbers, and mean what they say. Null: all are texts. */
  texts: ReadonlySet<string> | null
  /** The unit that a line above the table names: "Units: MWh". */
  unit: string | null
  /** Words of lines above and below the table that may be units: "All values in MWh". */
  unitsBeside: readonly string[]
  /** The lines above the table, such as the account and the address: one text each. */
  above: readonly string[]
  /** The lines that aren't read as lines of the table, and why. */
  notes: readonly (SheetLine & { reason: string })[]
  /** The lines of another table below, which has other headings: `head` is the line of those. */
  others: readonly (SheetLine & { head: number })[]
  /** Each month or time of day had a column of its own, so the other figures of a line are about all of them. */
  isWide: boolean
  /** How many lines the sheet has below its header. */
  count: number
  /** How many columns have values. With more than `MAX_COLUMNS`, the others are not read. */
  width: number
}

/** Bills start with addresses and logos, so the header row is searched in this many lines. */
const HEAD_WITHIN = 40
/** With fewer months or times of day in the headings, they are ordinary columns. */
const [LEAST_MONTHS, LEAST_TIMES] = [3, 12]

/** "Start_Date", "START DATE:" and "(Start date)" are the same title; "Cost ($)" and "Cost (cents)" aren't. */
const normalizeTitle = (title: string): string =>
  title
    .toLowerCase()
    .replaceAll(/[-−–](?=\s*a(?![\p{L}\p{N}])|\s*\)|\s*$)/gu, ' minus ')
    .replaceAll(/[^\p{L}\p{N}\p{Sc}%]+/gu, ' ')
    .trim()

/** The header row of a sheet and the lines below it. A sheet whose first line has numbers has no header row. */
export function readColumns({ lines, delimiter, texts }: Sheet): SheetColumns {
  const at = headAt(lines)
  const filled = lines.reduce(
    (most, cells) => Math.max(most, cells.findLastIndex((cell) => cell !== '') + 1),
    0,
  )
  const shown = lines.slice(0, 1_000).map((cells) => cells.length)
  const width = Math.min(MAX_COLUMNS, Math.max(filled, ...shown))
  const hasUnits = isUnitRow(lines[at + 1])
  const own = Array.from({ length: width }, (_, place) => titleOf(lines[at]?.[place] ?? '', place))
  const grouped = withGroups(own, lines[at - 1])
  const titles = grouped.map((title, place) => {
    const unit = hasUnits ? (lines[at + 1]?.[place] ?? '').replaceAll(/[()[\]]/g, '').trim() : ''
    return unit === '' ? title : `${title} (${unit})`
  })
  const first = at + (hasUnits ? 2 : 1)
  const all = lines
    .map((cells, place) => ({
      line: place + 1,
      place: 0,
      cells: cells.slice(0, width).map((cell) => unguarded(storable(cell))),
    }))
    .filter(({ cells }) => cells.some((cell) => cell !== ''))
  const found = all.filter(({ line }) => line > first)
  const { lines: ofTable, others } = splitTables(found, own)
  const { blank, ...table } = unpivot({ titles, lines: ofTable })
  const noteOf = (one: SheetLine) => ({ ...one, reason: one.line <= at ? ABOVE : HEADINGS })
  return {
    ...table,
    notes: [
      ...all.filter(({ line }) => line <= first).map(noteOf),
      ...blank.map((one) => ({ ...one, reason: BLANK })),
    ],
    others,
    delimiter: delimiter ?? null,
    texts: delimiter === undefined ? (texts ?? new Set()) : null,
    unit: unitAbove(lines.slice(0, Math.max(0, at))),
    above: lines.slice(0, Math.max(0, at)).flatMap(textOf),
    unitsBeside: unitsIn([...lines.slice(0, Math.max(0, at)), ...found.map(({ cells }) => cells)]),
    width: filled,
    count: found.length,
    // Columns of months are filled one after the other.
    head: headOf(table.isWide ? titles : filledOf(titles, ofTable)),
  }
}

/** The titles of columns with values. A column without one may have some in the next file, which is another layout then. */
export const filledOf = (titles: readonly string[], lines: readonly SheetLine[]): string[] =>
  filledPlaces(titles, lines).map((place) => titles[place] ?? '')

/** Their places. */
export const filledPlaces = (titles: readonly string[], lines: readonly SheetLine[]): number[] =>
  titles.flatMap((_, place) => (lines.some(({ cells }) => (cells[place] ?? '') !== '') ? [place] : []))

const headOf = (titles: readonly string[]): string =>
  createHash('sha256').update(titles.map(normalizeTitle).join('\n')).digest('hex')

/** Short words of lines with one or two cells, but none behind a figure: "50 kW" is a figure of its own. */
const unitsIn = (lines: readonly (readonly string[])[]): string[] => {
  const found = lines.flatMap((cells) => {
    const filled = cells.filter((cell) => cell !== '')
    if (filled.length > 2) return []
    const words = filled.join(' ').split(/[\s()[\]:;,]+/)
    return words.filter(
      (word, at) => word.length > 1 && !/\d/.test(words[at - 1] ?? '') && /^\p{L}[\p{L}\d³]*$/u.test(word),
    )
  })
  return [...new Set(found)]
}

const ABOVE = 'Above the table.'
const HEADINGS = 'The headings of the columns.'
const BLANK = 'No value in any of the columns of months or times.'

/** Whether a sheet has a table of bills, unlike a cover sheet: at least two headings that mean something, and lines below. */
export function hasTable(sheet: Sheet): boolean {
  const { titles, lines } = readColumns(sheet)
  return lines.length > 0 && titles.filter(isKnownTitle).length >= 2
}

const textOf = (cells: readonly string[]): string[] => {
  const text = cells.filter((cell) => cell !== '').join(', ')
  return text === '' ? [] : [storable(text.slice(0, 1_000))]
}

const titleOf = (cell: string, place: number): string =>
  cell === '' ? `Column ${place + 1}` : storable(cell.replaceAll(/\s+/g, ' ').slice(0, 200))

/** Removes what PostgreSQL can't store in a text. */
const storable = (cell: string): string =>
  cell.isWellFormed() && !cell.includes('\0') ? cell : cell.toWellFormed().replaceAll('\0', '')

/** `="00123"`, as exports write a number that a spreadsheet must not shorten. */
const unguarded = (cell: string): string => /^="(.*)"$/.exec(cell)?.[1] ?? cell

/** Two columns "kWh" below "Electricity" and "Gas": the titles get the text above them. */
function withGroups(titles: readonly string[], above: readonly string[] | undefined): string[] {
  const repeated = titles.filter((title, at) => titles.indexOf(title) !== at)
  if (repeated.length === 0 || above === undefined || above.filter((cell) => cell !== '').length < 2)
    return [...titles]
  let group = ''
  return titles.map((title, place) => {
    group = above[place] || group
    return repeated.includes(title) && group !== '' ? `${storable(group).slice(0, 90)} ${title}` : title
  })
}

const UNIT_CELL =
  /^[([]?(kwh|mwh|gwh|wh|kw|therms?|thm|dth|ccf|mcf|mmbtu|kbtu|gj|mj|m3|m³|ft3|gal|gallons?|l|liters?|litres?|kg|t|days?|usd|eur|gbp|\$|€|£|mm\/dd\/yyyy|dd\/mm\/yyyy|yyyy-mm-dd|dd\.mm\.yyyy|-)[)\]]?$/i

function unitAbove(lines: Sheet['lines']): string | null {
  for (const cells of lines)
    for (const [at, cell] of cells.entries()) {
      const found = /^(?:units?|uom|unit of measure|einheit|unité|unidad|unità)\s*[:=]?\s*(.*)$/i.exec(
        cell.trim(),
      )
      const text = found === null ? '' : found[1]?.trim() || (cells[at + 1]?.trim() ?? '')
      if (text !== '' && text.length <= 60) return text
    }
  return null
}

/** A line below the header that has the units of the columns. */
const isUnitRow = (cells: readonly string[] | undefined): boolean => {
  const filled = (cells ?? []).filter((cell) => cell !== '')
  return filled.length > 0 && filled.every((cell) => UNIT_CELL.test(cell))
}

/**
 * A table with a column for each month, or for each time of day, becomes one with a line for each of them: "Month" and "Use",
 * or "Time" and "Use". Lines without a value in all of them are `blank`.
 */
function unpivot({ titles, lines }: Pick<SheetColumns, 'titles' | 'lines'>): Pick<
  SheetColumns,
  'isWide' | 'titles' | 'lines'
> & {
  blank: SheetLine[]
} {
  const places = (is: (title: string) => boolean) => titles.flatMap((title, at) => (is(title) ? [at] : []))
  const [months, times] = [places(isMonth), places(isTimeOnly)]
  const isByMonth = months.length >= LEAST_MONTHS
  const wide = isByMonth ? months : times
  if (!isByMonth && times.length < LEAST_TIMES) return { isWide: false, titles, lines, blank: [] }
  const kept = titles.flatMap((_, at) => (wide.includes(at) ? [] : [at]))
  return {
    isWide: true,
    titles: [...kept.map((at) => titles[at] ?? ''), isByMonth ? 'Month' : 'Time', 'Use'],
    blank: lines
      .filter(({ cells }) => wide.every((from) => (cells[from] ?? '') === ''))
      .map((one) => ({ ...one, cells: kept.map((at) => one.cells[at] ?? '') })),
    lines: lines.flatMap(({ line, cells }) =>
      wide.flatMap((from, place) => {
        const value = cells[from] ?? ''
        if (value === '') return []
        return [{ line, place, cells: [...kept.map((at) => cells[at] ?? ''), titles[from] ?? '', value] }]
      }),
    ),
  }
}

/** The line with the most known titles, or else the first with several cells; -1 if there is none. */
function headAt(lines: Sheet['lines']): number {
  const scores = lines.slice(0, HEAD_WITHIN).map((cells) => {
    const known = cells.filter(isKnownTitle).length
    // Values are numbers and days, titles are not.
    return known - cells.filter((cell) => /^[\d.,\s$€£-]*\d[\d.,\s-]*$/.test(cell)).length
  })
  const best = Math.max(0, ...scores)
  if (best >= 2) {
    const at = scores.indexOf(best)
    // Another table may stand above it: its bills aren't lost, and this one is named as another one.
    const earlier = scores.findIndex(
      (score, place) => score >= 2 && place < at && lines.slice(place + 1, at).some(isBill),
    )
    return earlier === -1 ? at : earlier
  }
  const first = lines.findIndex((cells) => cells.filter((cell) => cell !== '').length >= 2)
  return lines[first]?.some((cell) => /^[\d.,\s-]*\d[\d.,\s-]*$/.test(cell)) ? first - 1 : first
}

const isKnownTitle = (cell: string): boolean =>
  cell !== '' &&
  cell.length <= 60 &&
  (roleOf(cell) !== null || isMonth(cell) || isTimeOnly(cell) || UNIT_WORD.test(plainHeading(cell)))

/** A line with a day and a figure. */
const isBill = (cells: readonly string[]): boolean => {
  const days = cells.filter((cell) => cell !== '' && isDay(cell))
  return days.length > 0 && cells.some((cell) => isAmount(cell) && !days.includes(cell))
}

/** The lines of the table, and those below other headings, until its own headings come again. */
function splitTables(lines: readonly SheetLine[], titles: readonly string[]) {
  const kept: SheetLine[] = []
  const others: (SheetLine & { head: number })[] = []
  let head: number | null = null
  for (const one of lines) {
    const filled = one.cells.filter((cell) => cell !== '')
    if (isOtherHead(one.cells, titles)) head = one.line
    else if (filled.length > 1 && one.cells.every((cell, at) => cell === '' || cell === titles[at]))
      head = null
    if (head === null) kept.push(one)
    else others.push({ ...one, head })
  }
  return { lines: kept, others }
}

/** Headings in the middle of a sheet, which have other columns than its first line of headings. */
function isOtherHead(cells: readonly string[], titles: readonly string[]): boolean {
  const filled = cells.filter((cell) => cell !== '')
  // Nearly every line has a figure or a day, which is known sooner than the role of each cell.
  if (filled.length < 2 || filled.some(isAmount) || filled.some(isDay)) return false
  const known = filled.filter((cell) => isKnownTitle(cell) && !isMonth(cell))
  const isHead =
    known.length >= 2 &&
    known.length >= filled.length / 2 &&
    known.some((cell) => USES.has(roleOf(cell) ?? '') || UNIT_WORD.test(plainHeading(cell)))
  return isHead && filled.some((cell) => cells.indexOf(cell) !== titles.indexOf(cell))
}
const USES: ReadonlySet<string> = new Set(['use', 'amount', 'cost', 'meterTo', 'demand'])

const UNIT_WORD = /(^| )(kwh|mwh|therms?|ccf|mcf|m3|gallons?|liters?|litres?|mmbtu|kbtu|gj)( |$)/
