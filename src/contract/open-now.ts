import { type Holiday, type OpeningHours, type Period, spanOf, WEEKDAYS } from './opening-hours.ts'

/** Local time at the place: a date, `2026-12-24`, and a time, `09:00`. */
export type WallTime = Readonly<{ on: string; at: string }>

/**
 * Whether a place is open. `until`, `opens`: when that changes; null if not within two weeks. `holiday`: the name of today's
 * holiday. `unknown`: no hours were entered.
 */
export type Opening =
  | Readonly<{ state: 'open'; until: WallTime | null; holiday: string | null }>
  | Readonly<{ state: 'closed'; opens: WallTime | null; holiday: string | null }>
  | Readonly<{ state: 'unknown' }>

type Open = Readonly<{ hours: OpeningHours; holidays: readonly Holiday[]; zone: string }>

const DAY_MINUTES = 24 * 60
const DAY_MS = 86_400_000
/** How far ahead to look for the next opening or closing. */
const DAYS_AHEAD = 14

/**
 * Whether a place is open at a moment, in its local time. Holiday hours replace the hours of the weekday; hours that began
 * the evening before continue past midnight. Hours are wall-clock times, so 9:00 stays 9:00 when daylight saving changes.
 */
export function openingAt({ hours, holidays, zone }: Open, moment: Date): Opening {
  if (hours.length === 0 && holidays.length === 0) return { state: 'unknown' }
  const { day, minute } = clockIn(zone, moment)
  const today = nameOfDay(day)
  const holiday = holidays.find(({ on }) => on === today)?.name ?? null
  // Minutes since midnight today; yesterday's hours can extend past it.
  const spans = Array.from({ length: DAYS_AHEAD + 2 }, (_, at) => at - 1).flatMap((ahead) =>
    periodsOn({ hours, holidays }, day + ahead).map((period) => {
      const [begin, end] = spanOf(period)
      return [begin + ahead * DAY_MINUTES, end + ahead * DAY_MINUTES] as const
    }),
  )
  const joined = joinSpans(spans)
  const present = joined.find(([begin, end]) => begin <= minute && minute < end)
  if (present) {
    const isEndless = present[1] >= DAYS_AHEAD * DAY_MINUTES
    return { state: 'open', until: isEndless ? null : wallTime(day, present[1]), holiday }
  }
  const next = joined.find(([begin]) => begin > minute)
  return { state: 'closed', opens: next ? wallTime(day, next[0]) : null, holiday }
}

function periodsOn({ hours, holidays }: Pick<Open, 'hours' | 'holidays'>, day: number): readonly Period[] {
  const name = nameOfDay(day)
  const holiday = holidays.find(({ on }) => on === name)
  if (holiday) return holiday.hours
  // Day 0 was a Thursday.
  const weekday = WEEKDAYS[(((day + 3) % 7) + 7) % 7]
  return hours.filter((one) => one.day === weekday)
}

/** Merges adjacent periods: hours that continue at midnight aren't a new opening. */
function joinSpans(spans: readonly (readonly [number, number])[]): (readonly [number, number])[] {
  const joined: (readonly [number, number])[] = []
  for (const [begin, end] of spans.toSorted(([one], [other]) => one - other)) {
    const last = joined.at(-1)
    if (last && begin <= last[1]) joined[joined.length - 1] = [last[0], Math.max(last[1], end)]
    else joined.push([begin, end])
  }
  return joined
}

/** By time zone. Making one takes longer than using it a hundred times. */
const clocks = new Map<string, Intl.DateTimeFormat>()

function clockOf(zone: string): Intl.DateTimeFormat {
  const known = clocks.get(zone)
  if (known !== undefined) return known
  const made = new Intl.DateTimeFormat('en-US', {
    timeZone: zone,
    hourCycle: 'h23',
    year: 'numeric',
    month: 'numeric',
    day: 'numeric',
    hour: 'numeric',
    minute: 'numeric',
  })
  clocks.set(zone, made)
  return made
}

/** Days since 1970 and minutes since midnight, local to the zone. */
function clockIn(zone: string, moment: Date): { day: number; minute: number } {
  const parts = clockOf(zone).formatToParts(moment)
  const of = (type: string) => Number(parts.find((part) => part.type === type)?.value ?? 0)
  return {
    day: Math.floor(Date.UTC(of('year'), of('month') - 1, of('day')) / DAY_MS),
    minute: of('hour') * 60 + of('minute'),
  }
}

const nameOfDay = (day: number): string => new Date(day * DAY_MS).toISOString().slice(0, 10)

function wallTime(day: number, minute: number): WallTime {
  const [hours, minutes] = [Math.floor((minute % DAY_MINUTES) / 60), minute % 60]
  const two = (number: number) => String(number).padStart(2, '0')
  return { on: nameOfDay(day + Math.floor(minute / DAY_MINUTES)), at: `${two(hours)}:${two(minutes)}` }
}
