import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { feedRuns } from '#contract/feeds/runs/feed-runs.ts'
import { feedSources } from '#contract/feeds/sources/feed-sources.ts'
import { vehicles } from '#contract/vehicles/vehicles/vehicles.ts'
import { testApp, type Caller, type TestApp } from '#test/app.ts'
import { feedImports } from '#test/factories/feeds/feed-imports.ts'
import { shuffled } from '#test/factories/feeds/real-feeds.ts'
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
beforeEach(() =>
  forgetVins('1FTFW1E50PFA00001', '1FADP3F20DL200002', '1FMCU9GD0VD319096', '2FMPK4J90HBB00003'),
)
const sourceOf = async (lotIds: string[]) =>
  (await admin.call(feedSources.add, { name: fresh('Source'), lotIds })).id

test('keeps a vehicle without VIN apart from one with the same stock number, however often the file is imported', async () => {
  const lotId = await ford.addLot()
  const sourceId = await sourceOf([lotId])
  const lines = [
    'A1,,2019,Isuzu,D-Max,30000',
    'A1,1FMCU9GD0VD319096,2020,Ford,Falcon,20000',
    'A2,,2021,Kia,Rio,9000',
  ]
  const head = 'Stock,VIN,Year,Make,Model,Price'
  const first = await uploadFeed(admin, { sourceId }, csv(head, ...lines))
  expect(first).toMatchObject({ new: 3, refused: 0 })
  await apply(admin, first.id, true)
  const before = await stockOf(ford)
  for (const order of [lines, lines.toReversed()]) {
    const again = await uploadFeed(admin, { sourceId }, csv(head, ...order))
    expect(again).toMatchObject({ new: 0, changed: 0, missing: 0, refused: 0, unchanged: 3 })
    await apply(admin, again.id)
    expect(await stockOf(ford)).toEqual(before)
  }
})

test('gives a vehicle the VIN that its feed adds, but not that of another row or year', async () => {
  const lotId = await ford.addLot()
  const head = 'Stock,VIN,Year,Make,Model'
  const plain = ['B1,,2019,Ford,Edge', 'B2,,2018,Ford,Focus', 'B3,,2017,Ford,Escape']
  await apply(admin, (await uploadFeed(admin, { lotId }, csv(head, ...plain))).id)
  const run = await uploadFeed(
    admin,
    { lotId },
    csv(
      head,
      'B1,2FMPK4J90HBB00003,2019,Ford,Edge',
      'B2,1FADP3F20DL200002,2018,Ford,Focus',
      'B2,,2018,Ford,Focus',
      'B3,1FTFW1E50PFA00001,2023,Ford,F-150',
    ),
  )
  expect(run).toMatchObject({ new: 2, changed: 1, unchanged: 1, refused: 0 })
  // The Escape without a VIN is in stock with the number of the F-150.
  expect(run.questions).toMatchObject([{ key: 'sameStock', rows: 1 }])
  await admin.call(feedRuns.answerQuestions, { id: run.id, answers: { sameStock: 'add' } })
  await forecourt.jobs.runDue()
  await apply(admin, run.id)
  expect(
    (await onLot(lotId)).map(({ vin, make, model }) => `${vin ?? 'none'} ${make} ${model}`).toSorted(),
  ).toEqual([
    '1FADP3F20DL200002 Ford Focus',
    '1FTFW1E50PFA00001 Ford F-150',
    '2FMPK4J90HBB00003 Ford Edge',
    'none Ford Escape',
    'none Ford Focus',
  ])
})

