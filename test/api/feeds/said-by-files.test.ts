import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { lots } from '#contract/customers/lots/lots.ts'
import { feedRuns } from '#contract/feeds/runs/feed-runs.ts'
import { feedSources } from '#contract/feeds/sources/feed-sources.ts'
import { vehicles } from '#contract/vehicles/vehicles/vehicles.ts'
import type { z } from 'zod'
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
const { uploadFeed, csv, apply, onLot, rowsOf } = feedImports(() => forecourt)

const add = async (lotId: string, stock: string, more: Partial<z.input<typeof vehicles.add.input>> = {}) =>
  (
    await admin.call(vehicles.add, {
      lotId,
      stock,
      year: 2021,
      make: 'Ford',
      model: 'Escape',
      priceCents: 2_000_000,
      inStockOn: '2026-03-04',
      status: 'live',
      condition: 'used',
      locksEdits: false,
      ...more,
    })
  ).id
const answer = async (id: string, answers: Record<string, string>) => {
  await admin.call(feedRuns.answerQuestions, { id, answers })
  await forecourt.jobs.runDue()
  return admin.call(feedRuns.get, { id })
}
const statusesOf = async (lotId: string) =>
  Object.fromEntries(
    (await ford.call(vehicles.list, { filter: `lotId == ${lotId}`, pageSize: 50 })).results.map(
      ({ stock, status }) => [stock, status],
    ),
  )

describe('the status of a vehicle that a person set', () => {
  test('is what a file says if that is sold; otherwise a person who brings the file is asked', async () => {
    const lotId = await ford.addLot()
    for (const [stock, status] of [
      ['KS1', 'pending'],
      ['KS2', 'hold'],
      ['KS3', 'sold'],
      ['KS4', 'pending'],
    ] as const)
      await admin.call(vehicles.update, { id: await add(lotId, stock), status })
    const file = csv('Stock,Status', 'KS1,Sold', 'KS2,For sale', 'KS3,For sale', 'KS4,Pending')
    const before = await statusesOf(lotId)
    const run = await uploadFeed(admin, { lotId }, file)
    expect(run.questions).toMatchObject([{ key: 'keptStatus', rows: 2 }])
    expect(run.questions[0]?.value).toContain('Hold here, For sale in the file')
    const kept = await answer(run.id, { keptStatus: 'leave' })
    expect(kept).toMatchObject({ changed: 1, unchanged: 3, questions: [] })
    const taken = await answer(run.id, { keptStatus: 'takeStatus' })
    expect(taken).toMatchObject({ changed: 3, unchanged: 1 })
    await apply(admin, run.id)
    expect(await statusesOf(lotId)).toEqual({ KS1: 'sold', KS2: 'live', KS3: 'live', KS4: 'pending' })
    await admin.call(feedRuns.undo, { id: run.id })
    await forecourt.jobs.runDue()
    expect(await statusesOf(lotId)).toEqual(before)
    // Another file is asked about again.
    const again = await uploadFeed(admin, { lotId }, file)
    expect(again.questions).toMatchObject([{ key: 'keptStatus' }])
    await admin.call(feedRuns.cancel, { id: again.id })
  })

  test('is kept by a source, which says so, unless it says that the vehicle was sold', async () => {
    const lotId = await ford.addLot()
    const sourceId = (await admin.call(feedSources.add, { name: fresh('Source'), lotIds: [lotId] })).id
    const head = 'Stock,Year,Make,Model,Status'
    const row = (at: number, status: string) => `SS${at},2021,Ford,Escape,${status}`
    const [first, second] = [row(1, 'Available'), row(2, 'Available')]
    await apply(admin, (await uploadFeed(admin, { sourceId }, csv(head, first, second))).id, true)
    for (const { id } of await onLot(lotId)) await admin.call(vehicles.update, { id, status: 'pending' })
    const run = await uploadFeed(admin, { sourceId }, csv(head, row(1, 'Sold'), second))
    expect(run).toMatchObject({ changed: 1, unchanged: 1, questions: [] })
    expect(run.warnings).toContainEqual({
      sentence: 'Vehicles keep the status that a person gave them. The file has another one.',
      rows: 1,
    })
    expect(run.keptStatuses).toBe(1)
    const [shown] = (await admin.call(feedRuns.rows, { runId: run.id, asks: 'keptStatus' })).results
    expect(shown?.warnings).toEqual([
      'The vehicle keeps the status Pending, which a person gave it. The file has For sale.',
    ])
    await apply(admin, run.id)
    expect(await statusesOf(lotId)).toEqual({ SS1: 'sold', SS2: 'pending' })
  })
})

test('the name of a lot is no condition', async () => {
  const lotId = await ford.addLot('Northgate Pre-Owned Two')
  for (const stock of ['NC1', 'NC2', 'NC3'])
    await add(lotId, stock, { condition: stock === 'NC3' ? 'new' : 'cpo' })
  const { name } = await admin.call(lots.get, { id: lotId })
  for (const column of ['Lot', 'Store', 'Location']) {
    const rows = ['NC1', 'NC2', 'NC3'].map((stock, at) => `${stock},${name},${20_100 + at}`)
    // oxlint-disable-next-line no-await-in-loop -- One after another.
    const run = await uploadFeed(admin, {}, csv(`Stock,${column},Price`, ...rows))
    expect(run).toMatchObject({ new: 0, changed: 3, refused: 0 })
    for (const { changes } of await rowsOf(admin, run.id, 'changed'))
      expect(changes.map(({ field }) => field)).not.toContain('condition')
    await admin.call(feedRuns.cancel, { id: run.id })
  }
})

