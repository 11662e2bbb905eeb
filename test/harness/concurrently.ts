import { expect } from 'vitest'
import type pg from 'pg'

const OFTEN = { interval: 20 }

/**
 * Makes calls meet at the same rows: these are held until every call waits for them, and then let go. Without this two
 * calls of a test mostly come one after the other.
 * @param held a statement that locks the rows.
 */
export async function concurrently(
  owner: pg.Client,
  held: string,
  calls: readonly (() => Promise<unknown>)[],
): Promise<PromiseSettledResult<unknown>[]> {
  await owner.query('begin')
  await owner.query(held)
  const outcomes = Promise.allSettled(calls.map((call) => call()))
  try {
    await expect.poll(() => countWaiting(owner), OFTEN).toBe(calls.length)
  } finally {
    await owner.query('commit')
  }
  return outcomes
}

/** The same, one call after the other: each waits before the next begins. */
export async function limitConcurrency(
  owner: pg.Client,
  held: string,
  calls: readonly (() => Promise<unknown>)[],
): Promise<PromiseSettledResult<unknown>[]> {
  const begun: Promise<unknown>[] = []
  await owner.query('begin')
  await owner.query(held)
  try {
    for (const call of calls) {
      begun.push(call())
      await expect.poll(() => countWaiting(owner), OFTEN).toBe(begun.length)
    }
  } finally {
    await owner.query('commit')
  }
  return Promise.allSettled(begun)
}

/**
 * Keeps the first call where it meets what is held, until the second came as far as it could: to its end, or to where
 * it waits for the first.
 */
export async function between(
  owner: pg.Client,
  held: string,
  [first, second]: readonly [() => Promise<unknown>, () => Promise<unknown>],
): Promise<PromiseSettledResult<unknown>[]> {
  await owner.query('begin')
  await owner.query(held)
  const begun = [first()]
  const isDone = { second: false }
  try {
    await expect.poll(() => countWaiting(owner), OFTEN).toBe(1)
    begun.push(second().finally(() => (isDone.second = true)))
    await expect.poll(async () => isDone.second || (await countWaiting(owner)) === 2, OFTEN).toBe(true)
  } finally {
    await owner.query('commit')
  }
  return Promise.allSettled(begun)
}

/** How many connections wait for a row right now. */
export async function countWaiting(owner: pg.Client): Promise<number> {
  // Inside a transaction the server would show its sessions as they were at the first look.
  await owner.query('select pg_stat_clear_snapshot()')
  const { rows } = await owner.query<{ waiting: number }>(
    `select count(distinct l.pid)::int as waiting from pg_locks l join pg_stat_activity a on a.pid = l.pid
    where not l.granted and a.datname = current_database()`,
  )
  return rows[0]?.waiting ?? 0
}
