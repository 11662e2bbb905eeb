import type { InventoryRow } from '#contract/carbon/inventories/inventories.ts'
import { STATUS_NAMES } from '#contract/carbon/inventories/inventory-schema.ts'
import { writeDay } from '#contract/organizations/facilities/inclusion.ts'

/** "Jan 1, 2025 to Dec 31, 2025". */
export function periodOf({
  periodStart,
  periodEnd,
}: Pick<InventoryRow, 'periodStart' | 'periodEnd'>): string {
  return `${writeDay(periodStart)} to ${writeDay(periodEnd)}`
}

/** Why the inventory is read-only, as a sentence; null if it can be changed. */
export function frozenBecause({
  status,
  statusReason,
}: Pick<InventoryRow, 'status' | 'statusReason'>): string | null {
  if (status !== 'approved' && status !== 'locked' && status !== 'restated') return null
  const why = statusReason === null ? '' : `: ${statusReason.replace(/\.$/, '')}`
  return `This inventory is ${STATUS_NAMES[status].toLowerCase()}${why}. It is read-only.`
}

/** The same date a year later; February 29 becomes February 28. */
export function yearAfter(day: string): string {
  const [year = '', ...rest] = day.split('-')
  const next = `${String(Number(year) + 1).padStart(4, '0')}-${rest.join('-')}`
  return next.endsWith('-02-29') ? next.replace(/29$/, '28') : next
}
