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

/** Terminates the request connections on the server. @param taken the connection in use, which is notified */
async function terminateRequests(taken: Promise<pg.PoolClient>): Promise<void> {
  const client = await taken
  const notified = new Promise((resolve) => client.once('error', resolve))
  await forecourt.owner.query(
    `select pg_terminate_backend(pid) from pg_stat_activity
    where datname = current_database() and application_name = 'forecourt forecourt_app'`,
  )
  await notified
}
const nextTaken = () =>
  new Promise<pg.PoolClient>((resolve) => forecourt.appPool.once('acquire', (client) => resolve(client)))

test('a connection that breaks during a transaction fails only that call', async () => {
  const taken = nextTaken()
  const broken = inTenant(forecourt.appPool, scope, async (db) => {
    await sql`select 1`.execute(db)
    await terminateRequests(taken)
    await sql`select 1`.execute(db)
  })
  await expect(broken).rejects.toThrow(BROKEN)
  const dealer = await forecourt.as('northgate.dealer')
  expect((await dealer.call(lots.list, {})).totalRows).toBeGreaterThan(0)
})

test('a connection that breaks while it is acquired does not end the process', async () => {
  const client = await forecourt.appPool.connect()
  // The driver emits this when the server ends a connection between statements.
  expect(() => client.emit('error', new Error('terminating connection'))).not.toThrow()
  client.release(true)
  expect(() => forecourt.owner.emit('error', new Error('terminating connection'))).not.toThrow()
})

test('a connection that breaks before the commit fails the call', async () => {
  const taken = nextTaken()
  const broken = inTenant(forecourt.appPool, scope, async (db) => {
    await sql`select 1`.execute(db)
    await terminateRequests(taken)
  })
  await expect(broken).rejects.toThrow(BROKEN)
})

test('a failed transaction releases its connection once, and the next one works', async () => {
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

test('a column added by a newer version does not break cached statements', async () => {
  const dealer = await forecourt.as('northgate.dealer')
  for (let round = 0; round < 5; round += 1) await dealer.call(lots.list, {})
  await forecourt.owner.query('alter table lots add column added_later text')
  for (let round = 0; round < 5; round += 1) {
    expect((await dealer.call(lots.list, {})).totalRows).toBeGreaterThan(0)
  }
})
