import { expect, test } from 'vitest'
import { formatNextRun, scheduleTimes, scheduleValues, formatSchedule } from './schedule.ts'

test('describes a schedule', () => {
  const nextRunAt = null
  expect(formatSchedule({ everyHours: 1, dailyAt: null, nextRunAt })).toBe('Every hour')
  expect(formatSchedule({ everyHours: 6, dailyAt: null, nextRunAt })).toBe('Every 6 hours')
  expect(formatSchedule({ everyHours: null, dailyAt: '06:30', nextRunAt })).toBe('Daily at 06:30')
  expect(formatSchedule({ everyHours: null, dailyAt: null, nextRunAt })).toBe('On demand')
})

test('names the time zone of a daily time that differs from the clock of the reader', () => {
  const at = (time: string) => new Date(`2026-11-22T${time}:00`).toISOString()
  const daily = { everyHours: null, dailyAt: '06:30' }
  expect(formatSchedule({ ...daily, nextRunAt: at('06:30') })).toBe('Daily at 06:30')
  expect(formatSchedule({ ...daily, nextRunAt: at('14:30') })).toBe('Daily at 06:30, company time')
})

test('shows when a run is due now or not scheduled', () => {
  const now = new Date('2026-11-22T05:00:00Z')
  expect(formatNextRun(null, now)).toBe('Not scheduled')
  expect(formatNextRun('2026-11-22T04:59:59Z', now)).toBe('Now')
  expect(formatNextRun('2026-11-23T04:59:59Z', now)).not.toBe('Now')
})

test.for([
  { everyHours: 4, dailyAt: null },
  { everyHours: null, dailyAt: '23:15' },
  { everyHours: null, dailyAt: null },
])('round-trips %o through the form', (times) => {
  expect(scheduleTimes(scheduleValues(times))).toEqual(times)
})
