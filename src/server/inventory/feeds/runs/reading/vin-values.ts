import type { ReadOptions } from '#contract/inventory/feeds/mappings/read-vehicle-value.ts'
import { canonicalValue } from '#contract/inventory/feeds/mappings/canonical.ts'
import { ELECTRIFICATIONS } from '#contract/inventory/vehicles/vehicle-choices.ts'
import { decodeVin } from '#server/inventory/vin/decode-vin.ts'
import { columnValues, type VehicleValues } from './feed-values.ts'

const FILLED = [
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
] as const

/** The values decoded from a VIN, as standard values where there are any. */
export function vinValues(
  vin: string,
  { today, ownWord }: Pick<ReadOptions, 'today' | 'ownWord'>,
): VehicleValues {
  const { values } = decodeVin(vin, Number(today.slice(0, 4)))
  const decoded: Partial<Record<(typeof FILLED)[number], string | number>> = {}
  for (const name of FILLED) {
    const text = values[name]?.value
    if (text === undefined) continue
    if (name === 'year' || name === 'doors') {
      if (/^\d+$/.test(text)) decoded[name] = Number(text)
    } else if (name === 'electrification') {
      if (ELECTRIFICATIONS.some((one) => one === text)) decoded[name] = text
    } else if (name === 'body' || name === 'fuel' || name === 'transmission' || name === 'drivetrain') {
      const own = ownWord?.(name, text)
      if (own !== null) decoded[name] = own ?? canonicalValue(name, text) ?? text
    } else {
      decoded[name] = text
    }
  }
  return columnValues(decoded)
}
