import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { lots } from '#contract/customers/lots/lots.ts'
import { jobs } from '#contract/jobs/jobs.ts'
import { reports } from '#contract/reports/reports.ts'
import { claimJob } from '#server/queue/job-lease.ts'
import { kyselyOver, statement } from '#server/database/tenant-transaction.ts'
import { testApp, type Caller, type TestApp } from '#test/app.ts'
import { countWaiting } from '#test/harness/concurrently.ts'
import { addManyLots, lookAtLots } from '#test/factories/customers/many-lots.ts'
import { fresh, testOrganization, type TestOrganization } from '#test/factories/test-organization.ts'

const MANY = 1_200

let forecourt: TestApp
let ford: TestOrganization
let harbor: TestOrganization
let dealer: Caller
let admin: Caller
beforeAll(async () => {
  forecourt = await testApp()
  ford = await testOrganization(forecourt, 'Northgate Ford')
  harbor = await testOrganization(forecourt, 'Harbor Honda')
  dealer = await forecourt.as('northgate.dealer')
  admin = await forecourt.as('northgate.admin', 'Northgate Ford')
})
afterAll(() => forecourt.close())
beforeEach(() => forecourt.owner.query(`delete from jobs`))

const word = (): string => `${fresh('Bulk').replace(' ', '')}x`
const addMany = async (count = MANY, place = ford): Promise<{ ids: string[]; search: string }> => {
  const search = word()
  return { ids: await addManyLots(forecourt, place, { count, word: search }), search }
}
const hide = (caller: Caller, search: string) =>
  caller.call(lots.change, { selection: { all: true, search }, change: { isPublic: false } })

test('changes all matching rows in batches, exactly those counted at the start', async () => {
  const { ids, search } = await addMany()
  const started = await hide(dealer, search)
  expect(started).toMatchObject({
    kind: 'lots.change',
    title: 'Hide 1,200 lots from public pages',
    state: 'waiting',
    total: MANY,
    done: 0,
    isMine: true,
    canCancel: true,
    canUndo: false,
    startedBy: 'Luis Ortega',
  })
  const later = await ford.addLot(`${search} later`)
  await forecourt.jobs.runLease()
  expect(await dealer.call(jobs.get, { id: started.id })).toMatchObject({ state: 'running', done: 500 })
  await forecourt.jobs.runDue()
  expect(await dealer.call(jobs.get, { id: started.id })).toMatchObject({
    state: 'done',
    done: MANY,
    failures: 0,
    canCancel: false,
    canUndo: true,
  })
  expect(await lookAtLots(forecourt, ids)).toEqual({ there: MANY, visible: 0, versions: [2] })
  expect(await lookAtLots(forecourt, [later])).toEqual({ there: 1, visible: 1, versions: [1] })
})

test('changes exactly the selected rows, and lists the deleted ones', async () => {
  const { ids, search } = await addMany(4)
  const [first = '', second = '', third = '', fourth = ''] = ids
  const some = await dealer.call(lots.change, {
    selection: { ids: [first, second, '999999999'] },
    change: { isPublic: false },
  })
  await dealer.call(lots.remove, { id: second })
  const others = await dealer.call(lots.change, {
    selection: { all: true, search, except: [fourth] },
    change: { isPublic: false },
  })
  await forecourt.jobs.runDue()
  expect(await dealer.call(jobs.get, { id: some.id })).toMatchObject({ total: 3, done: 3, failures: 2 })
  const gone = 'It was deleted, or you no longer have access to it.'
  expect(await dealer.call(jobs.failures, { id: some.id })).toEqual([
    { rowId: second, title: `No. ${second}`, reason: gone },
    { rowId: '999999999', title: 'No. 999999999', reason: gone },
  ])
  expect(await dealer.call(jobs.get, { id: others.id })).toMatchObject({ total: 2, failures: 0 })
  expect(await lookAtLots(forecourt, [first, third])).toMatchObject({ visible: 0, versions: [2] })
  expect(await lookAtLots(forecourt, [fourth])).toMatchObject({ visible: 1, versions: [1] })
})

test('no matching rows start no job', async () => {
  await expect(hide(dealer, 'nothing is called this')).toRefuse(409, 'No lots match anymore.')
  await expect(
    dealer.call(lots.change, { selection: { all: true, filter: 'nam == "x"' }, change: { isPublic: true } }),
  ).toRefuse(400, 'filter')
  expect((await dealer.call(jobs.list, {})).totalRows).toBe(0)
})

