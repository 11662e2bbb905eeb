import { isDeepStrictEqual } from 'node:util'
import type { AnyFieldName } from '#contract/vehicles/vehicles/vehicle-input.ts'
import type { ReadOptions } from '#contract/feeds/mappings/read-vehicle-value.ts'
import { type VehicleFieldName, VALUATIONS } from '#contract/vehicles/vehicles/vehicle-fields.ts'
import type { FoundVehicle } from './find-vehicles.ts'
import { mergePhotos, namesIn, type VehicleValues, columnValues } from './feed-values.ts'
import { FIELD_NAMES } from './vehicle-columns.ts'
import { vinValuesOf } from '#contract/vehicles/vin/vin-values.ts'
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
  const decoded = typeof values.vin === 'string' ? vinValues(values.vin, reading) : {}
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
  const decoded = vinValues(vin, reading)
  for (const name of lacks) {
    if (decoded[name] === undefined || locked.includes(name)) continue
    setField(difference, name, { value: decoded[name], now })
    difference.fromVin.push(name)
  }
  return difference
}

const isEmpty = (value: unknown): boolean =>
  (value ?? null) === null || (Array.isArray(value) && value.length === 0)

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
  const { values } = decodeVin(vin, Number(today.slice(0, 4)))
  return columnValues(vinValuesOf(values, ownWord))
}
