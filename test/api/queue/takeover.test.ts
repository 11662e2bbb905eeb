import { afterAll, beforeAll, expect, test } from 'vitest'
import { feedRuns } from '#contract/feeds/runs/feed-runs.ts'
import { jobs } from '#contract/jobs/jobs.ts'
import { testApp, type Caller, type TestApp } from '#test/app.ts'
import { feedImports } from '#test/factories/feeds/feed-imports.ts'
import { testOrganization, type TestOrganization } from '#test/factories/test-organization.ts'

let forecourt: TestApp
let ford: TestOrganization
let admin: Caller
beforeAll(async () => {
  forecourt = await testApp()
  ford = await testOrganization(forecourt, 'Northgate Ford')
  admin = await forecourt.as('northgate.admin', 'Northgate Ford')
})
afterAll(() => forecourt.close())

const { uploadFeed, csv, onLot } = feedImports(() => forecourt)

const ROWS = 40
/** Rows that a server wrote before it was killed. */
const DONE = 15

/** The state after a kill in the middle of applying: some rows are written, and the lease has not expired. */
async function leaveBehind(runId: string): Promise<string> {
  const { jobId } = await admin.call(feedRuns.apply, { id: runId })
  await forecourt.owner.query(
    `update feed_run_rows set state = 'skipped' where run_id = $1 and id in
      (select id from feed_run_rows where run_id = $1 and state = 'staged' order by id limit ${DONE})`,
    [runId],
  )
  await forecourt.owner.query(
    `update jobs set state = 'running', started_at = app_now(), done = ${DONE}, total = ${ROWS}, attempts = 1,
      lease = gen_random_uuid(), leased_until = app_clock_timestamp() + interval '30 seconds' where id = $1`,
    [jobId],
  )
  return jobId ?? ''
}

test('a run that a killed server was applying waits for the lease to expire, then is completed by another server', async () => {
  const lotId = await ford.addLot()
  const lines = Array.from({ length: ROWS }, (_, at) => `,TAKE${at},Used,2015,Ford,Escape,11000,70000`)
  const run = await uploadFeed(
    admin,
    { lotId },
    csv('VIN,Stock,Type,Year,Make,Model,Price,Mileage', ...lines),
  )
  const jobId = await leaveBehind(run.id)

  await forecourt.jobs.runDue()
  expect(await admin.call(jobs.get, { id: jobId })).toMatchObject({
    state: 'running',
    done: DONE,
    total: ROWS,
  })

  await forecourt.owner.query(`update jobs set leased_until = app_clock_timestamp() where id = $1`, [jobId])
  await forecourt.jobs.runDue()
  expect(await admin.call(jobs.get, { id: jobId })).toMatchObject({ state: 'done', done: ROWS, total: ROWS })
  expect(await admin.call(feedRuns.get, { id: run.id })).toMatchObject({ status: 'applied' })
  expect(await onLot(lotId)).toHaveLength(ROWS - DONE)
})
