import { expect } from 'vitest'
import type pg from 'pg'

const POLLING = { interval: 20 }

/**
 * Makes calls compete for the same rows: locks them until every call is waiting, and then releases the lock. Without this,
 * two calls in a test mostly run one after the other.
 * @param lock a statement that locks the rows.
 */
export async function concurrently(
  owner: pg.Client,
  lock: string,
  calls: readonly (() => Promise<unknown>)[],
): Promise<PromiseSettledResult<unknown>[]> {
  await owner.query('begin')
  await owner.query(lock)
  const outcomes = Promise.allSettled(calls.map((call) => call()))
  try {
    await expect.poll(() => countWaiting(owner), POLLING).toBe(calls.length)
  } finally {
    await owner.query('commit')
  }
  return outcomes
}

/** Like `concurrently`, but starts each call only when the previous one is waiting, so that they run in this order. */
export async function queued(
  owner: pg.Client,
  lock: string,
  calls: readonly (() => Promise<unknown>)[],
): Promise<PromiseSettledResult<unknown>[]> {
  const started: Promise<PromiseSettledResult<unknown>[]>[] = []
  await owner.query('begin')
  await owner.query(lock)
  try {
    for (const call of calls) {
      // Settled at once: a call can fail before the lock is released.
      started.push(Promise.allSettled([call()]))
      await expect.poll(() => countWaiting(owner), POLLING).toBe(started.length)
    }
  } finally {
    await owner.query('commit')
  }
  return (await Promise.all(started)).flat()
}

/**
 * Blocks the first call at the lock until the second one has finished or is waiting for the first.
 */
export async function between(
  owner: pg.Client,
  lock: string,
  [first, second]: readonly [() => Promise<unknown>, () => Promise<unknown>],
): Promise<PromiseSettledResult<unknown>[]> {
  await owner.query('begin')
  await owner.query(lock)
  // Settled at once: a call can fail before the lock is released.
  const started = [Promise.allSettled([first()])]
  const isDone = { second: false }
  try {
    await expect.poll(() => countWaiting(owner), POLLING).toBe(1)
    started.push(Promise.allSettled([second().finally(() => (isDone.second = true))]))
    await expect.poll(async () => isDone.second || (await countWaiting(owner)) === 2, POLLING).toBe(true)
  } finally {
    await owner.query('commit')
  }
  return (await Promise.all(started)).flat()
}

/** The number of connections that are waiting for a lock. */
export async function countWaiting(owner: pg.Client): Promise<number> {
  // Within a transaction, the server would repeat the statistics of the first query.
  await owner.query('select pg_stat_clear_snapshot()')
  const { rows } = await owner.query<{ waiting: number }>(
    `select count(distinct l.pid)::int as waiting from pg_locks l join pg_stat_activity a on a.pid = l.pid
    where not l.granted and a.datname = current_database()`,
  )
  return rows[0]?.waiting ?? 0
}
