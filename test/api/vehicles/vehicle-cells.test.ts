import { afterAll, beforeAll, expect, test } from 'vitest'
import type { z } from 'zod'
import type { CustomField } from '#contract/customers/custom-fields/custom-fields.ts'
import { customerDetails } from '#contract/customers/details/details.ts'
import { vehicles, type CellsOutcome } from '#contract/vehicles/vehicles/vehicles.ts'
import { refusalOf, testApp, type Caller, type TestApp } from '#test/app.ts'
import { concurrently } from '#test/harness/concurrently.ts'
import { fresh, testOrganization, type TestOrganization } from '#test/factories/test-organization.ts'

let forecourt: TestApp
let ford: TestOrganization
let toyota: TestOrganization
let admin: Caller
let dealer: Caller
let harbor: Caller
beforeAll(async () => {
  forecourt = await testApp()
  ford = await testOrganization(forecourt, 'Northgate Ford')
  toyota = await testOrganization(forecourt, 'Northgate Toyota')
  admin = await forecourt.as('northgate.admin', 'Northgate Ford')
  dealer = await forecourt.as('northgate.dealer')
  harbor = await forecourt.as('harbor.admin')
})
afterAll(() => forecourt.close())

const add = async (more: object = {}, lotId?: string) =>
  admin.call(vehicles.add, { lotId: lotId ?? (await ford.addLot()), locksEdits: false, ...more })
const kinds = (outcomes: readonly CellsOutcome[]) => outcomes.map(({ outcome }) => outcome)

test('saves cells with provenance and locks like the form and leaves other fields unchanged', async () => {
  const lotId = await ford.addLot()
  const other = await ford.addLot()
  const vehicle = await add({ stock: fresh('S'), color: 'Red', priceCents: 100_000 }, lotId)
  const [saved] = await admin.call(vehicles.updateCells, {
    confirmPrices: true,
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
  expect(now).toMatchObject({ color: 'Red', stock: vehicle.stock, tags: ['Auction', 'Front line'] })
  expect(now.locked).toEqual(['price'])
  expect(now.provenance.price?.source).toBe('user')
  expect(now.version).toBeGreaterThan(vehicle.version)
  const { events } = await admin.call(vehicles.timeline, { id: vehicle.id })
  expect(events[0]?.changes.map(({ field }) => field)).toEqual(
    expect.arrayContaining(['Price', 'Status', 'Lot', 'Tags']),
  )
})

test('reports a stale, invalid or deleted row and still saves the others', async () => {
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
    confirmPrices: true,
    rows: [
      { id: gone.id, version: gone.version, priceCents: 1 },
      { id: twin.id, version: twin.version, stock, priceCents: 5 },
      { id: stale.id, version: stale.version, priceCents: 1 },
      { id: astray.id, version: astray.version, lotId: '999999999' },
      { id: fine.id, version: fine.version, priceCents: 2 },
    ],
  })
  expect(kinds(outcomes)).toEqual(['gone', 'refused', 'stale', 'refused', 'saved'])
  expect(outcomes[1]).toMatchObject({ fields: { stock: 'This stock number is already on the lot.' } })
  expect(outcomes[2]).toMatchObject({ vehicle: { priceCents: 77_700 }, by: 'Luis Ortega' })
  expect(outcomes[3]).toMatchObject({ fields: { lotId: 'Choose one of your lots.' } })
  expect(await admin.call(vehicles.get, { id: twin.id })).toMatchObject({
    stock: twin.stock,
    priceCents: null,
    version: twin.version,
  })
})

test('rejects an invalid cell before anything is saved', async () => {
  const [one, other] = [await add(), await add()]
  const refusal = await refusalOf(
    admin.call(vehicles.updateCells, {
      rows: [
        { id: one.id, version: one.version, priceCents: 5 },
        { id: other.id, version: other.version, priceCents: -1 },
      ],
    }),
  )
  expect(refusal.refusal.fields).toEqual({ 'rows.1.priceCents': "Price can't be negative." })
  expect((await admin.call(vehicles.get, { id: one.id })).version).toBe(one.version)
})

