import type { Lead } from '#contract/leads/inbox/lead-list.ts'
import { formatAgo } from '#web/ui/layout/date-format.ts'

/** Less than this is shown as a warning, in minutes. */
const SOON = 10
const MINUTE_MS = 60_000
const HOUR = 60

export type ClockTone = 'bad' | 'warn' | 'mute' | 'good' | 'info'
export type LeadClock = Readonly<{ tone: ClockTone; text: string }>
type Timed = Pick<
  Lead,
  'waitsUntil' | 'snoozedUntil' | 'firstResponseAt' | 'unansweredSince' | 'outcome' | 'status' | 'zone'
>

/**
 * Where a lead stands in time, at `now` in milliseconds: the minutes left to respond, how late it is, or that it was answered.
 * Times of day are in the time zone of the lot.
 */
export function clockOf(lead: Timed, now: number): LeadClock {
  const { waitsUntil, snoozedUntil, firstResponseAt, unansweredSince } = lead
  if (waitsUntil !== null) return waiting(Date.parse(waitsUntil), { now, zone: lead.zone })
  if (snoozedUntil !== null && Date.parse(snoozedUntil) > now) {
    return {
      tone: 'info',
      text: `Snoozed until ${timeOf(Date.parse(snoozedUntil), { now, zone: lead.zone })}`,
    }
  }
  if (unansweredSince !== null) return { tone: 'warn', text: `Replied ${formatAgo(unansweredSince)}` }
  if (firstResponseAt !== null) return { tone: 'good', text: `Answered ${formatAgo(firstResponseAt)}` }
  return { tone: 'mute', text: lead.status === 'quarantined' ? 'In quarantine' : 'Not answered' }
}

function waiting(until: number, at: { now: number; zone: string }): LeadClock {
  const left = until - at.now
  if (left <= 0) return { tone: 'bad', text: `${spanOf(-left)} late` }
  const minutes = Math.ceil(left / MINUTE_MS)
  if (minutes <= 2 * HOUR) {
    return { tone: minutes < SOON ? 'warn' : 'mute', text: `${spanOf(left)} left` }
  }
  // The lot is closed: minutes until tomorrow morning would say nothing.
  return { tone: 'mute', text: `Respond by ${timeOf(until, at)}` }
}

/** "14 min", "2 h 5 min", "3 days". */
function spanOf(ms: number): string {
  const minutes = Math.max(1, Math.ceil(ms / MINUTE_MS))
  if (minutes < HOUR) return `${minutes} min`
  const hours = Math.floor(minutes / HOUR)
  if (hours >= 48) return `${Math.floor(hours / 24)} days`
  return minutes % HOUR === 0 ? `${hours} h` : `${hours} h ${minutes % HOUR} min`
}

/** A time of day in the zone of the lot, with the date unless it is today. */
export function timeOf(at: number, { now, zone }: { now: number; zone: string }): string {
  const day = new Intl.DateTimeFormat('en-CA', { timeZone: zone, dateStyle: 'short' })
  const isToday = day.format(at) === day.format(now)
  const isThisYear = day.format(at).slice(0, 4) === day.format(now).slice(0, 4)
  return new Intl.DateTimeFormat(undefined, {
    timeZone: zone,
    hour: 'numeric',
    minute: '2-digit',
    ...(!isToday && { weekday: 'short', month: 'short', day: 'numeric' }),
    ...(!isThisYear && { year: 'numeric' }),
  }).format(at)
}
