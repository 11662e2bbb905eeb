import { afterAll, beforeAll, expect, test } from 'vitest'
import { reports } from '#contract/reports/reports.ts'
import { pricingRules } from '#contract/pricing/rules/pricing-rules.ts'
import { VEHICLE_LIST } from '#contract/vehicles/vehicles/vehicle-list.ts'
import { VEHICLE_STATUSES } from '#contract/vehicles/vehicles/vehicle-choices.ts'
import { lots } from '#contract/customers/lots/lots.ts'
import { channels } from '#contract/channels/channels/channels.ts'
import { vehicles } from '#contract/vehicles/vehicles/vehicles.ts'
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
const { uploadFeed, onLot, rowsOf } = feedImports(() => forecourt)

const STATUSES = VEHICLE_STATUSES

const ALL_COLUMNS = Object.entries(VEHICLE_LIST.fields).flatMap(([name, field]) =>
  'isColumn' in field ? [] : [name],
)
const SHOWN = Object.entries(VEHICLE_LIST.fields).flatMap(([name, field]) =>
  'isColumn' in field || 'isHidden' in field ? [] : [name],
)
const KEYS = ['name', 'stock', 'vin']

test.for([
  ['all', 'csv', ALL_COLUMNS],
  ['all', 'xlsx', ALL_COLUMNS],
  ['shown', 'csv', SHOWN],
  ['shown', 'xlsx', SHOWN],
  ['selling price', 'csv', [...KEYS, 'sellingPrice']],
  ['total price', 'csv', [...KEYS, 'totalPrice']],
  ['changed', 'csv', [...KEYS, 'updatedAt', 'daysInStock']],
  ['make', 'csv', [...KEYS, 'make']],
] as const)(
  'an inventory list with %s columns, exported as %s and read back, changes nothing, whatever the status of its vehicles',
  async ([what, format, columns]) => {
    const lotId = await ford.addLot()
    for (const [at, status] of STATUSES.entries()) {
      await admin.call(vehicles.add, {
        lotId,
        stock: `OE-00${at}${format}${what.replace(' ', '')}`,
        year: 2020,
        make: 'Ford',
        model: 'Escape',
        trim: 'SE, "Sport"',
        color: '-Ice | White',
        mileage: 12_345 + at,
        priceCents: at === 0 ? null : 2_000_000 + at,
        msrpCents: 2_600_000,
        inStockOn: '2026-03-04',
        status,
      })
    }
    const before = await onLot(lotId)
    const file = await admin.send({
      method: 'POST',
      url: reports.exportList.path,
      payload: { list: 'vehicles', format, columns, filter: `lotId == ${lotId}`, sort: 'stock' },
    })
    expect(file.status).toBe(200)
    const run = await uploadFeed(admin, { lotId }, { name: `inventory.${format}`, bytes: file.bytes })
    const rows = await rowsOf(admin, run.id)
    expect(rows.flatMap(({ changes }) => changes)).toEqual([])
    // A file of ours without the status changes none, not even of what was removed.
    expect(rows.flatMap(({ toStatus }) => toStatus ?? [])).toEqual([])
    expect(run).toMatchObject({ new: 0, changed: 0, refused: 0, leftOut: 0, questions: [] })
    await admin.call(feedRuns.cancel, { id: run.id })
    expect(await onLot(lotId)).toEqual(before)
  },
)

test.for([
  ['google', 'csv', 'Google vehicle ads'],
  ['google', 'xml', 'Google vehicle ads'],
  ['google-listings', 'csv', 'Google vehicle listings'],
  ['meta', 'csv', 'Meta'],
  ['csv', 'csv', 'a channel'],
] as const)(
  'a file that was made for a channel (%s, %s) is refused in one sentence',
  async ([kind, format, name]) => {
    const lotId = await ford.addLot()
    const place = { address: '1 Main Street', city: 'Austin', region: 'TX', postalCode: '78701' }
    await admin.call(lots.update, { id: lotId, ...place })
    const photos = [{ kind: 'address' as const, place: 'https://img.example/a.jpg', alt: '' }]
    const vehicle = { lotId, year: 2021, make: 'Ford', model: fresh('Escape'), status: 'live' } as const
    const more = {
      vin: '1FADP3F20DL000001',
      color: 'Blue',
      body: 'suv',
      description: 'One owner.',
      mileage: 12_000,
    }
    await ford.addVehicle({ ...vehicle, ...more, condition: 'demo', priceCents: 2_000_000, photos })
    const { id } = await admin.call(channels.add, {
      name: fresh('Channel'),
      kind,
      format,
      destination: 'pull',
      rule: `model == "${vehicle.model}"`,
      pageTemplate: 'https://cars.example/{vin}',
      secret: null,
    })
    await admin.call(channels.run, { id })
    await forecourt.channels.workDue()
    const { feedPath } = await admin.call(channels.get, { id })
    const { text } = await forecourt.anonymous.send({ method: 'GET', url: feedPath ?? '' })
    // A demo vehicle is a used one for receivers, and needs no MSRP.
    expect(text).toContain('1FADP3F20DL000001')
    const before = await onLot(lotId)
    const run = await uploadFeed(admin, { lotId }, { name: `channel.${format}`, bytes: Buffer.from(text) })
    expect(run).toMatchObject({
      status: 'failed',
      error: expect.stringContaining(`Forecourt made this file for ${name}: `),
    })
    expect(await onLot(lotId)).toEqual(before)
    await admin.call(channels.remove, { id })
    await forecourt.owner.query('delete from vehicles where vin = $1', ['1FADP3F20DL000001'])
  },
)

test.for([
  ['the columns that the list shows', []],
  ['the selling price beside them', ['sellingPrice']],
] as const)('a file with %s changes no price: totals have fees and rules in them', async ([, more]) => {
  const lotId = await ford.addLot()
  for (const at of [1, 2, 3])
    await admin.call(vehicles.add, {
      lotId,
      stock: `TP-${more.length}${at}`,
      year: 2021,
      make: 'Ford',
      model: 'Escape',
      priceCents: 2_000_000 + at * 100_000,
      mileage: 20_000 + at,
      inStockOn: '2026-03-04',
      status: 'live',
      condition: 'used',
    })
  const { id: ruleId } = await admin.call(pricingRules.add, {
    name: `Off ${more.length}`,
    kind: 'discount',
    cents: 50_000,
    lotIds: [lotId],
  })
  const before = await onLot(lotId)
  const shown = Object.entries(VEHICLE_LIST.fields).flatMap(([name, field]) =>
    'isColumn' in field || 'isHidden' in field ? [] : [name],
  )
  const file = await admin.send({
    method: 'POST',
    url: reports.exportList.path,
    payload: { list: 'vehicles', format: 'csv', columns: [...shown, ...more], filter: `lotId == ${lotId}` },
  })
  expect(file.text).toContain('Total price')
  const run = await uploadFeed(admin, { lotId }, { name: 'inventory.csv', bytes: file.bytes })
  expect((await rowsOf(admin, run.id)).flatMap(({ changes }) => changes)).toEqual([])
  await admin.call(feedRuns.cancel, { id: run.id })
  expect(await onLot(lotId)).toEqual(before)
  await admin.call(pricingRules.remove, { id: ruleId })
})
