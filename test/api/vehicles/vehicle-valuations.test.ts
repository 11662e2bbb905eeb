// @module-tag release
import { afterAll, beforeAll, expect, test } from 'vitest'
import { channels } from '#contract/channels/channels/channels.ts'
import { feedRuns } from '#contract/feeds/runs/feed-runs.ts'
import { vehicles } from '#contract/vehicles/vehicles/vehicles.ts'
import { clock } from '#server/clock.ts'
import { testApp, type Caller, type TestApp } from '#test/app.ts'
import { feedImports } from '#test/factories/feeds/feed-imports.ts'
import { fresh, testOrganization, type TestOrganization } from '#test/factories/test-organization.ts'

let forecourt: TestApp
let ford: TestOrganization
let admin: Caller
let harbor: Caller
beforeAll(async () => {
  forecourt = await testApp()
  // Prices as they were entered.
  await forecourt.owner.query('delete from pricing_rules')
  ford = await testOrganization(forecourt, 'Northgate Ford')
  admin = await forecourt.as('northgate.admin', 'Northgate Ford')
  harbor = await forecourt.as('harbor.admin', 'Harbor Honda')
})
afterAll(() => forecourt.close())

const { uploadFeed, csv, apply, undo, stockOf, onLot } = feedImports(() => forecourt)
const today = () => clock.today('America/Los_Angeles')
const HEAD = 'VIN,Stock,Year,Make,Model,Price,MMR,J.D. Power,Book value date'
const F150 = '1FTFW1E50PFA00001,W1,2023,Ford,F-150,45000,44100,"$42,050.50",11/13/2026'
const FOCUS = '1FADP3F20DL200002,W2,2013,Ford,Focus,9000,8700,,11/13/2026'

async function fordFocus(lotId: string) {
  const [f150, focus] = await onLot(lotId)
  return Promise.all([f150, focus].map(async (row) => admin.call(vehicles.get, { id: row?.id ?? '' })))
}

test('a feed sets market prices and book values with source and date', async () => {
  const lotId = await ford.addLot()
  const before = await stockOf(ford)
  const run = await uploadFeed(admin, { lotId }, csv(HEAD, F150, FOCUS))
  expect(run).toMatchObject({ new: 2, columns: { known: 9, total: 9 } })
  await apply(admin, run.id)
  const [f150, focus] = await fordFocus(lotId)
  expect(f150).toMatchObject({
    marketPriceCents: 4_410_000,
    marketPriceSource: 'Manheim MMR',
    // The feed has no date, so the date of the run is used.
    marketPriceOn: today(),
    bookValueCents: 4_205_050,
    bookValueSource: 'J.D. Power',
    bookValueOn: '2026-11-13',
    provenance: { bookValue: { source: 'feed', run: run.id }, marketPriceOn: { source: 'feed' } },
  })
  // Source and date are ignored without an amount.
  expect(focus).toMatchObject({ bookValueCents: null, bookValueSource: null, bookValueOn: null })

  const again = await uploadFeed(admin, { lotId }, csv(HEAD, F150, FOCUS))
  expect(again).toMatchObject({ changed: 0, unchanged: 2 })
  await undo(admin, run.id)
  expect(await stockOf(ford)).toEqual(before)
})

test('a changed valuation gets a new date, an unchanged one keeps its date, and undo restores both', async () => {
  const lotId = await ford.addLot()
  const plain = (mmr: string) => csv('VIN,Stock,Make,Market value', `1FTFW1E50PFA00011,W3,Ford,${mmr}`)
  await apply(admin, (await uploadFeed(admin, { lotId }, plain('44100'))).id)
  const [{ id } = { id: '' }] = await onLot(lotId)
  await forecourt.owner.query(
    `update vehicles set market_price_on = '2026-10-01', market_price_source = 'vAuto' where id = $1`,
    [id],
  )
  const before = await stockOf(ford)
  // Another changed column, because unchanged rows are not compared.
  const same = await uploadFeed(
    admin,
    { lotId },
    csv('VIN,Stock,Make,Trim,Market value', '1FTFW1E50PFA00011,W3,Ford,XL,44100'),
  )
  await apply(admin, same.id)
  expect(await admin.call(vehicles.get, { id })).toMatchObject({ marketPriceOn: '2026-10-01', trim: 'XL' })
  await undo(admin, same.id)

  const other = await uploadFeed(admin, { lotId }, plain('43900'))
  const [row] = (await admin.call(feedRuns.rows, { runId: other.id, kind: 'changed' })).results
  expect(row?.changes.map(({ field }) => field)).toEqual([
    'marketPrice',
    'marketPriceSource',
    'marketPriceOn',
  ])
  await apply(admin, other.id)
  expect(await admin.call(vehicles.get, { id })).toMatchObject({
    marketPriceCents: 4_390_000,
    marketPriceSource: null,
    marketPriceOn: today(),
  })
  await undo(admin, other.id)
  expect(await stockOf(ford)).toEqual(before)
})