test('a vehicle that its source has on another of its lots is asked about, with everything else taken', async () => {
  const [from, to] = [await ford.addLot(), await ford.addLot()]
  const sourceId = (await admin.call(feedSources.add, { name: fresh('Source'), lotIds: [from, to] })).id
  const [one, other] = [await admin.call(lots.get, { id: from }), await admin.call(lots.get, { id: to })]
  const file = (lot: string, price: number) =>
    csv('Stock,VIN,Year,Make,Model,Price,Lot', `MV1,1FMCU9GD0LUA10001,2020,Ford,Escape,${price},${lot}`)
  await apply(admin, (await uploadFeed(admin, { sourceId }, file(one.name, 21_000))).id, true)
  const run = await uploadFeed(admin, { sourceId }, file(other.name, 20_900))
  expect(run.questions).toMatchObject([{ key: 'feedLot', rows: 1 }])
  expect(run.questions[0]?.value).toContain(`on ${one.name} here and on ${other.name} in the file`)
  expect(await answer(run.id, { feedLot: 'leave' })).toMatchObject({ changed: 1, questions: [] })
  await answer(run.id, { feedLot: 'toLot' })
  await apply(admin, run.id)
  expect(await onLot(from)).toEqual([])
  expect(await onLot(to)).toMatchObject([{ stock: 'MV1' }])
  await admin.call(feedRuns.undo, { id: run.id })
  await forecourt.jobs.runDue()
  expect(await onLot(from)).toMatchObject([{ stock: 'MV1' }])
})

describe('a stock number that a spreadsheet changed', () => {
  test('lost its zeros: it is that of the vehicle, with and without the VIN, and keeps its zeros', async () => {
    const lotId = await ford.addLot()
    await add(lotId, '00923', { vin: '1FMCU9GD1LUA10002' })
    await add(lotId, '00987')
    for (const file of [
      csv('Stock,Price', '923,19000', '987,18000'),
      csv('Stock,VIN,Price', '923,1FMCU9GD1LUA10002,19000', '987,,18000'),
    ]) {
      // oxlint-disable-next-line no-await-in-loop -- One after another.
      const run = await uploadFeed(admin, { lotId }, file)
      expect(run).toMatchObject({ new: 0, changed: 2, refused: 0, questions: [] })
      for (const { changes } of await rowsOf(admin, run.id, 'changed'))
        expect(changes.map(({ field }) => field)).not.toContain('stock')
      await admin.call(feedRuns.cancel, { id: run.id })
    }
    // A vehicle of its own has the short number.
    await add(lotId, '923', { year: 2018 })
    const run = await uploadFeed(admin, { lotId }, csv('Stock,Price', '923,15000'))
    const [row] = await rowsOf(admin, run.id, 'changed')
    expect(row?.title).toContain('2018')
    await admin.call(feedRuns.cancel, { id: run.id })
  })

  test('became a date: its row is refused and says why', async () => {
    const lotId = await ford.addLot()
    await add(lotId, '3-12')
    const run = await uploadFeed(admin, { lotId }, csv('Stock,Price', '12-Mar,19000', 'OK9,18000'))
    const [row] = await rowsOf(admin, run.id, 'refused')
    expect(row?.reasons.join()).toContain('was made a date by a spreadsheet')
    await admin.call(feedRuns.cancel, { id: run.id })
  })

  test('in other letters stays as it is', async () => {
    const lotId = await ford.addLot()
    await add(lotId, 'LCX10')
    const run = await uploadFeed(admin, { lotId }, csv('Stock,Price', 'lcx10,19000'))
    const [row] = await rowsOf(admin, run.id, 'changed')
    expect(row?.changes.map(({ field }) => field)).not.toContain('stock')
    await admin.call(feedRuns.cancel, { id: run.id })
  })
})

test('one stock number with and without a VIN is one new vehicle, in either order', async () => {
  const lotId = await ford.addLot()
  const rows = ['1FTEW1EPXPA960041,NV41,2023,Ford,F-150,41000', ',NV41,2023,Ford,F-150,42000']
  for (const lines of [rows, rows.toReversed()]) {
    // oxlint-disable-next-line no-await-in-loop -- One after another.
    const run = await uploadFeed(admin, { lotId }, csv('VIN,Stock,Year,Make,Model,Price', ...lines))
    expect(run).toMatchObject({ new: 1, refused: 1 })
    await admin.call(feedRuns.cancel, { id: run.id })
  }
})

test.each([
  'Old price,New price',
  'Current price,New price',
  'Price,New price',
  'Was,Now',
  'Previous price,New price',
  'Regular Price,Sale Price',
])('of "%s" the second is the price', async (prices) => {
  const lotId = await ford.addLot()
  await add(lotId, 'TP1')
  await add(lotId, 'TP2')
  const run = await uploadFeed(admin, { lotId }, csv(`Stock,${prices}`, 'TP1,20500,19900', 'TP2,21000,20900'))
  const rows = await rowsOf(admin, run.id, 'changed')
  expect(rows.map(({ changes }) => changes.find(({ field }) => field === 'price')?.after)).toEqual([
    1_990_000, 2_090_000,
  ])
  await admin.call(feedRuns.cancel, { id: run.id })
})
