import { PgBoss } from 'pg-boss'
import type pg from 'pg'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { clock } from '#server/clock.ts'
import { openPool } from '#server/database/connect.ts'
import { kyselyOver, statement } from '#server/database/tenant-transaction.ts'
import { sweepSessions } from '#server/identity/index.ts'
import { startQueue } from '#server/jobs/queue.ts'
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

test('the queue runs as its own role: a job that was sent is done, and its schedule is kept', async () => {
  const errors: unknown[] = []
  const done: string[] = []
  // Half an hour from now, so that its schedule sends none while the test runs.
  const cron = `${(clock.date().getUTCMinutes() + 30) % 60} * * * *`
  const scheduled = { name: 'a-job', cron, run: async () => done.push('run') }
  const start = () => startQueue(jobsPool, [scheduled], (error) => errors.push(error))
  await (await start()).stop()

  // Sent while nobody works, so that the first look of the next start finds it.
  const sender = new PgBoss({
    schema: 'pgboss',
    db: { executeSql: (text, values) => jobsPool.query(text, values) },
    createSchema: false,
  })
  sender.on('error', (error) => errors.push(error))
  await sender.start()
  await sender.send('a-job')
  await sender.stop({ graceful: false })

  const jobs = await start()
  await expect.poll(() => done, { timeout: 15_000, interval: 50 }).toEqual(['run'])
  await jobs.stop()
  const { rows } = await jobsPool.query<{ name: string; cron: string; owner: string }>(
    `select name, cron, (select tableowner from pg_tables where schemaname = 'pgboss' and tablename = 'schedule') as owner
    from pgboss.schedule`,
  )
  expect({ errors, rows }).toEqual({
    errors: [],
    rows: [{ name: 'a-job', cron, owner: 'forecourt_jobs' }],
  })
})

test('schedules go on after the clock was set back', async () => {
  const errors: unknown[] = []
  const everyMinute = { name: 'each-minute', cron: '* * * * *', run: async () => {} }
  const start = () => startQueue(jobsPool, [everyMinute], (error) => errors.push(error))
  /** The runs that were ordered by the schedule, but for those that were there before. */
  const ordered = async (except: readonly string[] = []) => {
    const { rows } = await jobsPool.query<{ id: string }>(
      `select id from pgboss.job where name = '__pgboss__send-it' and singleton_key like 'each-minute%' and id <> all($1)`,
      [except],
    )
    return rows.map(({ id }) => id)
  }
  // Its schedule is looked at when it starts anew, not while it is made.
  await (await start()).stop()
  await jobsPool.query('update pgboss.version set cron_on = null')
  const before = await start()
  await expect.poll(() => ordered(), { timeout: 15_000, interval: 50 }).toHaveLength(1)
  await before.stop()

  // An hour behind what the queue remembers, down to the minutes that come again.
  await jobsPool.query(`update pgboss.version set cron_on = now() + interval '1 hour'`)
  await jobsPool.query(
    `update pgboss.job set singleton_on = singleton_on + interval '1 hour', start_after = start_after + interval '1 hour'
    where singleton_key like 'each-minute%'`,
  )
  const known = await ordered()
  const after = await start()
  await expect.poll(() => ordered(known), { timeout: 15_000, interval: 50 }).toHaveLength(1)
  const ahead = await jobsPool.query(
    `select from pgboss.job where singleton_on > now() at time zone 'UTC' + interval '2 minutes'`,
  )
  await after.stop()
  expect([ahead.rowCount, errors]).toEqual([0, []])
})

test('the role of the queue sees no tenant data and no session', async () => {
  await expect(jobsPool.query('select from public.lots')).rejects.toMatchObject({ code: '42501' })
  await expect(jobsPool.query('select from iam.sessions')).rejects.toMatchObject({ code: '42501' })
})
