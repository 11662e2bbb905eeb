import { isDay, isTimeOnly, minutesIn, splitRange } from './import-day.ts'
import { billedUnit, type ColumnRole, plainHeading, roleOf, unitInHeading } from './column-roles.ts'
import type { ImportContext } from './import-context.ts'
import { isAmount, isBlank } from './read-amount.ts'
import type { SheetColumns } from './sheet-columns.ts'

/** What the heading and the values of a column say about it. */
export type ColumnEvidence = {
  place: number
  title: string
  role: ColumnRole | null
  /** The unit in the heading. */
  unit: string | null
  /** The values that aren't blank, of the first lines. */
  values: readonly string[]
  /** The same, with blank ones, by line. */
  cells: readonly string[]
  isNumeric: boolean
  isDate: boolean
  isTime: boolean
  /** Its values are units in which energy and materials are billed. */
  isUnits: boolean
}

const isUseInUnit = (title: string, role: ColumnRole | null): boolean =>
  role === 'calorificBasis' ||
  (role === 'cost' && /^(ht|nt|net|netto|brutto|gross)( |$)/.test(plainHeading(title)))

/** How many values of a column are examined. */
const SAMPLE = 400
/** The share of values that must match to recognize a column. A totals line at the end doesn't matter. */
const MOST_OF = 0.75
/** Labels such as "Total" stand in the columns of days. */
const HALF = 0.5

export function readEvidence({ titles, lines }: SheetColumns, { units }: ImportContext): ColumnEvidence[] {
  const sample = lines.slice(0, SAMPLE)
  return titles.map((title, place) => {
    const cells = sample.map((line) => line.cells[place]?.trim() ?? '')
    const values = cells.filter((cell) => !isBlank(cell))
    const most = (is: (text: string) => boolean, share = MOST_OF) =>
      values.length > 0 && values.filter(is).length >= values.length * share
    const unit = unitInHeading(title, units)
    const isNumeric = most(isAmount)
    const role = roleOf(title)
    return {
      place,
      title,
      // "HT kWh" is a high tariff, not money, and "kWh Hu" what was used.
      role: unit !== null && isNumeric && isUseInUnit(title, role) ? null : role,
      unit,
      values,
      cells,
      isNumeric,
      isDate: most((text) => isDay(text) || splitRange(text) !== null, HALF),
      isTime: most((text) => isTimeOnly(text) || (minutesIn(text) !== null && !isDay(text))),
      isUnits: most((text) => /\p{L}/u.test(text) && billedUnit(units, text) !== null),
    }
  })
}
