import { lastDay } from '#contract/pricing/totals/last-day.ts'

const format = new Intl.DateTimeFormat(undefined, {
  dateStyle: 'medium',
  timeStyle: 'short',
  timeZone: 'UTC',
})

/** A minute in the time zone of each lot: "Dec 1, 2026, 12:00 AM". */
export function formatMinute(minute: string): string {
  return format.format(new Date(`${minute}:00Z`))
}

const dates = new Intl.DateTimeFormat(undefined, { dateStyle: 'medium', timeZone: 'UTC' })

/** An end in the time zone of each lot. Midnight ends the day before: "End of Nov 30, 2026". */
export function formatEnd(minute: string): string {
  if (!minute.endsWith('T00:00')) return formatMinute(minute)
  return `End of ${dates.format(new Date(`${lastDay(minute)}T00:00Z`))}`
}

const days = new Intl.DateTimeFormat(undefined, { dateStyle: 'full', timeZone: 'UTC' })
const times = new Intl.DateTimeFormat(undefined, { timeStyle: 'short', timeZone: 'UTC' })

/** A date with its weekday: "Tuesday, December 1, 2026". */
export function formatLotDay(day: string): string {
  return days.format(new Date(`${day}T00:00Z`))
}

/** The time of a minute: "12:00 AM". */
export function formatLotTime(minute: string): string {
  return times.format(new Date(`${minute}:00Z`))
}
