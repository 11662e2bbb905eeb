import { Readable } from 'node:stream'
import cookie from '@fastify/cookie'
import multipart from '@fastify/multipart'
import Fastify, { type FastifyInstance } from 'fastify'
import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { z } from 'zod'
import { DEFAULT_FAILURE } from '#contract/answer.ts'
import { endpoint } from '#contract/endpoint.ts'
import type { Member } from '#server/http/actor.ts'
import { installErrors } from '#server/http/errors.ts'
import { conflict } from '#server/http/failure.ts'
import { Download } from '#server/http/kinds.ts'
import { serve, type AllHandlers } from '#server/http/serve.ts'
import { makeVisits } from '#server/http/visit.ts'
import { testApp, type TestApp } from '#test/app.ts'
import { testOrganization } from '#test/factories/test-organization.ts'

const post = { method: 'POST', allow: 'member', summary: 'A test endpoint.' } as const
const get = { method: 'GET', allow: 'member', summary: 'A test endpoint.' } as const
const named = z.strictObject({ name: z.string() })
const tiny = {
  tiny: {
    write: endpoint({
      ...post,
      path: '/api/tiny/write',
      input: named,
      output: z.object({ name: z.string() }),
    }),
    wrongOutput: endpoint({
      ...post,
      path: '/api/tiny/wrong-output',
      input: named,
      output: z.object({ name: z.string() }),
    }),
    refuse: endpoint({ ...post, path: '/api/tiny/refuse', input: named }),
    break: endpoint({ ...post, path: '/api/tiny/break', input: named }),
    stopShort: endpoint({ ...post, path: '/api/tiny/stop-short', input: named }),
    swallow: endpoint({ ...post, path: '/api/tiny/swallow', input: named }),
    forget: endpoint({ ...post, path: '/api/tiny/forget' }),
    readOnly: endpoint({ ...get, path: '/api/tiny/read-only' }),
    actingGet: endpoint({ ...get, path: '/api/tiny/acting-get', writes: true }),
    idle: endpoint({ ...get, path: '/api/tiny/idle' }),
    pid: endpoint({
      ...get,
      path: '/api/tiny/pid/{id}',
      input: z.strictObject({ id: z.string() }),
      output: z.array(z.string()),
    }),
    outside: endpoint({ ...post, path: '/api/tiny/outside', outside: true, output: z.number() }),
    download: endpoint({ ...get, path: '/api/tiny/download', kind: 'download' }),
    report: endpoint({ ...post, path: '/api/tiny/report', kind: 'report', writes: false }),
    noReport: endpoint({ ...post, path: '/api/tiny/no-report', kind: 'report', writes: false }),
    stream: endpoint({
      ...get,
      path: '/api/tiny/stream',
      kind: 'stream',
      output: z.object({ n: z.number() }),
    }),
    upload: endpoint({
      ...post,
      path: '/api/tiny/upload',
      kind: 'upload',
      input: named,
      output: z.array(z.string()),
    }),
    page: endpoint({ ...get, path: '/tiny', kind: 'page', allow: 'anyone' }),
    probe: endpoint({
      ...get,
      path: '/tinyz',
      kind: 'probe',
      allow: 'anyone',
      output: z.object({ ok: z.boolean() }),
    }),
  },
}

const lot = (name: string) => ({ name, code: name.toUpperCase() })
const handlers: AllHandlers<typeof tiny> = {
  tiny: {
    async write({ db, input }) {
      await db.insertInto('lots').values(lot(input.name)).execute()
      return { name: input.name }
    },
    async wrongOutput({ db, input }) {
      await db.insertInto('lots').values(lot(input.name)).execute()
      return JSON.parse('{"name":5}')
    },
    async refuse({ db, input }) {
      await db.insertInto('lots').values(lot(input.name)).execute()
      throw conflict('Not this one.')
    },
    async break({ db, input }) {
      await db.insertInto('lots').values(lot(input.name)).execute()
      throw new Error('an internal secret')
    },
    async stopShort({ db, input }) {
      await db.insertInto('lots').values(lot(input.name)).execute()
      throw Object.assign(new Error('an internal secret'), { code: input.name })
    },
    async swallow({ db, input }) {
      await db.insertInto('lots').values(lot(input.name)).execute()
      await sql`select 1 / 0`.execute(db).catch(() => null)
      return null
    },
    async forget({ db }) {
      setTimeout(() => void db.selectFrom('lots').selectAll().execute().catch(noteForgotten), 5)
      return null
    },
    async readOnly({ db }) {
      await db.insertInto('lots').values(lot('readonly')).execute()
      return null
    },
    async actingGet({ db }) {
      await db.insertInto('lots').values(lot('acting')).execute()
      return null
    },
    idle: async () => null,
    async pid({ db, input }) {
      const read = sql<{
        pid: string
      }>`select pg_backend_pid()::text || current_setting('app.endpoint') || ${input.id} as pid`
      const answers = await Promise.all([read.execute(db), read.execute(db), read.execute(db)])
      return answers.map(({ rows }) => rows[0]?.pid ?? '')
    },
    async outside({ inTenant }) {
      const count = () => inTenant((db) => db.selectFrom('lots').select('id').execute())
      const [first, second] = [await count(), await count()]
      return first.length - second.length
    },
    download: async () =>
      new Download({ name: 'Übersicht "1".csv', type: 'text/csv', body: Buffer.from('a;b') }),
    report: async () =>
      new Download({ name: 'r.pdf', type: 'application/pdf', body: Readable.from(['%PDF']) }),
    async noReport() {
      throw conflict('There is nothing to report.')
    },
    async stream({ inTenant }) {
      const rows = await inTenant((db) => db.selectFrom('lots').select('id').limit(2).execute())
      return (async function* () {
        yield* rows.map((_, n) => ({ n }))
      })()
    },
    async upload({ files, input }) {
      const seen: string[] = [input.name]
      for await (const { name, stream } of files) seen.push(`${name}=${(await stream.toArray()).join('')}`)
      return seen
    },
    page: async () => JSON.parse('"<p>Hello</p>"'),
    probe: async () => ({ ok: true }),
  },
}

