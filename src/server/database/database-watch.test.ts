import { expect, test } from 'vitest'
import { DatabaseAway, watchDatabase } from './database-watch.ts'

const REFUSED = Object.assign(new Error('connect ECONNREFUSED'), { code: 'ECONNREFUSED' })

test('while the database is away nothing is tried, and what waits for it ends at once', async () => {
  let answers = false
  let backs = 0
  const watch = watchDatabase(() => (answers ? Promise.resolve() : Promise.reject(REFUSED)))
  watch.onBack(() => (backs += 1))
  // As of a server that was stopped: it never answers.
  const waiting = watch.attempt(() => new Promise<never>(() => {}))
  await expect(watch.attempt(() => Promise.reject(REFUSED))).rejects.toThrow('ECONNREFUSED')
  await expect(waiting).rejects.toThrow(DatabaseAway)
  expect(watch.isAway()).toBe(true)
  let tries = 0
  await expect(watch.attempt(async () => (tries += 1))).rejects.toThrow(DatabaseAway)
  expect(tries).toBe(0)
  answers = true
  await expect.poll(() => watch.isAway()).toBe(false)
  expect([await watch.attempt(async () => (tries += 1)), backs]).toEqual([1, 1])
  watch.stop()
})

test('an error of the work, and a full pool, are not an outage', async () => {
  const watch = watchDatabase(async () => {})
  await expect(watch.attempt(() => Promise.reject(new Error('a bug')))).rejects.toThrow('a bug')
  const full = new Error('timeout exceeded when trying to connect')
  await expect(watch.attempt(() => Promise.reject(full))).rejects.toThrow('timeout exceeded')
  expect(watch.isAway()).toBe(false)
  watch.stop()
})
