const DAY = 86_400_000

/** An instant with its time zone: `2026-03-01T10:00:00Z`. */
const MOMENT = /^(\d{4}-\d\d-\d\d)[T ]([01]\d|2[0-3]):[0-5]\d:[0-5]\d(\.\d{1,9})?(Z|[+-]\d\d(:?\d\d)?)$/

const FIRST_MOMENT = Date.parse('0001-01-01T00:00:00Z')
const LAST_MOMENT = Date.parse('9999-12-31T23:59:59.999Z')

/** The day number of a date (`2026-03-01`), counted from 1970; null if there is no such date. */
export function readDay(text: string): number | null {
  if (!/^\d{4}-\d\d-\d\d$/.test(text) || text.startsWith('0000')) return null
  const milliseconds = Date.parse(`${text}T00:00:00Z`)
  // Date would parse February 30 as March 2.
  const isThere = new Date(milliseconds).getUTCDate() === Number(text.slice(8))
  return isThere ? milliseconds / DAY : null
}

/** The counterpart of `readDay`. */
export function writeDay(day: number): string {
  return new Date(day * DAY).toISOString().replace(/T.*/, '')
}

/** Milliseconds since 1970 of an instant with a time zone, truncated; null if it isn't valid. */
export function readMoment(text: string): number | null {
  const [, day] = MOMENT.exec(text) ?? []
  if (day === undefined || readDay(day) === null) return null
  const zoned = text.replace(' ', 'T').replace(/([+-]\d\d)$/, '$1:00')
  const milliseconds = Date.parse(zoned)
  // The time zone can move it outside of the supported years.
  return milliseconds >= FIRST_MOMENT && milliseconds <= LAST_MOMENT ? milliseconds : null
}

/** The first millisecond of a day in UTC. */
export function startOf(day: number): number {
  return day * DAY
}
