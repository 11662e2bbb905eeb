import { Figure } from '#contract/carbon/factors/figure.ts'
import { namesTotal } from './bill-words.ts'
import { isDay, isMonthOnly, isTimeOnly, minutesIn, splitRange } from './import-day.ts'
import {
  billedUnit,
  type ColumnRole,
  plainHeading,
  roleOf,
  saysOnlyCharge,
  unitInHeading,
} from './column-roles.ts'
import type { ImportContext } from './import-context.ts'
import { figuresOf, FORMATS, isAmount, isBlank } from './read-amount.ts'
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

/** What a column is by its heading and the kind of its values. */
function roleOfValues(
  { title, role, unit }: Pick<ColumnEvidence, 'title' | 'role' | 'unit'>,
  { isNumeric, isDate, isTime, values }: Pick<ColumnEvidence, 'isNumeric' | 'isDate' | 'isTime' | 'values'>,
): ColumnRole | null {
  if (isDate && !isNumeric && DELIVERED.test(plainHeading(title))) return 'deliveryDate'
  if (isTime && !isNumeric && role !== null) return OF_TIMES[role] ?? role
  // "Leitura anterior" may be the day of the reading.
  if (!isNumeric && (role === 'meterFrom' || role === 'meterTo') && values.length > 0 && values.every(isDay))
    return role === 'meterFrom' ? 'periodStart' : 'periodEnd'
  if (!isNumeric) return role
  const plain = plainHeading(title)
  // "Bill 801.50" is money.
  if (role === 'reference' && /^(bill|invoice)$/.test(plain) && values.some((text) => /[.,]\d\d$/.test(text)))
    return 'cost'
  // "100 gallons" is a unit.
  if (role === 'unit' && values.every((text) => /\p{L}/u.test(text))) return role
  // Numbers are no names of units: "Units" of a fuel card were bought.
  if (role === 'unit') return plain === 'units' ? 'use' : null
  // "HT kWh" is a high tariff, not money, and "kWh Hu" what was used.
  const isUse =
    role === 'calorificBasis' || (role === 'cost' && /^(ht|nt|net|netto|brutto|gross)( |$)/.test(plain))
  // "Charge added (lb)" of a refrigerant, "Charge (kWh)" of a car.
  const isFilled = role === 'cost' && saysOnlyCharge(plain)
  // "Day rate (kWh)" is a register, "Rate" a price.
  const isRegister = role === 'price' && /(^| )(rate|tariff|tarif|tarifa|tariffa)( |$)/.test(plain)
  return unit !== null && (isUse || isFilled || isRegister) ? null : role
}

/** A heading of a day or of an amount. */
const DELIVERED =
  /^(delivered|filled|refilled|fueled|fuelled|dispensed|pumped|purchased|bought|geliefert|getankt|livree?|entregad[oa]|consegnat[oa]|geleverd)$/

/** Units, or channels of a meter that are named by them: "kWh", "kVARh", "kW". */
function areUnits(values: readonly string[], units: ImportContext['units']): boolean {
  const isBilled = (text: string) => /\p{L}/u.test(text) && billedUnit(units, text) !== null
  const billed = values.filter(isBilled).length
  const isMeasure = (text: string) => isBilled(text) || /^[kM]?(W|VA|VAr)h?$/i.test(text)
  return billed > 0 && (billed >= values.length * MOST_OF || values.every(isMeasure))
}

/** "Date, from, to" of intervals: times beside their day. */
const OF_TIMES: Partial<Record<ColumnRole, ColumnRole>> = { periodStart: 'time', periodEnd: 'timeEnd' }

/** How many values of a column are examined. */
const SAMPLE = 400
/** The share of values that must match to recognize a column. A totals line at the end doesn't matter. */
const MOST_OF = 0.75
/** Labels such as "Total" stand in the columns of days. */
const HALF = 0.5

