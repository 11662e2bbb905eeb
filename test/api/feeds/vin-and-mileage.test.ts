// @module-tag release
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { feedSources } from '#contract/feeds/sources/feed-sources.ts'
import { feedRuns } from '#contract/feeds/runs/feed-runs.ts'
import { testApp, type Caller, type TestApp } from '#test/app.ts'
import { feedImports } from '#test/factories/feeds/feed-imports.ts'
import { fresh, testOrganization, type TestOrganization } from '#test/factories/test-organization.ts'

let forecourt: TestApp
let ford: TestOrganization
let admin: Caller
beforeAll(async () => {
  forecourt = await testApp()
  ford = await testOrganization(forecourt, 'Northgate Ford')
  admin = await forecourt.as('northgate.admin', 'Northgate Ford')
})
afterAll(() => forecourt.close())
const { uploadFeed, csv, apply, undo, rowsOf, stockOf, onLot, forgetVins } = feedImports(() => forecourt)
beforeEach(() => forgetVins('1FTFW1E59NKD69096', '1FMCU9GD2LU110021'))

const HEAD = 'Stock,VIN,Year,Make,Model,Price,Mileage'
const VIN = '1FTFW1E59NKD69096'
async function source() {
  const lotId = await ford.addLot()
  const { id: sourceId } = await admin.call(feedSources.add, { name: fresh('Odometer'), lotIds: [lotId] })
  return { lotId, sourceId }
}

test('a mileage that falls waits until a person decides, and a model year that contradicts the VIN is named', async () => {
  const { lotId, sourceId } = await source()
  const send = (...lines: string[]) => uploadFeed(admin, { sourceId }, csv(HEAD, ...lines))
  await apply(admin, (await send(`X1,${VIN},2022,Ford,F-150,39999,45210`)).id)
  const mileage = async () => (await onLot(lotId))[0]?.mileage

  const run = await send(`X1,${VIN},2012,Ford,F-150,38999,4521`)
  const sentence = 'The VIN is that of a 2022 Ford F-150, but the feed says 2012 Ford F-150.'
  expect(run).toMatchObject({
    // Ten years apart: it may be the VIN of another vehicle.
    status: 'review',
    reviewReasons: [sentence],
    changed: 1,
    mileageQuestions: { total: 1, taken: 0 },
    warnings: [{ sentence, rows: 1 }],
  })
  const question = { ownMileage: 45_210, sourceMileage: 4_521, answer: 'keep' }
  expect(await rowsOf(admin, run.id)).toMatchObject([{ mileageQuestion: question, warnings: [sentence] }])
  await apply(admin, run.id, true)
  expect(await mileage()).toBe(45_210)
  await undo(admin, run.id)

  const before = await stockOf(ford)
  const again = await send(`X1,${VIN},2022,Ford,F-150,39999,4521`)
  expect(again).toMatchObject({ changed: 0, mileageQuestions: { total: 1, taken: 0 } })
  expect(await admin.call(feedRuns.answerMileages, { runId: again.id, answer: 'take' })).toMatchObject({
    changed: 1,
    mileageQuestions: { total: 1, taken: 1 },
  })
  await apply(admin, again.id)
  expect(await mileage()).toBe(4_521)
  await undo(admin, again.id)
  expect(await stockOf(ford)).toEqual(before)
})

test('nothing is filled from the VIN of another make, and the run waits', async () => {
  const { sourceId } = await source()
  const run = await uploadFeed(admin, { sourceId }, csv(HEAD, `H1,${VIN},2023,Honda,Civic,25000,10`))
  expect(run).toMatchObject({
    status: 'review',
    reviewReasons: ['The VIN is that of a 2022 Ford F-150, but the feed says 2023 Honda Civic.'],
  })
  const [row] = await rowsOf(admin, run.id)
  expect(row?.changes.filter(({ isFromVin }) => isFromVin)).toEqual([])
})

test('a VIN that is in stock on another lot is named', async () => {
  const row = 'D1,1FMCU9GD2LU110021,2020,Ford,Escape,20000,40000'
  const [one, other] = [await source(), await source()]
  await apply(admin, (await uploadFeed(admin, { sourceId: one.sourceId }, csv(HEAD, row))).id)
  const { warnings, questions } = await uploadFeed(admin, { sourceId: other.sourceId }, csv(HEAD, row))
  expect(warnings).toEqual([
    { sentence: expect.stringMatching(/^This VIN is also in stock on the lot .+\.$/), rows: 1 },
  ])
  // A second vehicle is never added without a question.
  expect(questions).toMatchObject([{ kind: 'otherLot', rows: 1 }])
})
