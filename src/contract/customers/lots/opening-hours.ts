import { z } from 'zod'
import { line } from '#contract/fields.ts'

export const WEEKDAYS = ['mon', 'tue', 'wed', 'thu', 'fri', 'sat', 'sun'] as const
export type Weekday = (typeof WEEKDAYS)[number]
export const DAY_NAMES: Readonly<Record<Weekday, string>> = {
  mon: 'Monday',
  tue: 'Tuesday',
  wed: 'Wednesday',
  thu: 'Thursday',
  fri: 'Friday',
  sat: 'Saturday',
  sun: 'Sunday',
}

const MOST_PERIODS = 4
const MOST_HOLIDAYS = 100
const DAY_MINUTES = 24 * 60

const opens = z
  .string('Say when it opens.')
  .regex(/^([01]\d|2[0-3]):[0-5]\d$/, 'Opening time must be such as 09:00.')
const closes = z
  .string('Say when it closes.')
  .regex(/^(([01]\d|2[0-3]):[0-5]\d|24:00)$/, 'Closing time must be such as 18:00, at most 24:00.')

/** From and until, by the lot's own clock. Until an earlier time: until then on the next day. */
const period = { opens, closes }
export type Period = { opens: string; closes: string }

const isDay = (text: string): boolean => {
  const time = /^\d{4}-\d\d-\d\d$/.test(text) ? Date.parse(text) : Number.NaN
  return !Number.isNaN(time) && new Date(time).toISOString().startsWith(text)
}

const WeekHours = z.strictObject({ day: z.enum(WEEKDAYS, 'Choose a day of the week.'), ...period })
export type WeekHours = z.infer<typeof WeekHours>

/** The hours of a week, split days as several periods; no row at all: not known. */
export const OpeningHours = z
  .array(WeekHours, 'Opening hours must be a list.')
  .max(MOST_PERIODS * WEEKDAYS.length, 'These are too many opening hours.')
  .superRefine((hours, context) => {
    const fault = faultOfWeek(hours)
    if (fault !== null) context.addIssue({ code: 'custom', message: fault })
  })
export type OpeningHours = z.infer<typeof OpeningHours>

const Holiday = z.strictObject({
  on: z.string('Choose a day.').refine(isDay, 'Choose a day such as 2026-12-25.'),
  name: line(80, 'Name'),
  /** None: closed all day. */
  hours: z
    .array(z.strictObject(period), 'Hours must be a list.')
    .max(MOST_PERIODS, `A day may have at most ${MOST_PERIODS} opening times.`)
    .superRefine((hours, context) => {
      const fault = faultOfDay(hours)
      if (fault !== null) context.addIssue({ code: 'custom', message: fault })
    }),
})
export type Holiday = z.infer<typeof Holiday>

/** Single days that are not like their weekday. */
export const Holidays = z
  .array(Holiday, 'Holidays must be a list.')
  .max(MOST_HOLIDAYS, `A lot may have at most ${MOST_HOLIDAYS} holidays.`)
  .refine((all) => new Set(all.map(({ on }) => on)).size === all.length, 'A day stands there twice.')
  .transform((all) => all.toSorted((one, other) => one.on.localeCompare(other.on)))

/** Minutes since the day began; what ends on the next day ends after 24 hours. */
export function spanOf({ opens: from, closes: until }: Period): readonly [begin: number, end: number] {
  const [begin, end] = [minutesOf(from), minutesOf(until)]
  return [begin, end > begin ? end : end + DAY_MINUTES]
}

function minutesOf(time: string): number {
  const [hours = 0, minutes = 0] = time.split(':').map(Number)
  return hours * 60 + minutes
}

const OVERLAP = 'has opening times that overlap.'

/** What is wrong with the times of one day, as a sentence; null when nothing is. */
function faultOfDay(hours: readonly Period[]): string | null {
  const spans = hours.map(spanOf).toSorted(([one], [other]) => one - other)
  const overlaps = spans.some(([begin], at) => begin < (spans[at - 1]?.[1] ?? 0))
  return overlaps ? `This day ${OVERLAP}` : null
}

function faultOfWeek(hours: OpeningHours): string | null {
  for (const [at, day] of WEEKDAYS.entries()) {
    const own = hours.filter((one) => one.day === day)
    if (own.length > MOST_PERIODS) return `${DAY_NAMES[day]} may have at most ${MOST_PERIODS} opening times.`
    if (faultOfDay(own) !== null) return `${DAY_NAMES[day]} ${OVERLAP}`
    const next = WEEKDAYS[(at + 1) % WEEKDAYS.length]
    const over = Math.max(0, ...own.map((one) => spanOf(one)[1])) - DAY_MINUTES
    const early = hours.filter((one) => one.day === next).map((one) => spanOf(one)[0])
    if (over > Math.min(...early, DAY_MINUTES) && next) {
      return `${DAY_NAMES[day]} is open until after ${DAY_NAMES[next]} begins.`
    }
  }
  return null
}
