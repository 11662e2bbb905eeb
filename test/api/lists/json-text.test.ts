// @module-tag release
import { Writable } from 'node:stream'
import cookie from '@fastify/cookie'
import multipart from '@fastify/multipart'
import Fastify, { type FastifyInstance } from 'fastify'
import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { z } from 'zod'
import { endpoint } from '#contract/endpoint.ts'
import { executeWith, inTenant, type TenantScope } from '#server/database/tenant-transaction.ts'
import { installErrors } from '#server/http/errors.ts'
import { JsonText } from '#server/http/json-text.ts'
import { serve, type AllHandlers } from '#server/http/serve.ts'
import { makeVisits } from '#server/http/visit.ts'
import { testApp, type TestApp } from '#test/app.ts'
import { testOrganization } from '#test/factories/test-organization.ts'

const get = { method: 'GET', allow: 'anyone', summary: 'A test endpoint.' } as const
const output = z.object({ name: z.string() })
const tiny = {
  tiny: {
    right: endpoint({ ...get, path: '/api/tiny/right', output }),
    wrong: endpoint({ ...get, path: '/api/tiny/wrong', output }),
    chatty: endpoint({ ...get, path: '/api/tiny/chatty', output }),
  },
}
const handlers: AllHandlers<typeof tiny> = {
  tiny: {
    right: async () => new JsonText<{ name: string }>('{"name":"Zoë"}'),
    wrong: async () => new JsonText<{ name: string }>('{"name":5}'),
    chatty: async () => new JsonText<{ name: string }>('{"name":"Zoë","cost":5}'),
  },
}

let forecourt: TestApp
let scope: TenantScope
beforeAll(async () => {
  forecourt = await testApp()
  const { customerId, organizationId } = await testOrganization(forecourt, 'Northgate Ford')
  scope = {
    customerId,
    organizationId,
    reach: 'customer',
    actorUserId: null,
    actorName: 'Tiny Tester',
    effectiveUserId: null,
    effectiveName: null,
    endpoint: 'tiny.alone',
    isReadOnly: true,
  }
})
afterAll(() => forecourt.close())

async function appThat(checksJsonText: boolean): Promise<FastifyInstance> {
  const app = Fastify()
  installErrors(app)
  await app.register(cookie)
  await app.register(multipart)
  serve(app, tiny, handlers, {
    pool: forecourt.appPool,
    checksJsonText,
    visit: makeVisits({ installId: 'x', isSecure: false }),
    authenticate: () => Promise.reject(new Error('Nobody signs in here.')),
    authenticateParticipant: () => Promise.reject(new Error('No participant signs in here.')),
    noteDownload: async () => {},
    noteRefusal: async () => {},
    countGuess: () => null,
    noteStranger: async () => {},
  })
  return app
}

test('JSON of the database is returned unchanged in the response object', async () => {
  const response = await (await appThat(false)).inject('/api/tiny/right')
  expect(response.body).toBe('{"status":true,"data":{"name":"Zoë"},"message":null}')
  expect(response.headers['content-type']).toBe('application/json; charset=utf-8')
  expect(response.headers['content-length']).toBe(String(Buffer.byteLength(response.body)))
})

test.for([
  ['right', 200],
  ['wrong', 500],
  ['chatty', 500],
] as const)('checked against the contract, as in tests, %s returns %s', async ([name, status]) => {
  const [checked, unchecked] = [await appThat(true), await appThat(false)]
  expect((await checked.inject(`/api/tiny/${name}`)).statusCode).toBe(status)
  expect((await unchecked.inject(`/api/tiny/${name}`)).statusCode).toBe(200)
})

/** Counts the writes to the connection while `work` runs: every Node stream writes by one of two methods. */
async function writesOf(work: () => Promise<unknown>): Promise<number> {
  const client = await forecourt.appPool.connect()
  const stream: unknown = 'connection' in client ? Reflect.get(Object(client.connection), 'stream') : null
  client.release()
  if (!(stream instanceof Writable)) throw new Error('The connection has no stream.')
  let writes = 0
  for (const name of ['_write', '_writev']) {
    const original: unknown = Reflect.get(stream, name)
    if (typeof original !== 'function') throw new Error(`The stream has no ${name}.`)
    Reflect.set(stream, name, (...given: unknown[]) => {
      writes += 1
      return Reflect.apply(original, stream, given)
    })
  }
  await work()
  return writes
}

const lots = sql<{ name: string }>`select name from lots order by id limit 2`

test('a single statement is sent together with its transaction', async () => {
  const writes = await writesOf(() =>
    inTenant(forecourt.appPool, scope, (db) => executeWith(db, lots.compile(db), { endsTransaction: true })),
  )
  expect(writes).toBe(1)
})

test('and reaches what its tenant reaches, leaving nothing on the connection', async () => {
  const found = await inTenant(forecourt.appPool, scope, (db) =>
    executeWith(db, lots.compile(db), { endsTransaction: true }),
  )
  expect(found.rows.map(({ name }) => name)).toEqual(['Northgate Ford', 'Northgate Pre-Owned'])
  const { rows } = await forecourt.appPool.query('select count(*)::int from lots')
  expect(rows).toEqual([{ count: 0 }])
})

test('a statement after a single statement is rejected', async () => {
  await expect(
    inTenant(forecourt.appPool, scope, async (db) => {
      await executeWith(db, lots.compile(db), { endsTransaction: true })
      return lots.execute(db)
    }),
  ).rejects.toThrow('The transaction has ended')
})

test('in a transaction that writes it is an ordinary statement', async () => {
  const result = await inTenant(forecourt.appPool, { ...scope, isReadOnly: false }, async (db) => {
    await executeWith(db, sql`update lots set city = 'Elsewhere' where code = 'NGF'`.compile(db), {
      endsTransaction: true,
    })
    const { rows } = await sql`select city from lots where code = 'NGF'`.execute(db)
    return rows
  })
  expect(result).toEqual([{ city: 'Elsewhere' }])
})

test('a statement is planned for its values on request, and the setting does not stay on the connection', async () => {
  const mode = sql<{ mode: string }>`select current_setting('plan_cache_mode') as mode`
  const modes = []
  for (const usesCustomPlan of [true, false]) {
    const { rows } = await inTenant(forecourt.appPool, scope, (db) =>
      executeWith(db, mode.compile(db), { usesCustomPlan }),
    )
    modes.push(...rows)
  }
  const { rows } = await forecourt.appPool.query(`select current_setting('plan_cache_mode') as mode`)
  expect([...modes, ...rows].map((row) => row.mode)).toEqual(['force_custom_plan', 'auto', 'auto'])
})

test('a single statement that fails leaves its connection usable', async () => {
  for (let n = 0; n < 10; n += 1) {
    await expect(
      inTenant(forecourt.appPool, scope, (db) =>
        executeWith(db, sql`select 1 / 0`.compile(db), { endsTransaction: true }),
      ),
    ).rejects.toThrow('division by zero')
  }
  expect(forecourt.appPool.waitingCount).toBe(0)
  const { rows } = await forecourt.appPool.query('select 1 as one')
  expect(rows).toEqual([{ one: 1 }])
})
