import { mkdir, rm } from 'node:fs/promises'
import { resolve } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { lots } from '#contract/customers/lots/lots.ts'
import { asOwner } from '../../../bench/generate.ts'
import { startProduct } from '../../../bench/product.ts'
import { signIn } from '../../../bench/sign-in.ts'
import { call, tryCall, type Session } from '../calling.ts'
import { readGauges } from './gauges.ts'

/** Six times the connections of the request pool, started one by one, so that there is always a queue. */
const WRITERS = 72
const APART_MS = 70
/** Of the 12 connections of the pool, one customer has three quarters. */
const POOL = 9
const READERS = 40
const READ_EVERY_MS = 200
/** The connection timeout of 5 s plus a tolerance. */
const LONGEST_MS = 7_000
const home = resolve('.forecourt-test', `pool-${process.pid}`)

beforeAll(() => mkdir(home, { recursive: true, mode: 0o700 }))
afterAll(() => rm(home, { recursive: true, force: true }))

type Answer = { status: number; ms: number; retryAfter: string | null }

async function readLots({ product, token }: Session): Promise<Answer> {
  const startedAt = performance.now()
  const response = await fetch(`${product.address}${lots.list.path}?sort=code`, {
    headers: { authorization: `Bearer ${token}` },
  })
  await response.text()
  const { status, headers } = response
  return { status, ms: performance.now() - startedAt, retryAfter: headers.get('retry-after') }
}

test('with all connections in use, rejects calls in time, still signs users in, and recovers afterwards', async () => {
  const product = await startProduct(home)
  try {
    const session = { product, token: await signIn(product.address) }
    const other = { product, token: await signIn(product.address, 'harbor.dealer') }
    const made = await Promise.all(
      Array.from({ length: WRITERS }, (_, at) =>
        call(session, lots.add, { code: `HELD${at}`, name: `Held ${at}` }),
      ),
    )
    const held = Promise.withResolvers<void>()
    const released = Promise.withResolvers<void>()
    const holding = asOwner(home, async (client) => {
      await client.query('begin')
      await client.query(`select from lots where code like 'HELD%' for update`)
      held.resolve()
      await released.promise
      await client.query('commit')
    })
    await held.promise

    const over = new AbortController()
    const statuses = new Set<number>()
    const writing = made.map(async ({ id, version }, at) => {
      await wait(at * APART_MS)
      while (!over.signal.aborted) {
        const answer = await tryCall(session, lots.update, { id, version, name: `Saved ${at}` })
        statuses.add(answer?.status ?? 0)
        if (answer?.status === 200) return
      }
    })
    await expect.poll(() => readGauges(product), { timeout: 20_000 }).toMatchObject({ requests: POOL })

    const reading: Promise<Answer>[] = []
    for (let at = 0; at < READERS; at += 1) {
      reading.push(readLots(other))
      await wait(READ_EVERY_MS)
    }
    const signedInAt = performance.now()
    await signIn(product.address, 'harbor.dealer')
    const signInMs = performance.now() - signedInAt
    const answers = await Promise.all(reading)
    over.abort()
    released.resolve()
    await holding
    await Promise.all(writing)

    const slowest = Math.round(Math.max(...answers.map(({ ms }) => ms)))
    console.log(`figure: slowest answer with a full pool = ${slowest} ms`)
    expect(answers.filter(({ status }) => status !== 200 && status !== 503)).toEqual([])
    expect(answers.filter(({ ms }) => ms > LONGEST_MS)).toEqual([])
    const refused = answers.filter(({ status }) => status === 503)
    expect(refused.length).toBeGreaterThan(0)
    expect(refused.filter(({ retryAfter }) => retryAfter === null)).toEqual([])
    expect(signInMs).toBeLessThan(LONGEST_MS)
    // Someone else holds the row, or no connection is free.
    expect([...statuses].filter((status) => ![200, 409, 503].includes(status))).toEqual([])

    const after = await Promise.all(Array.from({ length: 30 }, () => readLots(other)))
    expect(after.map(({ status }) => status)).toEqual(Array.from({ length: 30 }, () => 200))
    await expect
      .poll(() => readGauges(product), { timeout: 20_000 })
      .toMatchObject({ requests: 0, waiting: 0 })
  } finally {
    await product.stop()
  }
})
