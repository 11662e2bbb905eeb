// Days are written 2026-01-31 and have no time zone. Calculating in UTC avoids daylight saving time.

const DAY_MS = 86_400_000

/** The day `days` days later, or earlier if negative. */
export function dayAfter(day: string, days: number): string {
  return new Date(Date.parse(`${day}T00:00:00Z`) + days * DAY_MS).toISOString().slice(0, 10)
}

/** The number of days in a period, including the first and the last day. */
export function daysOf(from: string, to: string): number {
  return Math.round((Date.parse(to) - Date.parse(from)) / DAY_MS) + 1
}
