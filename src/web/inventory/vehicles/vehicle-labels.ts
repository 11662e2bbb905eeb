import { VEHICLE_LIST } from '#contract/inventory/vehicles/vehicle-list.ts'
import type { Vehicle } from '#contract/inventory/vehicles/vehicles.ts'

function labelsOf(field: 'status' | 'condition'): ReadonlyMap<string, string> {
  return new Map(VEHICLE_LIST.fields[field].choices?.map(({ value, label }) => [value, label]))
}

export const STATUS_NAMES = labelsOf('status')
export const CONDITION_NAMES = labelsOf('condition')

export const ELECTRIFICATION_NAMES: ReadonlyMap<string, string> = new Map([
  ['none', 'Not electric'],
  ['mild', 'Mild hybrid'],
  ['hybrid', 'Hybrid'],
  ['plug-in', 'Plug-in hybrid'],
  ['electric', 'Electric'],
  ['fuel-cell', 'Fuel cell'],
])

/** "2023 Ford F-150"; what a feed did not tell is left out, and the stock number stands in for all of it. */
export function nameVehicle({ year, make, model, stock, vin }: Vehicle): string {
  const name = [year, make, model].filter((part) => part !== null).join(' ')
  return name || stock || vin || 'Vehicle without a name'
}

/** Cents as a price tag has them, without cents where there are none: "$44,180". Never throws. */
export function formatPrice(cents: number | null, currency: string): string {
  if (cents === null) return ''
  try {
    return new Intl.NumberFormat(undefined, {
      style: 'currency',
      currency,
      trailingZeroDisplay: 'stripIfInteger',
    }).format(cents / 100)
  } catch {
    return `${(cents / 100).toLocaleString()} ${currency}`
  }
}

/** "18,240 mi". */
export function formatMileage({ mileage, distanceUnit }: Vehicle): string {
  return mileage === null ? '' : `${mileage.toLocaleString()} ${distanceUnit}`
}

/** A day without a time of day, "1 Mar 2026", in the zone of nobody. */
export function formatDate(day: string): string {
  return new Intl.DateTimeFormat(undefined, { dateStyle: 'medium', timeZone: 'UTC' }).format(new Date(day))
}
