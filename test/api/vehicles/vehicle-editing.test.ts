import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { COMPLETENESS_WEIGHTS, missingFields } from '#contract/vehicles/vehicles/completeness.ts'
import { VEHICLE_FIELDS } from '#contract/vehicles/vehicles/vehicle-fields.ts'
import { files } from '#contract/files/files.ts'
import { vins } from '#contract/vehicles/vin/vin.ts'
import { vinValuesOf } from '#contract/vehicles/vin/vin-values.ts'
import { vehiclePrices } from '#contract/pricing/totals/vehicle-price.ts'
import { vehicles, VehicleRecord } from '#contract/vehicles/vehicles/vehicles.ts'
import { jobs } from '#contract/jobs/jobs.ts'
import { search } from '#contract/home/search.ts'
import { STORED_COLUMNS } from '#server/vehicles/vehicles/restore-vehicle.ts'
import { refusalOf, testApp, type Caller, type TestApp } from '#test/app.ts'
import { concurrently } from '#test/harness/concurrently.ts'
import { sendFiles } from '#test/factories/files/file-calls.ts'
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
  await admin.call(files.createDirectory, { container: 'media', dirName: 'Vehicles' })
  await sendFiles(forecourt, admin, { path: 'Vehicles' }, [
    { name: 'F 150 front.png', bytes: Buffer.from('89504e470d0a1a0a0000000d49484452', 'hex') },
  ])
})
afterAll(() => forecourt.close())

const EVERYTHING = {
  vin: '1fteW1e8 9pfa00001',
  stock: 'T 1',
  condition: 'cpo',
  status: 'live',
  year: 2023,
  make: 'Ford',
  model: 'F-150',
  trim: 'XLT',
  body: 'Pickup',
  doors: 4,
  color: 'Oxford White',
  genericColor: 'White',
  interiorColor: 'Black',
  mileage: 18_240,
  engine: '3.5 L V6',
  fuel: 'Gasoline',
  electrification: 'none',
  transmission: 'Automatic',
  drivetrain: '4WD',
  cityEconomy: 18.5,
  highwayEconomy: 24,
  whPerMile: null,
  co2: 268,
  options: ['Bed liner', 'Tow package', 'Bed liner'],
  description: 'One owner.\nNever towed.',
  msrpCents: 5_100_000,
  invoiceCents: 4_600_000,
  costCents: 3_900_000,
  feedPriceCents: 4_500_000,
  priceCents: 4_418_000,
  marketPriceCents: 4_390_000,
  marketPriceSource: 'Manheim MMR',
  marketPriceOn: '2026-11-12',
  bookValueCents: 4_210_000,
  bookValueSource: 'J.D. Power',
  bookValueOn: '2026-11-01',
  inStockOn: '2026-08-16',
  certification: 'Blue Advantage',
  pageUrl: 'https://northgate.example/f-150',
  photos: [
    { kind: 'file', place: 'Vehicles/F 150 front.png', alt: 'From the front' },
    { kind: 'address', place: 'https://pictures.example/2.jpg', alt: '' },
  ],
} as const

const add = async (caller: Caller, more: object = {}) =>
  caller.call(vehicles.add, { lotId: await ford.addLot(), make: 'Ford', model: 'Focus', ...more })

async function totals(caller: Caller): Promise<number> {
  return (await caller.call(vehicles.list, { pageSize: 1 })).totalRows
}

