import { createHash } from 'node:crypto'
import { IMPORT_FIELDS, type ImportField, MAX_COLUMNS } from '#contract/carbon/activity/import-mapping.ts'
import type { Sheet } from '#server/spreadsheets/sheet.ts'

/** A line of values with its line number in the file, from 1. */
export type SheetLine = { line: number; cells: readonly string[] }
export type SheetColumns = {
  titles: readonly string[]
  lines: readonly SheetLine[]
  /** A hash of the titles: the same for files with the same layout. */
  head: string
}

/** Bills start with addresses and logos, so the header row is searched in this many lines. */
const HEAD_WITHIN = 40

/** Usual titles of such columns, normalized; the most certain ones first. */
const ALIASES: Readonly<Record<ImportField, readonly string[]>> = {
  facility: [
    'facility',
    'site',
    'facility code',
    'site code',
    'location',
    'rooftop',
    'building',
    'store',
    'standort',
    'premises',
    'facility name',
    'site name',
  ],
  source: [
    'source',
    'source type',
    'fuel',
    'fuel type',
    'utility',
    'commodity',
    'energy type',
    'energy carrier',
    'service',
    'activity',
    'type',
  ],
  periodStart: [
    'from',
    'start',
    'start date',
    'from date',
    'period start',
    'service from',
    'service start',
    'bill start',
    'billing start',
    'read from',
    'date from',
    'begin',
    'month',
    'period',
    'billing month',
    'von',
    'beginn',
  ],
  periodEnd: [
    'to',
    'end',
    'end date',
    'to date',
    'period end',
    'service to',
    'service end',
    'bill end',
    'billing end',
    'read to',
    'date to',
    'until',
    'through',
    'bis',
    'ende',
  ],
  quantity: [
    'quantity',
    'usage',
    'consumption',
    'amount',
    'volume',
    'used',
    'total usage',
    'kwh',
    'therms',
    'gallons',
    'liters',
    'litres',
    'm3',
    'menge',
    'verbrauch',
  ],
  unit: ['unit', 'units', 'uom', 'unit of measure', 'measure', 'einheit'],
  calorificBasis: ['calorific', 'calorific value', 'calorific basis', 'heating value', 'brennwert', 'cv'],
  meterFrom: [
    'reading before',
    'previous reading',
    'start reading',
    'opening reading',
    'meter start',
    'prior reading',
  ],
  meterTo: [
    'reading after',
    'current reading',
    'end reading',
    'closing reading',
    'meter end',
    'present reading',
  ],
  priceYear: ['price year', 'year of prices', 'year of the prices'],
  factor: ['factor', 'emission factor', 'factor id', 'factor name', 'ef'],
  quality: ['quality', 'data quality', 'dq', 'quality score'],
  reference: [
    'bill',
    'bill number',
    'bill no',
    'invoice',
    'invoice number',
    'invoice no',
    'invoice id',
    'reference',
    'ref',
    'document',
    'rechnung',
    'rechnungsnummer',
  ],
  comment: ['comment', 'comments', 'note', 'notes', 'remark', 'remarks', 'bemerkung'],
}

/** "Start_Date", "START DATE:" and "Start date (incl.)" are the same title. */
export const normalizeTitle = (title: string): string =>
  title
    .toLowerCase()
    .replaceAll(/\(.*?\)|\[.*?\]/g, ' ')
    .replaceAll(/[^\p{L}\p{N}]+/gu, ' ')
    .trim()

/** How certainly a title means a field: 0 is the most certain; null if it doesn't. */
export function rankOf(title: string, field: ImportField): number | null {
  const at = ALIASES[field].indexOf(normalizeTitle(title))
  return at < 0 ? null : at
}

/** The text in parentheses, "Usage (kWh)", or else the title itself: it may be a unit. */
export const unitIn = (title: string): string => /[([](.+?)[)\]]/.exec(title)?.[1]?.trim() ?? title.trim()

/** The header row of a sheet and the lines below it. A sheet whose first line has numbers has no header row. */
export function readColumns({ lines }: Sheet): SheetColumns {
  const at = headAt(lines)
  const width = Math.min(MAX_COLUMNS, Math.max(0, ...lines.slice(0, 1_000).map((cells) => cells.length)))
  const titles = Array.from({ length: width }, (_, place) => titleOf(lines[at]?.[place] ?? '', place))
  return {
    titles,
    lines: lines
      .slice(at + 1)
      .map((cells, below) => ({ line: at + below + 2, cells: cells.slice(0, width).map(storable) }))
      .filter(({ cells }) => cells.some((cell) => cell !== '')),
    head: createHash('sha256').update(titles.map(normalizeTitle).join('\n')).digest('hex'),
  }
}

const titleOf = (cell: string, place: number): string =>
  cell === '' ? `Column ${place + 1}` : storable(cell.replaceAll(/\s+/g, ' ').slice(0, 200))

/** Removes what PostgreSQL can't store in a text. */
const storable = (cell: string): string =>
  cell.isWellFormed() && !cell.includes('\0') ? cell : cell.toWellFormed().replaceAll('\0', '')

/** The line with the most known titles, or else the first with several cells; -1 if there is none. */
function headAt(lines: Sheet['lines']): number {
  const scores = lines.slice(0, HEAD_WITHIN).map((cells) => cells.filter(isKnownTitle).length)
  const best = Math.max(0, ...scores)
  if (best >= 2) return scores.indexOf(best)
  const first = lines.findIndex((cells) => cells.filter((cell) => cell !== '').length >= 2)
  return lines[first]?.some((cell) => /^[\d.,\s-]*\d[\d.,\s-]*$/.test(cell)) ? first - 1 : first
}

const isKnownTitle = (cell: string): boolean => IMPORT_FIELDS.some((field) => rankOf(cell, field) !== null)
