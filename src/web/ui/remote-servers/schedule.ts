import { typedNumber } from '#contract/parsing/typed-number.ts'
/** When files are sent or fetched automatically. */
export const SCHEDULES = [
  { value: 'hours', label: 'Every N hours' },
  { value: 'daily', label: 'Daily' },
  { value: 'never', label: 'On demand' },
] as const
export type Schedule = (typeof SCHEDULES)[number]['value']

type Times = { everyHours: number | null; dailyAt: string | null }
/** The form values. */
export type ScheduleValues = { schedule: Schedule; everyHours: string; dailyAt: string }

export const BLANK_SCHEDULE: ScheduleValues = { schedule: 'hours', everyHours: '6', dailyAt: '06:00' }

export function scheduleValues({ everyHours, dailyAt }: Times): ScheduleValues {
  return {
    schedule: scheduleOf({ everyHours, dailyAt }),
    everyHours: everyHours === null ? BLANK_SCHEDULE.everyHours : String(everyHours),
    dailyAt: dailyAt ?? BLANK_SCHEDULE.dailyAt,
  }
}

function scheduleOf({ everyHours, dailyAt }: Times): Schedule {
  if (dailyAt !== null) return 'daily'
  return everyHours === null ? 'never' : 'hours'
}

/** The API input. */
export function scheduleTimes({ schedule, everyHours, dailyAt }: ScheduleValues): Times {
  return {
    everyHours: schedule === 'hours' ? typedNumber(everyHours) : null,
    dailyAt: schedule === 'daily' ? dailyAt : null,
  }
}

const dateTime = new Intl.DateTimeFormat(undefined, {
  day: 'numeric',
  month: 'short',
  hour: 'numeric',
  minute: '2-digit',
})
/** The time of the next run, "Nov 22, 5:30 AM". A run that is due starts within a minute. */
export function formatNextRun(nextRunAt: string | null, now = new Date()): string {
  if (nextRunAt === null) return 'Not scheduled'
  return isDue(nextRunAt, now) ? 'Now' : dateTime.format(new Date(nextRunAt))
}

/** Whether a run is due. */
export function isDue(at: string | null, now = new Date()): boolean {
  return at !== null && new Date(at) <= now
}

const clock = new Intl.DateTimeFormat('en', { hour: '2-digit', minute: '2-digit', hourCycle: 'h23' })
/**
 * "Every 6 hours", "Daily at 06:30", "On demand". A daily time is in the customer's time zone, which is mentioned if the next run
 * is at another time on the reader's clock.
 */
export function formatSchedule({
  everyHours,
  dailyAt,
  nextRunAt,
}: Times & { nextRunAt: string | null }): string {
  if (dailyAt !== null) {
    const isOwnTime = nextRunAt === null || clock.format(new Date(nextRunAt)) === dailyAt
    return `Daily at ${dailyAt}${isOwnTime ? '' : ', company time'}`
  }
  if (everyHours === null) return 'On demand'
  return everyHours === 1 ? 'Every hour' : `Every ${everyHours} hours`
}
