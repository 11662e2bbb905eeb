import type { ReadOptions } from '#contract/feeds/mappings/read-vehicle-value.ts'
import { vinValuesOf } from '#contract/vehicles/vin/vin-values.ts'
import { decodeVin } from '#server/vehicles/index.ts'
import { columnValues, type VehicleValues } from './feed-values.ts'

/** The values decoded from a VIN, as standard values where there are any. */
export function vinValues(
  vin: string,
  { today, ownWord }: Pick<ReadOptions, 'today' | 'ownWord'>,
): VehicleValues {
  const { values } = decodeVin(vin, Number(today.slice(0, 4)))
  return columnValues(vinValuesOf(values, ownWord))
}
