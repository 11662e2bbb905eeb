import { createHash } from 'node:crypto'
import { IMPORT_FIELDS, type ImportField, MAX_COLUMNS } from '#contract/carbon/activity/import-mapping.ts'
import type { Sheet } from '#server/spreadsheets/sheet.ts'

/** A line of figures and where it stands in the file, from 1. */
export type SheetLine = { line: number; cells: readonly string[] }
export type SheetColumns = {
  titles: readonly string[]
  lines: readonly SheetLine[]
  /** Names the titles: files of one form have the same. */
  head: string
}

/** Bills begin with addresses and logos: the head is looked for in so many lines. */
const HEAD_WITHIN = 40

/** What people write above such columns, folded; the first words are the surest. */
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

/** "Start_Date", "START DATE:" and "Start date (incl.)" are one title. */
export const foldTitle = (title: string): string =>
  title
    .toLowerCase()
    .replaceAll(/\(.*?\)|\[.*?\]/g, ' ')
    .replaceAll(/[^\p{L}\p{N}]+/gu, ' ')
    .trim()

/** How surely a title names a field: 0 is the surest; null where it does not. */
export function rankOf(title: string, field: ImportField): number | null {
  const at = ALIASES[field].indexOf(foldTitle(title))
  return at < 0 ? null : at
}

/** What stands in brackets behind a title, "Usage (kWh)", or the title itself: it may be a unit. */
export const unitIn = (title: string): string => /[([](.+?)[)\]]/.exec(title)?.[1]?.trim() ?? title.trim()

/** The titles of a sheet and the lines below them. A sheet whose first line has figures has no titles of its own. */
export function readColumns({ lines }: Sheet): SheetColumns {
  const at = headAt(lines)
  const width = Math.min(MAX_COLUMNS, Math.max(0, ...lines.slice(0, 1_000).map((cells) => cells.length)))
  const titles = Array.from({ length: width }, (_, place) => titleOf(lines[at]?.[place] ?? '', place))
  return {
    titles,
    lines: lines
      .slice(at + 1)
      .map((cells, below) => ({ line: at + below + 2, cells: cells.slice(0, width).map(keepable) }))
      .filter(({ cells }) => cells.some((cell) => cell !== '')),
    head: createHash('sha256').update(titles.map(foldTitle).join('\n')).digest('hex'),
  }
}

const titleOf = (cell: string, place: number): string =>
  cell === '' ? `Column ${place + 1}` : keepable(cell.replaceAll(/\s+/g, ' ').slice(0, 200))

/** Without what no text of the database holds. */
const keepable = (cell: string): string =>
  cell.isWellFormed() && !cell.includes('\0') ? cell : cell.toWellFormed().replaceAll('\0', '')

/** The line with the most known titles; else the first of several words; -1 where there is none. */
function headAt(lines: Sheet['lines']): number {
  const scores = lines.slice(0, HEAD_WITHIN).map((cells) => cells.filter(isKnownTitle).length)
  const best = Math.max(0, ...scores)
  if (best >= 2) return scores.indexOf(best)
  const first = lines.findIndex((cells) => cells.filter((cell) => cell !== '').length >= 2)
  return lines[first]?.some((cell) => /^[\d.,\s-]*\d[\d.,\s-]*$/.test(cell)) ? first - 1 : first
}

const isKnownTitle = (cell: string): boolean => IMPORT_FIELDS.some((field) => rankOf(cell, field) !== null)
