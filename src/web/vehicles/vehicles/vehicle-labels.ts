import { VEHICLE_LIST } from '#contract/vehicles/vehicles/vehicle-list.ts'
import type { Vehicle } from '#contract/vehicles/vehicles/vehicles.ts'

function labelsOf(field: 'status' | 'condition' | 'priceState'): ReadonlyMap<string, string> {
  return new Map(VEHICLE_LIST.fields[field].choices?.map(({ value, label }) => [value, label]))
}

export const STATUS_NAMES = labelsOf('status')
export const CONDITION_NAMES = labelsOf('condition')
export const PRICE_STATE_NAMES = labelsOf('priceState')

export const ELECTRIFICATION_NAMES: ReadonlyMap<string, string> = new Map([
  ['none', 'Not electric'],
  ['mild', 'Mild hybrid'],
  ['hybrid', 'Hybrid'],
  ['plug-in', 'Plug-in hybrid'],
  ['electric', 'Electric'],
  ['fuel-cell', 'Fuel cell'],
])

/** "2023 Ford F-150", without missing parts; the stock number or VIN if all are missing. */
export function nameVehicle({ year, make, model, stock, vin }: Vehicle): string {
  const name = [year, make, model].filter((part) => part !== null).join(' ')
  return name || stock || vin || 'Unnamed vehicle'
}

/** A price from cents, without ".00": "$44,180". Never throws. */
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

/** The line below a status: why a vehicle for sale isn't published, otherwise the reason of the status. */
export function statusNote({
  status,
  statusReason,
  notPublishedReason,
}: Pick<Vehicle, 'status' | 'statusReason' | 'notPublishedReason'>): string | null {
  return status === 'live' && notPublishedReason !== null
    ? `Not published: ${notPublishedReason}`
    : statusReason
}
