import { daysOf } from '#contract/days.ts'
import type { Vehicle } from '#contract/vehicles/vehicles/vehicles.ts'
import { formatDate } from '#web/ui/layout/date-format.ts'

const relative = new Intl.RelativeTimeFormat(undefined, { numeric: 'auto' })

/** The age of a date: "today", "10 days ago". */
export function formatAge(day: string, today: string): string {
  return relative.format(1 - daysOf(day, today), 'day')
}

/** "J.D. Power, as of Nov 12, 2026, 10 days ago", without missing parts. */
export function formatValuation(
  vehicle: Vehicle,
  valuation: 'marketPrice' | 'bookValue',
  today: string,
): string {
  const [source, on] = [vehicle[`${valuation}Source`], vehicle[`${valuation}On`]]
  const asOf = on === null ? null : `as of ${formatDate(on)}, ${formatAge(on, today)}`
  return [source, asOf].filter((part) => part !== null).join(', ')
}
