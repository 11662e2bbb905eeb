import { afterAll, beforeAll, expect, test } from 'vitest'
import { customerDetails } from '#contract/customers/details/details.ts'
import { feedRuns } from '#contract/feeds/runs/feed-runs.ts'
import { feedSources } from '#contract/feeds/sources/feed-sources.ts'
import { pricingRules } from '#contract/pricing/rules/pricing-rules.ts'
import { vehiclePrices } from '#contract/pricing/totals/vehicle-price.ts'
import { vehicles } from '#contract/vehicles/vehicles/vehicles.ts'
import { jobs } from '#contract/jobs/jobs.ts'
import { refusalOf, testApp, type Caller, type TestApp } from '#test/app.ts'
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
const { uploadFeed, csv, apply, onLot } = feedImports(() => forecourt)

const HEAD = 'Stock,Year,Make,Model,Price'
const rows = (count: number, price: (at: number) => number | string) =>
  Array.from({ length: count }, (_, at) => `PP${at},2019,Ford,Escape,${price(at)}`)

async function stocked(count: number) {
  const lotId = await ford.addLot()
  const source = await admin.call(
    feedSources.add,
    feedSources.add.input.parse({ name: fresh('Prices'), lotIds: [lotId] }),
  )
  const first = await uploadFeed(
    admin,
    { sourceId: source.id },
    csv(HEAD, ...rows(count, (at) => 20_000 + at)),
  )
  expect(first.status).toBe('ready')
  await apply(admin, first.id)
  return { lotId, sourceId: source.id }
}

test('a feed that changes many prices a lot is held with the largest change and both totals', async () => {
  const { lotId, sourceId } = await stocked(12)
  const crash = await uploadFeed(
    admin,
    { sourceId },
    csv(HEAD, ...rows(12, (at) => (at < 4 ? 9_000 : 20_000 + at))),
  )
  expect(crash.status).toBe('review')
  expect(crash.reviewReasons).toEqual([
    expect.stringMatching(
      /^4 of 12 vehicles \(33%\) change their price by more than 30%: .*Escape \(PP3\), \$20,003 to \$9,000; .*Total of these prices: \$80,006 before, \$36,000 after\.$/,
    ),
  ])
  await expect(admin.call(feedRuns.apply, { id: crash.id })).toRefuse(409)
  expect((await onLot(lotId)).map(({ price_cents: cents }) => Number(cents))).not.toContain(900_000)
})

test('a few large changes of an upload wait for a decision, and many small ones do not', async () => {
  const { sourceId } = await stocked(12)
  const two = await uploadFeed(
    admin,
    { sourceId },
    csv(HEAD, ...rows(12, (at) => (at < 2 ? 9_000 : 20_000 + at))),
  )
  expect(two).toMatchObject({ status: 'ready', prices: 0, heldPrices: { open: 2 } })
  const small = await uploadFeed(admin, { sourceId }, csv(HEAD, ...rows(12, (at) => 19_000 + at)))
  expect([small.status, small.reviewReasons]).toEqual(['ready', []])
})

test.for([1, 9_999_999])(
  'a price of $%i waits for known vehicles, and holds a feed with new ones',
  async (price) => {
    const { sourceId } = await stocked(12)
    const odd = await uploadFeed(
      admin,
      { sourceId },
      csv(HEAD, ...rows(13, (at) => (at === 5 || at === 12 ? price : 20_000 + at))),
    )
    expect(odd.status).toBe('review')
    expect(odd.reviewReasons).toEqual([
      expect.stringContaining('1 price is below $500 or above $1,000,000: '),
    ])
    expect(odd.heldPrices?.open).toBe(1)
  },
)

