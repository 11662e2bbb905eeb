import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { customerDetails } from '#contract/customers/details/details.ts'
import { lots } from '#contract/customers/lots/lots.ts'
import { pricingRules } from '#contract/pricing/rules/pricing-rules.ts'
import { vehiclePrices } from '#contract/pricing/totals/vehicle-price.ts'
import { vehicles } from '#contract/vehicles/vehicles/vehicles.ts'
import { clock } from '#server/clock.ts'
import { inTenant } from '#server/database/tenant-transaction.ts'
import { listingOf, readListings } from '#server/channels/index.ts'
import { useCustomerTimeZone } from '#server/customers/index.ts'
import { Matching, readPriceSetting, recalculateMatching } from '#server/pricing/stored/recalculate-prices.ts'
import { systemScope } from '#server/queue/due-items.ts'
import { type Caller, testApp, type TestApp } from '#test/app.ts'
import { seededBy } from '../../../demo/chance.ts'
import { fresh, testOrganization, type TestOrganization } from '#test/factories/test-organization.ts'

let forecourt: TestApp
let admin: Caller
let place: TestOrganization
let wakes = 0
/** Of each vehicle with a price in the demo world: the total that lists show, and the sum of its explanation's lines. */
let demoTotals: { id: string; stored: number | null; recomputed: number | null }[] = []
beforeAll(async () => {
  forecourt = await testApp({}, { onPrices: () => (wakes += 1) })
  await forecourt.prices.workDue()
  demoTotals = await recomputeTotals()
  admin = await forecourt.as('northgate.admin', 'Northgate Ford')
  place = await testOrganization(forecourt, 'Northgate Ford')
  await admin.call(customerDetails.update, { priceLaw: 'us', fees: [], confirmPrices: true })
})
beforeEach(async () => {
  await forecourt.owner.query('delete from pricing_rules')
  await forecourt.prices.workDue()
})
afterAll(() => forecourt.close())

/** A vehicle for sale whose price no person set, as from a feed. */
async function addVehicle(fields: object = {}): Promise<{ id: string; model: string; lotId: string }> {
  const lotId = await place.addLot()
  const model = fresh('Ranger')
  const id = await place.addVehicle({
    lotId,
    model,
    status: 'live',
    priceCents: 2_000_000,
    locksEdits: false,
    ...fields,
  })
  return { id, model, lotId }
}

/** What the list shows for a vehicle. */
async function listed(
  id: string,
): Promise<{ sellingPriceCents: number | null; totalPriceCents: number | null }> {
  const { sellingPriceCents, totalPriceCents } = await admin.call(vehicles.get, { id })
  return { sellingPriceCents, totalPriceCents }
}
const both = (sellingPriceCents: number | null, totalPriceCents = sellingPriceCents) => ({
  sellingPriceCents,
  totalPriceCents,
})

async function recomputeTotals(): Promise<typeof demoTotals> {
  const { rows: customers } = await forecourt.owner.query<{ id: string }>('select id::text from customers')
  const totals: typeof demoTotals = []
  for (const { id: customerId } of customers) {
    await inTenant(forecourt.appPool, systemScope(customerId, 'test', true), async (db) => {
      const zone = await useCustomerTimeZone(db, customerId)
      const rows = await readListings(db, { customerId, rule: '', zone, after: '0', most: 10_000 })
      const { rows: prices } = await forecourt.owner.query<{ id: string; total: number | null }>(
        'select vehicle_id::text as id, total_cents::float8 as total from vehicle_prices where customer_id = $1',
        [customerId],
      )
      const stored = new Map(prices.map(({ id, total }) => [id, total]))
      for (const row of rows) {
        const { quote } = listingOf(row, { pageTemplate: null, pictureAddress: () => null })
        const changes = quote && [
          quote.baseCents,
          ...quote.lines.map(({ amountCents }) => amountCents),
          ...quote.fees.map(({ cents }) => cents),
        ]
        const recomputed = changes && changes.reduce((sum, cents) => sum + cents, 0)
        totals.push({ id: row.id, stored: stored.get(row.id) ?? null, recomputed })
      }
    })
  }
  return totals
}

test('in the demo world the total of every vehicle is the sum of the lines of its explanation', () => {
  expect(demoTotals.filter(({ recomputed }) => recomputed !== null).length).toBeGreaterThan(500)
  expect(demoTotals.filter(({ stored, recomputed }) => stored !== recomputed)).toEqual([])
})