test('a job writes one audit entry with user, change and count, and none per row', async () => {
  const { ids, search } = await addMany(3)
  const { id } = await hide(dealer, search)
  await forecourt.jobs.runDue()
  const { rows } = await forecourt.owner.query<Record<string, unknown>>(
    `select operation, table_name, row_id, actor_name, endpoint, organization_id, after from audit_log
    where (table_name = 'lots' and row_id = any($1) and operation = 'update') or (table_name = 'jobs' and row_id = $2)`,
    [ids, id],
  )
  expect(rows).toEqual([
    {
      operation: 'event',
      table_name: 'jobs',
      row_id: id,
      actor_name: 'Luis Ortega',
      endpoint: 'lots.change',
      organization_id: ford.organizationId,
      after: {
        event: 'Hide 3 lots from public pages',
        state: 'done',
        total: 3,
        done: 3,
        failures: 0,
        changed: 3,
        undo_of: null,
        payload: { change: { isPublic: false }, selection: { all: true, search } },
      },
    },
  ])
})

test('the setting that skips audit entries only works inside a running job of the customer', async () => {
  const [lot, foreign] = [await ford.addLot(), await harbor.addJob()]
  await forecourt.owner.query(`update jobs set state = 'running' where id = $1`, [foreign])
  await forecourt.owner.query('begin')
  await forecourt.owner.query(`select set_config('app.job_id', $1, true)`, [foreign])
  await forecourt.owner.query(`update lots set name = 'Changed' where id = $1`, [lot])
  await forecourt.owner.query('commit')
  const { rowCount } = await forecourt.owner.query(
    `select from audit_log where table_name = 'lots' and row_id = $1 and operation = 'update'`,
    [lot],
  )
  expect(rowCount).toBe(1)
})

test('a canceled job stops before its next batch, and its changes can be undone', async () => {
  const { ids, search } = await addMany()
  const { id } = await hide(dealer, search)
  await forecourt.jobs.runLease()
  expect(await dealer.call(jobs.cancel, { id })).toMatchObject({ state: 'running', canCancel: false })
  await forecourt.jobs.runDue()
  expect(await dealer.call(jobs.get, { id })).toMatchObject({ state: 'canceled', done: 500, canUndo: true })
  expect(await lookAtLots(forecourt, ids)).toMatchObject({ visible: MANY - 500 })
  await expect(dealer.call(jobs.cancel, { id })).toRefuse(409, 'This job has already ended.')

  const waiting = await hide(dealer, search)
  expect(await dealer.call(jobs.cancel, { id: waiting.id })).toMatchObject({ state: 'canceled', done: 0 })
})

test('after a server is killed between batches, another continues; no row is processed twice', async () => {
  const { ids, search } = await addMany()
  const { id } = await hide(dealer, search)
  await forecourt.jobs.runLease()
  const queue = kyselyOver((query) => forecourt.jobsPool.query(statement(query)))
  expect(await claimJob(queue, ['lots.change'])).toMatchObject({ id })
  // While the lease lasts, no other server takes the job.
  await forecourt.jobs.runDue()
  expect(await dealer.call(jobs.get, { id })).toMatchObject({ done: 500 })
  await endLeases()
  await forecourt.jobs.runDue()
  expect(await dealer.call(jobs.get, { id })).toMatchObject({ state: 'done', done: MANY })
  expect(await lookAtLots(forecourt, ids)).toEqual({ there: MANY, visible: 0, versions: [2] })
})

test('a server killed within a batch changes nothing of it', async () => {
  const { ids, search } = await addMany(20)
  const { id } = await hide(dealer, search)
  await forecourt.owner.query('begin')
  await forecourt.owner.query('select from lots where id = $1 for update', [ids.at(-1)])
  const turn = forecourt.jobs.runLease()
  await expect.poll(() => countWaiting(forecourt.owner)).toBe(1)
  const { rows } = await forecourt.owner.query<{ pid: number }>(
    `select pid from pg_locks where not granted and pid in (
      select pid from pg_stat_activity where datname = current_database())`,
  )
  // The owner can't end connections of the application's login; the login can end its own.
  const login = await forecourt.appPool.connect()
  await login.query('set role none')
  for (const { pid } of rows) await login.query('select pg_terminate_backend($1)', [pid])
  login.release(true)
  await turn
  await forecourt.owner.query('rollback')
  expect(await lookAtLots(forecourt, ids)).toEqual({ there: 20, visible: 20, versions: [1] })
  // After a failed attempt the runner looks again by itself, and would take the jobs of other tests.
  await expect
    .poll(() => dealer.call(jobs.get, { id }))
    .toMatchObject({ state: 'done', done: 20, failures: 0 })
  await forecourt.jobs.runDue()
  expect(await lookAtLots(forecourt, ids)).toEqual({ there: 20, visible: 0, versions: [2] })
})

