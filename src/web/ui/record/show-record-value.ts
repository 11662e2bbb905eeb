import { formatDate } from '#web/ui/layout/date-format.ts'

const DAY = /^\d{4}-\d{2}-\d{2}$/

/** Formats a form value: empty is "None", a list is joined with commas, a day reads as in lists. */
export function showValue(value: unknown): string {
  if (typeof value === 'boolean') return value ? 'Yes' : 'No'
  if (Array.isArray(value)) return value.length === 0 ? 'None' : value.map(String).join(', ')
  if (typeof value === 'string' && DAY.test(value)) return formatDate(value)
  if (typeof value === 'string' && value !== '') return value
  return typeof value === 'number' ? value.toLocaleString() : 'None'
}
