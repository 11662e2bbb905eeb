import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { makePace } from './pace.ts'

const MB = 1_000_000

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'setImmediate', 'performance'] })
})
afterEach(() => {
  vi.useRealTimers()
})

test('two streams of one owner share its speed, and another owner has its own', async () => {
  const pace = makePace(4 * MB)
  const passed = { a: 0, b: 0 }
  const stream = async (owner: 'a' | 'b') => {
    for (let n = 0; n < 20; n += 1) {
      // oxlint-disable-next-line no-await-in-loop -- One piece after the other, as from a network.
      await pace(owner, MB / 20)
      passed[owner] += MB / 20
    }
  }
  const all = Promise.all([stream('a'), stream('a'), stream('b')])
  await vi.advanceTimersByTimeAsync(125)
  // 0.5 MB in this time, and what may pass at once.
  expect(passed.a).toBeGreaterThanOrEqual(0.5 * MB)
  expect(passed.a).toBeLessThanOrEqual(0.75 * MB)
  expect(passed.b).toBeGreaterThanOrEqual(0.5 * MB)
  await vi.advanceTimersByTimeAsync(1_000)
  await all
  expect(passed).toEqual({ a: 2 * MB, b: MB })
})
