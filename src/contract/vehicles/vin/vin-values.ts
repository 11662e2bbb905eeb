import { canonicalValue } from './canonical.ts'
import { ELECTRIFICATIONS } from '#contract/vehicles/vehicles/vehicle-choices.ts'
import type { VehicleFieldName } from '#contract/vehicles/vehicles/vehicle-fields.ts'
import type { VinFacts } from './vin.ts'

/** The vehicle fields that a decoded VIN can fill, in display order. */
export const VIN_FILLED = [
  'year',
  'make',
  'model',
  'trim',
  'body',
  'doors',
  'engine',
  'fuel',
  'electrification',
  'transmission',
  'drivetrain',
] as const satisfies readonly VehicleFieldName[]
export type VinFilledField = (typeof VIN_FILLED)[number]

type VinValues = Partial<Record<VinFilledField, string | number>>

/**
 * The values decoded from a VIN as vehicle values: standard values where there are any, year and doors as numbers.
 * @param ownWord the customer's own mapping of a value, checked first; null ignores the value.
 */
export function vinValuesOf(
  decoded: VinFacts['values'],
  ownWord?: (field: VehicleFieldName, value: string) => string | null | undefined,
): VinValues {
  const values: VinValues = {}
  for (const name of VIN_FILLED) {
    const text = decoded[name]?.value
    if (text === undefined) continue
    if (name === 'year' || name === 'doors') {
      if (/^\d+$/.test(text)) values[name] = Number(text)
    } else if (name === 'electrification') {
      if (ELECTRIFICATIONS.some((one) => one === text)) values[name] = text
    } else if (name === 'body' || name === 'fuel' || name === 'transmission' || name === 'drivetrain') {
      const own = ownWord?.(name, text)
      if (own !== null) values[name] = own ?? canonicalValue(name, text) ?? text
    } else {
      values[name] = text
    }
  }
  return values
}
