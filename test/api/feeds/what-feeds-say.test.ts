import { afterAll, beforeAll, expect, test } from 'vitest'
import { feedRuns } from '#contract/feeds/runs/feed-runs.ts'
import { feedSources } from '#contract/feeds/sources/feed-sources.ts'
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
const { uploadFeed, csv, apply, undo, rowsOf } = feedImports(() => forecourt)

async function source() {
  const lotId = await ford.addLot()
  const { id: sourceId } = await admin.call(feedSources.add, { name: fresh('Said'), lotIds: [lotId] })
  return { lotId, sourceId }
}

test.for([
  ['24000 Canadian dollars', 'CAD'],
  ['24,000 pesos', 'MXN'],
  ['24000 euros', 'EUR'],
  ['CDN$24,000', 'CAD'],
  ['CAN $24,000', 'CAD'],
  ['24000 $ CA', 'CAD'],
  ['24000 can', 'CAD'],
  ['24000 pounds', 'GBP'],
  ['¥2400000', 'JPY'],
] as const)('a price of %s is not taken as dollars', async ([text, currency]) => {
  const { sourceId } = await source()
  const run = await uploadFeed(
    admin,
    { sourceId },
    csv('Stock,Year,Make,Model,Price', `CW1,2020,Ford,Escape,"${text}"`),
  )
  const [row] = await rowsOf(admin, run.id)
  expect(row?.changes.some(({ field }) => field === 'price')).toBe(false)
  expect(row?.warnings.join()).toContain(`is in ${currency}, not in USD. Left blank.`)
})

test.for([
  'Price (CAD)',
  'Price EUR',
  'price_gbp',
  'PriceCHF',
  'Price €',
  'Price (USD)',
  'Selling Price USD',
])('the currency in the name of the column %s counts', async (column) => {
  const { sourceId } = await source()
  const run = await uploadFeed(
    admin,
    { sourceId },
    csv(`Stock,Year,Make,Model,${column}`, 'CH1,2020,Ford,Escape,24000'),
  )
  const [row] = await rowsOf(admin, run.id)
  const isOwn = column.includes('USD')
  expect(row?.changes.find(({ field }) => field === 'price')?.after ?? null).toBe(isOwn ? 2_400_000 : null)
  expect(row?.warnings.join()).toMatch(isOwn ? /^$/ : /is in (CAD|EUR|GBP|CHF), not in USD\. Left blank\./)
})

test.for([
  ['25k', 2_500_000],
  ['$25.5 K', 2_550_000],
  ['24000 US dollars', 2_400_000],
  ['$24,000 plus tax', 2_400_000],
  ['299/mo', null],
] as const)('a price of %s is read as %s cents', async ([text, cents]) => {
  const { sourceId } = await source()
  const run = await uploadFeed(
    admin,
    { sourceId },
    csv('Stock,Year,Make,Model,Price', `CW1,2020,Ford,Escape,"${text}"`),
  )
  const [row] = await rowsOf(admin, run.id)
  expect(row?.changes.find(({ field }) => field === 'price')?.after ?? null).toBe(cents)
})

test('a currency column that is new in a known source is read', async () => {
  const { sourceId } = await source()
  const head = 'Stock,Year,Make,Model,Price'
  const rows = [1, 2, 3, 4].map((at) => `NC${at},2020,Ford,Escape,${24_000 + at}`)
  await apply(admin, (await uploadFeed(admin, { sourceId }, csv(head, ...rows))).id)
  const run = await uploadFeed(
    admin,
    { sourceId },
    csv(`${head},Currency`, ...rows.map((row) => `${row}5,CAD`)),
  )
  expect(run.prices).toBe(4)
  expect(run.lostPrices).toBe(4)
  expect(run.warnings[0]?.sentence).toContain('is in CAD, not in USD')
})

test('a run says what it takes away and lists rows with an unknown status', async () => {
  const { sourceId } = await source()
  const head = 'Stock,Year,Make,Model,Price,Mileage,Status,Photos'
  const photos = (count: number) =>
    Array.from({ length: count }, (_, at) => `https://img.example/${at}.jpg`).join('|')
  const row = (at: number, price = '20000', mileage = '30000', status = 'Available', count = 4) =>
    `TA${at},2020,Ford,Escape,${price},${mileage},${status},${photos(count)}`
  const all = Array.from({ length: 40 }, (_, at) => at + 10)
  await apply(admin, (await uploadFeed(admin, { sourceId }, csv(head, ...all.map((at) => row(at))))).id)
  const changed = new Map([
    [10, row(10, '')],
    [11, row(11, '20000', '')],
    [12, row(12, '20000', '30000', 'Sold')],
    [13, row(13, '20000', '30000', 'Available', 1)],
    [14, row(14, '20000', '30000', 'Available', 0)],
    [15, row(15, '20000', '20000')],
  ])
  const first = await uploadFeed(
    admin,
    { sourceId },
    csv(head, ...all.map((at) => changed.get(at) ?? row(at))),
  )
  const takenAway = { gone: 1, removed: 0, prices: 1, photos: 2, mileages: 1, lowerMileages: 0 }
  expect(first).toMatchObject({ takenAway, mileageQuestions: { total: 1 }, unknownStatuses: 0 })
  await apply(admin, first.id, true)
  expect((await admin.call(feedRuns.get, { id: first.id })).takenAway).toEqual(takenAway)
  await undo(admin, first.id)
  const odd = await uploadFeed(
    admin,
    { sourceId },
    csv(head, ...all.map((at) => (at === 17 ? row(17, '20000', '30000', 'Zzz') : row(at)))),
  )
  expect(odd).toMatchObject({ unknownStatuses: 1, changed: 0 })
  const listed = (await admin.call(feedRuns.rows, { runId: odd.id, asks: 'status' })).results
  expect(listed.map(({ stock, warnings }) => [stock, warnings])).toEqual([
    ['TA17', [expect.stringContaining("isn't a known status")]],
  ])
})

test('columns that are not read are named', async () => {
  const { sourceId } = await source()
  const run = await uploadFeed(
    admin,
    { sourceId },
    csv('Stock,Year,Make,Model,Price,Wheel bolts,Body Colour', 'UC1,2020,Ford,Escape,20000,5,Red'),
  )
  expect(run.unusedColumns).toEqual(['Wheel bolts'])
  expect((await rowsOf(admin, run.id))[0]?.changes).toContainEqual(
    expect.objectContaining({ field: 'color', after: 'Red' }),
  )
})
