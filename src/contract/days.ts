// Days are written 2026-01-31 and have no zone: reckoned in UTC they have no summer time either.

const DAY_MS = 86_400_000

/** So many days later; earlier where `days` is below nothing. */
export function dayAfter(day: string, days: number): string {
  return new Date(Date.parse(`${day}T00:00:00Z`) + days * DAY_MS).toISOString().slice(0, 10)
}

/** How many days a period has: the first and the last day both count. */
export function daysOf(from: string, to: string): number {
  return Math.round((Date.parse(to) - Date.parse(from)) / DAY_MS) + 1
}