describe('adding', () => {
  test('saves every field with its user and locks it', async () => {
    const added = await add(admin, EVERYTHING)
    expect(added).toMatchObject({
      ...EVERYTHING,
      vin: '1FTEW1E89PFA00001',
      options: ['Bed liner', 'Tow package'],
      completeness: 100,
      photoCount: 2,
      notPublishedReason: null,
      version: 1,
    })
    expect(await admin.call(vehicles.get, { id: added.id })).toEqual(added)
    const written = Object.keys(VEHICLE_FIELDS).filter((name) => name !== 'whPerMile')
    expect(added.locked.toSorted()).toEqual(written.toSorted())
    expect(Object.keys(added.provenance).toSorted()).toEqual(written.toSorted())
    expect(added.provenance.price).toMatchObject({ source: 'user', by: 'Dana Whitfield', run: null })
  })

  test('updates the count and makes the vehicle searchable immediately', async () => {
    const before = await totals(admin)
    const stock = fresh('QX').replace(' ', '')
    const { id } = await add(admin, { stock })
    expect(await totals(admin)).toBe(before + 1)
    const { results } = await admin.call(vehicles.list, { search: stock.toLowerCase() })
    expect(results.map((row) => row.id)).toEqual([id])
    const found = await admin.call(search.find, { text: stock })
    expect(found.flatMap(({ path }) => path)).toContain(`/inventory/vehicle-data/${id}`)
  })

  test('names a photo whose file does not exist, unless it was on the vehicle before', async () => {
    const front = EVERYTHING.photos[0]
    const photos = [front, { kind: 'file' as const, place: 'Vehicles/None.png', alt: '' }]
    const missing = { 'photos.1.place': 'The media library has no picture Vehicles/None.png.' }
    const refusing = async (call: Promise<unknown>) => (await refusalOf(call)).refusal.fields
    expect(await refusing(add(admin, { photos }))).toEqual(missing)
    const { id } = await add(admin, { photos: [front] })
    expect(await refusing(admin.call(vehicles.update, { id, photos }))).toEqual(missing)
    await forecourt.owner.query('update vehicles set photos = $2 where id = $1', [id, JSON.stringify(photos)])
    await expect(admin.call(vehicles.update, { id, photos: photos.toReversed() })).resolves.toMatchObject({
      id,
    })
  })

  test("uses the lot's organization and rejects lots without access", async () => {
    const there = await toyota.addLot()
    const added = await admin.call(vehicles.add, { lotId: there })
    expect(added.organizationId).toBe(toyota.organizationId)
    await expect(dealer.call(vehicles.add, { lotId: there })).toRefuse(400, 'Choose one of your lots.')
    await expect(harbor.call(vehicles.add, { lotId: there })).toRefuse(400, 'Choose one of your lots.')
  })

  test.for([
    [{ vin: 'with an Ümlaut' }, 'vin'],
    [{ year: 1700 }, 'year'],
    [{ doors: 0 }, 'doors'],
    [{ cityEconomy: 18.55 }, 'cityEconomy'],
    [{ priceCents: -1 }, 'priceCents'],
    [{ inStockOn: '2026-02-30' }, 'inStockOn'],
    [{ pageUrl: 'javascript:alert(1)' }, 'pageUrl'],
    [{ electrification: 'steam' }, 'electrification'],
    [{ description: 'a\u0000b' }, 'description'],
    [{ photos: [{ kind: 'address', place: 'ftp://pictures.example/1.jpg' }] }, 'photos.0.place'],
    [{ photos: [{ kind: 'file', place: '../other/1.jpg' }] }, 'photos.0.place'],
  ] as const)('rejects %j with an error for the field', async ([wrong, field]) => {
    const refusal = await refusalOf(add(admin, wrong))
    expect([refusal.status, Object.keys(refusal.refusal.fields ?? {})]).toEqual([400, [field]])
  })

  test('rejects a duplicate VIN on a lot, or a duplicate stock number without a VIN', async () => {
    const { lotId } = await add(admin, { vin: '1FTEW1E80PFA00777', stock: 'Once' })
    const refusal = await refusalOf(admin.call(vehicles.add, { lotId, vin: '1FTEW1E80PFA00777' }))
    expect([refusal.status, refusal.refusal.fields]).toEqual([
      409,
      { vin: 'This VIN is already on the lot.' },
    ])
    await admin.call(vehicles.add, { lotId, stock: 'only' })
    await expect(admin.call(vehicles.add, { lotId, stock: 'ONLY' })).toRefuse(409, 'stock number')
  })
})