test('never mixes vehicles of generated files, in any order and with any rows left out', async () => {
  const lotId = await ford.addLot()
  const sourceId = await sourceOf([lotId])
  // Three share a stock number: two with VINs, one without. The years tell them apart.
  const cars = Array.from({ length: 9 }, (_, at) => ({
    vin: at % 3 === 2 ? '' : `1FTFW1E5${at}PFA0000${at}`,
    stock: `C${Math.floor(at / 3)}`,
    year: 2010 + at,
    model: `Model ${at}`,
  }))
  for (let round = 1; round <= 8; round += 1) {
    const listed = shuffled(cars, round).slice(0, round % 2 === 0 ? 9 : 7)
    const lines = listed.map(({ vin, stock, year, model }) => `${stock},${vin},${year},Ford,${model}`)
    const file = csv('Stock,VIN,Year,Make,Model', ...lines)
    await apply(admin, (await uploadFeed(admin, { sourceId }, file)).id, true)
    const all = await forecourt.owner.query<{
      vin: string | null
      year: number
      model: string
      stock: string
    }>(
      `select vin, year, model, stock from vehicles where lot_id = $1 and status <> 'removed' order by year`,
      [lotId],
    )
    for (const car of listed) {
      const same = all.rows.filter(({ model }) => model === car.model)
      expect(same).toEqual([{ vin: car.vin || null, year: car.year, model: car.model, stock: car.stock }])
    }
    const again = await uploadFeed(admin, { sourceId }, file)
    expect(again).toMatchObject({ new: 0, changed: 0, refused: 0 })
    await admin.call(feedRuns.cancel, { id: again.id })
  }
})

test('recognizes vehicles without VIN and stock number by their page, or by mileage and color', async () => {
  const lotId = await ford.addLot()
  const head = 'VIN,Year,Make,Model,Mileage,Color,URL,Price'
  const lines = [
    ',2019,Ford,Edge,10000,Red,https://a.example/1,20000',
    ',2019,Ford,Edge,10000,Red,https://a.example/2,20000',
    ',2018,Ford,Focus,20000,Blue,,9000',
  ]
  const first = await uploadFeed(admin, { lotId }, csv(head, ...lines, ',2018,Ford,Focus,,,,9000'))
  expect(first).toMatchObject({ new: 3, refused: 1 })
  await apply(admin, first.id)
  const next = await uploadFeed(
    admin,
    { lotId },
    csv(head, ...lines.map((line) => line.replace(/20000$/, '19000')), lines[2] ?? ''),
  )
  expect(next).toMatchObject({ new: 0, changed: 2, prices: 2, unchanged: 1, refused: 1 })
  expect((await rowsOf(admin, next.id, 'refused'))[0]?.reasons).toEqual([
    'Line 4 already describes the same vehicle.',
  ])
})

test('rejects a row without VIN and stock number in a file that numbers its vehicles: it may be a copy', async () => {
  const lotId = await ford.addLot()
  const lines = [',2019,Ford,Edge,10000,Red', '2FMPK4J90HBB00003,2019,Ford,Edge,10000,Red']
  const run = await uploadFeed(admin, { lotId }, csv('VIN,Year,Make,Model,Mileage,Color', ...lines))
  expect(run).toMatchObject({
    new: 1,
    refused: 1,
    refusals: [{ sentence: 'No VIN or stock number.', rows: 1 }],
  })
})

test('does not put sold and wholesale rows up for sale, and takes vehicles back that the feed offers again', async () => {
  const lotId = await ford.addLot()
  const head = 'Stock,VIN,Year,Make,Model,Status'
  const file = (one: string, two: string) =>
    csv(
      head,
      `D1,1FTFW1E50PFA00001,2023,Ford,F-150,${one}`,
      `D2,1FADP3F20DL200002,2013,Ford,Focus,${two}`,
      'D3,2FMPK4J90HBB00003,2017,Ford,Edge,WHOLESALE',
      'D4,,2015,Ford,Escape,Sold',
    )
  const first = await uploadFeed(admin, { lotId }, file('In Stock', 'In Transit'))
  expect(first).toMatchObject({ status: 'ready', new: 2, leftOut: 2, refused: 0 })
  const left = await admin.call(feedRuns.rows, { runId: first.id, kind: 'leftOut' })
  expect(left.results.map(({ stock, reasons }) => [stock, reasons])).toEqual([
    ['D3', ['The feed lists this vehicle as wholesale.']],
    ['D4', ['The feed lists this vehicle as sold.']],
  ])
  await apply(admin, first.id)
  const statuses = async () => (await onLot(lotId)).map(({ status }) => status)
  expect(await statuses()).toEqual(['live', 'incoming'])
  const before = await stockOf(ford)
  const sold = await uploadFeed(admin, { lotId }, file('SOLD', 'Available'))
  expect(sold).toMatchObject({ new: 0, changed: 2, leftOut: 2 })
  await apply(admin, sold.id)
  expect(await statuses()).toEqual(['sold', 'live'])
  const same = await uploadFeed(admin, { lotId }, file('SOLD', 'Available'))
  expect(same).toMatchObject({ new: 0, changed: 0, unchanged: 2 })
  await admin.call(feedRuns.cancel, { id: same.id })
  const back = await uploadFeed(admin, { lotId }, file('In Stock', 'Available'))
  await apply(admin, back.id)
  expect(await statuses()).toEqual(['live', 'live'])
  for (const { id } of [back, sold]) await undo(admin, id)
  expect(await stockOf(ford)).toEqual(before)
  // What a user decides stays.
  const [f150] = await onLot(lotId)
  await admin.call(vehicles.update, { id: f150?.id ?? '', status: 'hold' })
  const held = await uploadFeed(admin, { lotId }, file('In Stock', 'In Transit'))
  expect(held).toMatchObject({ changed: 0, unchanged: 2, questions: [{ key: 'keptStatus', rows: 1 }] })
})

