import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { lots } from '#contract/customers/lots/lots.ts'
import { vehicles, type Vehicle } from '#contract/vehicles/vehicles/vehicles.ts'
import { Refused, refusalOf, testApp, type Caller, type TestApp } from '#test/app.ts'
import { clock } from '#server/clock.ts'
import { fresh, testOrganization, type TestOrganization } from '#test/factories/test-organization.ts'

let forecourt: TestApp
let ford: TestOrganization
let toyota: TestOrganization
let admin: Caller
let dealer: Caller
beforeAll(async () => {
  forecourt = await testApp()
  ford = await testOrganization(forecourt, 'Northgate Ford')
  toyota = await testOrganization(forecourt, 'Northgate Toyota')
  admin = await forecourt.as('northgate.admin', 'Northgate Ford')
  dealer = await forecourt.as('northgate.dealer')
})
afterAll(() => forecourt.close())

type Query = Parameters<typeof admin.call<typeof vehicles.list.input, typeof vehicles.list.output>>[1]

async function everything(caller: Caller, query: Query = {}): Promise<Vehicle[]> {
  const first = await caller.call(vehicles.list, { ...query, pageSize: 200, page: 1 })
  const rows = [...first.results]
  for (let page = 2; rows.length < first.filteredRows; page += 1) {
    rows.push(...(await caller.call(vehicles.list, { ...query, pageSize: 200, page })).results)
  }
  return rows
}

const fieldsRefused = (call: Promise<unknown>) =>
  call.then(
    () => 'let through',
    (error: unknown) => (error instanceof Refused ? [error.status, error.refusal.fields] : error),
  )