describe('changing', () => {
  test('records and locks only the fields that changed', async () => {
    const { id } = await admin.call(vehicles.add, {
      lotId: await ford.addLot(),
      make: 'Ford',
      color: 'Blue',
      locksEdits: false,
    })
    const before = await admin.call(vehicles.get, { id })
    expect([before.locked, before.provenance.make?.by]).toEqual([[], 'Dana Whitfield'])
    const changed = await dealer.call(vehicles.update, { ...before, color: 'Red', doors: 3 })
    expect(changed.locked.toSorted()).toEqual(['color', 'doors'])
    expect(changed.provenance.color?.by).toBe('Luis Ortega')
    expect(changed.provenance.make?.by).toBe('Dana Whitfield')
    expect(changed.version).toBe(before.version + 1)
  })

  test('locks and unlocks fields explicitly, with or without an edit', async () => {
    const { id } = await add(dealer, { color: 'Blue' })
    const open = await dealer.call(vehicles.update, { id, locks: { make: false, trim: true } })
    expect(open.locked.toSorted()).toEqual(['color', 'model', 'trim'])
    const edited = await dealer.call(vehicles.update, { id, doors: 5, locks: { doors: false } })
    expect(edited.locked).not.toContain('doors')
    expect(edited.provenance.doors?.source).toBe('user')
  })

  test('a field has at most one provenance entry, however often it is changed', async () => {
    const { id } = await add(dealer, { color: 'Blue' })
    for (const color of ['Red', 'Green', 'White']) await dealer.call(vehicles.update, { id, color })
    const { rows } = await forecourt.owner.query<{ fields: string[] }>(
      `select array_agg(f) as fields from vehicles, jsonb_array_elements(provenance) s,
        jsonb_array_elements_text(s -> 'fields') f where id = $1`,
      [id],
    )
    expect(rows[0]?.fields.toSorted()).toEqual(['color', 'make', 'model'])
  })

  test('rejects a stale version with the current vehicle, and accepts only one of two concurrent changes', async () => {
    const { id, version } = await add(dealer)
    const first = await admin.call(vehicles.update, { id, version, color: 'Red' })
    const late = await refusalOf(dealer.call(vehicles.update, { id, version, color: 'Blue' }))
    expect([late.status, VehicleRecord.parse(late.refusal.current)]).toEqual([409, first])
    const outcomes = await concurrently(
      forecourt.owner,
      `select from vehicles where id = ${id} for update`,
      ['Blue', 'Green', 'Gray'].map(
        (color) => () => dealer.call(vehicles.update, { id, version: first.version, color }),
      ),
    )
    expect(outcomes.filter(({ status }) => status === 'fulfilled')).toHaveLength(1)
    expect((await dealer.call(vehicles.get, { id })).version).toBe(first.version + 1)
  })

  test('moves to the organization of the new lot if the caller has access', async () => {
    const { id } = await add(admin)
    const moved = await admin.call(vehicles.update, { id, lotId: await toyota.addLot() })
    expect(moved.organizationId).toBe(toyota.organizationId)
    await expect(dealer.call(vehicles.get, { id })).toRefuse(404)
    await expect(dealer.call(vehicles.update, { id, color: 'Red' })).toRefuse(404)
    await expect(harbor.call(vehicles.update, { id, color: 'Red' })).toRefuse(404)
  })

  test('users without function 49 can neither see, change nor clear costs', async () => {
    const { id } = await add(admin, { costCents: 1_000, invoiceCents: 2_000 })
    const seen = await dealer.call(vehicles.get, { id })
    expect([seen.costCents, seen.invoiceCents]).toEqual([null, null])
    await dealer.call(vehicles.update, { ...seen, color: 'Red' })
    expect(await admin.call(vehicles.get, { id })).toMatchObject({ costCents: 1_000, invoiceCents: 2_000 })
    const refusal = await refusalOf(dealer.call(vehicles.update, { id, costCents: 5, invoiceCents: 6 }))
    expect([refusal.status, Object.keys(refusal.refusal.fields ?? {})]).toEqual([
      400,
      ['costCents', 'invoiceCents'],
    ])
    const told = JSON.stringify(await dealer.call(vehicles.timeline, { id }))
    expect(told).not.toMatch(/cost|invoice/i)
  })
})

