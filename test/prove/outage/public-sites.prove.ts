import { mkdir, readFile, rm } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { asOwner } from '../../../bench/generate.ts'
import { startProduct } from '../../../bench/product.ts'
import { freshDatabase, type TestDatabase } from '#test/engine/database.ts'
import { openDatabaseProxy, type DatabaseProxy } from '#test/harness/database-proxy.ts'
import { TEST_SECRET } from '#test/harness/secrets.ts'
import { urlOf } from '#test/harness/whole-database.ts'
import { expectNothingLost, readStored, useDuring, waitFor, waitingIn, warmUp } from '../buyers.ts'

const folder = resolve('.forecourt-test', `outage-${process.pid}`)

beforeAll(() => mkdir(folder, { recursive: true, mode: 0o700 }))
afterAll(() => rm(folder, { recursive: true, force: true }))

test('with the built-in database frozen', async () => {
  const home = join(folder, 'frozen')
  await mkdir(home)
  const product = await startProduct(home, [], { TRUST_PROXY: '1' })
  try {
    await warmUp(product.address)
    const [pid = ''] = (await readFile(join(home, 'postgres', 'postmaster.pid'), 'utf8')).split('\n')
    const children = async (): Promise<number[]> =>
      (await readFile(`/proc/${pid}/task/${pid}/children`, 'utf8'))
        .split(' ')
        .map(Number)
        .filter((child) => child > 0)
    let most = 0
    const watched = await useDuring(
      () => product.address,
      'Frozen',
      async () => {
        await wait(1_000)
        const frozen = [Number(pid), ...(await children())]
        for (const one of frozen) process.kill(one, 'SIGSTOP')
        try {
          await wait(15_000)
          most = await waitingIn(home)
        } finally {
          for (const one of frozen) process.kill(one, 'SIGCONT')
        }
        await wait(3_000)
      },
    )
    await waitFor(home, 0)
    const stored = await asOwner(home, (client) => readStored((text) => client.query(text), 'Frozen'))
    console.log(`figure: forms that waited for a frozen database = ${most}`)
    console.log(`figure: acknowledged forms lost or stored twice, frozen = 0 of ${watched.acknowledged.size}`)
    console.log(`figure: slowest answer, frozen = ${Math.round(watched.slowest)} ms`)
    expect(most).toBeGreaterThan(0)
    expectNothingLost(watched, stored)
  } finally {
    await product.stop()
  }
})

test.each(['refuse', 'restart'] as const)(
  'with a database server that does not answer: %s',
  async (fault) => {
    const database: TestDatabase = await freshDatabase()
    const proxy: DatabaseProxy = await openDatabaseProxy(database.login)
    const home = join(folder, fault)
    await mkdir(home)
    const environment = {
      DATABASE_URL: urlOf(proxy.login),
      DATABASE_OWNER_URL: urlOf(database.connection),
      FORECOURT_SECRET: TEST_SECRET,
      FORECOURT_DEMO: '1',
      TRUST_PROXY: '1',
    }
    const word = fault === 'refuse' ? 'Refused' : 'Restarted'
    let product = await startProduct(home, [], environment)
    try {
      await warmUp(product.address)
      const watched = await useDuring(
        () => product.address,
        word,
        async () => {
          for (let round = 0; round < (fault === 'refuse' ? 2 : 10); round += 1) {
            await wait(700)
            if (fault === 'restart') proxy.restart()
            else {
              await proxy.refuse()
              await wait(4_000)
              await proxy.restore()
            }
          }
          if (fault === 'refuse') {
            await proxy.refuse()
            await wait(3_000)
          }
        },
      )
      const waited = await waitingIn(home)
      expect(fault === 'restart' || waited > 0).toBe(true)
      if (fault === 'refuse') {
        // Killed while they wait, and again while they are stored.
        for (const left of [waited, waited - 20]) {
          await waitFor(home, left)
          await product.kill()
          await proxy.restore()
          product = await startProduct(home, [], environment)
        }
      }
      await waitFor(home, 0)
      const { default: pg } = await import('pg')
      const client = new pg.Client({ ...database.connection })
      await client.connect()
      const stored = await readStored((text) => client.query(text), word)
      await client.end()
      console.log(
        `figure: acknowledged forms lost or stored twice, ${word.toLowerCase()} = 0 of ${watched.acknowledged.size}`,
      )
      expectNothingLost(watched, stored)
    } finally {
      await product.stop()
      await proxy.close()
      await database.drop()
    }
  },
)
