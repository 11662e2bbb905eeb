import { dayAfter } from '#contract/days.ts'

const DAY = new Intl.DateTimeFormat('en-US', { dateStyle: 'medium', timeZone: 'UTC' })

/** The last day before an end in the lot's time zone: `2026-12-01T00:00` is `2026-11-30`, because midnight ends the day before. */
export function lastDay(minute: string): string {
  const day = minute.slice(0, 10)
  return minute.endsWith('T00:00') ? dayAfter(day, -1) : day
}

/** The last day for buyers: "Nov 30, 2026". */
export const lastDayText = (minute: string): string => DAY.format(new Date(`${lastDay(minute)}T00:00Z`))
