import { expect, test, vi } from 'vitest'
import { runDebounced } from './debounce.ts'

test('work runs once for all who asked, and again for who asks later', async () => {
  let runs = 0
  const soon = runDebounced(
    async () => (runs += 1),
    () => {},
    5,
  )
  soon.run()
  soon.run()
  await expect.poll(() => runs).toBe(1)
  soon.run()
  await expect.poll(() => runs).toBe(2)
  await soon.stop()
})

test('what fails is told, and the next run comes about', async () => {
  const errors: unknown[] = []
  const soon = runDebounced(
    () => Promise.reject(new Error('no')),
    (error) => errors.push(error),
    1,
  )
  soon.run()
  await expect.poll(() => errors.length).toBe(1)
  soon.run()
  await expect.poll(() => errors.length).toBe(2)
})

test('a stop drops what has not begun and waits for what has', async () => {
  let [begun, ended] = [0, 0]
  const work = Promise.withResolvers<void>()
  const slow = runDebounced(
    async () => {
      begun += 1
      await work.promise
      ended += 1
    },
    () => {},
    1,
  )
  slow.run()
  await expect.poll(() => begun).toBe(1)
  const stopped = slow.stop()
  work.resolve()
  await stopped
  expect(ended).toBe(1)
  const dropped = runDebounced(
    async () => (ended += 1),
    () => {},
    20,
  )
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
  try {
    dropped.run()
    await dropped.stop()
    vi.advanceTimersByTime(1_000)
    expect(ended).toBe(1)
  } finally {
    vi.useRealTimers()
  }
})
