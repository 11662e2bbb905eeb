import { expect, test } from 'vitest'
import { snoozeTimes } from './snooze-times.ts'

const labels = (now: string) => snoozeTimes(new Date(now)).map(({ label }) => label)

test('all offered times are in the future, and no two are the same', () => {
  for (let day = 15; day < 23; day += 1) {
    const now = new Date(2026, 10, day, 16, 30)
    const times = snoozeTimes(now).map(({ at }) => at.getTime())
    expect(Math.min(...times)).toBeGreaterThan(now.getTime())
    expect(new Set(times).size).toBe(times.length)
  }
})

test('Monday is offered unless it is tomorrow', () => {
  // A Friday and a Sunday.
  expect(labels('2026-11-20T10:00:00')).toContain('Monday at 9:00')
  expect(labels('2026-11-22T10:00:00')).not.toContain('Monday at 9:00')
})