describe('deleting', () => {
  test('removes the vehicle from search and counts, and restoring it brings both back', async () => {
    const before = await totals(admin)
    const stock = fresh('ZZ').replace(' ', '')
    const added = await add(admin, { ...EVERYTHING, vin: null, stock })
    await expect(admin.call(vehicles.remove, { id: added.id, version: 9 })).toRefuse(
      409,
      'changed by someone',
    )
    expect(await admin.call(vehicles.remove, { id: added.id, version: added.version })).toBeNull()
    await expect(admin.call(vehicles.get, { id: added.id })).toRefuse(404)
    expect(await totals(admin)).toBe(before)
    expect((await admin.call(vehicles.list, { search: stock })).results).toEqual([])

    const back = await admin.call(vehicles.restore, { id: added.id })
    expect(back).toEqual({ ...added, version: added.version + 1, updatedAt: back.updatedAt })
    expect(await totals(admin)).toBe(before + 1)
    expect((await admin.call(vehicles.list, { search: stock })).results).toHaveLength(1)
    await expect(admin.call(vehicles.restore, { id: added.id })).toRefuse(404)
    const { events } = await admin.call(vehicles.timeline, { id: added.id })
    expect(events.map(({ what, by }) => [what, by])).toEqual([
      ['restored', 'Dana Whitfield'],
      ['deleted', 'Dana Whitfield'],
      ['added', 'Dana Whitfield'],
    ])
  })

  test('other customers cannot restore it, and not if another vehicle has its VIN', async () => {
    const { id, lotId } = await add(admin, { stock: 'Taken', vin: null })
    await admin.call(vehicles.remove, { id })
    await expect(harbor.call(vehicles.restore, { id })).toRefuse(404)
    await admin.call(vehicles.add, { lotId, stock: 'Taken' })
    await expect(admin.call(vehicles.restore, { id })).toRefuse(409, 'now has another vehicle')
  })

  test('restores every stored column', async () => {
    const { rows } = await forecourt.owner.query<{ name: string }>(
      `select attname as name from pg_attribute
      where attrelid = 'vehicles'::regclass and attnum > 0 and not attisdropped and attgenerated = ''`,
    )
    expect(rows.map(({ name }) => name).toSorted()).toEqual([...STORED_COLUMNS].toSorted())
  })
})

describe('the history', () => {
  test('lists changes with user and job, and lots by name', async () => {
    const lotId = await ford.addLot('Back yard')
    const added = await add(dealer, { priceCents: 100_000, photos: [] })
    await dealer.call(vehicles.update, {
      id: added.id,
      priceCents: 90_000,
      lotId,
      photos: [{ kind: 'address', place: 'https://pictures.example/1.jpg' }],
    })
    const job = await dealer.call(vehicles.change, {
      selection: { ids: [added.id] },
      change: { status: 'hold', statusReason: 'Recall' },
    })
    await forecourt.jobs.runDue()
    const { events, isCut } = await dealer.call(vehicles.timeline, { id: added.id })
    expect(isCut).toBe(false)
    expect(events).toMatchObject([
      {
        what: 'changed',
        by: 'Luis Ortega',
        jobId: job.id,
        changes: [{ field: 'Status', before: 'Incoming', after: 'Hold' }],
      },
      { what: 'changed', by: 'Luis Ortega', jobId: null },
      { what: 'added', by: 'Luis Ortega' },
    ])
    expect(events[1]?.changes).toEqual(
      expect.arrayContaining([
        { field: 'Price', before: '$1,000', after: '$900' },
        { field: 'Lot', before: expect.any(String), after: 'Back yard' },
        { field: 'Photos', before: null, after: '1 photo' },
      ]),
    )
    expect((await dealer.call(jobs.get, { id: job.id })).done).toBe(1)
  })

  test('of prices has an entry only for each price change', async () => {
    const { id } = await add(dealer)
    for (const priceCents of [500_000, 450_000, 450_000, null]) {
      await dealer.call(vehicles.update, { id, priceCents })
      await dealer.call(vehicles.update, { id, status: priceCents === 500_000 ? 'live' : 'hold' })
    }
    const prices = await dealer.call(vehicles.prices, { id })
    expect(prices.map(({ priceCents }) => priceCents)).toEqual([null, 500_000, 450_000, null])
    expect(prices.at(-1)?.by).toBe('Luis Ortega')
    await expect(harbor.call(vehicles.prices, { id })).toRefuse(404)
    await expect(harbor.call(vehicles.timeline, { id })).toRefuse(404)
  })
})

