import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { whileLeased, type LeaseTable } from './lease.ts'

const TABLE: LeaseTable = {
  table: 'jobs',
  keys: ['id'],
  attempts: 'attempts',
  seconds: 30,
  waitsInCopy: false,
}

beforeEach(() => void vi.useFakeTimers())
afterEach(() => void vi.useRealTimers())

/** Starts work that runs until `finish` is called. */
function working(renewal: () => Promise<boolean>) {
  const work = Promise.withResolvers<string>()
  let isLost = (): boolean => false
  const result = whileLeased(TABLE, renewal, (lost) => {
    isLost = lost
    return work.promise
  })
  return { result, finish: work.resolve, fail: work.reject, isLost: () => isLost() }
}

test('a lease is renewed three times in its duration, until the work ends', async () => {
  const renewal = vi.fn<() => Promise<boolean>>().mockResolvedValue(true)
  const { result, finish } = working(renewal)
  await vi.advanceTimersByTimeAsync(30_000)
  expect(renewal).toHaveBeenCalledTimes(3)
  finish('done')
  expect(await result).toBe('done')
  await vi.advanceTimersByTimeAsync(60_000)
  expect(renewal).toHaveBeenCalledTimes(3)
})

test('a renewal that fails is tried again, and ends neither the work nor the lease', async () => {
  const renewal = vi
    .fn<() => Promise<boolean>>()
    .mockRejectedValueOnce(new Error('The database is away.'))
    .mockResolvedValue(true)
  const { result, finish, isLost } = working(renewal)
  await vi.advanceTimersByTimeAsync(20_000)
  expect([renewal.mock.calls.length, isLost()]).toEqual([2, false])
  finish('done')
  expect(await result).toBe('done')
})

test('the work can see that another server has the lease', async () => {
  const { result, finish, isLost } = working(() => Promise.resolve(false))
  expect(isLost()).toBe(false)
  await vi.advanceTimersByTimeAsync(10_000)
  expect(isLost()).toBe(true)
  finish('done')
  await result
})

test('work that fails ends the renewals', async () => {
  const renewal = vi.fn<() => Promise<boolean>>().mockResolvedValue(true)
  const { result, fail } = working(renewal)
  fail(new Error('no'))
  await expect(result).rejects.toThrow('no')
  await vi.advanceTimersByTimeAsync(60_000)
  expect(renewal).not.toHaveBeenCalled()
})