test('a rule for few vehicles finds all of them in windows of any size', async () => {
  const [model, other] = [fresh('Window'), fresh('Other')]
  const ids: string[] = []
  for (let at = 0; at < 5; at += 1) {
    ids.push((await addVehicle({ model })).id)
    await addVehicle({ model: other })
  }
  await forecourt.prices.workDue()
  const { rows } = await forecourt.owner.query<{ customerId: string }>(
    `insert into pricing_rules (customer_id, name, kind, cents, condition)
    select customer_id, 'Window', 'discount', 50000, $2 from vehicles where id = $1 returning customer_id::text as "customerId"`,
    [ids[0], `model == "${model}"`],
  )
  const customerId = rows[0]?.customerId ?? ''
  const before = Number(ids[0]) - 1
  const matching = [{ lotIds: [], condition: `model == "${model}"` }]
  for (const window of [1, 3, 4, 100]) {
    await forecourt.owner.query('update vehicle_prices set total_cents = 1 where vehicle_id = any($1)', [ids])
    let progress: Awaited<ReturnType<typeof recalculateMatching>> = { after: String(before), window }
    while (progress.after !== null) {
      const { after } = progress
      progress = await inTenant(forecourt.appPool, systemScope(customerId, 'test'), async (db) =>
        recalculateMatching(
          db,
          await readPriceSetting(db, customerId),
          { after, window, matching },
          { skipsLocked: true, advertises: false },
        ),
      )
    }
    const found = await forecourt.owner.query<{ total: string }>(
      'select distinct total_cents as total from vehicle_prices where vehicle_id = any($1)',
      [ids],
    )
    expect(found.rows.map(({ total }) => Number(total))).toEqual([1_950_000])
  }
})

test('a rule that is paused while half of its vehicles have their new price leaves all with the right one', async () => {
  const model = fresh('Paused')
  const ids: string[] = []
  for (let at = 0; at < 4; at += 1) ids.push((await addVehicle({ model })).id)
  await forecourt.prices.workDue()
  const sale = { name: 'Sale', kind: 'discount', cents: 50_000, condition: `model == "${model}"` } as const
  const { id, version } = await admin.call(pricingRules.add, sale)
  const customerId = await customerOf(ids)
  // What the worker does when a batch has room for two of the vehicles, and another server takes over.
  const { rows } = await forecourt.owner.query<{ matching: unknown }>(
    'delete from price_requests where customer_id = $1 and matching is not null returning matching',
    [customerId],
  )
  const matching = Matching.parse(rows[0]?.matching)
  const after = await inTenant(forecourt.appPool, systemScope(customerId, 'test'), async (db) => {
    const setting = await readPriceSetting(db, customerId)
    const range = { after: String(Number(ids[0]) - 1), window: 2, matching }
    return (await recalculateMatching(db, setting, range, { skipsLocked: true, advertises: false })).after
  })
  await forecourt.owner.query(
    'update price_states set after_vehicle = $2, matching = $3 where customer_id = $1',
    [customerId, after, JSON.stringify(matching)],
  )
  const totals = async () => {
    const found = await forecourt.owner.query<{ cents: string }>(
      'select total_cents as cents from vehicle_prices where vehicle_id = any($1) order by vehicle_id',
      [ids],
    )
    return found.rows.map(({ cents }) => Number(cents))
  }
  expect(await totals()).toEqual([1_950_000, 1_950_000, 2_000_000, 2_000_000])
  await admin.call(pricingRules.update, { id, version, isActive: false })
  await forecourt.prices.workDue()
  expect(await totals()).toEqual([2_000_000, 2_000_000, 2_000_000, 2_000_000])
})

async function customerOf([id]: readonly string[]): Promise<string> {
  const { rows } = await forecourt.owner.query<{ id: string }>(
    'select customer_id::text as id from vehicles where id = $1',
    [id],
  )
  return rows[0]?.id ?? ''
}

