const DAY = new Intl.DateTimeFormat('en-US', { dateStyle: 'medium', timeZone: 'UTC' })

/** The last day before an end in the lot's time zone: `2026-12-01T00:00` is "Nov 30, 2026", because midnight ends the day before. */
export function lastDayText(minute: string): string {
  const at = new Date(`${minute}:00Z`)
  if (minute.endsWith('T00:00')) at.setUTCDate(at.getUTCDate() - 1)
  return DAY.format(at)
}