let forgotten: Promise<string>
let noteForgotten: (error: Error) => void
let forecourt: TestApp
let app: FastifyInstance
beforeAll(async () => {
  forecourt = await testApp()
  const { customerId, organizationId } = await testOrganization(forecourt, 'Northgate Ford')
  const permissions = { isSuper: false, permissions: [] }
  const user = {
    userId: '7',
    userName: 'tiny',
    fullName: 'Tiny Tester',
    userTypeId: '1',
    userCustomerId: customerId,
  }
  const effective = {
    effectiveUserId: '7',
    effectiveUserName: 'tiny',
    effectiveFullName: 'Tiny Tester',
    effectiveCustomerId: customerId,
  }
  const place = {
    customerId,
    organizationId,
    organizationName: 'Northgate Ford',
    timeZone: 'UTC',
    reach: 'organization',
    isPlatformStaff: false,
    impersonation: null,
  } as const
  const rights = { permissions, permissionsVersion: '1', may: () => true }
  const actor: Member = { sessionId: '1', isVerified: true, ...user, ...effective, ...place, ...rights }
  forgotten = new Promise((resolve) => {
    noteForgotten = (error) => resolve(error.message)
  })
  app = Fastify({ logger: false })
  installErrors(app)
  await app.register(cookie)
  await app.register(multipart)
  const visit = makeVisits({ installId: 'tiny', isSecure: false })
  serve(app, tiny, handlers, {
    pool: forecourt.appPool,
    visit,
    authenticate: async () => actor,
    authenticateParticipant: () => Promise.reject(new Error('No participant signs in here.')),
    noteDownload: async () => {},
    noteRefusal: async () => {},
    countGuess: () => null,
    noteStranger: async () => {},
  })
  await app.ready()
})
afterAll(async () => {
  await app.close()
  await forecourt.close()
})

const send = (url: string, payload: object = {}) =>
  app.inject({ method: 'POST', url: `/api/tiny/${url}`, payload })
const getUrl = (url: string) => app.inject({ method: 'GET', url })
async function countLots(name: string): Promise<number> {
  const { rows } = await forecourt.owner.query('select from lots where name = $1', [name])
  return rows.length
}

describe('a write', () => {
  test('is committed before the response, under the name of its endpoint', async () => {
    const { statusCode, body } = await send('write', { name: 'written' })
    const { rows } = await forecourt.owner.query(
      `select endpoint, actor_name from audit_log where after ->> 'name' = 'written'`,
    )
    expect({ statusCode, body, rows }).toEqual({
      statusCode: 200,
      body: '{"status":true,"data":{"name":"written"},"message":null}',
      rows: [{ endpoint: 'tiny.write', actor_name: 'Tiny Tester' }],
    })
  })

  test.for([
    ['wrong-output', 500, 'with a response that does not match the contract'],
    ['refuse', 409, 'that is rejected at the end'],
    ['break', 500, 'that throws'],
    ['swallow', 500, 'that ignores a failed statement'],
  ] as const)('%s (%s): a write %s leaves no changes', async ([name, status]) => {
    const { statusCode, body } = await send(name, { name })
    expect({ statusCode, rows: await countLots(name), leaks: body.includes('secret') }).toEqual({
      statusCode: status,
      rows: 0,
      leaks: false,
    })
  })

  test.for([
    ['ENOSPC', 507, 'File storage is full'],
    ['EDQUOT', 507, 'File storage is full'],
    ['53100', 503, null],
    ['53300', 503, null],
  ] as const)('that fails with %s answers %i and leaves no changes', async ([code, status, words]) => {
    const { statusCode, body } = await send('stop-short', { name: code })
    expect({ statusCode, rows: await countLots(code) }).toEqual({ statusCode: status, rows: 0 })
    expect(body).toContain(words ?? DEFAULT_FAILURE)
    expect(body).not.toContain('secret')
  })

  test('in a GET is rejected by the database, unless the endpoint declares that it writes', async () => {
    const [refused, acted] = [await getUrl('/api/tiny/read-only'), await getUrl('/api/tiny/acting-get')]
    expect([
      refused.statusCode,
      acted.statusCode,
      await countLots('readonly'),
      await countLots('acting'),
    ]).toEqual([500, 200, 0, 1])
  })
})

