import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { finishBeforeStop } from './finish-before-stop.ts'

beforeEach(() => void vi.useFakeTimers())
afterEach(() => void vi.useRealTimers())

test('a stopping server waits until running work ends', async () => {
  const work = Promise.withResolvers<void>()
  let isStopped = false
  const stopped = finishBeforeStop([work.promise]).then(() => (isStopped = true))
  await vi.advanceTimersByTimeAsync(4_000)
  expect(isStopped).toBe(false)
  work.resolve()
  await stopped
  // Nothing that is left keeps the process running.
  expect(vi.getTimerCount()).toBe(0)
})

test('it waits at most five seconds', async () => {
  let isStopped = false
  const stopped = finishBeforeStop([new Promise(() => {})]).then(() => (isStopped = true))
  await vi.advanceTimersByTimeAsync(4_999)
  expect(isStopped).toBe(false)
  await vi.advanceTimersByTimeAsync(1)
  await stopped
})
