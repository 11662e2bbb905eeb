import { isDeepStrictEqual } from 'node:util'
import type { AnyFieldName } from '#contract/vehicles/vehicles/vehicle-input.ts'
import type { ReadOptions } from '#contract/feeds/mappings/read-vehicle-value.ts'
import { type VehicleFieldName, VALUATIONS } from '#contract/vehicles/vehicles/vehicle-fields.ts'
import type { FoundVehicle } from './find-vehicles.ts'
import { mergePhotos, namesIn, type VehicleValues, columnValues } from './feed-values.ts'
import { FIELD_NAMES } from './vehicle-columns.ts'
import { vinValuesOf } from '#contract/vehicles/vin/vin-values.ts'
import { fitsVin } from '#contract/vehicles/vin/fits-vin.ts'
import { decodeVin } from '#server/vehicles/index.ts'

type Reading = Pick<ReadOptions, 'today' | 'ownWord'>

/** A vehicle in its current state. */
type KnownVehicle = Pick<FoundVehicle, 'locked'> & { now: Record<string, unknown> }

/** A price that a person set, while the source sends another figure than before. Amounts in cents; 0: no price. */
export type PriceQuestion = { ownCents: number; sentCents: number; sourceCents: number }

/** What a row changes in its vehicle. */
export type Difference = {
  after: VehicleValues
  before: VehicleValues
  /** Fields of `after` that are filled from the VIN, because nothing else fills them. */
  fromVin: VehicleFieldName[]
  /** Fields whose value differs in the feed but which a user locked. */
  locked: AnyFieldName[]
}

/** The values of a new vehicle: those of its row, those its VIN adds, and today as its in-stock date if the row has none. */
export function newVehicle(values: VehicleValues, reading: Reading): Difference {
  const given = Object.fromEntries(Object.entries(values).filter(([, value]) => value !== null))
  const isOther = vinContradiction(values, reading.today)?.isOther === true
  const decoded = typeof values.vin === 'string' && !isOther ? vinValues(values.vin, reading) : {}
  const fromVin = FIELD_NAMES.filter((name) => (values[name] ?? null) === null && decoded[name] !== undefined)
  const added = Object.fromEntries(fromVin.map((name) => [name, decoded[name]]))
  // The day the vehicle first appears in a feed is the best available start for days in stock.
  const inStockOn = values.inStockOn ?? reading.today
  const after = { ...datedValuations(given, { now: {}, locked: [] }, reading), ...added, inStockOn }
  return { after, before: {}, fromVin, locked: [] }
}

/**
 * Compares a row with its vehicle. A field that the row leaves blank (null) loses the value that a feed gave it; what people and the
 * VIN gave stays.
 */
export function compareRow(
  row: VehicleValues,
  { now, locked, feedFields }: KnownVehicle & Pick<FoundVehicle, 'feedFields'>,
  reading: Reading,
): Difference {
  const values = datedValuations(row, { now, locked }, reading)
  const difference: Difference = { after: {}, before: {}, fromVin: [], locked: [] }
  for (const name of namesIn(values)) {
    if (values[name] === undefined) continue
    const isBlank = values[name] === null
    // Photos that people added stay anyway.
    if (isBlank && name !== 'photos' && !feedFields.includes(name)) continue
    const value = name === 'photos' ? mergePhotos(now[name], values[name]) : values[name]
    if (isDeepStrictEqual(value, now[name] ?? null) || (isBlank && isEmpty(now[name]))) continue
    if (locked.includes(name)) difference.locked.push(name)
    else setField(difference, name, { value, now })
  }
  const vin = values.vin ?? now.vin
  const lacks = FIELD_NAMES.filter(
    (name) => (values[name] ?? null) === null && (difference.after[name] === null || isEmpty(now[name])),
  )
  if (typeof vin !== 'string' || lacks.length === 0) return difference
  if (vinContradiction({ ...now, ...difference.after }, reading.today)?.isOther === true) return difference
  const decoded = vinValues(vin, reading)
  for (const name of lacks) {
    if (decoded[name] === undefined || locked.includes(name)) continue
    if (isDeepStrictEqual(decoded[name], now[name])) {
      delete difference.after[name]
      delete difference.before[name]
      continue
    }
    setField(difference, name, { value: decoded[name], now })
    difference.fromVin.push(name)
  }
  return difference
}

const isEmpty = (value: unknown): boolean =>
  (value ?? null) === null || (Array.isArray(value) && value.length === 0)

/** A mileage that its feed sends lower than it was. */
export type MileageQuestion = { ownMileage: number; sourceMileage: number }

/** Rounding of a converted unit. */
const MAX_ROUNDING = 1