test('several servers process each row once', async () => {
  const one = await addMany()
  const other = await addMany()
  const started = [await hide(dealer, one.search), await hide(admin, other.search)]
  await Promise.all([forecourt.jobs.runDue(), ...Array.from({ length: 4 }, () => turns(forecourt))])
  const states = await Promise.all(started.map(({ id }) => admin.call(jobs.get, { id })))
  expect(states.map(({ state, done }) => [state, done])).toEqual([
    ['done', MANY],
    ['done', MANY],
  ])
  const all = [...one.ids, ...other.ids]
  expect(await lookAtLots(forecourt, all)).toEqual({ there: 2 * MANY, visible: 0, versions: [2] })
})

test("many rows of one customer don't delay a few of another", async () => {
  const { search } = await addMany()
  const few = await addMany(2, harbor)
  await hide(dealer, search)
  await forecourt.jobs.runLease()
  const atHarbor = await forecourt.as('harbor.admin', 'Harbor Honda')
  const { id } = await hide(atHarbor, few.search)
  await forecourt.jobs.runLease()
  expect(await atHarbor.call(jobs.get, { id })).toMatchObject({ state: 'done' })
  await forecourt.jobs.runDue()
})

test('exports of one customer leave room for those of another', async () => {
  const queue = kyselyOver((query) => forecourt.jobsPool.query(statement(query)))
  const atHarbor = await forecourt.as('harbor.admin', 'Harbor Honda')
  const exportLots = (caller: Caller) =>
    caller.call(reports.startExport, { list: 'lots', format: 'csv', columns: ['code'] })
  const first = await exportLots(admin)
  await exportLots(admin)
  await exportLots(admin)
  const theirs = await exportLots(atHarbor)
  const next = () => claimJob(queue, ['reports.startExport'], ['reports.startExport'])
  expect([(await next())?.id, (await next())?.id]).toEqual([first.id, theirs.id])
  // One file of a customer is written at a time, so its others wait although nothing else does.
  expect(await next()).toBeNull()
  await forecourt.owner.query(`update jobs set state = 'done', lease = null where id = $1`, [first.id])
  expect(await next()).toMatchObject({ customerId: ford.customerId })
})

test.for([
  [
    'was switched off',
    `update users set is_active = false where user_name = 'leaver.at.work'`,
    'Sam Tester can no longer sign in.',
  ],
  [
    'lost the permission',
    `insert into user_permissions (customer_id, user_id, func, opr, is_allowed)
    select customer_id, id, 8, 4, false from users where user_name = 'leaver.at.work'`,
    "You don't have permission to do this. It requires Lots, update (8, 4).",
  ],
  [
    'left the organization',
    `delete from memberships where user_id = (select id from users where user_name = 'leaver.at.work')`,
    'Sam Tester is no longer a member of Northgate Ford.',
  ],
  [
    'reaches the organization alone',
    `update users set user_type_id = (select id from user_types t where t.customer_id = users.customer_id
      and t.name = 'Dealer user') where user_name = 'leaver.at.work'`,
    'Sam Tester no longer has access to the whole customer.',
  ],
  [
    'was deleted',
    `delete from users where user_name = 'leaver.at.work'`,
    'The user who started this no longer exists.',
  ],
  [
    'belongs to a customer that was suspended',
    `update customers set status = 'suspended' where name = 'Northgate Motor Group'`,
    'The customer is suspended.',
  ],
] as const)('a job stops, with the reason, when its person %s', async ([, change, reason]) => {
  await forecourt.owner.query(`delete from users where user_name = 'leaver.at.work'`)
  await ford.addMember({ userName: 'leaver.at.work', userType: 'Customer administrator' })
  const leaver = await forecourt.as('leaver.at.work')
  const { search, ids } = await addMany()
  const { id } = await hide(leaver, search)
  await forecourt.jobs.runLease()
  await forecourt.owner.query(change)
  await forecourt.jobs.runDue()
  const { rows } = await forecourt.owner.query<{ state: string; error: string; done: number }>(
    'select state, error, done from jobs where id = $1',
    [id],
  )
  await forecourt.owner.query(`update customers set status = 'active' where status = 'suspended'`)
  expect(rows).toEqual([{ state: 'failed', error: reason, done: 500 }])
  expect(await lookAtLots(forecourt, ids)).toMatchObject({ visible: MANY - 500 })
})