describe('the list', () => {
  test('is sorted newest first, with both counts, and with costs only for users who may see them', async () => {
    const rows = await everything(admin)
    const { totalRows, filteredRows } = await admin.call(vehicles.list, {})
    expect([totalRows, filteredRows]).toEqual([620, 620])
    expect(rows.map(({ updatedAt }) => updatedAt)).toEqual(
      rows
        .map(({ updatedAt }) => updatedAt)
        .toSorted()
        .toReversed(),
    )
    expect(rows.filter(({ costCents }) => costCents !== null).length).toBeGreaterThan(500)
  })

  test('contains only vehicles of the organization if that is the reach of the user', async () => {
    const rows = await everything(dealer)
    expect(rows).toHaveLength(360)
    expect(new Set(rows.map(({ organizationId }) => organizationId))).toEqual(new Set([ford.organizationId]))
    const sister = (await everything(admin)).find((row) => row.organizationId === toyota.organizationId)
    await expect(dealer.call(vehicles.get, { id: sister?.id ?? '' })).toRefuse(404, 'Vehicle not found.')
    expect((await admin.call(vehicles.get, { id: sister?.id ?? '' })).vin).toBe(sister?.vin)
  })

  test('counts days in stock from the in-stock date until the vehicle is gone', async () => {
    const today = clock.today('America/Los_Angeles')
    const rows = await everything(admin)
    for (const { status, inStockOn, daysInStock } of rows) {
      const isGone = ['sold', 'archived', 'wholesale', 'removed'].includes(status)
      const days =
        inStockOn === null || isGone ? null : (Date.parse(today) - Date.parse(inStockOn)) / 86_400_000
      expect(daysInStock).toBe(days)
    }
  })

  test.for(['daysInStock', '-daysInStock', 'price', '-price', 'stock', '-mileage', 'inStockOn'] as const)(
    'sorted by %s has empty values last, and its pages contain every vehicle',
    async (sort) => {
      const rows = await everything(admin, { sort })
      expect(new Set(rows.map(({ id }) => id)).size).toBe(620)
      const cells = rows.map(({ daysInStock, priceCents: price, stock, mileage, inStockOn }) => ({
        daysInStock,
        price,
        stock,
        mileage,
        inStockOn,
      }))
      const values = cells.map(
        (cell) => Object.entries(cell).find(([name]) => name === sort.replace('-', ''))?.[1],
      )
      const there = values.filter((value) => value !== null && value !== undefined)
      expect(values.slice(0, there.length)).toEqual(there)
      const sorted = there.toSorted((one, other) => (one < other ? -1 : Number(one > other)))
      expect(there).toEqual(sort.startsWith('-') ? sorted.toReversed() : sorted)
    },
  )

  test('sorts by vehicle name, and by the labels of lot and status', async () => {
    const names = (await everything(admin, { sort: 'name' })).map(({ make, model }) =>
      `${make} ${model}`.toLowerCase(),
    )
    expect(names).toEqual(names.toSorted())
    const byLot = (await everything(admin, { sort: 'lotId' })).map(({ lotName }) => lotName.toLowerCase())
    expect(byLot).toEqual(byLot.toSorted())
    const statuses = (await everything(admin, { sort: '-status' })).map(({ status }) => status)
    expect([...new Set(statuses)]).toEqual([
      'removed',
      'wholesale',
      'archived',
      'sold',
      'pending',
      'hold',
      'live',
      'preparing',
      'incoming',
    ])
  })

  test('filters by price compared with cost, exactly', async () => {
    const all = await everything(admin)
    const wanted = all.filter(
      ({ priceCents, costCents }) =>
        priceCents !== null && costCents !== null && priceCents * 10 > costCents * 11,
    )
    const found = await everything(admin, { filter: 'price > cost * 1.1' })
    expect(wanted.length).toBeGreaterThan(20)
    expect(found.map(({ id }) => id).toSorted()).toEqual(wanted.map(({ id }) => id).toSorted())
  })

  test('filters by an exact price in currency units', async () => {
    await ford.addVehicle({ stock: 'ON-THE-SPOT', priceCents: 3_333_333, costCents: 3_030_303 })
    const answer = await admin.call(vehicles.list, { filter: 'price == 33333.33 && stock == "on-the-spot"' })
    expect(answer.filteredRows).toBe(1)
    await forecourt.owner.query(`delete from vehicles where stock = 'ON-THE-SPOT'`)
  })

  test.for([
    [
      'status == "live" && daysInStock > 60',
      (row: Vehicle) => row.status === 'live' && (row.daysInStock ?? 0) > 60,
    ],
    [
      'make in ["ford", "LINCOLN"] && condition != "new"',
      (row: Vehicle) => ['Ford', 'Lincoln'].includes(row.make ?? '') && row.condition !== 'new',
    ],
    ['cost == null', (row: Vehicle) => row.costCents === null],
    ['!(price >= 30000)', (row: Vehicle) => !((row.priceCents ?? 0) >= 3_000_000)],
    [
      'inStockOn == null || status == "hold"',
      (row: Vehicle) => row.inStockOn === null || row.status === 'hold',
    ],
    [
      'model.contains("150") && year >= 2020',
      (row: Vehicle) => row.model?.includes('150') === true && (row.year ?? 0) >= 2020,
    ],
  ] as const)('filters by %s', async ([filter, isWanted]) => {
    const wanted = (await everything(admin)).filter(isWanted)
    const answer = await admin.call(vehicles.list, { filter, pageSize: 1 })
    expect(wanted.length).toBeGreaterThan(0)
    expect([answer.filteredRows, answer.totalRows]).toEqual([wanted.length, 620])
  })

  test.for([
    ['f-150', 'F-150'],
    ['ford f-150', 'F-150'],
    ['f-15 FORD', 'F-150'],
    ['cr-v hyb', 'CR-V Hybrid'],
  ] as const)('searches for %s: every word, at any position and in any order', async ([search, model]) => {
    const rows = await everything(admin, { search })
    const wanted = (await everything(admin)).filter((row) => row.model === model)
    expect(rows.map(({ id }) => id).toSorted()).toEqual(wanted.map(({ id }) => id).toSorted())
  })

  test('searches VIN and stock number literally and only with access', async () => {
    const vin = '5LMPJ8JA0TJ12X345'
    await toyota.addVehicle({ vin, stock: 'A%B_C\\D' })
    for (const search of [vin.toLowerCase(), 'tj12x3', 'a%b_c\\d', 'c\\D a%']) {
      expect((await admin.call(vehicles.list, { search })).filteredRows).toBe(1)
      expect((await dealer.call(vehicles.list, { search })).filteredRows).toBe(0)
    }
    for (const search of ['a_b', 'a%c', '%%', 'x'.repeat(200), `');--`]) {
      expect((await admin.call(vehicles.list, { search })).filteredRows).toBe(0)
    }
    await forecourt.owner.query('delete from vehicles where vin = $1', [vin])
  })

  test('search, filter and sort work together', async () => {
    const rows = await everything(admin, { search: 'toyota', filter: 'price > 20000', sort: '-price' })
    const wanted = (await everything(admin, { sort: '-price' })).filter(
      (row) => row.make === 'Toyota' && (row.priceCents ?? 0) > 2_000_000,
    )
    expect(rows.map(({ id }) => id)).toEqual(wanted.map(({ id }) => id))
  })
})

describe('a user who may not see costs', () => {
  test('gets none, in the list or in a single vehicle', async () => {
    const rows = await everything(dealer)
    expect(rows.filter(({ costCents }) => costCents !== null)).toEqual([])
    expect((await dealer.call(vehicles.get, { id: rows[0]?.id ?? '' })).costCents).toBeNull()
  })

  test.for(['cost > 10000', 'cost == null', 'price > cost * 1.1', 'status == "live" || cost != null'])(
    'cannot infer them with the filter %s',
    async (filter) => {
      const { status, refusal } = await refusalOf(dealer.call(vehicles.list, { filter }))
      expect([status, Object.keys(refusal.fields ?? {})]).toEqual([400, ['filter']])
      expect(refusal.fields?.['filter']).toMatch(
        new RegExp(`at character ${filter.indexOf('cost') + 1}: .*cost`),
      )
    },
  )

  test.for(['cost', '-cost', 'price,cost'])('cannot infer them with the sort %s', async (sort) => {
    const refusal = await fieldsRefused(dealer.call(vehicles.list, { sort }))
    expect(refusal).toEqual([
      400,
      { sort: expect.stringMatching(/^Cannot sort by cost\. Use name, stock(?!.*cost)/) },
    ])
    await expect(admin.call(vehicles.list, { sort })).resolves.toMatchObject({ totalRows: 620 })
  })
})