test('a price in another currency is left out of a feed with the reason', async () => {
  const lotId = await ford.addLot()
  const run = await uploadFeed(
    admin,
    { lotId },
    csv(HEAD, 'PPC1,2019,Ford,Escape,"CAD 21,500"', 'PPC2,2019,Ford,Escape,"USD 21,500"'),
  )
  expect(run.warnings.map(({ sentence }) => sentence)).toEqual([
    expect.stringContaining('is in CAD, not in USD'),
  ])
  await apply(admin, run.id)
  expect((await onLot(lotId)).map((row) => row.price_cents)).toEqual([null, '2150000'])
})

test('a price beyond the limits is saved only when the user confirms it', async () => {
  const lotId = await ford.addLot()
  const refused = 'Confirm this price or correct it.'
  const odd = { lotId, make: 'Ford', model: 'Escape', stock: 'PPX', priceCents: 100 }
  const first = await refusalOf(admin.call(vehicles.add, odd))
  expect([first.status, first.refusal.message, first.refusal.fields]).toEqual([
    409,
    'This price is unusual: Ford Escape (PPX), $1. Confirm to save.',
    { confirmPrices: refused },
  ])
  expect(await onLot(lotId)).toEqual([])
  const { id, version } = await admin.call(vehicles.add, { ...odd, priceCents: 2_100_000 })
  for (const priceCents of [100, 99_999_999_900, 1_400_000]) {
    await expect(admin.call(vehicles.update, { id, version, priceCents })).toRefuse(409, refused)
  }
  expect((await admin.call(vehicles.get, { id })).priceCents).toBe(2_100_000)
  const saved = await admin.call(vehicles.update, { id, version, priceCents: 100, confirmPrices: true })
  expect(saved.priceCents).toBe(100)
  // What is there already needs no confirmation again, and a price can be removed.
  const kept = await admin.call(vehicles.update, {
    id,
    version: saved.version,
    priceCents: 100,
    color: 'Blue',
  })
  expect(
    (await admin.call(vehicles.update, { id, version: kept.version, priceCents: null })).priceCents,
  ).toBeNull()
})

test('the grid saves nothing until unusual prices are confirmed, and states the totals', async () => {
  const lotId = await ford.addLot()
  const added = []
  for (const stock of ['PPG1', 'PPG2', 'PPG3']) {
    added.push(await admin.call(vehicles.add, { lotId, stock, priceCents: 2_000_000 }))
  }
  const cells = added.map(({ id, version }, at) => ({
    id,
    version,
    priceCents: at === 2 ? 1_900_000 : 200_000,
  }))
  const { status, refusal } = await refusalOf(admin.call(vehicles.updateCells, { rows: cells }))
  expect({ status, fields: refusal.fields }).toEqual({
    status: 409,
    fields: { confirmPrices: 'Confirm these prices or correct them.' },
  })
  expect(refusal.message).toContain('2 prices are unusual: ')
  expect(refusal.message).toContain('Total before: $40,000, after: $4,000.')
  expect((await onLot(lotId)).map((row) => row.price_cents)).toEqual(['2000000', '2000000', '2000000'])
  const outcomes = await admin.call(vehicles.updateCells, { rows: cells, confirmPrices: true })
  expect(outcomes.map(({ outcome }) => outcome)).toEqual(['saved', 'saved', 'saved'])
})

test('limits are set per customer', async () => {
  const details = await admin.call(customerDetails.get, {})
  expect(details.priceLimits).toEqual({
    changePercent: 30,
    stockPercent: 10,
    minCents: 50_000,
    maxCents: 100_000_000,
  })
  const priceLimits = { changePercent: 60, stockPercent: 10, minCents: 0, maxCents: 100_000_000 }
  await admin.call(customerDetails.update, { version: details.version, priceLimits })
  const { id, version } = await admin.call(vehicles.add, {
    lotId: await ford.addLot(),
    priceCents: 2_000_000,
  })
  const saved = await admin.call(vehicles.update, { id, version, priceCents: 1_000_000 })
  await expect(admin.call(vehicles.update, { id, version: saved.version, priceCents: 300_000 })).toRefuse(409)
  const { version: now } = await admin.call(customerDetails.get, {})
  const wrong = { ...priceLimits, minCents: 100_000_000 }
  await expect(admin.call(customerDetails.update, { version: now, priceLimits: wrong })).toRefuse(
    400,
    'Highest price must be above the lowest price.',
  )
  await admin.call(customerDetails.update, { version: now, priceLimits: details.priceLimits })
})

