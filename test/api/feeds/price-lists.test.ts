import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { lots } from '#contract/customers/lots/lots.ts'
import { feedRuns } from '#contract/feeds/runs/feed-runs.ts'
import { feedSources } from '#contract/feeds/sources/feed-sources.ts'
import { vehicles } from '#contract/vehicles/vehicles/vehicles.ts'
import { testApp, type Caller, type TestApp } from '#test/app.ts'
import { feedImports } from '#test/factories/feeds/feed-imports.ts'
import { fresh, testOrganization, type TestOrganization } from '#test/factories/test-organization.ts'

let forecourt: TestApp
let ford: TestOrganization
let admin: Caller
let lotId: string
beforeAll(async () => {
  forecourt = await testApp()
  ford = await testOrganization(forecourt, 'Northgate Ford')
  admin = await forecourt.as('northgate.admin', 'Northgate Ford')
  lotId = await ford.addLot()
  for (const stock of ['PL1', 'PL2', 'PL3', 'PL4', 'PL5'])
    // oxlint-disable-next-line no-await-in-loop -- In this order.
    await ford.addVehicle({ lotId, stock, year: 2021, make: 'Ford', model: 'Escape', priceCents: 2_000_000 })
})
afterAll(() => forecourt.close())
const { uploadFeed, csv, apply, onLot, rowsOf } = feedImports(() => forecourt)

const LIVE = { status: 'live', inStockOn: '2026-03-04' } as const
const answer = async (id: string, answers: Record<string, string>) => {
  await admin.call(feedRuns.answerQuestions, { id, answers })
  await forecourt.jobs.runDue()
  return admin.call(feedRuns.get, { id })
}
const pricesOf = async (runId: string) =>
  Object.fromEntries(
    (await rowsOf(admin, runId, 'changed')).map(({ stock, changes }) => [
      stock,
      changes.find(({ field }) => field === 'price')?.after ?? null,
    ]),
  )

describe('a short list of prices', () => {
  test.each([
    ['a title', 'Price list of December,', 'Stock,Price'],
    ['a title in one cell', 'Price list of December', 'Stock,Price'],
    ['a title and a blank line', 'Price list of December,,\n,,', 'Stock,Vehicle,Price'],
    ['two lines of notes', 'Northgate,,\nValid from December,,', 'Stock,Vehicle,Price'],
  ])('has its header below %s, and totals and notes are no vehicles', async (_what, above, head) => {
    const isWide = head.includes('Vehicle')
    const row = (stock: string, price: string) =>
      isWide ? `${stock},2021 Ford Escape,${price}` : `${stock},${price}`
    const end = isWide ? ',' : ''
    const run = await uploadFeed(
      admin,
      { lotId },
      csv(
        above,
        head,
        row('PL1', '21900'),
        row('PL2', '"$20,500"'),
        isWide ? 'Grand Total,,42400' : 'Grand Total,42400',
        `Total vehicles: 2,${end}`,
        `Printed by Ana,${end}`,
        `Printed on December 1 at noon,${end}`,
      ),
    )
    expect(run).toMatchObject({ new: 0, changed: 2, refused: 0, leftOut: 4, questions: [] })
    expect(await pricesOf(run.id)).toEqual({ PL1: 2_190_000, PL2: 2_050_000 })
    await admin.call(feedRuns.cancel, { id: run.id })
  })

  test('with a stock number that isn’t known asks before it adds a vehicle', async () => {
    const run = await uploadFeed(
      admin,
      { lotId },
      csv('Stock,Price', 'PL1,21900', 'PL-2,20500', 'PL03,19900'),
    )
    expect(run.questions).toMatchObject([{ key: 'newStock', rows: 2, value: 'PL-2' }])
    expect(await answer(run.id, { newStock: 'leave' })).toMatchObject({ new: 0, changed: 1, leftOut: 2 })
    expect(await answer(run.id, { newStock: 'add' })).toMatchObject({ new: 2, changed: 1, leftOut: 0 })
    await admin.call(feedRuns.cancel, { id: run.id })
  })

  test('leaves the price where the new one is blank beside the old one', async () => {
    const head = 'Stock,Old Price,New Price'
    const run = await uploadFeed(admin, { lotId }, csv(head, 'PL1,20000,21900', 'PL2,20000,', 'PL3,,'))
    expect(await pricesOf(run.id)).toMatchObject({ PL1: 2_190_000 })
    expect(await pricesOf(run.id)).not.toHaveProperty('PL2')
    await admin.call(feedRuns.cancel, { id: run.id })
  })

  test.each([
    ['before a value', 'PL3,Ford,Escape,2021,20'],
    ['behind a separator', 'PL3,Ford,Escape,2021,20,'],
  ])('that is cut %s of its last row takes nothing away', async (_what, last) => {
    const rows = ['PL1', 'PL2', 'PL4', 'PL5'].map((stock) => `${stock},Ford,Escape,2021,10,21900`)
    const file = ['Stock,Make,Model,Year,Mileage,Price', ...rows, last].join('\n')
    const run = await uploadFeed(admin, { lotId }, { name: 'feed.csv', bytes: file })
    expect(run).toMatchObject({ status: 'review', changed: 4, refused: 1 })
    const [refused] = await rowsOf(admin, run.id, 'refused')
    expect(refused?.reasons).toEqual(['The file ends inside this row, after 5 of 6 values.'])
    await admin.call(feedRuns.cancel, { id: run.id })
  })
})

