import { expect, test } from 'vitest'
import { formatNextRun, scheduleTimes, scheduleValues, formatSchedule } from './schedule.ts'

test('describes a schedule', () => {
  expect(formatSchedule({ everyHours: 1, dailyAt: null })).toBe('Every hour')
  expect(formatSchedule({ everyHours: 6, dailyAt: null })).toBe('Every 6 hours')
  expect(formatSchedule({ everyHours: null, dailyAt: '06:30' })).toBe('Daily at 06:30')
  expect(formatSchedule({ everyHours: null, dailyAt: null })).toBe('On demand')
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