test('a feed is held when a rejected row is fixed with an unusual price', async () => {
  const lotId = await ford.addLot()
  const run = await uploadFeed(
    admin,
    {},
    csv(`${HEAD},Dealer ID`, 'PPF1,2019,Ford,Escape,21000,NOBODY-7', 'PPF2,2019,Ford,Escape,22000,NOBODY-7'),
  )
  expect([run.status, run.refused]).toEqual(['ready', 2])
  const rejected = (await admin.call(feedRuns.rows, { runId: run.id })).results
  const fix = (at: number, priceCents: number) =>
    admin.call(feedRuns.fixRow, { runId: run.id, id: rejected[at]?.id ?? '', lotId, values: { priceCents } })
  await fix(0, 2_050_000)
  expect(await admin.call(feedRuns.get, { id: run.id })).toMatchObject({ status: 'ready', reviewReasons: [] })
  await fix(1, 100)
  expect(await admin.call(feedRuns.get, { id: run.id })).toMatchObject({
    status: 'review',
    reviewReasons: [expect.stringMatching(/^1 price is below \$500 or above \$1,000,000: .*\$1\.$/)],
  })
  await expect(admin.call(feedRuns.apply, { id: run.id })).toRefuse(409)
  expect(await onLot(lotId)).toEqual([])
})

/** A rule that lowers the prices of a make on a lot beyond the limits. */
async function addClearance(make: string, lotId: string): Promise<void> {
  await admin.call(pricingRules.add, {
    name: fresh('Clearance'),
    kind: 'discount',
    cents: 900_000,
    condition: `make == ${JSON.stringify(make)}`,
    lotIds: [lotId],
  })
}

test('a bulk change asks when rules then change prices beyond the limits, and changes nothing until confirmed', async () => {
  const [from, to] = [await ford.addLot(), await ford.addLot()]
  const make = fresh('Make')
  const vehicle = {
    make,
    status: 'live',
    priceCents: 2_000_000,
    costCents: 500_000,
    locksEdits: false,
  } as const
  const id = await ford.addVehicle({ lotId: from, ...vehicle })
  const { version } = await admin.call(vehicles.get, { id })
  await addClearance(make, to)
  const move = { selection: { ids: [id] }, change: { lotId: to } }
  const jobsBefore = (await admin.call(jobs.list, {})).totalRows
  const { status, refusal } = await refusalOf(admin.call(vehicles.change, move))
  expect([status, Object.keys(refusal.fields ?? {})]).toEqual([409, ['confirmPrices']])
  expect(refusal.message).toContain('$19,995 to $10,995')
  expect((await admin.call(jobs.list, {})).totalRows).toBe(jobsBefore)
  expect((await admin.call(vehicles.get, { id })).version).toBe(version)
  await admin.call(vehicles.change, { ...move, confirmPrices: true })
  await forecourt.jobs.runDue()
  expect((await admin.call(vehicles.get, { id })).lotId).toBe(to)

  // Without an effect on prices, nothing is asked.
  await admin.call(vehicles.change, { selection: { ids: [id] }, change: { status: 'hold' } })
})

