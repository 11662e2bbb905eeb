import { startOfDayIn } from '#contract/today.ts'

const DAY = 86_400_000
const HOUR = 3_600_000
const MOST_KEPT = 5_000
const known = new Map<string, number>()

/**
 * The hours of a day (`yyyy-mm-dd`) in a time zone: 24, but 25 or 23 when clocks change. Meters in UTC have no zone here, so the days on
 * which clocks change in Europe and North America count.
 */
export function hoursOfDay(zone: string, day: string): number {
  const at = Date.parse(`${day}T00:00:00Z`)
  if (Number.isNaN(at)) return 24
  const key = `${zone} ${day}`
  const before = known.get(key)
  if (before !== undefined) return before
  const number = at / DAY
  const hours =
    zone === 'UTC'
      ? usualHours(new Date(at))
      : Math.round((startOfDayIn(zone, number + 1) - startOfDayIn(zone, number)) / HOUR)
  if (known.size >= MOST_KEPT) known.clear()
  known.set(key, hours)
  return hours
}

function usualHours(day: Date): number {
  if (day.getUTCDay() !== 0) return 24
  const [month, date] = [day.getUTCMonth() + 1, day.getUTCDate()]
  if ((month === 10 && date > 24) || (month === 11 && date <= 7)) return 25
  return month === 3 && (date > 24 || (date > 7 && date <= 14)) ? 23 : 24
}
