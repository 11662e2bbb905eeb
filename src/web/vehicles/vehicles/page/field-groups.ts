import { VEHICLE_FIELDS, type VehicleFieldName } from '#contract/vehicles/vehicles/vehicle-fields.ts'
import type { Provenance, VehicleRecord } from '#contract/vehicles/vehicles/vehicles.ts'
import { formatAgo, formatDate } from '#web/ui/layout/date-format.ts'
import { formatAge } from './valuation-text.ts'
import { CONDITION_NAMES, ELECTRIFICATION_NAMES, formatMileage, formatPrice } from '../vehicle-labels.ts'

type Group = { title: string; names: readonly VehicleFieldName[] }

/** The field groups on the vehicle page; photos have their own tab. */
export const FIELD_GROUPS: readonly Group[] = [
  { title: 'Identification', names: ['stock', 'vin', 'condition', 'inStockOn', 'certification', 'pageUrl'] },
  { title: 'Basics', names: ['year', 'make', 'model', 'trim', 'body', 'doors', 'mileage'] },
  { title: 'Pricing', names: ['price', 'feedPrice', 'msrp', 'invoice', 'cost'] },
  {
    title: 'Valuation',
    names: [
      ...(['marketPrice', 'marketPriceSource', 'marketPriceOn'] as const),
      ...(['bookValue', 'bookValueSource', 'bookValueOn'] as const),
    ],
  },
  { title: 'Colors', names: ['color', 'genericColor', 'interiorColor'] },
  {
    title: 'Powertrain',
    names: [
      ...(['engine', 'fuel', 'electrification', 'transmission', 'drivetrain'] as const),
      ...(['cityEconomy', 'highwayEconomy', 'whPerMile', 'co2'] as const),
    ],
  },
  { title: 'Listing details', names: ['options', 'description'] },
]

/** A field value as display text; null without a value. `today` is needed for the age of valuations. */
export function readField(
  vehicle: VehicleRecord,
  name: VehicleFieldName,
  { today }: { today: string },
): string | null {
  const { kind } = VEHICLE_FIELDS[name]
  if (kind === 'money') {
    const cents: unknown = valueOf(vehicle, `${name}Cents`)
    return typeof cents === 'number' ? formatPrice(cents, vehicle.currency) : null
  }
  if (name === 'mileage') return formatMileage(vehicle) || null
  const value = valueOf(vehicle, name)
  if (Array.isArray(value)) return value.length === 0 ? null : value.map(String).join(', ')
  if (typeof value !== 'string' && typeof value !== 'number') return null
  const words = String(value)
  if (name === 'condition') return CONDITION_NAMES.get(words) ?? words
  if (name === 'electrification') return ELECTRIFICATION_NAMES.get(words) ?? words
  if (name === 'marketPriceOn' || name === 'bookValueOn')
    return `${formatDate(words)}, ${formatAge(words, today)}`
  if (kind === 'date') return formatDate(words)
  if (name === 'cityEconomy' || name === 'highwayEconomy') {
    return `${words} ${vehicle.distanceUnit === 'mi' ? 'mpg' : 'L/100 km'}`
  }
  return words
}

function valueOf(vehicle: VehicleRecord, key: string): unknown {
  return Object.entries(vehicle).find(([name]) => name === key)?.[1]
}

/** "Northgate Ford nightly feed, 14 hr. ago"; empty if the source is unknown. */
export function describeSource(provenance: Provenance | undefined): string {
  if (provenance === undefined) return ''
  const { source, by, at } = provenance
  const words = { feed: by ?? 'Feed', vin: 'VIN decode', user: by ?? 'Manual', mapping: 'Data mapping' }
  return `${words[source]}, ${formatAgo(at)}`
}
