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

const MAX_PERIODS = 4
const MAX_HOLIDAYS = 100
const DAY_MINUTES = 24 * 60

const opens = z
  .string('Enter an opening time.')
  .regex(/^([01]\d|2[0-3]):[0-5]\d$/, 'Opening time must look like 09:00.')
const closes = z
  .string('Enter a closing time.')
  .regex(
    /^(([01]\d|2[0-3]):[0-5]\d|24:00)$/,
    "Closing time must look like 18:00, and can't be later than 24:00.",
  )

/** In local time. A closing time before the opening time is on the next day. */
const period = { opens, closes }
export type Period = { opens: string; closes: string }

const isDay = (text: string): boolean => {
  const time = /^\d{4}-\d\d-\d\d$/.test(text) ? Date.parse(text) : Number.NaN
  return !Number.isNaN(time) && new Date(time).toISOString().startsWith(text)
}

const WeekHours = z.strictObject({ day: z.enum(WEEKDAYS, 'Choose a day of the week.'), ...period })
export type WeekHours = z.infer<typeof WeekHours>

/** Weekly hours. A day with a break has several periods; an empty list means the hours are unknown. */
export const OpeningHours = z
  .array(WeekHours, 'Opening hours must be a list.')
  .max(MAX_PERIODS * WEEKDAYS.length, 'Too many opening hours for one week.')
  .superRefine((hours, context) => {
    const fault = faultOfWeek(hours)
    if (fault !== null) context.addIssue({ code: 'custom', message: fault })
  })
export type OpeningHours = z.infer<typeof OpeningHours>

const Holiday = z.strictObject({
  on: z.string('Choose a date.').refine(isDay, 'Choose a date such as 2026-12-25.'),
  name: line(80, 'Name'),
  /** Empty: closed all day. */
  hours: z
    .array(z.strictObject(period), 'Hours must be a list.')
    .max(MAX_PERIODS, `A day can have at most ${MAX_PERIODS} time ranges.`)
    .superRefine((hours, context) => {
      const fault = faultOfDay(hours)
      if (fault !== null) context.addIssue({ code: 'custom', message: fault })
    }),
})
export type Holiday = z.infer<typeof Holiday>

/** Dates whose hours differ from the weekly hours. */
export const Holidays = z
  .array(Holiday, 'Holidays must be a list.')
  .max(MAX_HOLIDAYS, `A lot can have at most ${MAX_HOLIDAYS} holidays.`)
  .refine((all) => new Set(all.map(({ on }) => on)).size === all.length, 'Each date can be listed only once.')
  .transform((all) => all.toSorted((one, other) => one.on.localeCompare(other.on)))

/** Minutes since midnight; a period that ends on the next day ends after 24 * 60. */
export function spanOf({ opens: from, closes: until }: Period): readonly [begin: number, end: number] {
  const [begin, end] = [minutesOf(from), minutesOf(until)]
  return [begin, end > begin ? end : end + DAY_MINUTES]
}

function minutesOf(time: string): number {
  const [hours = 0, minutes = 0] = time.split(':').map(Number)
  return hours * 60 + minutes
}

const OVERLAP = 'has overlapping hours.'

/** Describes what is wrong with the hours of one day; null if they are valid. */
function faultOfDay(hours: readonly Period[]): string | null {
  const spans = hours.map(spanOf).toSorted(([one], [other]) => one - other)
  const overlaps = spans.some(([begin], at) => begin < (spans[at - 1]?.[1] ?? 0))
  return overlaps ? `This day ${OVERLAP}` : null
}

function faultOfWeek(hours: OpeningHours): string | null {
  for (const [at, day] of WEEKDAYS.entries()) {
    const own = hours.filter((one) => one.day === day)
    if (own.length > MAX_PERIODS) return `${DAY_NAMES[day]} can have at most ${MAX_PERIODS} time ranges.`
    if (faultOfDay(own) !== null) return `${DAY_NAMES[day]} ${OVERLAP}`
    const next = WEEKDAYS[(at + 1) % WEEKDAYS.length]
    const over = Math.max(0, ...own.map((one) => spanOf(one)[1])) - DAY_MINUTES
    const early = hours.filter((one) => one.day === next).map((one) => spanOf(one)[0])
    if (over > Math.min(...early, DAY_MINUTES) && next) {
      return `${DAY_NAMES[day]}'s hours overlap with ${DAY_NAMES[next]}'s.`
    }
  }
  return null
}
