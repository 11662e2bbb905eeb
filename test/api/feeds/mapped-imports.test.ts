// @module-tag release
import { afterAll, beforeAll, expect, test } from 'vitest'
import { z } from 'zod'
import { dealerIds } from '#contract/customers/dealer-ids/dealer-ids.ts'
import { lots } from '#contract/customers/lots/lots.ts'
import { FeedRun, feedRuns } from '#contract/feeds/runs/feed-runs.ts'
import { unmappedValues } from '#contract/feeds/values/unmapped-values.ts'
import { valueMappings } from '#contract/feeds/values/value-mappings.ts'
import { testApp, type Caller, type TestApp } from '#test/app.ts'
import { multipart } from '#test/harness/multipart.ts'
import { fresh, testOrganization } from '#test/factories/test-organization.ts'

let forecourt: TestApp
let admin: Caller
beforeAll(async () => {
  forecourt = await testApp()
  admin = await forecourt.as('northgate.admin', 'Northgate Ford')
})
afterAll(() => forecourt.close())

/** Uploads a file as a browser does and reads it. */
async function uploadFeed(...lines: string[]): Promise<FeedRun> {
  const { payload, headers } = multipart({}, [{ name: 'feed.csv', bytes: `${lines.join('\n')}\n` }])
  const { body } = await forecourt.app.inject({
    method: 'POST',
    url: feedRuns.add.path,
    payload,
    headers: { ...headers, authorization: `Bearer ${admin.token}` },
  })
  const { data } = z.object({ data: FeedRun }).parse(JSON.parse(body))
  await forecourt.jobs.runDue()
  return admin.call(feedRuns.get, { id: data.id })
}

test('an import assigns lots by dealer ID, applies value mappings, and records unmapped values', async () => {
  const ford = await testOrganization(forecourt, 'Northgate Ford')
  const lotId = await ford.addLot()
  const [own, unknown] = [fresh('DLR').replace(' ', ''), fresh('DLR').replace(' ', '')]
  const [known, strange] = [fresh('Roomy thing'), fresh('Strange thing')]
  await admin.call(lots.update, { id: lotId, dealerIds: [own] })
  await admin.call(valueMappings.add, { field: 'body', raw: known, canonical: 'Wagon' })
  const row = (vin: string, dealer: string, body: string) =>
    `${dealer},${vin},S-${vin},2023,Ford,F-150,${body},45000`
  const feed = [
    'Dealer ID,VIN,Stock No,Year,Make,Model,Body Type,Price',
    row('1FTFW1E50PFA00001', own, known.toUpperCase()),
    row('1FTFW1E50PFA00002', own.toLowerCase(), strange),
    row('1FTFW1E50PFA00003', unknown, strange),
  ]
  const run = await uploadFeed(...feed)
  expect(run).toMatchObject({ new: 2, refused: 1 })
  await admin.call(feedRuns.apply, { id: run.id, confirm: true })
  await forecourt.jobs.runDue()
  const { rows } = await forecourt.owner.query<{ body: string }>(
    'select body from vehicles where lot_id = $1 order by vin',
    [lotId],
  )
  expect(rows.map(({ body }) => body)).toEqual(['Wagon', strange])
  expect((await admin.call(unmappedValues.list, { search: strange })).results).toMatchObject([
    { field: 'body', rows: 2, suggestion: 'Truck', samples: [{ vin: '1FTFW1E50PFA00002' }] },
  ])
  expect(
    (await admin.call(dealerIds.unmatched, {})).filter(({ dealerId }) => dealerId === unknown),
  ).toMatchObject([{ rows: 1 }])
  expect((await admin.call(unmappedValues.list, { search: known })).results).toEqual([])
})

test('dates of a feed are read in the order that their column proves, and are asked about if nothing proves it', async () => {
  const ford = await testOrganization(forecourt, 'Northgate Ford')
  const lotId = await ford.addLot()
  const dealer = fresh('DLR').replace(' ', '')
  await admin.call(lots.update, { id: lotId, dealerIds: [dealer] })
  const datesOf = async (start: string, dates: readonly string[]) => {
    const vins = dates.map((_, at) => `${start}${String(at).padStart(5, '0')}`)
    const run = await uploadFeed(
      'Dealer ID,VIN,Stock No,Year,Make,Model,In Stock Date,Price',
      ...dates.map((date, at) => `${dealer},${vins[at]},S-${vins[at]},2023,Ford,F-150,${date},45000`),
    )
    await admin.call(feedRuns.apply, { id: run.id, confirm: true })
    await forecourt.jobs.runDue()
    const { rows } = await forecourt.owner.query<{ day: string }>(
      'select in_stock_on::text as day from vehicles where vin = any($1) order by vin',
      [vins],
    )
    return rows.map(({ day }) => day)
  }
  expect(await datesOf('1FTFW1E50PFB', ['03/04/2026', '13/04/2026'])).toEqual(['2026-04-03', '2026-04-13'])
  expect(await datesOf('1FTFW1E50PFC', ['03/04/2026', '04/13/2026'])).toEqual(['2026-03-04', '2026-04-13'])
  await expect(datesOf('1FTFW1E50PFD', ['03/04/2026', '05/04/2026'])).rejects.toThrow(
    'Answer the questions about this file first.',
  )
})
