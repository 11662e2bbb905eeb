const day = new Intl.DateTimeFormat(undefined, { day: 'numeric', month: 'short' })
const dayAndYear = new Intl.DateTimeFormat(undefined, { day: 'numeric', month: 'short', year: 'numeric' })
const moment = new Intl.DateTimeFormat(undefined, { dateStyle: 'medium', timeStyle: 'short' })
const relative = new Intl.RelativeTimeFormat(undefined, { numeric: 'auto', style: 'short' })

/** "14 Nov"; with the year if it isn't the current one. */
export function formatDay(instant: string, now = new Date()): string {
  const date = new Date(instant)
  return (date.getFullYear() === now.getFullYear() ? day : dayAndYear).format(date)
}

/** The same in a time zone, such as that of a lot. */
export function formatDayIn(instant: string, timeZone: string, now = new Date()): string {
  const year = new Intl.DateTimeFormat('en', { year: 'numeric', timeZone })
  const date = new Date(instant)
  const isThisYear = year.format(date) === year.format(now)
  const format = new Intl.DateTimeFormat(undefined, {
    day: 'numeric',
    month: 'short',
    timeZone,
    ...(isThisYear ? {} : { year: 'numeric' as const }),
  })
  return format.format(date)
}

/** "2:05 PM PST". */
export const formatTimeIn = (instant: string, timeZone: string): string =>
  new Intl.DateTimeFormat(undefined, {
    hour: 'numeric',
    minute: '2-digit',
    timeZone,
    timeZoneName: 'short',
  }).format(new Date(instant))

/** A date without time, "Mar 1, 2026", independent of time zones. */
export function formatDate(date: string): string {
  return new Intl.DateTimeFormat(undefined, { dateStyle: 'medium', timeZone: 'UTC' }).format(new Date(date))
}

/** "Nov 14, 2026, 2:05 PM". */
export const formatMoment = (instant: string): string => moment.format(new Date(instant))

/** "just now", "2 min. ago" or "in 5 hr." within a day, otherwise the date. */
export function formatAgo(instant: string, now = new Date()): string {
  const minutes = Math.round((Date.parse(instant) - now.getTime()) / 60_000)
  if (minutes === 0 && Date.parse(instant) <= now.getTime()) return 'just now'
  if (Math.abs(minutes) < 60) return relative.format(minutes, 'minute')
  if (Math.abs(minutes) < 1440) return relative.format(Math.round(minutes / 60), 'hour')
  return formatDay(instant, now)
}

/** "0.4 s", "12 s", "3 min 5 s". */
export function formatDuration(ms: number): string {
  const seconds = ms / 1000
  if (seconds < 0.1) return 'less than 0.1 s'
  if (seconds < 10) return `${seconds.toLocaleString(undefined, { maximumFractionDigits: 1 })} s`
  const minutes = Math.floor(seconds / 60)
  const rest = `${Math.round(seconds % 60)} s`
  return minutes === 0 ? rest : `${minutes.toLocaleString()} min ${rest}`
}

/** "4 lots", "1 lot". */
export function count(number: number, one: string, many: string): string {
  return `${number.toLocaleString()} ${number === 1 ? one : many}`
}