describe('a lot', () => {
  test('with vehicles cannot be deleted', async () => {
    const lot = await ford.addLot()
    const id = await ford.addVehicle({ lotId: lot })
    await expect(admin.call(lots.remove, { id: lot })).toRefuse(
      409,
      '1 vehicle is on this lot. Move it first.',
    )
    await ford.addVehicle({ lotId: lot })
    await expect(admin.call(lots.remove, { id: lot })).toRefuse(
      409,
      '2 vehicles are on this lot. Move them first.',
    )
    await forecourt.owner.query('delete from vehicles where lot_id = $1', [lot])
    await expect(admin.call(lots.remove, { id: lot })).resolves.toBeNull()
    await expect(admin.call(vehicles.get, { id })).toRefuse(404, 'Vehicle not found.')
  })

  test('takes its vehicles with it to another organization', async () => {
    const lot = await ford.addLot()
    const id = await ford.addVehicle({ lotId: lot })
    await expect(dealer.call(vehicles.get, { id })).resolves.toMatchObject({ lotId: lot })
    await admin.call(lots.update, { id: lot, organizationId: toyota.organizationId })
    await expect(dealer.call(vehicles.get, { id })).toRefuse(404)
    expect(await admin.call(vehicles.get, { id })).toMatchObject({
      organizationId: toyota.organizationId,
      lotId: lot,
      version: 2,
      updatedBy: 'Dana Whitfield',
    })
  })
})

describe('the database', () => {
  /** With SQL, because the product rejects invalid vehicles before the database does. */
  const put = async (place: TestOrganization, columns: Record<string, string | number | null>) => {
    const vehicle = { make: 'Ford', lot_id: await place.addLot(), ...columns }
    const names = ['customer_id', 'organization_id', ...Object.keys(vehicle)]
    return place.insert(
      `insert into vehicles (${names.join(', ')}) values (${names.map((_, at) => `$${at + 1}`).join(', ')})
      returning id`,
      [place.customerId, place.organizationId, ...Object.values(vehicle)],
    )
  }

  test("rejects a lot that doesn't belong to the vehicle's organization", async () => {
    const lot = await toyota.addLot()
    await expect(put(ford, { lot_id: lot })).rejects.toMatchObject({ code: '23503' })
  })

  test('allows a VIN once per lot, also on a sister lot, and again after it was sold', async () => {
    const lot_id = await ford.addLot()
    const vin = fresh('1FTVIN').replace(' ', '').toUpperCase()
    await put(ford, { lot_id, vin })
    await expect(put(ford, { lot_id, vin })).rejects.toMatchObject({ code: '23505' })
    await expect(put(toyota, { vin })).resolves.toMatch(/^\d+$/)
    await forecourt.owner.query(`update vehicles set status = 'sold' where lot_id = $1`, [lot_id])
    await expect(put(ford, { lot_id, vin })).resolves.toMatch(/^\d+$/)
  })

  test('identifies vehicles without a VIN by stock number', async () => {
    const lot_id = await ford.addLot()
    await put(ford, { lot_id, stock: 'no-vin-1' })
    await expect(put(ford, { lot_id, stock: 'NO-VIN-1' })).rejects.toMatchObject({ code: '23505' })
    await expect(put(ford, { lot_id, stock: 'NO-VIN-1', vin: 'HAS1' })).resolves.toMatch(/^\d+$/)
  })

  test.for([
    { price_cents: -1 },
    { cost_cents: -1 },
    { mileage: -1 },
    { year: 1492 },
    { vin: 'lower' },
    { status: 'stolen' },
  ])('rejects %j', async (columns) => {
    await expect(put(ford, columns)).rejects.toMatchObject({ code: '23514' })
  })
})

test('a vehicle without anything in the columns that may be empty matches the contract', async () => {
  // The database writes these responses as JSON, and only tests compare them with the contract.
  const id = await ford.addVehicle({ stock: fresh('EMPTY') })
  const { rows } = await forecourt.owner.query<{ name: string }>(
    `select column_name as name from information_schema.columns where table_schema = 'public' and table_name = 'vehicles'
      and is_nullable = 'YES' and is_generated = 'NEVER' and column_name not in ('stock', 'stock_key')`,
  )
  const filled: string[] = []
  for (const { name } of rows) {
    await forecourt.owner
      .query(`update vehicles set ${name} = null where id = $1`, [id])
      .catch(() => filled.push(name))
  }
  expect(rows.length).toBeGreaterThan(30)
  expect(filled).toEqual([])
  const vehicle = await admin.call(vehicles.get, { id })
  const { results } = await admin.call(vehicles.list, { search: vehicle.stock ?? '' })
  expect([vehicle.make, vehicle.priceCents, results.map((row) => row.id)]).toEqual([null, null, [id]])
})