test('undoes three days in reverse to the state before, and names what people changed since', async () => {
  const lotId = await ford.addLot()
  const sourceId = await sourceOf([lotId])
  const empty = await stockOf(ford)
  const head = 'VIN,Stock,Type,Year,Make,Model,Price'
  const line = (at: number, price: number) => `1FTFW1E5${at}PFA1000${at},E${at},Used,2023,Ford,F-150,${price}`
  const day = async (...lines: string[]) => {
    const { id } = await uploadFeed(admin, { sourceId }, csv(head, ...lines))
    await apply(admin, id, true)
    return { id, stock: await stockOf(ford) }
  }
  const all = [0, 1, 2, 3, 4, 5, 6]
  const one = await day(...all.map((at) => line(at, 40_000)))
  const two = await day(...all.slice(1).map((at) => line(at, 39_000 + at)), line(7, 1_000))
  const three = await day(...all.slice(1, 6).map((at) => line(at, 38_000)), line(8, 1_000))
  await undo(admin, three.id)
  expect(await stockOf(ford)).toEqual(two.stock)
  await undo(admin, two.id)
  expect(await stockOf(ford)).toEqual(one.stock)
  const [, edited, tagged] = await onLot(lotId)
  await admin.call(vehicles.update, { id: edited?.id ?? '', priceCents: 3_000_000 })
  await admin.call(vehicles.update, { id: tagged?.id ?? '', status: 'hold' })
  expect(await undo(admin, one.id)).toMatchObject({ status: 'undone', notUndone: 2 })
  expect((await onLot(lotId)).map(({ id }) => id).toSorted()).toEqual([edited?.id, tagged?.id].toSorted())
  const kept = await admin.call(feedRuns.rows, { runId: one.id, state: 'notUndone' })
  expect(kept.results.map(({ note }) => note)).toEqual([
    expect.stringMatching(/^Edited by .+ after the feed was applied: Price\.$/),
    'Edited after the feed was applied: Status.',
  ])
  for (const { id } of await onLot(lotId)) await ford.removeVehicle(id)
  expect(await stockOf(ford)).toEqual(empty)
})

test('two runs are undone in any order to the state before, with status, lot source and stamps', async () => {
  const lotId = await ford.addLot()
  const head = 'VIN,Stock,Year,Make,Model,Price,Mileage,Color'
  const rows = (price: number, ...more: string[]) => [
    `1FMCU9GD2LUA00301,UO1,2020,Ford,Escape,${price},9000,Red`,
    ...more,
  ]
  const car = '1FMCU9GD4LUA00302,UO2,2020,Ford,Escape,20000,9000,Red'
  const load = async (...lines: string[]) => {
    const run = await uploadFeed(admin, { lotId }, csv(head, ...lines))
    await apply(admin, run.id)
    return run.id
  }
  await load(...rows(20_000, car))
  const before = await stockOf(ford)
  const one = await load(...rows(19_000, car.replace('9000', '9500')))
  const two = await load(...rows(18_000, car.replace('9000', '9500').replace('Red', 'Blue')))
  const three = await load(...rows(17_000))
  for (const id of [one, three, two]) expect(await undo(admin, id)).toMatchObject({ status: 'undone' })
  // Without the fingerprint of its last row, a vehicle is compared in full with the next file.
  const whole = (stock: unknown[]) =>
    stock.map((vehicle) => JSON.stringify(vehicle).replace(/"row_fingerprint":[^,]*/, ''))
  expect(whole(await stockOf(ford))).toEqual(whole(before))
})

