import { daysOf } from '#contract/days.ts'
import type { Vehicle } from '#contract/inventory/vehicles/vehicles.ts'
import { formatDate } from '../vehicle-labels.ts'

const relative = new Intl.RelativeTimeFormat(undefined, { numeric: 'auto' })

/** How old a day is: "today", "10 days ago". */
export function formatAge(day: string, today: string): string {
  return relative.format(1 - daysOf(day, today), 'day')
}

/** "J.D. Power, as of 12 Nov 2026, 10 days ago"; what is not known is left out. */
export function formatValuation(vehicle: Vehicle, worth: 'marketPrice' | 'bookValue', today: string): string {
  const [source, on] = [vehicle[`${worth}Source`], vehicle[`${worth}On`]]
  const asOf = on === null ? null : `as of ${formatDate(on)}, ${formatAge(on, today)}`
  return [source, asOf].filter((part) => part !== null).join(', ')
}