test('a status that a person sets between reading and applying gives way to sold; otherwise it stays, and the row says so', async () => {
  const own = await ford.addLot()
  for (const stock of ['BA1', 'BA2', 'BA3'])
    // oxlint-disable-next-line no-await-in-loop -- In this order.
    await ford.addVehicle({ lotId: own, stock, ...LIVE })
  const run = await uploadFeed(
    admin,
    { lotId: own },
    csv('Stock,Status', 'BA1,Sold', 'BA2,Pending', 'BA3,Sold'),
  )
  expect(run).toMatchObject({ changed: 3, questions: [] })
  const ids = Object.fromEntries((await onLot(own)).map(({ stock, id }) => [stock, id]))
  await admin.call(vehicles.update, { id: ids['BA1'] ?? '', status: 'pending' })
  await admin.call(vehicles.update, { id: ids['BA2'] ?? '', status: 'hold' })
  await apply(admin, run.id)
  const found = await ford.call(vehicles.list, { filter: `lotId == ${own}`, sort: 'stock' })
  expect(found.results.map(({ status }) => status)).toEqual(['sold', 'hold', 'sold'])
  expect(await admin.call(feedRuns.get, { id: run.id })).toMatchObject({ keptStatuses: 1 })
  const [kept] = (await admin.call(feedRuns.rows, { runId: run.id, asks: 'keptStatus' })).results
  expect(kept).toMatchObject({
    stock: 'BA2',
    warnings: ['The vehicle keeps the status Hold, which a person gave it. The file has Pending.'],
  })
  await admin.call(feedRuns.undo, { id: run.id })
  await forecourt.jobs.runDue()
  const after = await ford.call(vehicles.list, { filter: `lotId == ${own}`, sort: 'stock' })
  expect(after.results.map(({ status }) => status)).toEqual(['pending', 'hold', 'live'])
})

test('a source that leaves vehicles on their lots says so on every later file', async () => {
  const [from, to] = [await ford.addLot(), await ford.addLot()]
  const sourceId = (await admin.call(feedSources.add, { name: fresh('Source'), lotIds: [from, to] })).id
  const [here, there] = [
    (await admin.call(lots.get, { id: from })).name,
    (await admin.call(lots.get, { id: to })).name,
  ]
  const file = (one: string, two: string) =>
    csv('Stock,VIN,Lot', `LK1,1FMCU9GD0LUA30001,${one}`, `LK2,1FMCU9GD0LUA30002,${two}`)
  await apply(admin, (await uploadFeed(admin, { sourceId }, file(here, here))).id, true)
  const first = await uploadFeed(admin, { sourceId }, file(there, here))
  await answer(first.id, { feedLot: 'leave' })
  await apply(admin, first.id)
  const next = await uploadFeed(admin, { sourceId }, file(there, there))
  expect(next.questions).toEqual([])
  expect(next.warnings).toContainEqual({
    sentence: 'Vehicles stay on their lot. The file has them on another one.',
    rows: 2,
  })
  const rows = await rowsOf(admin, next.id, 'same')
  expect(rows.flatMap(({ warnings }) => warnings)).toContain(
    `The vehicle stays on the lot ${here}. The file has it on ${there}.`,
  )
})

test('vehicles of a file without lots are those of any lot, also when an answer reads it again', async () => {
  const [first, second] = [await ford.addLot(), await ford.addLot()]
  const head = 'VIN,Stock,Vehicle status'
  await ford.addVehicle({ lotId: first, vin: '1FMCU9GD0LUA20001', stock: 'AL1', ...LIVE })
  const id = await ford.addVehicle({ lotId: second, vin: '1FMCU9GD0LUA20002', stock: 'AL2' })
  await admin.call(vehicles.update, { id, status: 'preparing' })
  const chosen = await uploadFeed(admin, { lotId: first }, csv(head, '1FMCU9GD0LUA20001,AL1,Pending'))
  await apply(admin, chosen.id)
  const run = await uploadFeed(admin, {}, csv(head, '1FMCU9GD0LUA20002,AL2,For sale'))
  expect(run).toMatchObject({ lotId: first, questions: [{ key: 'keptStatus' }] })
  expect(await answer(run.id, { keptStatus: 'takeStatus' })).toMatchObject({
    changed: 1,
    new: 0,
    questions: [],
  })
  await apply(admin, run.id)
  expect((await onLot(second))[0]).toMatchObject({ stock: 'AL2', status: 'live' })
})