/** Takes a mileage that falls out of what a row changes: an odometer that goes back waits until a person decides. */
export function mileageQuestionOf({ after, before }: Difference): MileageQuestion | null {
  const [ownMileage, sourceMileage] = [before.mileage, after.mileage]
  if (typeof ownMileage !== 'number' || typeof sourceMileage !== 'number') return null
  if (ownMileage - sourceMileage <= MAX_ROUNDING) return null
  delete after.mileage
  delete before.mileage
  return { ownMileage, sourceMileage }
}

/** What the source sends as the price of a row, in cents; 0: it leaves it blank. Null: its feed has no price. */
export const sourcePriceOf = ({ price }: VehicleValues): number | null => {
  if (price === null) return 0
  return typeof price === 'number' ? price : null
}

/** Whether a row asks about the price of its vehicle; null if it doesn't. */
export function priceQuestionOf(
  row: VehicleValues,
  { locked, now, seenSourcePriceCents: sentCents }: KnownVehicle & Pick<FoundVehicle, 'seenSourcePriceCents'>,
): PriceQuestion | null {
  const sourceCents = sourcePriceOf(row)
  if (sourceCents === null || sentCents === null || !locked.includes('price')) return null
  const ownCents = typeof now['price'] === 'number' ? now['price'] : 0
  return sourceCents === sentCents || sourceCents === ownCents ? null : { ownCents, sentCents, sourceCents }
}

/**
 * The publisher and date of a valuation belong to its amount: they are dropped if there is no amount or it is locked. A changed
 * amount without a date gets the date of the run.
 */
function datedValuations(
  values: VehicleValues,
  { now, locked }: KnownVehicle,
  { today }: Reading,
): VehicleValues {
  const dated = { ...values }
  for (const { amount, source, on } of VALUATIONS) {
    const isChanged = values[amount] !== (now[amount] ?? null)
    if (values[amount] === null && !locked.includes(amount)) {
      // They go with their amount.
      Object.assign(dated, { [source]: null, [on]: null })
    } else if (values[amount] === undefined || locked.includes(amount)) {
      delete dated[source]
      delete dated[on]
    } else if (isChanged) {
      dated[on] = values[on] ?? today
      dated[source] = values[source] ?? null
    }
  }
  return dated
}

function setField(
  { after, before }: Difference,
  name: AnyFieldName,
  { value, now }: { value: unknown; now: Record<string, unknown> },
): void {
  after[name] = value
  before[name] = now[name] ?? null
}

/** The values decoded from a VIN, as standard values where there are any. */
function vinValues(vin: string, { today, ownWord }: Pick<ReadOptions, 'today' | 'ownWord'>): VehicleValues {
  const { values } = factsOf(vin, today)
  return columnValues(vinValuesOf(values, ownWord))
}

/** What a row says about the identity of its vehicle. Other fields differ in wording too often. */
const IDENTITY = ['year', 'make', 'model'] as const

/**
 * A sentence that names both if the year, make or model of a vehicle contradicts its VIN; null if they fit, or the VIN has a typing
 * error or no check digit. A VIN of another make, or of another year by more than one, is that of another vehicle: nothing
 * is filled from it.
 */
export function vinContradiction(
  values: VehicleValues,
  today: string,
): { isOther: boolean; sentence: string } | null {
  if (typeof values.vin !== 'string' || values.vin.length !== 17) return null
  const { values: decoded, checkDigit } = factsOf(values.vin, today)
  if (checkDigit.verdict !== 'right') return null
  const fields = IDENTITY.filter((name) => {
    const own = values[name]
    return (typeof own === 'string' || typeof own === 'number') && !fitsVin(name, own, decoded)
  })
  if (fields.length === 0) return null
  const name = (of: (field: (typeof IDENTITY)[number]) => unknown) =>
    IDENTITY.map((field) => of(field))
      .filter((one) => typeof one === 'string' || typeof one === 'number')
      .join(' ')
  return {
    // Models are often written in another way, and years may differ by one; another make or year is another vehicle.
    isOther:
      fields.includes('make') || (fields.includes('year') && isOtherYear(values.year, decoded.year?.value)),
    sentence: `The VIN is that of a ${name((field) => decoded[field]?.value)}, but the feed says ${name((field) => values[field])}.`,
  }
}

/** The character for the year stands for two years that are 30 apart. */
function isOtherYear(own: unknown, decoded: string | undefined): boolean {
  const apart = Math.abs(Number(own) - Number(decoded))
  return apart > 1 && apart % 30 !== 0
}

let last: { vin: string; today: string; facts: ReturnType<typeof decodeVin> } | null = null

/** A VIN is asked about several times in a row: once decoded, it is kept until the next one. */
function factsOf(vin: string, today: string): ReturnType<typeof decodeVin> {
  if (last === null || last.vin !== vin || last.today !== today)
    last = { vin, today, facts: decodeVin(vin, Number(today.slice(0, 4))) }
  return last.facts
}
