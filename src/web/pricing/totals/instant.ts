const format = new Intl.DateTimeFormat(undefined, { dateStyle: 'medium', timeStyle: 'short' })

/** An instant as evidence shows it, "Nov 24, 2026, 6:10 AM": exact, never "2 hours ago". */
export function formatInstant(instant: string): string {
  return format.format(new Date(instant))
}
