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

/** What the VIN says, in the product's words where it has any: for the fields that nobody else fills. */
export function vinValues(
  vin: string,
  { today, ownWord }: Pick<ReadOptions, 'today' | 'ownWord'>,
): VehicleValues {
  const { values } = decodeVin(vin, Number(today.slice(0, 4)))
  const said: Partial<Record<(typeof FILLED)[number], string | number>> = {}
  for (const name of FILLED) {
    const text = values[name]?.value
    if (text === undefined) continue
    if (name === 'year' || name === 'doors') {
      if (/^\d+$/.test(text)) said[name] = Number(text)
    } else if (name === 'electrification') {
      if (ELECTRIFICATIONS.some((one) => one === text)) said[name] = text
    } else if (name === 'body' || name === 'fuel' || name === 'transmission' || name === 'drivetrain') {
      const own = ownWord?.(name, text)
      if (own !== null) said[name] = own ?? canonicalValue(name, text) ?? text
    } else {
      said[name] = text
    }
  }
  return columnValues(said)
}
