/** Formats a form value: empty is "None", a list is joined with commas. */
export function showValue(value: unknown): string {
  if (typeof value === 'boolean') return value ? 'Yes' : 'No'
  if (Array.isArray(value)) return value.length === 0 ? 'None' : value.map(String).join(', ')
  if (typeof value === 'string' && value !== '') return value
  return typeof value === 'number' ? value.toLocaleString() : 'None'
}