test('a status that a later run gave again stays when the first one is undone', async () => {
  const lotId = await ford.addLot()
  const vin = '1FMCU9GD6LUA00303'
  const load = async (status: string) => {
    const row = `${vin},US1,2020,Ford,Escape,20000,${status}`
    const run = await uploadFeed(admin, { lotId }, csv('VIN,Stock,Year,Make,Model,Price,Status', row))
    await apply(admin, run.id)
    return run.id
  }
  const status = async () => (await onLot(lotId))[0]?.status
  await load('For sale')
  const [first, second, third] = [await load('On hold'), await load('Pending'), await load('On hold')]
  const last = await status()
  await undo(admin, first)
  expect(await status()).toBe(last)
  await undo(admin, second)
  expect(await status()).toBe(last)
  await undo(admin, third)
  expect(await status()).toBe('live')
})

test('a status that a person set again after a run stays when the run is undone', async () => {
  const lotId = await ford.addLot()
  const row = (status: string) => `1FMCU9GD8LUA00304,PS1,2020,Ford,Escape,20000,${status}`
  const file = (status: string) => csv('VIN,Stock,Year,Make,Model,Price,Status', row(status))
  await apply(admin, (await uploadFeed(admin, { lotId }, file('For sale'))).id)
  const { id } = await uploadFeed(admin, { lotId }, file('Pending'))
  await apply(admin, id)
  const vehicleId = (await onLot(lotId))[0]?.id ?? ''
  const { status } = await admin.call(vehicles.get, { id: vehicleId })
  await admin.call(vehicles.update, { id: vehicleId, status: 'live' })
  await admin.call(vehicles.update, { id: vehicleId, status })
  expect(await undo(admin, id)).toMatchObject({ notUndone: 1 })
  expect((await onLot(lotId))[0]?.status).toBe(status)
})

test('says which feed has to be undone first', async () => {
  const lotId = await ford.addLot()
  const head = 'VIN,Stock,Year,Make,Model,Price'
  const first = await uploadFeed(admin, { lotId }, csv(head, '1FTFW1E50PFA00001,G1,2023,Ford,F-150,40000'))
  await apply(admin, first.id)
  const second = await uploadFeed(admin, { lotId }, csv(head, '1FTFW1E50PFA00001,G1,2023,Ford,F-150,39000'))
  await apply(admin, second.id)
  await undo(admin, first.id)
  const { results } = await admin.call(feedRuns.rows, { runId: first.id, state: 'notUndone' })
  expect(results[0]?.note).toMatch(/^A later feed lists or misses it: .+\. Undo the later feed first\.$/)
})

