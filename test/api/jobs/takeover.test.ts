import { afterAll, beforeAll, expect, test } from 'vitest'
import { feedRuns } from '#contract/inventory/feeds/runs/feed-runs.ts'
import { jobs } from '#contract/jobs/jobs.ts'
import { testApp, type Caller, type TestApp } from '#test/app.ts'
import { feedImports } from '#test/factories/inventory/feed-imports.ts'
import { placeOf, type Place } from '#test/factories/places.ts'

let forecourt: TestApp
let ford: Place
let admin: Caller
beforeAll(async () => {
  forecourt = await testApp()
  ford = await placeOf(forecourt, 'Northgate Ford')
  admin = await forecourt.as('northgate.admin', 'Northgate Ford')
})
afterAll(() => forecourt.close())

const { bring, csv, onLot } = feedImports(() => forecourt)

const ROWS = 40
/** What a server wrote before it was killed. */
const DONE = 15

/** As after a hard kill in the middle of applying: some rows are written, and the job is held for a moment yet. */
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

test('what a killed server was applying is left alone until its lease is over, then ends with all of its rows', async () => {
  const lotId = await ford.addLot()
  const lines = Array.from({ length: ROWS }, (_, at) => `,TAKE${at},Used,2015,Ford,Escape,11000,70000`)
  const run = await bring(admin, { lotId }, csv('VIN,Stock,Type,Year,Make,Model,Price,Mileage', ...lines))
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