test('a bulk change asks if a rule reads the changed status, and not if none does', async () => {
  const make = fresh('Make')
  const lotId = await ford.addLot()
  const prices = { priceCents: 2_000_000, costCents: 500_000 }
  const id = await ford.addVehicle({ make, lotId, status: 'live', locksEdits: false, ...prices })
  const hold = { selection: { ids: [id] }, change: { status: 'hold' as const } }
  const rule = { kind: 'discount' as const, cents: 900_000, lotIds: [lotId], confirmPrices: true }
  const { id: ruleId } = await admin.call(pricingRules.add, {
    ...rule,
    name: fresh('On hold'),
    condition: `make == ${JSON.stringify(make)} && status == "hold"`,
  })
  const { status, refusal } = await refusalOf(admin.call(vehicles.change, hold))
  expect([status, Object.keys(refusal.fields ?? {})]).toEqual([409, ['confirmPrices']])
  const { version } = await admin.call(pricingRules.get, { id: ruleId })
  await admin.call(pricingRules.remove, { id: ruleId, version, confirmPrices: true })
  await admin.call(pricingRules.add, {
    ...rule,
    name: fresh('Make'),
    condition: `make == ${JSON.stringify(make)}`,
  })
  await admin.call(vehicles.change, hold)
})

test('a lower price that a rule no longer applies to is asked about, because buyers would pay more', async () => {
  const make = fresh('Make')
  const lotId = await ford.addLot()
  const id = await ford.addVehicle({ make, lotId, status: 'live', priceCents: 2_000_000, costCents: 500_000 })
  await admin.call(pricingRules.add, {
    name: fresh('Over 19,900'),
    kind: 'discount',
    cents: 50_000,
    condition: `make == ${JSON.stringify(make)} && price >= 19900`,
    lotIds: [lotId],
  })
  const { version } = await admin.call(vehicles.get, { id })
  const row = { id, version, priceCents: 1_985_000 }
  const saves = [
    () => admin.call(vehicles.update, row),
    () => admin.call(vehicles.updateCells, { rows: [row] }),
  ]
  for (const save of saves) {
    // oxlint-disable-next-line no-await-in-loop -- One after the other.
    const { status, refusal } = await refusalOf(save())
    expect([status, Object.keys(refusal.fields ?? {})]).toEqual([409, ['confirmPrices']])
    expect(refusal.message).toContain('buyers would pay more: $19,795 instead of $19,495')
  }
  expect((await admin.call(vehicles.get, { id })).version).toBe(version)
  const preview = await admin.call(vehiclePrices.get, { id, priceCents: 1_985_000 })
  await admin.call(vehicles.update, { ...row, confirmPrices: true })
  const saved = await admin.call(vehiclePrices.get, { id })
  expect([preview.totalCents, preview.base?.provenance]).toEqual([saved.totalCents, null])
})

test('the form and the grid ask when a change other than the price makes rules move it beyond the limits', async () => {
  const [from, to] = [await ford.addLot(), await ford.addLot()]
  const make = fresh('Make')
  const priced = { make, condition: 'new', status: 'live', priceCents: 2_000_000, locksEdits: false } as const
  const id = await ford.addVehicle({ lotId: from, ...priced })
  await addClearance(make, to)
  const { version } = await admin.call(vehicles.get, { id })
  for (const call of [
    () => admin.call(vehicles.update, { id, version, lotId: to }),
    () => admin.call(vehicles.updateCells, { rows: [{ id, version, lotId: to }] }),
  ]) {
    const { status, refusal } = await refusalOf(call())
    expect([status, Object.keys(refusal.fields ?? {})]).toEqual([409, ['confirmPrices']])
    expect(refusal.message).toContain('$20,000 to $11,000')
  }
  expect(await admin.call(vehicles.get, { id })).toMatchObject({ version, lotId: from })
  // A change without an effect on the price is saved at once.
  await admin.call(vehicles.update, { id, version, color: 'Blue' })
  const moved = await admin.call(vehicles.update, { id, lotId: to, confirmPrices: true })
  expect(moved).toMatchObject({ lotId: to, sellingPriceCents: 1_100_000 })
  const [saved] = await admin.call(vehicles.updateCells, {
    rows: [{ id, version: moved.version, lotId: from }],
    confirmPrices: true,
  })
  expect(saved).toMatchObject({ outcome: 'saved', vehicle: { sellingPriceCents: 2_000_000 } })
})
