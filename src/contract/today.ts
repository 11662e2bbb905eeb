const DAY = 86_400_000

/** The date at a moment in an IANA time zone, as `yyyy-mm-dd`. Same as `today(zone)` in SQL. */
export function today(zone: string, now: Date): string {
  return new Date(dayIn(zone, now.getTime()) * DAY).toISOString().slice(0, 10)
}

/** The local day of a moment (in milliseconds) in a time zone, as days since 1970. */
export function dayIn(zone: string, moment: number): number {
  return Math.floor((moment + offsetAt(zone, moment)) / DAY)
}

/**
 * The first millisecond of a local day (in days since 1970) in a time zone. It is not always midnight: some countries
 * change their clocks at that time.
 */
export function startOfDayIn(zone: string, day: number): number {
  const midnight = day * DAY
  const possible = [offsetAt(zone, midnight + DAY), offsetAt(zone, midnight - DAY)]
    .map((offset) => midnight - offset)
    .toSorted((one, other) => one - other)
  const isStart = (moment: number) => dayIn(zone, moment) >= day && dayIn(zone, moment - 1) < day
  return possible.find(isStart) ?? Math.max(...possible)
}

/**
 * The moment, in milliseconds, at which clocks in a time zone show a time on a day: `2026-11-25`, `09:00`. The first one if
 * there are two; for a time that is skipped, the same time without the change.
 */
export function momentIn(zone: string, on: string, at: string): number {
  const [hours = 0, minutes = 0] = at.split(':').map(Number)
  const wall = Date.parse(`${on}T00:00:00Z`) + (hours * 60 + minutes) * 60_000
  const possible = [offsetAt(zone, wall - DAY), offsetAt(zone, wall + DAY)].map((offset) => wall - offset)
  const exact = possible.filter((moment) => moment + offsetAt(zone, moment) === wall)
  return exact.length > 0 ? Math.min(...exact) : Math.max(...possible)
}

/** What clocks in a time zone show at a moment (in milliseconds): `2026-11-25 09:00`. The other way around: `momentIn`. */
export const shownIn = (zone: string, moment: number): string =>
  new Date(moment + offsetAt(zone, moment)).toISOString().slice(0, 16).replace('T', ' ')

// Creating a format takes longer than using it a hundred times.
const formats = new Map<string, Intl.DateTimeFormat>()

/** The zone's offset from UTC at a moment, in milliseconds. */
function offsetAt(zone: string, moment: number): number {
  if (zone === 'UTC') return 0
  const format = formats.get(zone) ?? makeFormat(zone)
  formats.set(zone, format)
  const parts = new Map(format.formatToParts(moment).map(({ type, value }) => [type, value]))
  const part = (type: Intl.DateTimeFormatPartTypes) => Number(parts.get(type))
  const year = parts.get('era') === 'BC' ? 1 - part('year') : part('year')
  const wall = new Date(0)
  // Date.UTC takes the year 26 for 1926.
  wall.setUTCFullYear(year, part('month') - 1, part('day'))
  wall.setUTCHours(part('hour'), part('minute'), part('second'))
  return wall.getTime() - Math.floor(moment / 1000) * 1000
}

function makeFormat(zone: string): Intl.DateTimeFormat {
  return new Intl.DateTimeFormat('en-US', {
    timeZone: zone,
    calendar: 'gregory',
    numberingSystem: 'latn',
    hourCycle: 'h23',
    era: 'short',
    year: 'numeric',
    month: 'numeric',
    day: 'numeric',
    hour: 'numeric',
    minute: 'numeric',
    second: 'numeric',
  })
}
