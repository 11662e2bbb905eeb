import {
  DAY_NAMES,
  type Holiday,
  type OpeningHours,
  type Period,
  type Weekday,
  WEEKDAYS,
} from '#contract/opening-hours.ts'
import type { FormPart } from '#web/ui/record/record-form.ts'
import { showValue } from '#web/ui/record/show-record-value.ts'

const UNREADABLE = 'Enter hours such as 9:00-12:30, 13:30-18:00, or leave blank if closed.'

/** "09:00-12:30, 13:30-18:00"; empty if closed. */
export function formatHours(periods: readonly Period[]): string {
  return periods.map(({ opens, closes }) => `${opens}-${closes}`).join(', ')
}

/** One time: `9`, `9:30`, `09.30`, `9 am`, `5:30pm`. */
const TIME = /^(\d{1,2})(?:[:.h](\d{2}))?\s*(am|pm|a\.m\.|p\.m\.)?$/

/** Parses hours as typed. Null if they are invalid or ambiguous ("9-6"). */
export function readHours(text: string): Period[] | null {
  const plain = text.trim().toLowerCase()
  if (plain === '' || plain === 'closed') return []
  if (/^(24 ?h|24\/7|always|all day)$/.test(plain)) return [{ opens: '00:00', closes: '24:00' }]
  const periods = plain.split(/\s*(?:[,;&]|\band\b)\s*/).map(readPeriod)
  const read = periods.filter((period) => period !== null)
  return read.length === periods.length ? read.toSorted((a, b) => a.opens.localeCompare(b.opens)) : null
}

function readPeriod(text: string): Period | null {
  const ends = text.split(/\s*(?:[-\u2010-\u2015]|\bto\b|\buntil\b)\s*/)
  const [opens = null, closes = null] = ends.map(readTime)
  if (ends.length !== 2 || opens === null || closes === null) return null
  // "9-6" may end in the evening or the morning.
  if (closes.isBare && closes.time <= opens.time) return null
  return opens.time === '24:00' || opens.time === closes.time
    ? null
    : { opens: opens.time, closes: closes.time }
}

function readTime(text: string): { time: string; isBare: boolean } | null {
  const [, hour = '', minute, half] = TIME.exec(text.trim()) ?? []
  if (hour === '') return null
  const [hours, minutes] = [Number(hour), Number(minute ?? 0)]
  if (half !== undefined && (hours < 1 || hours > 12)) return null
  const whole = half === undefined ? hours : (hours % 12) + (half.startsWith('p') ? 12 : 0)
  if (minutes > 59 || whole > 24 || (whole === 24 && minutes > 0)) return null
  const time = `${String(whole).padStart(2, '0')}:${String(minutes).padStart(2, '0')}`
  return { time, isBare: minute === undefined && half === undefined }
}

/** A date with special hours; empty hours mean closed. */
type HolidayRow = { on: string; name: string; hours: string }
export const BLANK_HOLIDAY: HolidayRow = { on: '', name: '', hours: '' }

/** The hours of each day as one line, and the holidays. */
export type HoursValues = Record<Weekday, string> & { holidays: HolidayRow[] }

type Stored = { hours: OpeningHours; holidays: Holiday[] }

/** The inputs for the fields `hours` and `holidays` of a record: `recordForm(lotRecord, hoursForm)`. */
export const hoursForm: FormPart<'hours' | 'holidays', Stored, HoursValues, Stored> = {
  fields: ['hours', 'holidays'],
  labels: { ...DAY_NAMES, holidays: 'Holidays' },
  blank: { mon: '', tue: '', wed: '', thu: '', fri: '', sat: '', sun: '', holidays: [] },
  toValues: ({ hours, holidays }) => {
    const on = (day: Weekday): string => formatHours(hours.filter((one) => one.day === day))
    return {
      mon: on('mon'),
      tue: on('tue'),
      wed: on('wed'),
      thu: on('thu'),
      fri: on('fri'),
      sat: on('sat'),
      sun: on('sun'),
      holidays: holidays.map((day) => ({ ...day, hours: formatHours(day.hours) })),
    }
  },
  toInput: (values) => ({
    hours: WEEKDAYS.flatMap((day) => (readHours(values[day]) ?? []).map((period) => ({ day, ...period }))),
    holidays: values.holidays.map((day) => ({ ...day, hours: readHours(day.hours) ?? [] })),
  }),
  check: (values, { hours, ...sentences }) => {
    // An error in the weekly hours starts with the day.
    const wrongDay = WEEKDAYS.find((day) => hours?.startsWith(DAY_NAMES[day]))
    const unread = [
      ...WEEKDAYS.filter((day) => readHours(values[day]) === null),
      ...values.holidays.flatMap((day, at) => (readHours(day.hours) === null ? `holidays.${at}.hours` : [])),
    ]
    return {
      ...sentences,
      ...(hours !== undefined && { [wrongDay ?? 'mon']: hours }),
      ...Object.fromEntries(unread.map((name) => [name, UNREADABLE])),
    }
  },
}

/** Holidays as text, for the comparison of two versions. */
export function showHolidays(holidays: readonly HolidayRow[]): string {
  return showValue(holidays.map(({ on, name, hours }) => `${on} ${name} (${hours || 'closed'})`))
}