describe('derived values', () => {
  test('completeness in the database equals that of the contract for every demo vehicle', async () => {
    expect(Object.values(COMPLETENESS_WEIGHTS).reduce((sum, weight) => sum + weight, 0)).toBe(100)
    const { results } = await admin.call(vehicles.list, { pageSize: 200, sort: 'completeness' })
    expect(results.map(({ completeness }) => completeness)).toEqual(
      results.map(({ completeness }) => completeness).toSorted((one, other) => one - other),
    )
    for (const { id, completeness } of results.filter((_, at) => at % 10 === 0)) {
      const missing = missingFields(await admin.call(vehicles.get, { id }))
      expect(missing.reduce((sum, { weight }) => sum + weight, 0)).toBe(100 - completeness)
    }
  })

  test.for([
    [
      { ...EVERYTHING, model: null, priceCents: 0, photos: [] },
      'no price, no photos, no year, make or model',
    ],
    [
      { ...EVERYTHING, status: 'hold', statusReason: 'Open recall', photos: [] },
      'Hold (Open recall), no photos',
    ],
    [{ ...EVERYTHING, status: 'removed' }, 'Removed by feed'],
  ] as const)('an unpublished vehicle states the reasons: %#', async ([values, sentence]) => {
    const { id, notPublishedReason } = await add(admin, values)
    expect(notPublishedReason).toBe(sentence)
    const { results } = await admin.call(vehicles.list, {
      filter: `notPublishedReason == ${JSON.stringify(sentence)}`,
      pageSize: 200,
    })
    expect(results.map((row) => row.id)).toContain(id)
    await admin.call(vehicles.remove, { id })
  })

  test('vehicles on a hidden lot are not published', async () => {
    const added = await add(admin, EVERYTHING)
    await forecourt.owner.query('update lots set is_public = false where id = $1', [added.lotId])
    expect((await admin.call(vehicles.get, { id: added.id })).notPublishedReason).toBe('lot is hidden')
  })
})

describe('provenance of feed runs', () => {
  test('keeps locked fields and returns the fields still written by a run', async () => {
    const { rows } = await forecourt.owner.query<{ still: string[]; stamps: unknown }>(
      `with first as (select stamp_fields('[]', '{price,color,make}', '{"source": "feed", "run": "7"}') as p),
      second as (select stamp_fields(p, '{price}', '{"source": "user", "by": "Ann"}') as p from first)
      select fields_of_run(p, 7) as still, stamp_fields(p, '{}', '{"source": "vin"}') as stamps from second`,
    )
    expect(rows).toEqual([
      {
        still: ['color', 'make'],
        stamps: [
          { source: 'feed', run: '7', fields: ['color', 'make'] },
          { source: 'user', by: 'Ann', fields: ['price'] },
        ],
      },
    ])
  })
})

describe('values filled in from the VIN', () => {
  const vin = '1FTFW1E50PFA00872'

  test("have the VIN as their source and stay open to feeds; typed values are locked as the user's", async () => {
    const { values } = await admin.call(vins.decode, { vin })
    const decoded = vinValuesOf(values)
    expect(decoded).toMatchObject({ make: 'Ford', year: 2023 })
    const added = await admin.call(vehicles.add, {
      lotId: await ford.addLot(),
      vin,
      year: 2023,
      make: 'Ford',
      model: 'Typed by hand',
      fromVin: ['year', 'make', 'model'],
    })
    expect(added.provenance.year).toMatchObject({ source: 'vin', by: null })
    expect(added.provenance.make?.source).toBe('vin')
    // The value isn't what the VIN decodes to.
    expect(added.provenance.model).toMatchObject({ source: 'user', by: 'Dana Whitfield' })
    expect(added.locked.toSorted()).toEqual(['model', 'vin'])

    const applied = await admin.call(vehicles.update, {
      id: added.id,
      version: added.version,
      ...(typeof decoded.model === 'string' && { model: decoded.model }),
      fromVin: ['model'],
    })
    expect(applied.model).toBe(decoded.model)
    expect(applied.provenance.model).toMatchObject({ source: 'vin' })
  })
})

test('a typed amount in a description is refused where it is saved, and what a feed sent stays', async () => {
  const fields = { description: expect.stringContaining('“$9,999” is typed by hand') }
  const typed = 'Only $9,999 today.'
  const lotId = await ford.addLot()
  const { id, version } = await admin.call(vehicles.add, { lotId, description: 'One owner.' })
  const refusing = async (call: Promise<unknown>) => (await refusalOf(call)).refusal.fields
  expect(await refusing(admin.call(vehicles.update, { id, version, description: typed }))).toEqual(fields)
  expect(await refusing(admin.call(vehicles.add, { lotId, description: typed }))).toEqual(fields)

  await forecourt.owner.query('update vehicles set description = $1 where id = $2', [typed, id])
  const now = await admin.call(vehicles.get, { id })
  await admin.call(vehicles.update, { id, version: now.version, description: typed, color: 'Blue' })
  const { textFindings } = await admin.call(vehiclePrices.get, { id })
  expect(textFindings).toContainEqual(expect.objectContaining({ words: typed, from: 0 }))
})