test('saving a vehicle stores its selling price and total price at once', async () => {
  const { id, model } = await addVehicle()
  expect(await listed(id)).toEqual(both(2_000_000))
  await admin.call(pricingRules.add, {
    name: 'Off',
    kind: 'discount',
    cents: 50_000,
    condition: `model == "${model}"`,
  })
  await admin.call(vehicles.update, { id, priceCents: 2_100_000, locksEdits: false })
  expect(await listed(id)).toEqual(both(2_050_000))
  const { version } = await admin.call(vehicles.get, { id })
  const [cell] = await admin.call(vehicles.updateCells, { rows: [{ id, version, priceCents: 1_900_000 }] })
  expect(cell).toMatchObject({ outcome: 'saved', vehicle: both(1_850_000) })
  await admin.call(vehicles.update, { id, status: 'sold' })
  expect(await listed(id)).toEqual(both(null))
  await admin.call(vehicles.update, { id, status: 'live' })
  await admin.call(vehicles.remove, { id })
  await admin.call(vehicles.restore, { id })
  expect(await listed(id)).toEqual(both(1_850_000))
})

test('rules, fees and the law of the lot change stored prices in the background', async () => {
  const { id, model, lotId } = await addVehicle()
  const rule = await admin.call(pricingRules.add, {
    name: 'Cash',
    kind: 'rebate',
    cents: 50_000,
    condition: `model == "${model}"`,
  })
  await forecourt.prices.workDue()
  expect(await listed(id)).toEqual(both(1_950_000))
  await admin.call(customerDetails.update, {
    fees: [{ name: 'Document', class: 'document', cents: 8_500 }],
    confirmPrices: true,
  })
  await forecourt.prices.workDue()
  expect(await listed(id)).toEqual(both(1_950_000, 1_958_500))
  await admin.call(lots.update, { id: lotId, priceLaw: 'us-ca' })
  await forecourt.prices.workDue()
  expect(await listed(id)).toEqual(both(2_000_000, 2_008_500))
  await admin.call(lots.update, { id: lotId, priceLaw: null })
  await admin.call(pricingRules.remove, { id: rule.id })
  await admin.call(customerDetails.update, { fees: [], confirmPrices: true })
  await forecourt.prices.workDue()
  expect(await listed(id)).toEqual(both(2_000_000))
})

test('a change of a rule, a fee or a price profile wakes the price worker once it is saved, and a preview does not', async () => {
  const wakesIn = async (work: () => Promise<unknown>): Promise<number> => {
    const before = wakes
    await work()
    return wakes - before
  }
  const rule = { name: 'Wakes', kind: 'discount', cents: 50_000, condition: 'make == "Nash"' } as const
  expect(await wakesIn(() => admin.call(pricingRules.preview, { id: null, rule }))).toBe(0)
  expect(await wakesIn(() => admin.call(pricingRules.add, rule))).toBe(1)
  expect(await wakesIn(() => expect(admin.call(pricingRules.add, rule)).toRefuse(409))).toBe(0)
  expect(await wakesIn(() => admin.call(customerDetails.update, { fees: [], confirmPrices: true }))).toBe(1)
  expect(await wakesIn(() => admin.call(customerDetails.update, { priceProfiles: [] }))).toBe(1)
})

test('a change of a rule requests the prices of the vehicles that its former or its new version matches', async () => {
  const requested = async (): Promise<unknown> => {
    const { rows } = await forecourt.owner.query(
      'select vehicle_id, matching from price_requests order by id',
    )
    await forecourt.owner.query('delete from price_requests')
    return rows
  }
  const of = (...conditions: string[]) => [
    { vehicle_id: null, matching: conditions.map((condition) => ({ lotIds: [], condition })) },
  ]
  const [nash, hudson] = ['make == "Nash"', 'make == "Hudson"']
  const given = { name: 'Matching', kind: 'discount', cents: 50_000, condition: nash } as const
  await requested()
  const { id } = await admin.call(pricingRules.add, given)
  expect(await requested()).toEqual(of(nash))
  await admin.call(pricingRules.update, { id, condition: hudson })
  expect(await requested()).toEqual(of(hudson, nash))
  await admin.call(pricingRules.update, { id, isActive: false })
  expect(await requested()).toEqual(of(hudson))
  // A paused rule changes no price.
  await admin.call(pricingRules.update, { id, cents: 60_000 })
  await admin.call(pricingRules.remove, { id })
  expect(await requested()).toEqual([])
})

