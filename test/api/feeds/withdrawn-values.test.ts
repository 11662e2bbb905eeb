// @module-tag release
import { afterAll, beforeAll, expect, test } from 'vitest'
import { feedRuns } from '#contract/feeds/runs/feed-runs.ts'
import { feedSources } from '#contract/feeds/sources/feed-sources.ts'
import { vehicles } from '#contract/vehicles/vehicles/vehicles.ts'
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
const { uploadFeed, csv, apply, undo, stockOf, onLot } = feedImports(() => forecourt)

const HEAD = 'Stock,Year,Make,Model,Trim,Mileage,Price,Photos,Description'
const FULL = 'LX,40000,20000,https://photos.example.com/1.jpg|https://photos.example.com/2.jpg,Nice car'
const row = (at: number, rest = FULL) => `W${at},2020,Ford,Escape,${rest}`
const all = (count: number, rest?: string) => Array.from({ length: count }, (_, at) => row(at, rest))

async function stocked(count: number) {
  const lotId = await ford.addLot()
  const { id: sourceId } = await admin.call(feedSources.add, { name: fresh('Taken'), lotIds: [lotId] })
  await apply(admin, (await uploadFeed(admin, { sourceId }, csv(HEAD, ...all(count)))).id)
  return { lotId, sourceId, ids: (await onLot(lotId)).map(({ id }) => id) }
}

test.for([
  ['price', 'LX,40000,,https://photos.example.com/1.jpg,Nice car', { priceCents: null }],
  ['price', 'LX,40000,Call,https://photos.example.com/1.jpg,Nice car', { priceCents: null }],
  ['price', 'LX,40000,0,https://photos.example.com/1.jpg,Nice car', { priceCents: null }],
  ['trim', ',40000,20000,https://photos.example.com/1.jpg,Nice car', { trim: null }],
  ['mileage', 'LX,,20000,https://photos.example.com/1.jpg,Nice car', { mileage: null }],
  ['description', 'LX,40000,20000,https://photos.example.com/1.jpg,', { description: null }],
  ['photos', 'LX,40000,20000,,Nice car', { photos: [] }],
] as const)(
  'a %s that its feed takes away (%s) is taken away for one row, held for all, and undone',
  async ([, taken, expected]) => {
    const { sourceId, ids } = await stocked(4)
    const before = await stockOf(ford)
    const one = await uploadFeed(admin, { sourceId }, csv(HEAD, row(0, taken), ...all(4).slice(1)))
    expect(one).toMatchObject({ status: 'ready', changed: 1 })
    await apply(admin, one.id)
    expect(await admin.call(vehicles.get, { id: ids[0] ?? '' })).toMatchObject(expected)
    await undo(admin, one.id)
    expect(await stockOf(ford)).toEqual(before)
    const every = await uploadFeed(admin, { sourceId }, csv(HEAD, ...all(4, taken)))
    expect(every).toMatchObject({ status: 'review', changed: 4 })
    expect(every.reviewReasons.join(' ')).toMatch(
      /blank in many rows\. 4 of 4 known vehicles lose it\. .*100% in the last file, 0% now\./,
    )
  },
)

test('a run says how many vehicles lose their price, lists them, and its owner is told if it applied itself', async () => {
  const { sourceId } = await stocked(4)
  const taken = 'LX,40000,,https://photos.example.com/1.jpg,Nice car'
  const file = csv(HEAD, row(0, taken), row(1, 'Sport,40000,20000,,Nice car'), ...all(4).slice(2))
  const run = await uploadFeed(admin, { sourceId }, file)
  expect(run).toMatchObject({ status: 'ready', changed: 2, lostPrices: 1 })
  const lost = () => admin.call(feedRuns.rows, { runId: run.id, asks: 'lostPrice' })
  expect((await lost()).results.map(({ stock }) => stock)).toEqual(['W0'])
  await apply(admin, run.id)
  expect(await admin.call(feedRuns.get, { id: run.id })).toMatchObject({ status: 'applied', lostPrices: 1 })
  expect((await lost()).filteredRows).toBe(1)
  // The same file again takes nothing away.
  expect(await uploadFeed(admin, { sourceId }, file)).toMatchObject({ lostPrices: 0 })
})

test('what people set stays when the feed leaves it blank, and a withdrawn price is asked about', async () => {
  const { sourceId, ids } = await stocked(1)
  const [id = ''] = ids
  await admin.call(vehicles.update, {
    id,
    priceCents: 2_100_000,
    trim: 'Limited',
    locksEdits: false,
    locks: { price: true },
  })
  await apply(admin, (await uploadFeed(admin, { sourceId }, csv(HEAD, row(0, ',40000,,,Nice car')))).id)
  expect(await admin.call(vehicles.get, { id })).toMatchObject({
    priceCents: 2_100_000,
    asksPrice: true,
    sourcePriceCents: 0,
    trim: 'Limited',
    photos: [],
  })
})

test('the first usable price of several columns is read, and a CSV file without a column takes nothing away', async () => {
  const lotId = await ford.addLot()
  const head = 'Stock,Year,Make,Model,WebPrice,SpecialPrice'
  const first = await uploadFeed(
    admin,
    { lotId },
    csv(
      head,
      'Z1,2020,Ford,Escape,20000.00,0.00',
      'Z2,2020,Ford,Escape,20500.00,Call',
      'Z3,2020,Ford,Escape,21000,19500',
    ),
  )
  await apply(admin, first.id)
  expect((await onLot(lotId)).map(({ price_cents: cents }) => cents)).toEqual([
    '2000000',
    '2050000',
    '1950000',
  ])
  const plain = await uploadFeed(admin, { lotId }, csv('Stock,Year,Make,Model', 'Z1,2020,Ford,Escape'))
  await apply(admin, plain.id, true)
  expect((await onLot(lotId))[0]?.price_cents).toBe('2000000')
})

test('a first file in which no row has a price is held', async () => {
  const lotId = await ford.addLot()
  const blank = ['N1', 'N2', 'N3'].map((stock) => `${stock},2020,Ford,Escape,0`)
  const run = await uploadFeed(admin, { lotId }, csv('Stock,Year,Make,Model,Price', ...blank))
  expect(run).toMatchObject({
    status: 'review',
    reviewReasons: ['No row has a price, so none of the 3 new vehicles is published.'],
  })
})
