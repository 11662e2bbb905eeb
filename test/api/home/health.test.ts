import { mkdir, readFile, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { customers } from '#contract/customers/customers/customers.ts'
import { lots } from '#contract/customers/lots/lots.ts'
import { health } from '#contract/home/health.ts'
import { clock } from '#server/clock.ts'
import { readSettings } from '#server/environment.ts'
import { testApp, type Caller, type TestApp } from '#test/app.ts'

const TOKEN = 'a-token-for-prometheus'
const lines: string[] = []
let forecourt: TestApp
let admin: Caller

beforeAll(async () => {
  forecourt = await testApp(
    { FORECOURT_METRICS_TOKEN: TOKEN, FORECOURT_LOG_REQUESTS: '1' },
    { logTo: { write: (line) => void lines.push(line) } },
  )
  admin = await forecourt.as('northgate.admin', 'Northgate Ford')
})
afterAll(() => forecourt.close())

const metrics = (headers: Record<string, string> = {}, remoteAddress = '127.0.0.1') =>
  forecourt.app.inject({ url: '/metrics', headers: { host: 'localhost:8080', ...headers }, remoteAddress })

test('is ready only while the database has every migration', async () => {
  const ready = () => forecourt.anonymous.send({ method: 'GET', url: '/readyz' })
  expect(await ready()).toMatchObject({ status: 200, text: '{"status":"ready"}' })
  const { rows } = await forecourt.owner.query<{ name: string; checksum: string }>(
    'delete from schema_migrations where name = (select max(name) from schema_migrations) returning name, checksum',
  )
  const pending = await ready()
  expect([pending.status, pending.headers['retry-after']]).toEqual([503, '5'])
  expect(pending.text).toContain('The database lacks a migration of this version: 0')
  const outside = await forecourt.anonymous.send({
    method: 'GET',
    url: '/readyz',
    headers: { 'x-forwarded-for': '192.0.2.1' },
  })
  expect([outside.status, outside.text.includes('migration')]).toEqual([503, false])
  await forecourt.owner.query('insert into schema_migrations (name, checksum) values ($1, $2)', [
    rows[0]?.name,
    rows[0]?.checksum,
  ])
  expect((await ready()).status).toBe(200)
})

test('reports the state of each component, and queued work within reach only', async () => {
  const before = await admin.call(health.system, {})
  expect(before.checks.map(({ name, state }) => `${name} ${state}`)).toEqual([
    'database ok',
    'mail off',
    'links off',
    // Depends on this machine's disk.
    expect.stringMatching(/^storage (ok|scarce)$/),
    'jobs ok',
    // Depends on what else this machine does.
    expect.stringMatching(/^server (ok|late)$/),
    'outgoing ok',
  ])
  const harbor = await forecourt.as('harbor.admin', 'Harbor Honda')
  const { id } = await harbor.call(lots.add, { code: 'WAIT', name: 'Waits' })
  await harbor.call(lots.change, { selection: { ids: [id] }, change: { isPublic: false } })
  await forecourt.owner.query(
    "update jobs set created_at = app_now() - interval '1 hour' where state = 'waiting'",
  )
  const late = await admin.call(health.system, {})
  const jobs = late.checks.find(({ name }) => name === 'jobs')
  expect(jobs?.state).toBe('late')
  expect(clock.now() - Date.parse(jobs?.since ?? '')).toBeGreaterThan(3_500_000)
  // A backlog is visible to everyone, but not whose job it is.
  expect(late.jobs).toEqual(before.jobs)
  expect((await harbor.call(health.system, {})).jobs.waiting).toBe(1)
  await forecourt.jobs.runDue()
  expect((await harbor.call(health.system, {})).jobs.waiting).toBe(0)
})

test("speaks of the customer's own emails only", async () => {
  const mailOf = async (caller: Caller) =>
    (await caller.call(health.system, {})).checks.find(({ name }) => name === 'mail')
  const harbor = await forecourt.as('harbor.admin', 'Harbor Honda')
  const { rows } = await forecourt.owner.query<{ id: string }>(`
    insert into email_handlers (customer_id, name, kind, from_email, smtp_host, smtp_port, is_default)
    select id, 'Relay', 'smtp', 'us@harbor.example', 'mail.harbor.example', 587, true from customers where name like 'Harbor%'
    returning customer_id as id`)
  expect(await mailOf(harbor)).toMatchObject({
    state: 'ok',
    sentence: expect.stringContaining('Emails are sent by the email handler Relay.'),
  })
  await forecourt.owner.query(
    `insert into outbox_mails (customer_id, to_name, to_email, subject, text_sealed, error)
    values ($1, 'A', 'a@people.example', 'S', 'x', 'connect ECONNREFUSED')`,
    [rows[0]?.id],
  )
  expect(await mailOf(harbor)).toMatchObject({ state: 'failed', since: expect.any(String) })
  expect(await mailOf(admin)).toMatchObject({
    state: 'off',
    since: null,
    sentence: 'No mail server is set up. Emails stay in the outbox.',
  })
  const platform = await forecourt.as('super', 'Forecourt Operations')
  expect(await mailOf(platform)).toMatchObject({
    state: 'failed',
    sentence: expect.stringContaining('another customer could not be sent'),
  })
  await forecourt.owner.query('delete from outbox_mails where customer_id = $1', [rows[0]?.id])
  await forecourt.owner.query("delete from email_handlers where name = 'Relay'")
})

test('reports since when a folder has not been writable', async () => {
  const storage = async () =>
    (await admin.call(health.system, {})).checks.find(({ name }) => name === 'storage')
  expect(await storage()).toMatchObject({
    sentence: expect.stringMatching(/[\d.]+ GB of free space/),
  })
  const incoming = join(forecourt.filesFolder, 'incoming')
  await rm(incoming, { recursive: true })
  const failed = await storage()
  expect(failed).toMatchObject({ state: 'failed', since: expect.stringMatching(/Z$/) })
  expect(await storage()).toEqual(failed)
  await mkdir(incoming)
  expect((await storage())?.state).not.toBe('failed')
})

test('health requires permission', async () => {
  const dealer = await forecourt.as('northgate.dealer')
  await expect(dealer.call(health.system, {})).toRefuse(403)
})

test('metrics are for local requests and holders of the token', async () => {
  const statusOf = async (...args: Parameters<typeof metrics>) => (await metrics(...args)).statusCode
  expect(await statusOf()).toBe(200)
  expect(await statusOf({}, '10.0.0.7')).toBe(404)
  expect(await statusOf({ authorization: `Bearer ${TOKEN}` }, '10.0.0.7')).toBe(200)
  expect(await statusOf({ authorization: `Bearer ${TOKEN}x` }, '10.0.0.7')).toBe(404)
  // A local proxy forwards external requests.
  expect(await statusOf({ 'x-forwarded-for': '203.0.113.9' })).toBe(404)
  expect(await statusOf({ host: 'backoffice.example.com' })).toBe(404)
  expect(await statusOf({ host: '127.0.0.1.example.com' })).toBe(404)
})

test('metrics cover requests by endpoint, pools, jobs, emails and the process, without customer names', async () => {
  await admin.call(lots.list, {})
  await expect(admin.call(customers.list, {})).toRefuse(403)
  await forecourt.anonymous.send({ method: 'GET', url: '/made-up-by-a-stranger' })
  const text = (await metrics()).body
  expect(text).toMatch(
    /forecourt_request_seconds_count\{method="GET",endpoint="lots.list",status="200"\} [1-9]/,
  )
  expect(text).toMatch(
    /forecourt_request_seconds_count\{method="GET",endpoint="customers.list",status="403"\} 1/,
  )
  expect(text).toMatch(/forecourt_request_seconds_bucket\{le="0.1",method="GET",endpoint="lots.list"/)
  expect(text).toMatch(/forecourt_pool_connections\{pool="requests"\} [1-9]/)
  expect(text).toMatch(/forecourt_jobs\{state="failed"\} \d/)
  expect(text).toMatch(/forecourt_mails\{state="waiting"\} \d/)
  expect(text).toContain('process_cpu_seconds_total')
  expect(text).not.toMatch(/Northgate|Harbor|stranger/)
})

test('logs a request by its endpoint, without its data', async () => {
  lines.length = 0
  const answer = await forecourt.app.inject({
    method: 'GET',
    url: '/api/customers/get-lots?search=secret-word',
    headers: { authorization: `Bearer ${admin.token}` },
  })
  expect(lines).toHaveLength(1)
  const line: unknown = JSON.parse(lines[0] ?? '')
  expect(line).toMatchObject({
    msg: 'request',
    method: 'GET',
    endpoint: 'lots.list',
    status: 200,
    requestId: answer.headers['x-request-id'],
  })
  expect(lines[0]).not.toMatch(/secret-word|Bearer|northgate/i)
})

test('a local-only installation logs no requests by default', async () => {
  const quiet: string[] = []
  const other = await testApp(
    { FORECOURT_LOG_REQUESTS: '' },
    { logTo: { write: (line) => void quiet.push(line) } },
  )
  await other.anonymous.send({ method: 'GET', url: '/healthz' })
  await other.close()
  expect(quiet).toEqual([])
  expect(readSettings({ PUBLIC_URL: 'https://backoffice.example.com' }).logsRequests).toBe(true)
})

test('measures how long requests wait for each other, says so if it is long, and has an alert rule for it', async () => {
  const until = performance.now() + 1_300
  while (performance.now() < until);
  await new Promise((done) => setTimeout(done, 50))
  const server = (await admin.call(health.system, {})).checks.find(({ name }) => name === 'server')
  expect(server?.state).toBe('late')
  expect(server?.sentence).toMatch(/^Requests waited for each other, up to \d+(\.\d)? s in the last minute\./)
  const { body } = await metrics()
  const [, max = '0'] = /^forecourt_event_loop_delay_seconds\{of="max"\} (\S+)$/m.exec(body) ?? []
  expect(Number(max)).toBeGreaterThan(1)
  expect(body).toMatch(/^forecourt_event_loop_delay_seconds\{of="p99"\} /m)
  // Every metric that an alert rule names is measured.
  const rules = await readFile('docs/alert-rules.yml', 'utf8')
  const named = new Set(rules.match(/forecourt_\w+/g))
  expect([...named]).toContain('forecourt_event_loop_delay_seconds')
  expect([...named].filter((name) => !body.includes(name))).toEqual([])
})
