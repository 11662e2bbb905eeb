import type pg from 'pg'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { clock } from '#server/clock.ts'
import { openPool } from '#server/database/connect.ts'
import { kyselyOver, statement } from '#server/database/tenant-transaction.ts'
import { sweepSessions } from '#server/identity/index.ts'
import { startSchedules } from '#server/queue/schedules.ts'
import { testApp, type TestApp } from '#test/app.ts'
import { freshDatabase, type TestDatabase } from '#test/engine/database.ts'

let forecourt: TestApp
let database: TestDatabase
let jobsPool: pg.Pool
beforeAll(async () => {
  forecourt = await testApp()
  database = await freshDatabase()
  jobsPool = openPool(database.login, 'forecourt_jobs', 4)
})
afterAll(async () => {
  await jobsPool.end()
  await database.drop()
  await forecourt.close()
})

test('the sweep forgets what ended a month ago and failures that no longer count, and nothing else', async () => {
  const { owner, iamPool } = forecourt
  const [old, revoked] = [await forecourt.as('northgate.dealer'), await forecourt.as('northgate.dealer')]
  const living = await forecourt.as('northgate.dealer')
  const alter = (token: string | null, change: string) =>
    owner.query(`update iam.sessions set ${change} where id = $1`, [sidOf(token)])
  await alter(old.token, `ends_at = app_now() - interval '31 days'`)
  await alter(revoked.token, `revoked_at = app_now() - interval '31 days'`)
  await owner.query(`insert into iam.sign_in_failures (kind, key, failures, last_at)
    values ('account', 'old', 1, app_now() - interval '13 hours'), ('account', 'new', 1, app_now())`)
  const iam = kyselyOver((query) => iamPool.query(statement(query)))
  const [first, second] = [await sweepSessions(iam), await sweepSessions(iam)]
  const { rows } = await owner.query<{ id: string }>('select id from iam.sessions')
  expect({ first, second, left: rows.map(({ id }) => id) }).toEqual({
    first: { sessions: 2, failures: 1 },
    second: { sessions: 0, failures: 0 },
    left: [sidOf(living.token)],
  })
})

function sidOf(token: string | null): string {
  const payload: unknown = JSON.parse(Buffer.from(token?.split('.')[1] ?? '', 'base64url').toString())
  return typeof payload === 'object' && payload !== null && 'sid' in payload ? String(payload.sid) : ''
}

const MINUTES = 60_000
const LOOK_MS = 20

/** A connection with the role of the queue. */
function queue() {
  return kyselyOver((query) => jobsPool.query(statement(query)))
}

async function nextRuns() {
  const { rows } = await jobsPool.query<{ name: string; next: number; isLeased: boolean; failures: number }>(
    `select name, extract(epoch from next_run_at)::float8 * 1000 as next, leased_until > app_clock_timestamp() as "isLeased", failures
    from queue.schedules order by name`,
  )
  return rows
}

/** Makes a schedule due now. */
const makeDue = (name: string) =>
  jobsPool.query(`update queue.schedules set next_run_at = app_now() where name = $1`, [name])

test('a due schedule runs once, on one of two servers, and then waits for its next regular time', async () => {
  const errors: unknown[] = []
  const runs: string[] = []
  const serverOf = (server: string) =>
    startSchedules(
      queue(),
      [{ name: 'hourly', everyMinutes: 60, offsetMinutes: 17, run: async () => runs.push(server) }],
      (error) => errors.push(error),
      LOOK_MS,
    )
  const servers = [await serverOf('one'), await serverOf('two')]
  expect(runs).toEqual([])
  await makeDue('hourly')
  await expect.poll(nextRuns).toMatchObject([{ name: 'hourly', isLeased: null, failures: 0 }])
  await expect.poll(() => runs).toHaveLength(1)
  await expect.poll(async () => new Date((await nextRuns())[0]?.next ?? 0).getUTCMinutes()).toBe(17)
  await Promise.all(servers.map((server) => server.stop()))
  expect([runs.length, errors]).toEqual([1, []])
})