test('a price changes when a rule starts and is restored exactly when it ends, without another change', async () => {
  const { id, model } = await addVehicle()
  await admin.call(pricingRules.add, {
    name: 'Weekend',
    kind: 'discount',
    cents: 50_000,
    condition: `model == "${model}"`,
    fromMinute: '2026-11-18T20:00',
    untilMinute: '2026-11-18T22:00',
  })
  await forecourt.prices.workDue()
  expect(await listed(id)).toEqual(both(2_000_000))
  // The lot is in Los Angeles or another American zone: at most eight hours behind UTC.
  const seen = new Set<number | null>()
  for (let quarter = 0; quarter < 4 * 18; quarter += 1) {
    clock.advance(15 * 60_000)
    await forecourt.prices.workDue()
    const { rows } = await forecourt.owner.query<{ selling: number }>(
      'select selling_cents::float8 as selling from vehicle_prices where vehicle_id = $1',
      [id],
    )
    seen.add(rows[0]?.selling ?? null)
  }
  expect([...seen]).toEqual([2_000_000, 1_950_000])
  admin = await forecourt.as('northgate.admin', 'Northgate Ford')
  expect(await listed(id)).toEqual(both(2_000_000))
  const changes = (await admin.call(vehicles.prices, { id })).slice(-2)
  for (const { zone } of changes) expect(zone).toMatch(/^America\//)
  expect(changes).toMatchObject([
    { sellingCents: 1_950_000, isByRules: true, causes: [{ what: 'clock', by: null }] },
    { sellingCents: 2_000_000, isByRules: true, causes: [{ what: 'clock', by: null }] },
  ])
})

test('the history of a price names who changed it, and by what', async () => {
  const { id, model } = await addVehicle()
  await forecourt.prices.workDue()
  const later = async () => {
    // What comes soon after a change of the vehicle's own price is the same change.
    clock.advance(180_000)
    await forecourt.prices.workDue()
  }
  await later()
  const condition = `model == "${model}"`
  const rule = await admin.call(pricingRules.add, {
    name: 'Truck month',
    kind: 'discount',
    cents: 50_000,
    condition,
  })
  await later()
  await admin.call(pricingRules.update, { id: rule.id, cents: 60_000 })
  await later()
  const dealer = await forecourt.as('northgate.dealer')
  await dealer.call(vehiclePrices.setSpecial, { id, version: null, cents: 1_900_000, reason: 'Scratch' })
  await later()
  await admin.call(customerDetails.update, {
    fees: [{ name: 'Document', class: 'document', cents: 8_500 }],
    confirmPrices: true,
  })
  await later()
  const own = { by: 'Dana Whitfield', as: null, rules: [] }
  const version = (number: number) => [{ id: rule.id, name: 'Truck month', version: number }]
  const prices = await dealer.call(vehicles.prices, { id })
  expect(prices.map(({ totalCents }) => totalCents)).toEqual([
    2_000_000, 1_950_000, 1_940_000, 1_900_000, 1_908_500,
  ])
  expect(prices.slice(1).map(({ causes }) => causes)).toEqual([
    [{ ...own, what: 'rule', rules: version(1) }],
    [{ ...own, what: 'rule', rules: version(2) }],
    [{ ...own, what: 'special', by: 'Luis Ortega' }],
    [{ ...own, what: 'settings' }],
  ])
  await admin.call(customerDetails.update, { fees: [], confirmPrices: true })
})

test('the list filters and sorts by selling price and total price', async () => {
  const { id, model } = await addVehicle()
  const { id: other } = await addVehicle({ model, priceCents: 2_010_000 })
  const { id: unpriced } = await addVehicle({ model, priceCents: null })
  await admin.call(pricingRules.add, {
    name: 'Off',
    kind: 'discount',
    cents: 50_000,
    condition: `model == "${model}" && price > 20050`,
  })
  await forecourt.prices.workDue()
  const ids = async (filter: string, sort: string) =>
    (await admin.call(vehicles.list, { filter: `model == "${model}"${filter}`, sort })).results.map(
      (one) => one.id,
    )
  expect(await ids('', 'sellingPrice')).toEqual([other, id, unpriced])
  expect(await ids('', '-totalPrice')).toEqual([id, other, unpriced])
  expect(await ids(' && sellingPrice < 20000', 'name')).toEqual([other])
  expect(await ids(' && totalPrice == null', 'name')).toEqual([unpriced])
})

test('a condition of a rule can use neither what rules lead to nor the time of day', async () => {
  const rule = { name: 'Circle', kind: 'discount', cents: 1_000 } as const
  await expect(admin.call(pricingRules.add, { ...rule, condition: 'sellingPrice > 10000' })).toRefuse(400)
  await expect(admin.call(pricingRules.add, { ...rule, condition: 'updatedAt > now()' })).toRefuse(
    400,
    'time of day',
  )
})

async function changeAndCompare(seed: number) {
  const chance = seededBy(`prices ${seed}`)
  const draw = (most: number) => Math.floor(chance.upTo(most))
  const lotIds = [await place.addLot(), await place.addLot()]
  const lot = () => lotIds[draw(2)] ?? ''
  const model = fresh('Drawn')
  const ids: string[] = []
  for (let at = 0; at < 5; at += 1) {
    ids.push(
      await place.addVehicle({
        lotId: lot(),
        model,
        status: 'live',
        priceCents: 1_000_000 + draw(1_000_000),
        costCents: draw(3) === 0 ? null : 900_000 + draw(200_000),
        inStockOn: `2026-11-${10 + draw(9)}`,
        locksEdits: draw(4) === 0,
      }),
    )
  }
  const vehicle = () => ids[draw(ids.length)] ?? ''
  const rules: string[] = []
  const day = () => clock.date().toISOString().slice(0, 10)
  const settings = () => ({
    kind: (['base', 'accessory', 'discount', 'rebate', 'floor', 'offer'] as const)[draw(6)] ?? 'discount',
    cents: 1_000 + draw(200_000),
    qualifier: 'Members',
    condition:
      [
        `model == "${model}"`,
        `model == "${model}" && daysInStock > ${1 + draw(15)}`,
        `model == "${model}" && price < 15000`,
      ][draw(3)] ?? '',
    exclusiveGroup: draw(3) === 0 ? 'One of these' : null,
    steps: draw(3) === 0 ? [{ days: 3 + draw(12), cents: 500 + draw(100_000) }] : [],
    fromMinute: draw(3) === 0 ? `${day()}T${10 + draw(10)}:${10 + draw(45)}` : null,
    untilMinute: draw(3) === 0 ? `2026-12-0${1 + draw(9)}T0${draw(9)}:30` : null,
    confirmPrices: true,
  })
  const steps: (() => Promise<unknown>)[] = [
    () =>
      admin.call(vehicles.update, {
        id: vehicle(),
        priceCents: 1_000_000 + draw(900_000),
        confirmPrices: true,
        locksEdits: draw(3) === 0,
      }),
    () => admin.call(vehicles.update, { id: vehicle(), lotId: lot() }),
    () => admin.call(vehicles.update, { id: vehicle(), status: draw(3) === 0 ? 'sold' : 'live' }),
    async () => rules.push((await admin.call(pricingRules.add, { ...settings(), name: fresh('Rule') })).id),
    async () => rules.push((await admin.call(pricingRules.add, { ...settings(), name: fresh('Rule') })).id),
    async () => {
      const id = rules[draw(rules.length)]
      if (id !== undefined)
        await admin.call(pricingRules.update, { id, ...settings(), isActive: draw(4) > 0 })
    },
    async () => {
      const id = rules.splice(draw(rules.length), 1)[0]
      if (id !== undefined) await admin.call(pricingRules.remove, { id, confirmPrices: true })
    },
    () =>
      admin.call(customerDetails.update, {
        fees: [
          { name: 'Document', class: 'document', cents: 5_000 + draw(9_000) },
          { name: 'Document', class: 'document', cents: 9_900, from: '2026-12-01' },
        ],
        confirmPrices: true,
      }),
    () =>
      admin.call(lots.update, {
        id: lot(),
        priceLaw: (['us', 'us-ca', 'us-ok', null] as const)[draw(4)] ?? null,
        confirmPrices: true,
      }),
    async () => {
      clock.advance((1 + draw(30)) * 37 * 60_000)
      admin = await forecourt.as('northgate.admin', 'Northgate Ford')
    },
  ]
  for (let step = 0; step < 40; step += 1) {
    await steps[draw(steps.length)]?.()
    if (draw(3) > 0) continue
    await forecourt.prices.workDue()
    for (const id of ids) {
      const { status, priceCents } = await admin.call(vehicles.get, { id })
      const price = await admin.call(vehiclePrices.get, { id })
      const isPriced = status !== 'sold' && priceCents !== null
      expect({ step, id, ...(await listed(id)) }).toEqual({
        step,
        id,
        ...(isPriced ? both(price.sellingCents, price.totalCents ?? undefined) : both(null)),
      })
    }
  }
}

test.for([1])('after any changes the stored prices equal the evaluated ones (%i)', changeAndCompare)
test.for([2, 3])(
  'after more changes the stored prices equal the evaluated ones (%i)',
  { tags: 'release' },
  changeAndCompare,
)

test.for([
  // The end of daylight saving time in the United States: 1:30 comes twice, 60 minutes apart.
  ['2026-11-01T08:30Z', 'America/Los_Angeles', '2026-11-01T01:30'],
  ['2026-11-01T09:00Z', 'America/Los_Angeles', '2026-11-01T01:59'],
  ['2026-11-01T09:59Z', 'America/Los_Angeles', '2026-11-01T01:59'],
  ['2026-11-01T10:00Z', 'America/Los_Angeles', '2026-11-01T02:00'],
  // Its start: 2:00 to 2:59 don't exist.
  ['2026-03-08T09:59Z', 'America/Los_Angeles', '2026-03-08T01:59'],
  ['2026-03-08T10:00Z', 'America/Los_Angeles', '2026-03-08T03:00'],
  // Half an hour, at another time of the day.
  ['2026-04-04T15:10Z', 'Australia/Lord_Howe', '2026-04-05T01:59'],
  ['2026-04-04T15:40Z', 'Australia/Lord_Howe', '2026-04-05T02:10'],
  ['2028-02-29T12:00Z', 'UTC', '2028-02-29T12:00'],
] as const)('at %s the clock of a lot in %s shows %s', async ([at, zone, minute]) => {
  const { rows } = await forecourt.owner.query<{ shown: string }>('select lot_minute($1, $2) as shown', [
    at,
    zone,
  ])
  expect(rows[0]?.shown).toBe(minute)
})

test.for([
  ['2026-11-01T01:30', 'America/Los_Angeles', '2026-11-01T08:30:00.000Z'],
  ['2026-11-01T02:00', 'America/Los_Angeles', '2026-11-01T10:00:00.000Z'],
  // It never comes, so the rule starts with the first minute after it.
  ['2026-03-08T02:10', 'America/Los_Angeles', '2026-03-08T10:00:00.000Z'],
  ['2026-12-01T00:00', 'America/New_York', '2026-12-01T05:00:00.000Z'],
  ['2026-12-01T00:07', 'Asia/Kathmandu', '2026-11-30T18:22:00.000Z'],
] as const)('%s in %s begins at %s', async ([minute, zone, at]) => {
  const { rows } = await forecourt.owner.query<{ at: Date | string }>('select lot_moment($1, $2) as at', [
    minute,
    zone,
  ])
  expect(new Date(rows[0]?.at ?? '').toISOString()).toBe(at)
})

test('a vehicle that a new rule matches only days later gets its price then', async () => {
  const { id, model } = await addVehicle({ inStockOn: clock.date().toISOString().slice(0, 10) })
  await admin.call(pricingRules.add, {
    name: 'Days later',
    kind: 'discount',
    cents: 50_000,
    condition: `model == "${model}" && daysInStock >= 3`,
  })
  await forecourt.prices.workDue()
  expect(await listed(id)).toMatchObject({ sellingPriceCents: 2_000_000 })
  clock.advance(4 * 86_400_000)
  await forecourt.prices.workDue()
  admin = await forecourt.as('northgate.admin', 'Northgate Ford')
  expect(await listed(id)).toMatchObject({ sellingPriceCents: 1_950_000 })
})

test('a rule that ended in the repeated hour of daylight saving time does not apply again', async () => {
  const { id, model } = await addVehicle()
  await admin.call(pricingRules.add, {
    name: 'Until half past one',
    kind: 'discount',
    cents: 50_000,
    condition: `model == "${model}"`,
    untilMinute: '2026-11-01T01:30',
  })
  const { rows } = await forecourt.owner.query<{ zone: string }>(
    'select coalesce(l.time_zone, o.time_zone) as zone from vehicles v join lots l on l.id = v.lot_id join organizations o on o.id = l.organization_id where v.id = $1',
    [id],
  )
  expect(rows[0]?.zone).toBe('America/Los_Angeles')
  const totals: (number | null)[] = []
  for (const at of ['2026-11-01T08:29:00Z', '2026-11-01T08:30:00Z', '2026-11-01T09:10:00Z']) {
    clock.set(at)
    admin = await forecourt.as('northgate.admin', 'Northgate Ford')
    await forecourt.prices.workDue()
    totals.push((await admin.call(vehiclePrices.get, { id })).sellingCents)
  }
  expect(totals).toEqual([1_950_000, 2_000_000, 2_000_000])
})
