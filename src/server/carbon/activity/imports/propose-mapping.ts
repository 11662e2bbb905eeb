import type { ImportRequest } from '#contract/carbon/activity/activity-imports.ts'
import {
  IMPORT_FIELDS,
  type ImportField,
  type ImportMapping,
  type FileFormat,
} from '#contract/carbon/activity/import-mapping.ts'
import { readUnit } from '#contract/carbon/factors/unit-table.ts'
import type { LocaleFormat } from '#contract/parsing/locale-format.ts'
import { isOnlyIn, parseNumber } from '#contract/parsing/parse-number.ts'
import { findFacility, findType, hasLabel } from './find-names.ts'
import type { ImportContext } from './import-context.ts'
import { rankOf, type SheetColumns, unitIn } from './sheet-columns.ts'
import { readImportDay } from './import-day.ts'

/** How many values of a column are examined. */
const SAMPLE = 200
/** The share of values that must match to recognize a column. */
const MOST_OF = 0.8

/**
 * Maps columns to fields by their titles, then by their values, and detects the number and date format. What the file
 * leaves open follows the user's format.
 */
export function proposeMapping(
  { titles, lines }: SheetColumns,
  context: ImportContext,
  { usual, sourceId }: Pick<ImportRequest, 'usual' | 'sourceId'>,
): ImportMapping {
  const values = titles.map((_, place) =>
    lines
      .slice(0, SAMPLE)
      .map(({ cells }) => cells[place] ?? '')
      .filter((cell) => cell !== ''),
  )
  const columns = byTitle(titles)
  byValues(columns, values, { titles, context })
  const open = context.sources.find(({ id }) => id === sourceId) ?? context.sources[0]
  return {
    columns,
    format: formatOf(values, columns, usual),
    facilityId: open?.facilityId ?? null,
    sourceType: open?.sourceType ?? null,
    calorificBasis: null,
    facilities: {},
    sources: {},
    leavesWarned: false,
  }
}

type Columns = Partial<Record<ImportField, number>>

/** Each column is mapped to the field its title matches best, and each field to one column. */
function byTitle(titles: readonly string[]): Columns {
  const ranked = titles
    .flatMap((title, place) =>
      IMPORT_FIELDS.flatMap((field) => {
        const rank = rankOf(title, field)
        return rank === null ? [] : [{ field, place, rank }]
      }),
    )
    .toSorted((one, other) => one.rank - other.rank || one.place - other.place)
  const columns: Columns = {}
  const taken = new Set<number>()
  for (const { field, place } of ranked) {
    if (columns[field] !== undefined || taken.has(place)) continue
    columns[field] = place
    taken.add(place)
  }
  return columns
}

function byValues(
  columns: Columns,
  values: readonly (readonly string[])[],
  { titles, context }: { titles: readonly string[]; context: ImportContext },
): void {
  const take = (field: ImportField, is: (text: string, place: number) => boolean) => {
    if (columns[field] !== undefined) return
    const taken = new Set(Object.values(columns))
    const found = values.findIndex((own, place) => {
      const hits = own.filter((text) => is(text, place)).length
      return !taken.has(place) && hits > 0 && hits >= own.length * MOST_OF
    })
    if (found >= 0) columns[field] = found
  }
  take('unit', (text) => /\p{L}/u.test(text) && 'unit' in readUnit(context.units, text))
  take('facility', (text) => findFacility(text, context.facilities) !== null)
  take('source', (text) => findType(text, context.types) !== null || hasLabel(text, context.sources))
  const isDay = (text: string) =>
    /\D/.test(text) &&
    DAY_ORDERS.some((order) => 'value' in readImportDay(text, { decimal: '.', order }, 'first'))
  take('periodStart', isDay)
  take('periodEnd', isDay)
  // "Usage (kWh)" contains the unit, so it is a quantity.
  take(
    'quantity',
    (text, place) => isNumber(text) && 'unit' in readUnit(context.units, unitIn(titles[place] ?? '')),
  )
  take('quantity', isNumber)
}

const DAY_ORDERS = ['ymd', 'dmy', 'mdy'] as const
const POINT: LocaleFormat = { decimal: '.', order: 'ymd', locale: undefined }
const COMMA: LocaleFormat = { ...POINT, decimal: ',' }
const isNumber = (text: string): boolean =>
  'value' in parseNumber(text, POINT) || 'value' in parseNumber(text, COMMA)

const NUMBERS: readonly ImportField[] = ['quantity', 'meterFrom', 'meterTo']
const DAYS: readonly ImportField[] = ['periodStart', 'periodEnd']

/** One value that can be read in only one format decides the format of all. */
function formatOf(values: readonly (readonly string[])[], columns: Columns, usual: FileFormat): FileFormat {
  const of = (fields: readonly ImportField[]) =>
    fields.flatMap((field) => {
      const place = columns[field]
      return place === undefined ? [] : (values[place] ?? [])
    })
  const numbers = of(NUMBERS)
  const points = numbers.some((text) => isOnlyIn(text, POINT))
  const commas = numbers.some((text) => isOnlyIn(text, COMMA))
  const days = of(DAYS)
  const parts = days.flatMap((text) => {
    const found = /^(\d{1,2})[-/. ](\d{1,2})[-/. ]/.exec(text.trim())
    return found === null ? [] : [[Number(found[1]), Number(found[2])] as const]
  })
  const isDayFirst = parts.some(([first]) => first > 12)
  const isMonthFirst = parts.some(([, second]) => second > 12)
  return {
    decimal: points === commas ? usual.decimal : sign(commas),
    order: isDayFirst === isMonthFirst ? usual.order : order(isDayFirst),
  }
}

const sign = (isComma: boolean) => (isComma ? ',' : '.')
const order = (isDayFirst: boolean) => (isDayFirst ? 'dmy' : 'mdy')