test('requires a version and a cell in each row, and each vehicle only once', async () => {
  const { id, version } = await add()
  type Rows = Parameters<typeof admin.call<typeof vehicles.updateCells.input, z.ZodType>>[1]['rows']
  const save = (rows: Rows) => admin.call(vehicles.updateCells, { rows })
  // Possible for callers without our types.
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

test('saves nothing of a sister organization or another customer and reports these rows as deleted', async () => {
  const own = await dealer.call(vehicles.add, { lotId: await ford.addLot() })
  const sister = await add({}, await toyota.addLot())
  const row = { id: sister.id, version: sister.version, priceCents: 1 }
  const outcomes = await dealer.call(vehicles.updateCells, {
    confirmPrices: true,
    rows: [row, { id: own.id, version: own.version, priceCents: 3 }],
  })
  expect(kinds(outcomes)).toEqual(['gone', 'saved'])
  await expect(harbor.call(vehicles.updateCells, { rows: [row] })).toRefuse(404)
  expect((await admin.call(vehicles.get, { id: sister.id })).priceCents).toBeNull()
})

test('if two users save the same rows at once, each row is saved for one and stale for the other', async () => {
  const rows = await Promise.all([add(), add(), add()])
  const save = (order: readonly (typeof rows)[number][], priceCents: number) =>
    admin.call(vehicles.updateCells, {
      confirmPrices: true,
      rows: order.map(({ id, version }) => ({ id, version, priceCents })),
    })
  const held = `select id from vehicles where id in (${rows.map(({ id }) => id).join(', ')}) for update`
  const answers = await concurrently(forecourt.owner, held, [
    () => save(rows, 1),
    () => save(rows.toReversed(), 2),
  ])
  const all = answers.flatMap((answer) =>
    answer.status === 'fulfilled' ? vehicles.updateCells.output.parse(answer.value) : [],
  )
  expect(all).toHaveLength(6)
  for (const { id } of rows) {
    const own = all.filter((outcome) => outcome.id === id)
    expect(kinds(own).toSorted()).toEqual(['saved', 'stale'])
  }
})

const field = (key: string, more: Partial<CustomField>): CustomField => ({
  key,
  name: key,
  kind: 'text',
  unit: null,
  choices: [],
  isArchived: false,
  ...more,
})
const OWN: CustomField[] = [
  field('cell_board', { name: 'Board' }),
  field('cell_length', { name: 'Length', kind: 'number', unit: 'm' }),
  field('cell_loaner', { name: 'Loaner', kind: 'flag' }),
  field('cell_stage', { name: 'Stage', kind: 'choice', choices: ['Wash', 'Ready'] }),
]
/** Adds custom fields to those of the demo data. */
async function addOwn(own: readonly CustomField[]): Promise<void> {
  const { customFields } = await admin.call(customerDetails.get, {})
  const others = customFields.filter(({ key }) => !key.startsWith('cell_'))
  await admin.call(customerDetails.update, { customFields: [...others, ...own] })
}

test('saves custom field cells like the form: by type, with provenance and locks', async () => {
  await addOwn(OWN)
  const vehicle = await add({ custom: { custom_cell_board: 'B 1', custom_cell_length: 4.5 } })
  const { id, version } = vehicle
  const [saved] = await admin.call(vehicles.updateCells, {
    confirmPrices: true,
    rows: [
      {
        id,
        version,
        custom: { custom_cell_length: 5.25, custom_cell_loaner: false, custom_cell_stage: 'wash' },
      },
    ],
  })
  const custom = {
    custom_cell_board: 'B 1',
    custom_cell_length: 5.25,
    custom_cell_loaner: false,
    custom_cell_stage: 'Wash',
  }
  expect(saved).toMatchObject({ outcome: 'saved', vehicle: { custom } })
  const now = await admin.call(vehicles.get, { id })
  expect(now.custom).toEqual(custom)
  expect(now.locked.toSorted()).toEqual(['custom_cell_length', 'custom_cell_loaner', 'custom_cell_stage'])
  expect(now.provenance.custom_cell_stage).toMatchObject({ source: 'user', by: 'Dana Whitfield' })
  const { events } = await admin.call(vehicles.timeline, { id })
  expect(events[0]?.changes).toEqual(
    expect.arrayContaining([{ field: 'Length', before: '4.5', after: '5.25' }]),
  )
  const emptied = await admin.call(vehicles.updateCells, {
    rows: [{ id, version: now.version, custom: { custom_cell_length: null } }],
  })
  expect(kinds(emptied)).toEqual(['saved'])
  expect((await admin.call(vehicles.get, { id })).custom).not.toHaveProperty('custom_cell_length')
})

test('rejects only the row with an invalid custom field and reports the error', async () => {
  await addOwn([...OWN, field('cell_old', { name: 'Old', isArchived: true })])
  const [wrong, fine, stale] = [await add(), await add(), await add()]
  await dealer.call(vehicles.update, { id: stale.id, custom: { custom_cell_board: 'Theirs' } })
  const outcomes = await admin.call(vehicles.updateCells, {
    confirmPrices: true,
    rows: [
      {
        id: wrong.id,
        version: wrong.version,
        priceCents: 5,
        custom: {
          custom_cell_length: 'long',
          custom_cell_loaner: 'yes',
          custom_cell_stage: 'Gone',
          custom_cell_old: 'x',
          custom_none: 'x',
        },
      },
      { id: fine.id, version: fine.version, custom: { custom_cell_board: 'Mine' } },
      { id: stale.id, version: stale.version, custom: { custom_cell_board: 'Mine' } },
    ],
  })
  expect(kinds(outcomes)).toEqual(['refused', 'saved', 'stale'])
  expect(outcomes[0]).toMatchObject({
    fields: {
      'custom.custom_cell_length': 'Length must be a number with at most four decimal places.',
      'custom.custom_cell_loaner': 'Loaner must be yes or no.',
      'custom.custom_cell_stage': 'Stage must be one of Wash, Ready.',
      'custom.custom_cell_old': "Old is archived, so its values can't be changed.",
      'custom.custom_none': 'This field no longer exists. Reload the vehicle.',
    },
  })
  expect(outcomes[2]).toMatchObject({
    vehicle: { custom: { custom_cell_board: 'Theirs' } },
    by: 'Luis Ortega',
  })
  expect(await admin.call(vehicles.get, { id: wrong.id })).toMatchObject({ priceCents: null, custom: {} })
  const nothing = { id: fine.id, version: fine.version, custom: {} }
  await expect(admin.call(vehicles.updateCells, { rows: [nothing] })).toRefuse(400)
})
