import { expect, test } from 'vitest'
import { nextWords, scheduleTimes, scheduleValues, scheduleWords } from './schedule.ts'

test('a schedule says when', () => {
  expect(scheduleWords({ everyHours: 1, dailyAt: null })).toBe('Every hour')
  expect(scheduleWords({ everyHours: 6, dailyAt: null })).toBe('Every 6 hours')
  expect(scheduleWords({ everyHours: null, dailyAt: '06:30' })).toBe('Daily at 06:30')
  expect(scheduleWords({ everyHours: null, dailyAt: null })).toBe('When asked')
})

test('what is due now or never says so', () => {
  const now = new Date('2026-11-22T05:00:00Z')
  expect(nextWords(null, now)).toBe('Not planned')
  expect(nextWords('2026-11-22T04:59:59Z', now)).toBe('Now')
  expect(nextWords('2026-11-23T04:59:59Z', now)).not.toBe('Now')
})

test.for([
  { everyHours: 4, dailyAt: null },
  { everyHours: null, dailyAt: '23:15' },
  { everyHours: null, dailyAt: null },
])('%o comes back from the form that shows it', (times) => {
  expect(scheduleTimes(scheduleValues(times))).toEqual(times)
})
