// @module-tag release
import { mkdir, readdir, utimes, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { feedRuns } from '#contract/feeds/runs/feed-runs.ts'
import { vehicles } from '#contract/vehicles/vehicles/vehicles.ts'
import { clock } from '#server/clock.ts'
import { openFolderStorage } from '#server/outside/folder-storage.ts'
import { sweepFeedFiles } from '#server/feeds/index.ts'
import { testApp, type Caller, type TestApp } from '#test/app.ts'
import { feedImports } from '#test/factories/feeds/feed-imports.ts'
import { multipart } from '#test/harness/multipart.ts'
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

const { uploadFeed, csv, apply, undo, onLot, forgetVins } = feedImports(() => forecourt)
beforeEach(() => forgetVins('1FTFW1E50PFA00001', '1FADP3F20DL200002'))

const HEAD = 'VIN,Stock,Type,Year,Make,Model,Price,Mileage'
const F150 = '1FTFW1E50PFA00001,A1,Used,2023,Ford,F-150,45000,12000'
const FOCUS = '1FADP3F20DL200002,A2,Used,2013,Ford,Focus,9000,88000'

test('a vehicle sold after the file was read stays sold at its price, and the run notes it', async () => {
  const lotId = await ford.addLot()
  await apply(admin, (await uploadFeed(admin, { lotId }, csv(HEAD, F150, FOCUS))).id)
  const run = await uploadFeed(
    admin,
    { lotId },
    csv(HEAD, F150.replace('45000', '44000'), FOCUS.replace('9000', '8000')),
  )
  expect(run).toMatchObject({ changed: 2 })
  const [f150] = await onLot(lotId)
  await admin.call(vehicles.update, { id: f150?.id ?? '', status: 'sold' })
  expect(await apply(admin, run.id)).toMatchObject({ status: 'applied', skipped: 1 })
  const { results } = await admin.call(feedRuns.rows, { runId: run.id, state: 'skipped' })
  expect(results).toMatchObject([
    { vin: '1FTFW1E50PFA00001', note: 'Its status was changed to sold after the file was read.' },
  ])
  expect(results[0]?.changes.map(({ field }) => field)).toContain('price')
  const sold = { status: 'sold', price_cents: '4500000' }
  expect(await onLot(lotId)).toMatchObject([sold, { status: 'live', price_cents: '800000' }])
  expect(await undo(admin, run.id)).toMatchObject({ status: 'undone', notUndone: 0 })
  expect(await onLot(lotId)).toMatchObject([sold, { status: 'live', price_cents: '900000' }])
})

test('removes orphaned feed files after an hour and keeps readable ones for a week', async () => {
  const folder = join(forecourt.filesFolder, 'kept', ford.customerId, '_feeds')
  await mkdir(folder, { recursive: true })
  const { payload, headers } = multipart({}, [csv(HEAD, F150)])
  await forecourt.app.inject({
    method: 'POST',
    url: feedRuns.add.path,
    payload,
    headers: { ...headers, authorization: `Bearer ${admin.token}` },
  })
  const [waiting = ''] = await readdir(folder)
  for (const name of ['left-behind', 'young']) await writeFile(join(folder, name), 'VIN\n')
  const old = new Date(clock.now() - 2 * 3_600_000)
  for (const name of [waiting, 'left-behind']) await utimes(join(folder, name), old, old)
  await utimes(join(folder, 'young'), clock.date(), clock.date())
  const parts = {
    storage: await openFolderStorage(forecourt.filesFolder),
    iam: forecourt.identity.iam,
    pool: forecourt.appPool,
  }
  expect(await sweepFeedFiles(parts)).toBe(1)
  expect((await readdir(folder)).toSorted()).toEqual([waiting, 'young'].toSorted())
  expect(await sweepFeedFiles(parts)).toBe(0)
  await forecourt.jobs.runDue()
  expect(await sweepFeedFiles(parts)).toBe(0)
  expect((await readdir(folder)).toSorted()).toEqual([waiting, 'young'].toSorted())
  await forecourt.owner.query(
    `update feed_runs set created_at = app_now() - interval '8 days' where stored_as = $1`,
    [waiting],
  )
  expect(await sweepFeedFiles(parts)).toBe(1)
  expect(await readdir(folder)).toEqual(['young'])
})
