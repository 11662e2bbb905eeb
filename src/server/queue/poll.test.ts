import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { LOOK_MS, lookRegularly } from './poll.ts'

beforeEach(() => void vi.useFakeTimers())
afterEach(() => void vi.useRealTimers())

test('every look comes every five seconds until it is stopped', () => {
  const [jobs, mails] = [vi.fn<() => void>(), vi.fn<() => void>()]
  const { stop } = lookRegularly([jobs, mails])
  vi.advanceTimersByTime(3 * LOOK_MS)
  expect([jobs.mock.calls.length, mails.mock.calls.length]).toEqual([3, 3])
  stop()
  vi.advanceTimersByTime(LOOK_MS)
  expect(jobs).toHaveBeenCalledTimes(3)
})

test('a lease that is over is noticed within ten seconds', () => {
  expect(LOOK_MS).toBeLessThan(10_000)
})
