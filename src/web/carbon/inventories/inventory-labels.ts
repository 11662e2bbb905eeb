import type { InventoryRow } from '#contract/carbon/inventories/inventories.ts'
import { STATUS_NAMES } from '#contract/carbon/inventories/inventory-schema.ts'
import { writeDay } from '#contract/organizations/facilities/inclusion.ts'

/** "1 Jan 2025 to 31 Dec 2025". */
export function periodOf({
  periodStart,
  periodEnd,
}: Pick<InventoryRow, 'periodStart' | 'periodEnd'>): string {
  return `${writeDay(periodStart)} to ${writeDay(periodEnd)}`
}

/** Why nothing of it can be changed, as a sentence; null where it can. */
export function frozenBecause({
  status,
  statusReason,
}: Pick<InventoryRow, 'status' | 'statusReason'>): string | null {
  if (status !== 'approved' && status !== 'locked' && status !== 'restated') return null
  const why = statusReason === null ? '' : `: ${statusReason}`
  return `This inventory is ${STATUS_NAMES[status].toLowerCase()}${why}. It can be read, and nothing of it changes.`
}

/** The same days a year later; 29 February becomes the last of its month. */
export function yearAfter(day: string): string {
  const [year = '', ...rest] = day.split('-')
  const next = `${String(Number(year) + 1).padStart(4, '0')}-${rest.join('-')}`
  return next.endsWith('-02-29') ? next.replace(/29$/, '28') : next
}