test('users see their own jobs, and with the permission for Jobs and health all jobs in their reach', async () => {
  const { search } = await addMany(1)
  const mine = await hide(dealer, search)
  await forecourt.jobs.runDue()
  const wide = await hide(admin, search)
  await forecourt.jobs.runDue()
  const ids = async (caller: Caller) => (await caller.call(jobs.list, {})).results.map(({ id }) => id)
  expect(await ids(dealer)).toEqual([mine.id])
  expect(await ids(admin)).toEqual([wide.id, mine.id])
  // An auditor of one organization sees jobs limited to it.
  expect(await ids(await forecourt.as('northgate.auditor'))).toEqual([mine.id])
  const colleague = await forecourt.as('northgate.sustain', 'Northgate Ford')
  expect(await ids(colleague)).toEqual([])
  await expect(colleague.call(jobs.get, { id: mine.id })).toRefuse(404, 'Job not found.')
  await expect(colleague.call(jobs.undo, { id: mine.id })).toRefuse(404)
  await expect((await forecourt.as('harbor.admin', 'Harbor Honda')).call(jobs.get, { id: wide.id })).toRefuse(
    404,
  )
  const [row] = (await admin.call(jobs.list, { search: 'ortega', sort: '-endedAt' })).results
  expect(row).toMatchObject({ id: mine.id, isMine: false, startedBy: 'Luis Ortega', canUndo: true })
  // The auditor can see jobs but not cancel or undo them.
  await expect((await forecourt.as('northgate.auditor')).call(jobs.undo, { id: mine.id })).toRefuse(
    403,
    'Only the user who started the job can undo it.',
  )
})

test('jobs are deleted with their rows after 90 days', async () => {
  const [old, young] = [await addMany(2), await addMany(2)]
  const [first, second] = [await hide(dealer, old.search), await hide(dealer, young.search)]
  await forecourt.jobs.runDue()
  await forecourt.owner.query(`update jobs set ended_at = app_now() - interval '91 days' where id = $1`, [
    first.id,
  ])
  expect([await forecourt.jobs.sweep(), await forecourt.jobs.sweep()]).toEqual([
    { files: 0, jobs: 1 },
    { files: 0, jobs: 0 },
  ])
  const { rows } = await forecourt.owner.query<{ job_id: string }>('select distinct job_id from job_rows')
  expect(rows).toEqual([{ job_id: second.id }])
})

test('unprocessed rows of a canceled job are deleted at once', async () => {
  const { search } = await addMany(3)
  const job = await hide(dealer, search)
  await dealer.call(jobs.cancel, { id: job.id })
  await turns(forecourt)
  const left = () =>
    forecourt.owner.query(`select from job_rows where job_id = $1 and state = 'pending'`, [job.id])
  expect((await left()).rowCount).toBe(3)
  await forecourt.jobs.sweep()
  expect((await left()).rowCount).toBe(0)
})

test('of 25 concurrent jobs, 20 are queued', async () => {
  const { search } = await addMany(1)
  const all = await Promise.allSettled(Array.from({ length: 25 }, () => hide(dealer, search)))
  expect(all.filter(({ status }) => status === 'fulfilled')).toHaveLength(20)
})

test('a user has at most 20 unfinished jobs', async () => {
  const { search } = await addMany(1)
  for (let n = 0; n < 20; n += 1) await hide(dealer, search)
  await expect(hide(dealer, search)).toRefuse(409, 'You have 20 unfinished jobs.')
})

const endLeases = () => forecourt.owner.query(`update jobs set leased_until = null`)

async function turns({ jobs: line }: TestApp): Promise<void> {
  while (await line.runLease());
}
