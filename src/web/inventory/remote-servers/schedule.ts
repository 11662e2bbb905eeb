/** When something is brought or fetched by itself. */
export const SCHEDULES = [
  { value: 'hours', label: 'Every so many hours' },
  { value: 'daily', label: 'Once a day' },
  { value: 'never', label: 'Only when asked' },
] as const
export type Schedule = (typeof SCHEDULES)[number]['value']

type Times = { everyHours: number | null; dailyAt: string | null }
/** As a form holds it. */
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

/** As the contract takes it. */
export function scheduleTimes({ schedule, everyHours, dailyAt }: ScheduleValues): Times {
  return {
    everyHours: schedule === 'hours' ? Number(everyHours) : null,
    dailyAt: schedule === 'daily' ? dailyAt : null,
  }
}

const moment = new Intl.DateTimeFormat(undefined, {
  day: 'numeric',
  month: 'short',
  hour: 'numeric',
  minute: '2-digit',
})
/** When it comes next, "22 Nov, 5:30"; one whose time has come waits for no more than a minute. */
export function nextWords(nextRunAt: string | null, now = new Date()): string {
  if (nextRunAt === null) return 'Not planned'
  const at = new Date(nextRunAt)
  return at <= now ? 'Now' : moment.format(at)
}

/** "Every 6 hours", "Daily at 06:30", "When asked". */
export function scheduleWords({ everyHours, dailyAt }: Times): string {
  if (dailyAt !== null) return `Daily at ${dailyAt}`
  if (everyHours === null) return 'When asked'
  return everyHours === 1 ? 'Every hour' : `Every ${everyHours} hours`
}
