import { mkdir, readFile, rm } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { lots } from '#contract/customers/lots/lots.ts'
import { userTypes } from '#contract/identity/user-types/user-types.ts'
import { asOwner } from '../../../bench/generate.ts'
import { startProduct } from '../../../bench/product.ts'
import { signIn } from '../../../bench/sign-in.ts'
import { call, tryCall, type Session } from '../calling.ts'
import { findLost, nothingWritten, tryAgain, writeUntilOver, type WriteLog } from './writing.ts'

const WRITERS = 6
const home = resolve('.forecourt-test', `database-${process.pid}`)

beforeAll(() => mkdir(home, { recursive: true, mode: 0o700 }))
afterAll(() => rm(home, { recursive: true, force: true }))

/** Several users save lots while `fault` runs. Waits until all of them have stopped. */
async function saveDuring(
  session: Session,
  { word, written }: { word: string; written: WriteLog },
  fault: () => Promise<void>,
): Promise<void> {
  let isOver = false
  const writers = Array.from({ length: WRITERS }, (_, writer) =>
    writeUntilOver(session, { prefix: `${word}${writer}N`, written, isOver: () => isOver }),
  )
  await fault()
  isOver = true
  await Promise.all(writers)
}

/** While the database is unavailable, only success and temporary errors are allowed. */
function expectOnlyTemporaryErrors({ statuses }: WriteLog): void {
  expect([...statuses.keys()].filter((status) => ![200, 409, 503].includes(status))).toEqual([])
}

test('answers 503 and loses no data while connections are terminated repeatedly', async () => {
  const product = await startProduct(home)
  try {
    const session = { product, token: await signIn(product.address) }
    const written = nothingWritten()
    let cuts = 0
    await saveDuring(session, { word: 'CUT', written }, async () => {
      for (let round = 0; round < 30; round += 1) {
        await wait(100)
        await asOwner(home, async (client) => {
          const { rowCount } = await client.query(
            `select pg_terminate_backend(pid) from pg_stat_activity where usename = 'forecourt_login'`,
          )
          cuts += rowCount ?? 0
        })
      }
    })
    expectOnlyTemporaryErrors(written)
    expect(cuts).toBeGreaterThan(30)
    expect(written.answered.size).toBeGreaterThan(0)
    // Fully recovered: every one of many calls succeeds.
    for (let n = 0; n < 30; n += 1) await call(session, lots.list, { sort: 'code' })
    expect((await tryAgain(session, written)).filter((status) => status !== 200 && status !== 409)).toEqual(
      [],
    )
    expect(await findLost(session, written)).toEqual({ lost: [], twice: 0 })
  } finally {
    await product.stop()
  }
})

test('rejects calls to a locked table in time and still serves others', async () => {
  const product = await startProduct(home)
  try {
    const session = { product, token: await signIn(product.address) }
    const held = Promise.withResolvers<void>()
    const locking = asOwner(home, async (client) => {
      await client.query('begin')
      await client.query('lock table lots in access exclusive mode')
      held.resolve()
      await wait(9_000)
      await client.query('commit')
    })
    await held.promise
    const startedAt = Date.now()
    const waiting = Array.from({ length: 60 }, () => tryCall(session, lots.list, { sort: 'code' }))
    const other = { product, token: await signIn(product.address, 'harbor.admin') }
    const served = await tryCall(other, userTypes.list, {})
    const outcomes = await Promise.all(waiting)
    const waitedMs = Date.now() - startedAt
    expect(served?.status).toBe(200)
    // At most the lock timeout plus the connection timeout.
    expect(waitedMs).toBeLessThan(14_000)
    expect(
      outcomes.map((outcome) => outcome?.status).filter((status) => status === 409).length,
    ).toBeGreaterThan(0)
    expect(outcomes.filter((outcome) => ![200, 409, 503].includes(outcome?.status ?? 0))).toEqual([])
    await locking
    await Promise.all(Array.from({ length: 30 }, () => call(session, lots.list, { sort: 'code' })))
    await call(other, userTypes.list, {})
  } finally {
    await product.stop()
  }
})

test('after the database is killed and the product restarted, all confirmed saves are present', async () => {
  const written = nothingWritten()
  const first = await startProduct(home)
  const session = { product: first, token: await signIn(first.address) }
  await saveDuring(session, { word: 'DB', written }, async () => {
    await wait(1_500)
    const [pid = ''] = (await readFile(join(home, 'postgres', 'postmaster.pid'), 'utf8')).split('\n')
    process.kill(Number(pid), 'SIGKILL')
    await wait(1_500)
  })
  expectOnlyTemporaryErrors({
    ...written,
    statuses: new Map([...written.statuses].filter(([status]) => status !== 0)),
  })
  expect(written.answered.size).toBeGreaterThan(0)
  await first.kill()

  const second = await startProduct(home)
  try {
    const again = { product: second, token: await signIn(second.address) }
    expect((await tryAgain(again, written)).filter((status) => status !== 200 && status !== 409)).toEqual([])
    expect(await findLost(again, written)).toEqual({ lost: [], twice: 0 })
  } finally {
    await second.stop()
  }
})