test('a locked valuation also keeps its source and date', async () => {
  const lotId = await ford.addLot()
  await apply(admin, (await uploadFeed(admin, { lotId }, csv(HEAD, F150))).id)
  const [{ id } = { id: '' }] = await onLot(lotId)
  const changed = csv(HEAD, F150.replace('$42,050.50', '$41,000').replace('11/13/2026', '11/19/2026'))
  const run = await uploadFeed(admin, { lotId }, changed)
  await admin.call(vehicles.update, { id, locks: { bookValue: true } })
  await apply(admin, run.id)
  const kept = { bookValueCents: 4_205_050, bookValueSource: 'J.D. Power', bookValueOn: '2026-11-13' }
  expect(await admin.call(vehicles.get, { id })).toMatchObject(kept)
  const next = csv(HEAD, F150.replace('$42,050.50', '$40,500').replace('11/13/2026', '11/20/2026'))
  const later = await uploadFeed(admin, { lotId }, next)
  expect(later).toMatchObject({ changed: 0, locked: 1 })
})

test("a manual valuation has the user as source, is locked, and gets today's date by default", async () => {
  const lotId = await ford.addLot()
  const { id } = await admin.call(vehicles.add, {
    lotId,
    make: 'Ford',
    bookValueCents: 3_000_000,
    bookValueSource: 'Kelley Blue Book',
  })
  const typed = await admin.call(vehicles.get, { id })
  expect(typed).toMatchObject({
    bookValueOn: today(),
    bookValueSource: 'Kelley Blue Book',
    marketPriceOn: null,
  })
  expect(typed.locked).toEqual(expect.arrayContaining(['bookValue', 'bookValueSource', 'bookValueOn']))
  const emptied = await admin.call(vehicles.update, { id, bookValueCents: null })
  expect(emptied).toMatchObject({ bookValueCents: null, bookValueSource: null, bookValueOn: null })
  await expect(admin.call(vehicles.update, { id, marketPriceCents: -1 })).toRefuse(400)
  await expect(harbor.call(vehicles.update, { id, marketPriceCents: 1 })).toRefuse(404)
})

test('the list sorts and filters by valuations', async () => {
  const lotId = await ford.addLot()
  const add = (stock: string, cents: number, on: string) =>
    admin.call(vehicles.add, { lotId, stock, bookValueCents: cents, bookValueOn: on })
  await add('W11', 100_00, '2026-01-02')
  await add('W12', 300_00, '2026-01-01')
  await add('W13', 200_00, '2026-01-03')
  const list = async (sort: string, filter = `lotId == ${lotId}`) =>
    (await admin.call(vehicles.list, { sort, filter })).results.map(({ stock }) => stock)
  expect(await list('-bookValue')).toEqual(['W12', 'W13', 'W11'])
  expect(await list('bookValueOn')).toEqual(['W12', 'W11', 'W13'])
  expect(await list('-bookValue', `lotId == ${lotId} && bookValue < 250`)).toEqual(['W13', 'W11'])
})

test('no channel file and no vehicle page contains valuations', async () => {
  const lotId = await ford.addLot()
  await forecourt.owner.query(
    `update lots set address = '1 Main St', city = 'Sacramento', region = 'CA' where id = $1`,
    [lotId],
  )
  const { id, vin } = await admin.call(vehicles.add, {
    lotId,
    vin: '1FTFW1E50PFA00321',
    status: 'live',
    year: 2023,
    make: 'Ford',
    model: fresh('Ranger'),
    body: 'Pickup',
    color: 'Blue',
    description: 'One owner.',
    mileage: 10,
    priceCents: 3_999_900,
    marketPriceCents: 4_321_077,
    marketPriceSource: 'Hidden Market',
    bookValueCents: 4_123_077,
    pageUrl: 'https://northgate.example/ranger',
    photos: [{ kind: 'address', place: 'https://pictures.example/1.jpg' }],
  })
  for (const kind of ['google', 'meta', 'csv'] as const) {
    const rule = `vin == "${vin}"`
    const given = { name: fresh('Channel'), kind, destination: 'pull', rule } as const
    const channel = await admin.call(channels.add, channels.add.input.parse(given))
    await admin.call(channels.run, { id: channel.id })
    await forecourt.channels.workDue()
    const { text } = await forecourt.anonymous.send({ method: 'GET', url: channel.feedPath ?? '/none' })
    // With the document and filing charges of the demo customer.
    expect(text).toContain('40117')
    expect(text).not.toMatch(/43210|41230|Hidden Market/)
  }
  const offer = JSON.stringify(await admin.call(channels.ofVehicle, { id }))
  expect(offer).not.toMatch(/43210|41230|Hidden Market/)
})
