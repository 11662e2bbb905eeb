import { isDeepStrictEqual } from 'node:util'
import type { AnyFieldName } from '#contract/inventory/vehicles/vehicle-input.ts'
import type { ReadOptions } from '#contract/inventory/feeds/mappings/read-vehicle-value.ts'
import { type VehicleFieldName, VALUATIONS } from '#contract/inventory/vehicles/vehicle-fields.ts'
import type { FoundVehicle } from './find-vehicles.ts'
import { joinPhotos, namesIn, type VehicleValues } from './feed-values.ts'
import { FIELD_NAMES } from './vehicle-columns.ts'
import { vinValues } from './vin-values.ts'

type Reading = Pick<ReadOptions, 'today' | 'ownWord'>

/** A vehicle as it is. */
type KnownVehicle = Pick<FoundVehicle, 'locked'> & { now: Record<string, unknown> }

/** What a row changes of its vehicle. */
export type Difference = {
  after: VehicleValues
  before: VehicleValues
  /** Fields of `after` that the VIN fills, because neither the feed nor anybody else does. */
  fromVin: VehicleFieldName[]
  /** Fields that the feed says otherwise and somebody locked. */
  locked: AnyFieldName[]
}

/** A vehicle that is not there yet: what its row says, what its VIN adds, and since when it stands there if none says it. */
export function newVehicle(values: VehicleValues, reading: Reading): Difference {
  const said = typeof values.vin === 'string' ? vinValues(values.vin, reading) : {}
  const fromVin = FIELD_NAMES.filter((name) => values[name] === undefined && said[name] !== undefined)
  const added = Object.fromEntries(fromVin.map((name) => [name, said[name]]))
  // The day that a feed first had it is the best that is known, and what days in stock are counted from.
  const inStockOn = values.inStockOn ?? reading.today
  const after = { ...datedValuations(values, { now: {}, locked: [] }, reading), ...added, inStockOn }
  return { after, before: {}, fromVin, locked: [] }
}

/** A row beside its vehicle as it is. What the feed leaves empty stays as it is. */
export function compareRow(said: VehicleValues, { now, locked }: KnownVehicle, reading: Reading): Difference {
  const values = datedValuations(said, { now, locked }, reading)
  const difference: Difference = { after: {}, before: {}, fromVin: [], locked: [] }
  for (const name of namesIn(values)) {
    if (values[name] === undefined) continue
    const value = name === 'photos' ? joinPhotos(now[name], values[name]) : values[name]
    if (isDeepStrictEqual(value, now[name] ?? null)) continue
    if (locked.includes(name)) difference.locked.push(name)
    else take(difference, name, { value, now })
  }
  const vin = values.vin ?? now.vin
  const lacks = FIELD_NAMES.filter((name) => values[name] === undefined && (now[name] ?? null) === null)
  if (typeof vin !== 'string' || lacks.length === 0) return difference
  const decoded = vinValues(vin, reading)
  for (const name of lacks) {
    if (decoded[name] === undefined || locked.includes(name)) continue
    take(difference, name, { value: decoded[name], now })
    difference.fromVin.push(name)
  }
  return difference
}

/**
 * Who published a worth, and its day, belong to its amount: without one they say nothing, beside a locked one they would
 * speak of another. An amount that became different is of the day of the run where the feed names none.
 */
function datedValuations(
  values: VehicleValues,
  { now, locked }: KnownVehicle,
  { today }: Reading,
): VehicleValues {
  const dated = { ...values }
  for (const { amount, source, on } of VALUATIONS) {
    const isOther = values[amount] !== (now[amount] ?? null)
    if (values[amount] === undefined || locked.includes(amount)) {
      delete dated[source]
      delete dated[on]
    } else if (isOther) {
      dated[on] = values[on] ?? today
      dated[source] = values[source] ?? null
    }
  }
  return dated
}

function take(
  { after, before }: Difference,
  name: AnyFieldName,
  { value, now }: { value: unknown; now: Record<string, unknown> },
): void {
  after[name] = value
  before[name] = now[name] ?? null
}
