import { afterAll, beforeAll, expect, test } from 'vitest'
import { channels } from '#contract/channels/channels/channels.ts'
import { dashboard } from '#contract/home/dashboard.ts'
import { lots } from '#contract/customers/lots/lots.ts'
import { vehicles, type VehicleRecord } from '#contract/vehicles/vehicles/vehicles.ts'
import { facets } from '#contract/lists/facets.ts'
import { views } from '#contract/lists/views.ts'
import { testApp, type Caller, type TestApp } from '#test/app.ts'
import { fresh } from '#test/factories/test-organization.ts'

let forecourt: TestApp
let shownLot = ''
let admin: Caller
let hiddenLot = ''
beforeAll(async () => {
  forecourt = await testApp()
  admin = await forecourt.as('northgate.admin', 'Northgate Ford')
  const lot = { type: 'used' as const, name: 'A lot' }
  shownLot = (await admin.call(lots.add, { ...lot, code: 'SHOWN' })).id
  hiddenLot = (await admin.call(lots.add, { ...lot, code: 'HIDDEN', isPublic: false })).id
  await admin.call(
    channels.add,
    channels.add.input.parse({ name: fresh('File'), kind: 'csv', destination: 'pull', rule: '' }),
  )
})
afterAll(() => forecourt.close())

const photo = (name: string) => ({ kind: 'address' as const, place: `https://img.example/${name}`, alt: '' })
let made = 0
function add(values: object): Promise<VehicleRecord> {
  made += 1
  return admin.call(vehicles.add, {
    lotId: shownLot,
    vin: `1FTEW1E89PF${String(made).padStart(6, '0')}`,
    status: 'live',
    year: 2023,
    make: 'Ford',
    model: 'Published test',
    priceCents: 4_418_000,
    photos: [photo('1.jpg')],
    ...values,
  })
}

/** The status that every place shows for one vehicle: its record, the list, its filter, and the channel without a filter. */
async function shownFor({ id, model }: VehicleRecord) {
  const one = `model == ${JSON.stringify(model)}`
  const ids = async (value: string) =>
    (
      await admin.call(vehicles.list, { filter: `${one} && published == "${value}"`, pageSize: 200 })
    ).results.map((row) => row.id)
  const record = await admin.call(vehicles.get, { id })
  const { results } = await admin.call(vehicles.list, { filter: one, pageSize: 200 })
  const found = await admin.call(channels.ofVehicle, { id })
  const reasons = found.channels
    .filter(({ kind }) => kind === 'csv')
    .map((channel) => channel.reasons.length === 0)
  return {
    record: record.published === 'published',
    hasNoReason: record.notPublishedReason === null,
    list: results.find((row) => row.id === id)?.published === 'published',
    filter: (await ids('published')).includes(id),
    notInOtherFilter: !(await ids('not-published')).includes(id),
    channel: reasons[0],
  }
}

test.for([
  [true, {}, null],
  [false, { status: 'hold', statusReason: 'Open recall' }, 'Hold (Open recall)'],
  [false, { status: 'sold', priceCents: null }, 'Sold, no price'],
  [false, { priceCents: 0 }, 'no price'],
  [false, { photos: [] }, 'no photos'],
  [false, { photos: [photo('coming-soon.png'), photo('no_pic.png')] }, 'placeholder photos only'],
  [true, { photos: [photo('coming-soon.png'), photo('picnic.png')] }, null],
  // Google and Meta need the VIN, but a plain file includes the vehicle.
  [true, { vin: null, stock: 'PUB-1' }, null],
  [false, { year: null }, 'no year, make or model'],
  [false, { isOnHiddenLot: true }, 'lot is hidden'],
] as const)(
  'record, list, filter and channel agree whether a vehicle is published: %#',
  async ([isPublished, values, why]) => {
    const { isOnHiddenLot, ...given } = { isOnHiddenLot: false, ...values }
    const vehicle = await add({ ...given, ...(isOnHiddenLot && { lotId: hiddenLot }) })
    expect(vehicle.notPublishedReason).toBe(why)
    expect(await shownFor(vehicle)).toEqual({
      record: isPublished,
      hasNoReason: isPublished,
      list: isPublished,
      filter: isPublished,
      notInOtherFilter: isPublished,
      channel: isPublished,
    })
  },
)

test('facet, filter and dashboard count the same published vehicles', async () => {
  const counted = async (filter: string) => (await admin.call(vehicles.list, { filter })).filteredRows
  const published = await counted('published == "published"')
  const hidden = await counted('published == "not-published"')
  const found = (await admin.call(facets.list, { list: 'vehicles' })).find(
    ({ field }) => field === 'published',
  )
  const stock = await admin.call(dashboard.stock, {})
  expect(published).toBeGreaterThan(0)
  expect(found?.values.map(({ value, label, rows }) => [value, label, rows]).toSorted()).toEqual([
    ['not-published', 'Not published', hidden],
    ['published', 'Published', published],
  ])
  expect(stock.published.count).toBe(published)
  expect(stock.hidden.count).toBe(await counted('status == "live" && published == "not-published"'))
  expect(await counted('published in ["published", "not-published"]')).toBe(published + hidden)
  expect(await counted('notPublishedReason == null')).toBe(published)
  // A shared view with the name of a figure has as many rows.
  const { incoming, preparing, hold } = stock.notForSale
  const shared = new Map(
    (await admin.call(views.list, { list: 'vehicles' })).map(({ name, state }) => [name, state.filter ?? '']),
  )
  expect(shared.has('Not published')).toBe(false)
  expect(await counted(shared.get('Not for sale') ?? '')).toBe(incoming + preparing + hold)
  expect(stock.notForSale.count).toBe(incoming + preparing + hold)
})

test('hiding a lot takes its vehicles out of the published ones at once', async () => {
  const vehicle = await add({ model: 'Published lot test' })
  const { version } = await admin.call(lots.get, { id: vehicle.lotId })
  const hidden = await admin.call(lots.update, { id: vehicle.lotId, version, isPublic: false })
  expect(await shownFor(vehicle)).toMatchObject({ record: false, list: false, filter: false, channel: false })
  await admin.call(lots.update, { id: vehicle.lotId, version: hidden.version, isPublic: true })
  expect(await shownFor(vehicle)).toMatchObject({ record: true, list: true, filter: true, channel: true })
})