export function readEvidence({ titles, lines }: SheetColumns, { units }: ImportContext): ColumnEvidence[] {
  const sample = lines
    // Printed pages repeat the headings.
    .filter(({ cells }) => !cells.every((cell, at) => cell === '' || (titles[at] ?? '').startsWith(cell)))
    // A line of sums says nothing about the others.
    .filter(
      ({ cells }) =>
        !cells.some(namesTotal) || cells.some((cell) => isDay(cell) || splitRange(cell) !== null),
    )
    .slice(0, SAMPLE)
  const hasLowTariff = titles.some((title) => /(^| )nt( |$)/.test(plainHeading(title)))
  const isSaidInterval =
    sample.length > 0 &&
    titles.some((_, place) => sample.every(({ cells }) => /\binterval\b/i.test(cells[place] ?? '')))
  const found = titles.map((title, place): ColumnEvidence => {
    const cells = sample.map((line) => line.cells[place]?.trim() ?? '')
    const values = cells.filter((cell) => !isBlank(cell))
    const most = (is: (text: string) => boolean, share = MOST_OF) =>
      values.length > 0 && values.filter(is).length >= values.length * share
    const unit = unitInHeading(title, units)
    const isNumeric = most(isAmount)
    const isDated = (text: string) => isDay(text) || splitRange(text) !== null
    // Some names of months are words, too: "In" and "Out".
    // "20 01 38" is a code of waste.
    const isCode =
      roleOf(title) === null &&
      /(^| )(code|codes|ewc|low|ced|cer|avv|schlussel|id|no|nr|number|key)( |$)/.test(plainHeading(title))
    const isDate = !isCode && (most(isDated) || most((text) => isDated(text) && !isMonthOnly(text), HALF))
    const isTime = most((text) => isTimeOnly(text) || (minutesIn(text) !== null && !isDay(text)))
    // "Read Value" of an "Active Import Interval" is what was used in it.
    const said = isSaidInterval && roleOf(title) === 'meterTo' ? 'use' : roleOf(title)
    const role = hasLowTariff && /(^| )(ht|nt)( |$)/.test(plainHeading(title)) ? 'use' : said
    return {
      place,
      title,
      role: roleOfValues({ title, role, unit }, { isNumeric, isDate, isTime: isTime && !isDate, values }),
      unit,
      values,
      cells,
      isNumeric,
      isDate,
      isTime,
      isUnits: areUnits(values, units),
    }
  })
  return withRegisters(found)
}

const EARLIER =
  /(^| )(previous|prev|prior|begin(ning)?|start|opening|old|from|alt|alte[rs]?|anterior|precedente?|ancien(ne)?|anfang|vorherige[rs]?|initial)( |$)/
const LATER =
  /(^| )(current|curr|present|end|ending|closing|new|to|neu|neue[rs]?|actual|atual|attuale|nouveau|nouvelle|aktuelle[rs]?|final)( |$)/
const OTHER_PERIOD = /(^| )(year|month|week|day|period|bill|jahr|monat|annee|mois|ano|mes|anno|mese)( |$)/

/** Two figures "Previous kWh" and "Current kWh" whose difference is a third one in each line are readings of a meter. */
function withRegisters(columns: readonly ColumnEvidence[]): ColumnEvidence[] {
  const figures = columns.filter(({ isNumeric, isDate, role }) => isNumeric && !isDate && MAY_READ.has(role))
  const named = (is: RegExp) =>
    figures.filter(({ title }) => is.test(plainHeading(title)) && !OTHER_PERIOD.test(plainHeading(title)))
  for (const from of named(EARLIER))
    for (const to of named(LATER)) {
      const isUse = (one: ColumnEvidence) =>
        FORMATS.some((format) => {
          const lines = figuresOf([from, to, one], format)
          const isDifference = ([start = NONE, end = NONE, use = NONE]: readonly Figure[]) =>
            end.minus(start).minus(use).abs().lte(1)
          return lines.length > 0 && lines.every(isDifference)
        })
      const used = figures.find((one) => one !== from && one !== to && isUse(one))
      if (used === undefined) continue
      return columns.map((one) => {
        if (one === from) return { ...one, role: 'meterFrom' }
        return one === to ? { ...one, role: 'meterTo' } : one
      })
    }
  return [...columns]
}
const NONE = new Figure(0)
const MAY_READ: ReadonlySet<ColumnRole | null> = new Set([
  null,
  'use',
  'amount',
  'meterFrom',
  'meterTo',
  'periodStart',
  'periodEnd',
])
