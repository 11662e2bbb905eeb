// @module-tag release
import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { lots } from '#contract/customers/lots/lots.ts'
import { feedRuns } from '#contract/feeds/runs/feed-runs.ts'
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

const { uploadFeed, csv } = feedImports(() => forecourt)

const feed = (stock: string) =>
  csv('VIN,Stock,Type,Year,Make,Model,Price,Mileage', `,${stock},Used,2015,Ford,Escape,11000,70000`)
const keptFiles = () => readdir(join(forecourt.filesFolder, 'kept', ford.customerId, '_feeds'))

test('a run keeps its file when applying is rejected, and can be applied later', async () => {
  const lotId = await ford.addLot()
  const run = await uploadFeed(admin, { lotId }, feed('KEPT1'))
  const kept = await keptFiles()
  expect(kept).toHaveLength(1)
  for (let open = 0; open < 20; open += 1)
    await admin.call(lots.change, { selection: { ids: [lotId] }, change: { isPublic: false } })
  await expect(admin.call(feedRuns.apply, { id: run.id })).toRefuse(409, '20 unfinished jobs')
  expect(await keptFiles()).toEqual(kept)
  await forecourt.jobs.runDue()
  await admin.call(feedRuns.apply, { id: run.id })
  expect(await keptFiles()).toEqual([])
  await forecourt.jobs.runDue()
  expect(await admin.call(feedRuns.get, { id: run.id })).toMatchObject({ status: 'applied', error: null })
})

test('a run keeps its file when canceling is not committed', async () => {
  const run = await uploadFeed(admin, { lotId: await ford.addLot() }, feed('KEPT2'))
  const kept = await keptFiles()
  await forecourt.owner.query(
    `create function refuse_canceled() returns trigger language plpgsql as $$ begin raise exception 'not now'; end $$;
    create constraint trigger refuse_canceled after update on feed_runs deferrable initially deferred
      for each row when (new.status = 'canceled') execute function refuse_canceled()`,
  )
  await expect(admin.call(feedRuns.cancel, { id: run.id })).toRefuse(500)
  expect(await keptFiles()).toEqual(kept)
  await forecourt.owner.query('drop trigger refuse_canceled on feed_runs')
  await expect(admin.call(feedRuns.cancel, { id: run.id })).resolves.toMatchObject({ status: 'canceled' })
  expect(await keptFiles()).toEqual([])
})