test('a failed run is reported and retried, up to three times before the next regular run', async () => {
  await jobsPool.query('delete from queue.schedules')
  const errors: unknown[] = []
  const schedules = await startSchedules(
    queue(),
    [{ name: 'failing', everyMinutes: 60, run: () => Promise.reject(new Error('It broke.')) }],
    (error) => errors.push(error),
    LOOK_MS,
  )
  const waits: number[] = []
  for (let attempt = 1; attempt <= 4; attempt += 1) {
    await makeDue('failing')
    await expect.poll(() => errors).toHaveLength(attempt)
    await expect.poll(async () => (await nextRuns())[0]?.isLeased).toBe(null)
    waits.push(Math.round(((await nextRuns())[0]?.next ?? 0) - clock.date().getTime()) / 1_000)
  }
  await schedules.stop()
  const [{ failures } = { failures: -1 }] = await nextRuns()
  // The regular run comes sooner only when the hour is about to end.
  expect(waits.slice(0, 3).every((wait, at) => wait <= ([30, 60, 120][at] ?? 0))).toBe(true)
  expect(failures).toBe(0)
})

test('a schedule with work runs at the next look instead of at its next regular time', async () => {
  await jobsPool.query('delete from queue.schedules')
  const runs: string[] = []
  let isWaiting = false
  const schedules = await startSchedules(
    queue(),
    [
      {
        name: 'ledger',
        everyMinutes: 60,
        hasWork: () => Promise.resolve(isWaiting),
        async run() {
          isWaiting = false
          runs.push('run')
        },
      },
    ],
    () => {},
    LOOK_MS,
  )
  await expect.poll(nextRuns).toHaveLength(1)
  expect(runs).toEqual([])
  isWaiting = true
  await expect.poll(() => runs).toEqual(['run'])
  await schedules.stop()
})

test('a schedule of a server that was killed runs elsewhere once its lease expires', async () => {
  await jobsPool.query('delete from queue.schedules')
  const runs: string[] = []
  const start = () =>
    startSchedules(
      queue(),
      [{ name: 'taken-over', everyMinutes: 60, run: async () => runs.push('run') }],
      () => {},
      LOOK_MS,
    )
  await (await start()).stop()
  const leaseUntil = (until: string) =>
    jobsPool.query(
      `update queue.schedules set next_run_at = app_now(), lease = gen_random_uuid(), leased_until = app_clock_timestamp() + $1::interval`,
      [until],
    )
  await leaseUntil('30 seconds')
  const server = await start()
  await expect.poll(nextRuns).toMatchObject([{ isLeased: true }])
  expect(runs).toEqual([])
  await leaseUntil('-1 second')
  await expect.poll(() => runs).toEqual(['run'])
  await server.stop()
})

test('schedules and leases continue after the clock is set back', async () => {
  await jobsPool.query('delete from queue.schedules')
  const runs: string[] = []
  const start = () =>
    startSchedules(
      queue(),
      [{ name: 'every-minute', everyMinutes: 1, run: async () => runs.push('run') }],
      () => {},
      LOOK_MS,
    )
  await (await start()).stop()
  // An hour ahead, as everything is that was stored before the clock was set back by an hour.
  await jobsPool.query(
    `update queue.schedules set next_run_at = next_run_at + interval '1 hour', lease = gen_random_uuid(),
      leased_until = app_clock_timestamp() + interval '1 hour'`,
  )
  const server = await start()
  await expect.poll(() => runs).toEqual(['run'])
  await server.stop()
  const [next] = await nextRuns()
  expect((next?.next ?? 0) - clock.date().getTime()).toBeLessThanOrEqual(MINUTES)
})

test('the role of the queue sees no tenant data and no session', async () => {
  await expect(jobsPool.query('select from public.lots')).rejects.toMatchObject({ code: '42501' })
  await expect(jobsPool.query('select from iam.sessions')).rejects.toMatchObject({ code: '42501' })
})