describe('the transaction', () => {
  test('is shared by all statements of a call, and has the endpoint name', async () => {
    const [first, ...others] = (await getUrl('/api/tiny/pid/x')).json<{ data: string[] }>().data
    expect(first).toMatch(/^\d+tiny\.pidx$/)
    expect(others).toEqual([first, first])
  })

  test('does not start, and takes no connection, in a handler without statements', async () => {
    const taken: string[] = []
    const note = () => taken.push('connection')
    forecourt.appPool.on('acquire', note)
    await getUrl('/api/tiny/idle')
    forecourt.appPool.off('acquire', note)
    expect(taken).toEqual([])
  })

  test('rejects a statement that was not awaited', async () => {
    expect((await send('forget')).statusCode).toBe(200)
    expect(await forgotten).toBe('The transaction has ended: a statement was not awaited.')
  })

  test('is opened by the handler itself if the endpoint is declared outside', async () => {
    expect((await send('outside')).json()).toEqual({ status: true, data: 0, message: null })
  })
})

// Must run after the failing calls above.
test('every call has released its connection', () => {
  expect(forecourt.appPool.totalCount - forecourt.appPool.idleCount).toBe(0)
})

describe('the kind', () => {
  test('download sends an attachment with its name and blocks scripts', async () => {
    const { headers, body } = await getUrl('/api/tiny/download')
    expect(body).toBe('a;b')
    expect(headers).toMatchObject({
      'content-type': 'text/csv',
      'content-disposition': `attachment; filename="_bersicht _1_.csv"; filename*=UTF-8''%C3%9Cbersicht%20%221%22.csv`,
      'content-security-policy': "sandbox; default-src 'none'",
    })
  })

  test('report sends a plain binary, also from a stream', async () => {
    const { headers, body } = await send('report')
    expect([headers['content-type'], body]).toEqual(['application/pdf', '%PDF'])
  })

  test('report sends the JSON envelope for an error', async () => {
    const answer = await send('no-report')
    expect([answer.statusCode, answer.json()]).toEqual([
      409,
      { status: false, data: null, message: 'There is nothing to report.' },
    ])
  })

  test('stream sends each value as an event', async () => {
    const { headers, body } = await getUrl('/api/tiny/stream')
    expect([headers['content-type'], body]).toEqual([
      'text/event-stream',
      'data: {"n":0}\n\ndata: {"n":1}\n\n',
    ])
  })

  const multipartOf = (parts: string[]) => ({
    headers: { 'content-type': 'multipart/form-data; boundary=edge' },
    payload: `${parts.map((part) => `--edge\r\nContent-Disposition: form-data; ${part}\r\n`).join('')}--edge--\r\n`,
  })
  const upload = (parts: string[]) =>
    app.inject({ method: 'POST', url: '/api/tiny/upload', ...multipartOf(parts) })

  test('upload passes the fields before the files, and the files in order', async () => {
    const answer = await upload([
      'name="name"\r\n\r\nphotos',
      'name="one"; filename="1.txt"\r\n\r\nfirst',
      'name="two"; filename="2.txt"\r\n\r\nsecond',
    ])
    expect(answer.json()).toEqual({
      status: true,
      data: ['photos', '1.txt=first', '2.txt=second'],
      message: null,
    })
  })

  test('upload rejects invalid fields before it reads a file', async () => {
    const answer = await upload(['name="other"\r\n\r\nx', 'name="one"; filename="1.txt"\r\n\r\nfirst'])
    expect([answer.statusCode, Object.keys(answer.json<{ fields: object }>().fields)]).toEqual([
      400,
      ['name', 'other'],
    ])
  })

  test('upload rejects a body that is not multipart', async () => {
    expect((await send('upload', { name: 'x' })).statusCode).toBe(400)
  })

  test('page is HTML and probe plain JSON', async () => {
    const [page, probe] = [await getUrl('/tiny'), await getUrl('/tinyz')]
    expect([page.headers['content-type'], page.body, probe.json()]).toEqual([
      'text/html; charset=utf-8',
      '<p>Hello</p>',
      { ok: true },
    ])
  })
})
