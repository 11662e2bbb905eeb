import { afterAll, beforeAll, expect, test } from 'vitest'
import type { z } from 'zod'
import { vehicles, type CellsOutcome } from '#contract/inventory/vehicles.ts'
import { refusalOf, testApp, type Caller, type TestApp } from '#test/app.ts'
import { atOnce } from '#test/at-once.ts'
import { fresh, placeOf, type Place } from '#test/places.ts'

let forecourt: TestApp
let ford: Place
let toyota: Place
let admin: Caller
let dealer: Caller
let harbor: Caller
beforeAll(async () => {
  forecourt = await testApp()
  ford = await placeOf(forecourt, 'Northgate Ford')
  toyota = await placeOf(forecourt, 'Northgate Toyota')
  admin = await forecourt.as('northgate.admin', 'Northgate Ford')
  dealer = await forecourt.as('northgate.dealer')
  harbor = await forecourt.as('harbor.admin')
})
afterAll(() => forecourt.close())

const add = async (more: object = {}, lotId?: string) =>
  admin.call(vehicles.add, { lotId: lotId ?? (await ford.addLot()), locksEdits: false, ...more })
const kinds = (outcomes: readonly CellsOutcome[]) => outcomes.map(({ outcome }) => outcome)

test('cells are saved, stamped and locked as if they were typed in the form, and other fields stay', async () => {
  const lotId = await ford.addLot()
  const other = await ford.addLot()
  const vehicle = await add({ stock: fresh('S'), colour: 'Red', priceCents: 100_000 }, lotId)
  const [saved] = await admin.call(vehicles.updateCells, {
    rows: [
      {
        id: vehicle.id,
        version: vehicle.version,
        priceCents: 1_999_500,
        status: 'hold',
        statusReason: 'Open recall',
        lotId: other,
        tags: ['Auction', ' auction', 'Front line'],
      },
    ],
  })
  expect(saved).toMatchObject({
    outcome: 'saved',
    vehicle: { priceCents: 1_999_500, status: 'hold', statusReason: 'Open recall', lotId: other },
  })
  const now = await admin.call(vehicles.get, { id: vehicle.id })
  expect(now).toMatchObject({ colour: 'Red', stock: vehicle.stock, tags: ['Auction', 'Front line'] })
  expect(now.locked).toEqual(['price'])
  expect(now.provenance.price?.source).toBe('user')
  expect(now.version).toBeGreaterThan(vehicle.version)
  const { events } = await admin.call(vehicles.timeline, { id: vehicle.id })
  expect(events[0]?.changes.map(({ field }) => field)).toEqual(
    expect.arrayContaining(['price', 'status', 'lot', 'tags']),
  )
})

test('a row that is stale, wrong or gone does not keep the others, and says why', async () => {
  const lotId = await ford.addLot()
  const stock = fresh('Taken')
  await add({ stock }, lotId)
  const [fine, stale, twin, gone, astray] = await Promise.all([
    add({}, lotId).catch(() => add()),
    add(),
    add({ stock: fresh('Twin') }, lotId),
    add(),
    add(),
  ])
  await dealer.call(vehicles.update, { id: stale.id, priceCents: 77_700 })
  await admin.call(vehicles.remove, { id: gone.id })
  const outcomes = await admin.call(vehicles.updateCells, {
    rows: [
      { id: gone.id, version: gone.version, priceCents: 1 },
      { id: twin.id, version: twin.version, stock, priceCents: 5 },
      { id: stale.id, version: stale.version, priceCents: 1 },
      { id: astray.id, version: astray.version, lotId: '999999999' },
      { id: fine.id, version: fine.version, priceCents: 2 },
    ],
  })
  expect(kinds(outcomes)).toEqual(['gone', 'refused', 'stale', 'refused', 'saved'])
  expect(outcomes[1]).toMatchObject({ fields: { stock: 'This stock number is on the lot already.' } })
  expect(outcomes[2]).toMatchObject({ vehicle: { priceCents: 77_700 }, by: 'Luis Ortega' })
  expect(outcomes[3]).toMatchObject({ fields: { lotId: 'Choose one of your lots.' } })
  expect(await admin.call(vehicles.get, { id: twin.id })).toMatchObject({
    stock: twin.stock,
    priceCents: null,
    version: twin.version,
  })
})

test('a wrong cell is refused by its place before anything is saved', async () => {
  const [one, other] = [await add(), await add()]
  const refusal = await refusalOf(
    admin.call(vehicles.updateCells, {
      rows: [
        { id: one.id, version: one.version, priceCents: 5 },
        { id: other.id, version: other.version, priceCents: -1 },
      ],
    }),
  )
  expect(refusal.refusal.fields).toEqual({ 'rows.1.priceCents': 'Price must be an amount, in whole cents.' })
  expect((await admin.call(vehicles.get, { id: one.id })).version).toBe(one.version)
})

test('rows need their version, a cell, and each its own vehicle', async () => {
  const { id, version } = await add()
  type Rows = Parameters<typeof admin.call<typeof vehicles.updateCells.input, z.ZodType>>[1]['rows']
  const save = (rows: Rows) => admin.call(vehicles.updateCells, { rows })
  // A caller that knows no types forgets it.
  const unversioned = JSON.parse(JSON.stringify({ id, priceCents: 1 }))
  await expect(save([unversioned])).toRefuse(400)
  await expect(save([{ id, version }])).toRefuse(400)
  await expect(save([])).toRefuse(400)
  const twice = [
    { id, version, priceCents: 1 },
    { id, version, priceCents: 2 },
  ]
  await expect(save(twice)).toRefuse(400)
})

test('of a sister or another customer nothing is saved, and beside own rows they count as gone', async () => {
  const own = await dealer.call(vehicles.add, { lotId: await ford.addLot() })
  const sister = await add({}, await toyota.addLot())
  const row = { id: sister.id, version: sister.version, priceCents: 1 }
  const outcomes = await dealer.call(vehicles.updateCells, {
    rows: [row, { id: own.id, version: own.version, priceCents: 3 }],
  })
  expect(kinds(outcomes)).toEqual(['gone', 'saved'])
  await expect(harbor.call(vehicles.updateCells, { rows: [row] })).toRefuse(404)
  expect((await admin.call(vehicles.get, { id: sister.id })).priceCents).toBeNull()
})

test('of two who save the same rows at once, each row is won by one and told as stale to the other', async () => {
  const rows = await Promise.all([add(), add(), add()])
  const save = (order: readonly (typeof rows)[number][], priceCents: number) =>
    admin.call(vehicles.updateCells, {
      rows: order.map(({ id, version }) => ({ id, version, priceCents })),
    })
  const held = `select id from vehicles where id in (${rows.map(({ id }) => id).join(', ')}) for update`
  const answers = await atOnce(forecourt.owner, held, [() => save(rows, 1), () => save(rows.toReversed(), 2)])
  const all = answers.flatMap((answer) =>
    answer.status === 'fulfilled' ? vehicles.updateCells.output.parse(answer.value) : [],
  )
  expect(all).toHaveLength(6)
  for (const { id } of rows) {
    const own = all.filter((outcome) => outcome.id === id)
    expect(kinds(own).toSorted()).toEqual(['saved', 'stale'])
  }
})
