import type pg from 'pg'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { lots } from '#contract/customers/lots/lots.ts'
import { inTenant, type TenantScope } from '#server/database/tenant-transaction.ts'
import { sql } from 'kysely'
import { testApp, type TestApp } from '#test/app.ts'

let forecourt: TestApp
beforeAll(async () => {
  forecourt = await testApp()
})
afterAll(() => forecourt.close())

const scope: TenantScope = {
  customerId: '2',
  organizationId: '2',
  reach: 'organization',
  actorUserId: null,
  actorName: null,
  effectiveUserId: null,
  effectiveName: null,
  endpoint: 'test',
  isReadOnly: false,
}

const BROKEN = /terminat|not queryable|connection/i

/** The server ends the connections of requests. @param taken the one that is in use, and hears of it. */
async function shootRequests(taken: Promise<pg.PoolClient>): Promise<void> {
  const client = await taken
  const heard = new Promise((resolve) => client.once('error', resolve))
  await forecourt.owner.query(
    `select pg_terminate_backend(pid) from pg_stat_activity
    where datname = current_database() and application_name = 'forecourt forecourt_app'`,
  )
  await heard
}
const nextTaken = () =>
  new Promise<pg.PoolClient>((resolve) => forecourt.appPool.once('acquire', (client) => resolve(client)))

test('a connection that breaks in the middle of a transaction fails that call alone', async () => {
  const taken = nextTaken()
  const broken = inTenant(forecourt.appPool, scope, async (db) => {
    await sql`select 1`.execute(db)
    await shootRequests(taken)
    await sql`select 1`.execute(db)
  })
  await expect(broken).rejects.toThrow(BROKEN)
  const dealer = await forecourt.as('northgate.dealer')
  expect((await dealer.call(lots.list, {})).totalRows).toBeGreaterThan(0)
})

test('a connection that breaks in the moment in which it is taken ends nothing', async () => {
  const client = await forecourt.appPool.connect()
  // What the driver does when the server ends a connection that waits for no answer.
  expect(() => client.emit('error', new Error('terminating connection'))).not.toThrow()
  client.release(true)
  expect(() => forecourt.owner.emit('error', new Error('terminating connection'))).not.toThrow()
})

test('a connection that breaks before the commit is no success', async () => {
  const taken = nextTaken()
  const broken = inTenant(forecourt.appPool, scope, async (db) => {
    await sql`select 1`.execute(db)
    await shootRequests(taken)
  })
  await expect(broken).rejects.toThrow(BROKEN)
})

test('a transaction that had failed is given back once, and the next one is untouched', async () => {
  const swallowed = inTenant(forecourt.appPool, scope, async (db) => {
    await sql`select 1 / 0`.execute(db).catch(() => {})
  })
  const next = inTenant(forecourt.appPool, scope, async (db) =>
    sql<{ one: number }>`select 1 as one`.execute(db),
  )
  await expect(swallowed).rejects.toThrow('had failed')
  expect((await next).rows).toEqual([{ one: 1 }])
  expect(forecourt.appPool.totalCount - forecourt.appPool.idleCount).toBe(0)
})

test('a column that a newer copy adds does not break the statements of this one', async () => {
  const dealer = await forecourt.as('northgate.dealer')
  for (let round = 0; round < 5; round += 1) await dealer.call(lots.list, {})
  await forecourt.owner.query('alter table lots add column added_later text')
  for (let round = 0; round < 5; round += 1) {
    expect((await dealer.call(lots.list, {})).totalRows).toBeGreaterThan(0)
  }
})