test('reads a source like its last applied file, and holds a file with another layout for review', async () => {
  const lotId = await ford.addLot()
  const sourceId = await sourceOf([lotId])
  const head = 'VIN,Stock,Year,Make,Model,c7'
  const rows = ['1FTFW1E50PFA00001,H1,2023,Ford,F-150', '1FADP3F20DL200002,H2,2013,Ford,Focus']
  const first = await uploadFeed(admin, { sourceId }, csv(head, ...rows.map((row) => `${row},Used`)))
  await apply(admin, first.id)
  // Tomorrow's values look like body styles, but the column is still the condition.
  const next = await uploadFeed(admin, { sourceId }, csv(head, ...rows.map((row) => `${row},Certified SUV`)))
  expect(next).toMatchObject({ status: 'ready', reviewReasons: [], new: 0, changed: 2 })
  const changes = (await rowsOf(admin, next.id, 'changed'))[0]?.changes
  expect(changes).toEqual([{ field: 'condition', before: 'used', after: 'cpo', isFromVin: false }])
  await apply(admin, next.id)
  const moved = await uploadFeed(
    admin,
    { sourceId },
    csv('VIN,Stock,Year,Make,Model,c7,Price', ...rows.map((row) => `${row},Used,9000`)),
  )
  expect(moved).toMatchObject({
    status: 'review',
    reviewReasons: ['The layout of the file changed: new column Price.'],
  })
  await apply(admin, moved.id, true)
  const usual = await uploadFeed(
    admin,
    { sourceId },
    csv('VIN,Stock,Year,Make,Model,c7,Price', ...rows.map((row) => `${row},Used,8000`)),
  )
  expect(usual).toMatchObject({ status: 'ready', changed: 2, prices: 2 })
})

test('finds the lot of rows without a dealer ID by their VINs', async () => {
  const lotId = await ford.addLot()
  const head = 'VIN,Stock,Year,Make,Model,Price'
  const rows = ['1FTFW1E51PFA00017,J1,2023,Ford,F-150', '1FADP3F21DL200018,J2,2013,Ford,Focus']
  await apply(admin, (await uploadFeed(admin, { lotId }, csv(head, ...rows.map((row) => `${row},9000`)))).id)
  // Another layout, so that no lot is remembered.
  const run = await uploadFeed(admin, {}, csv(`${head},Trim`, ...rows.map((row) => `${row},8000,XL`)))
  expect(run).toMatchObject({ status: 'ready', refused: 0, changed: 2 })
})

test('counts rows that the feed marks as deleted apart from rejected ones', async () => {
  const lotId = await ford.addLot()
  const run = await uploadFeed(
    admin,
    { lotId },
    csv(
      'Stock,VIN,Year,Make,Model,deleted',
      'K1,1FTFW1E50PFA00001,2023,Ford,F-150,0',
      'K2,,2013,Ford,Focus,1',
    ),
  )
  expect(run).toMatchObject({ new: 1, refused: 0, leftOut: 1, refusals: [] })
})

test('a stock number that a sold or removed vehicle had is that of a new one with another year, make or model', async () => {
  const lotId = await ford.addLot()
  const gone = { lotId, year: 2023, make: 'Ford', priceCents: 2_000_000, locksEdits: false } as const
  const vin = '1FTEW1EP4PA900028'
  await ford.addVehicle({ ...gone, stock: 'GN1', model: 'Mustang', status: 'sold' })
  await ford.addVehicle({ ...gone, stock: 'GN2', vin, model: 'F-150 XLT', status: 'removed' })
  await ford.addVehicle({ ...gone, stock: 'GN3', model: 'Escape', status: 'removed' })
  const run = await uploadFeed(
    admin,
    { lotId },
    csv(
      'Stock,Year,Make,Model,Price',
      'GN1,2024,Kia,Soul,18500',
      'GN2,2023,Ford,Escape,18500',
      'GN3,2023,Ford,Escape SE,18500',
    ),
  )
  expect(run).toMatchObject({ new: 2 })
  await admin.call(feedRuns.cancel, { id: run.id })
})

test('a price list by stock number is for the vehicle in stock, not for a removed one with the same number', async () => {
  const lotId = await ford.addLot()
  const own = { lotId, stock: 'LR1', make: 'Ford', priceCents: 2_000_000, locksEdits: false } as const
  await ford.addVehicle({ ...own, year: 2012, model: 'Focus', status: 'removed' })
  await ford.addVehicle({ ...own, year: 2023, vin: '1FTEW1EP6PA900029', model: 'F-150', status: 'live' })
  for (const list of [csv('Stock,Price', 'LR1,19000'), csv('Stock,Status,Price', 'LR1,For sale,19100')])
    await apply(admin, (await uploadFeed(admin, { lotId }, list)).id)
  expect((await onLot(lotId)).map(({ status, price_cents }) => [status, Number(price_cents)])).toEqual([
    ['removed', 2_000_000],
    ['live', 1_910_000],
  ])
})
