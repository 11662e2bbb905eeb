// @module-tag release
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { customerDetails } from '#contract/customers/details/details.ts'
import { pricingRules } from '#contract/pricing/rules/pricing-rules.ts'
import { vehiclePrices } from '#contract/pricing/totals/vehicle-price.ts'
import { vehicles } from '#contract/vehicles/vehicles/vehicles.ts'
import { type Caller, refusalOf, testApp, type TestApp } from '#test/app.ts'
import { fresh, testOrganization, type TestOrganization } from '#test/factories/test-organization.ts'

let forecourt: TestApp
let admin: Caller
let place: TestOrganization
beforeAll(async () => {
  forecourt = await testApp()
  admin = await forecourt.as('northgate.admin', 'Northgate Ford')
  place = await testOrganization(forecourt, 'Northgate Ford')
  await admin.call(customerDetails.update, { priceLaw: 'us', fees: [], confirmPrices: true })
})
beforeEach(async () => {
  await forecourt.owner.query('delete from pricing_rules')
})
afterAll(() => forecourt.close())

/** Used trucks at $30,000: one with an invoice, one with only a cost, one with neither. */
async function threeTrucks() {
  const model = fresh('Truck')
  const add = (fields: object) =>
    place.addVehicle({ model, condition: 'used', status: 'live', priceCents: 3_000_000, ...fields })
  const ids = {
    invoice: await add({ invoiceCents: 2_900_000 }),
    cost: await add({ costCents: 2_950_000 }),
    neither: await add({}),
  }
  const clearance = {
    name: fresh('Clearance'),
    kind: 'discount',
    percent: 3,
    field: 'price',
    aboveInvoiceCents: 30_000,
    condition: `model == "${model}"`,
  } as const
  return { model, ids, clearance }
}
const sellingPrice = async (id: string) => (await admin.call(vehiclePrices.get, { id })).sellingCents

test('a limit bounds its own discount, and vehicles without the amount are counted, listed and skipped, or use their cost', async () => {
  const { ids, clearance } = await threeTrucks()
  const preview = await admin.call(pricingRules.preview, { id: null, rule: clearance })
  expect(preview).toMatchObject({ matched: 3, lowered: 1, raised: 0, atLimit: 1, totalCents: -70_000 })
  expect(preview.skipped).toEqual([{ reason: 'missing', vehicles: 2 }])
  expect(preview.missing).toMatchObject({
    count: 2,
    vehicles: [
      { vehicleId: ids.cost, fields: ['invoice'] },
      { vehicleId: ids.neither, fields: ['invoice'] },
    ],
  })
  // The link opens exactly these.
  const { searchParams } = new URL(preview.missing.url ?? '', 'http://localhost')
  const listed = await admin.call(vehicles.list, { filter: searchParams.get('filter') ?? '' })
  expect(listed.results.map(({ id }) => id).toSorted()).toEqual([ids.cost, ids.neither].toSorted())

  const { id, version } = await admin.call(pricingRules.add, clearance)
  expect(await sellingPrice(ids.invoice)).toBe(2_930_000)
  expect(await sellingPrice(ids.cost)).toBe(3_000_000)
  expect(await admin.call(pricingRules.effects, {})).toMatchObject([
    { matched: 3, applied: 1, limited: 1, raised: 0, reason: 'missing', missing: { count: 2 } },
  ])
  // 0 is the limit itself, not none; the cost takes the place of the invoice.
  await admin.call(pricingRules.update, { id, version, whenMissing: 'cost', aboveInvoiceCents: 0 })
  expect(await sellingPrice(ids.invoice)).toBe(2_910_000)
  expect(await sellingPrice(ids.cost)).toBe(2_950_000)
  expect(await sellingPrice(ids.neither)).toBe(3_000_000)
  const [changed] = await admin.call(pricingRules.versions, { id })
  expect(changed?.changes).toEqual([
    { field: 'Not below invoice plus', before: '$300', after: '$0' },
    { field: 'If an amount is missing', before: 'Skip the vehicle', after: 'Use its cost' },
  ])
})

test('the preview tells what rules do together on a date from what the unsaved edit changes', async () => {
  const { ids, model, clearance } = await threeTrucks()
  const condition = `model == "${model}"`
  const later = { fromMinute: '2099-06-01T00:00', untilMinute: '2099-07-01T00:00' }
  const rule = { ...clearance, aboveInvoiceCents: null, ...later }
  const saved = await admin.call(pricingRules.add, rule)
  const other = await admin.call(pricingRules.add, {
    name: fresh('Bonus'),
    kind: 'discount',
    cents: 10_000,
    condition,
  })
  const day = { id: saved.id, minute: '2099-06-15T12:00' }
  const same = await admin.call(pricingRules.preview, { ...day, rule })
  expect(same).toMatchObject({
    lowered: 0,
    totalCents: 0,
    own: { lowered: 3, raised: 0, totalCents: -270_000 },
  })
  const edited = { ...day, rule: { ...rule, percent: 2 }, together: [other.id] }
  expect(await admin.call(pricingRules.preview, edited)).toMatchObject({
    raised: 3,
    totalCents: 90_000,
    own: { lowered: 3, totalCents: -210_000 },
  })
  expect(await sellingPrice(ids.invoice)).toBe(2_990_000)
})

test('a rule that moves much of the stock or a large sum asks, however little each price changes', async () => {
  const { clearance } = await threeTrucks()
  const { priceLimits } = await admin.call(customerDetails.get, {})
  const rule = { ...clearance, percent: null, cents: 20_000, aboveInvoiceCents: null }
  await admin.call(customerDetails.update, { priceLimits: { ...priceLimits, totalCents: 50_000 } })
  const { status, refusal } = await refusalOf(admin.call(pricingRules.add, rule))
  expect([status, Object.keys(refusal.fields ?? {})]).toEqual([409, ['confirmPrices']])
  expect(refusal.message).toMatch(/^This changes 3 of \d+ prices, by -\$600 in total\. Confirm to save\.$/)
  await admin.call(customerDetails.update, { priceLimits: { ...priceLimits, totalCents: 60_000 } })
  await admin.call(pricingRules.add, rule)
  await admin.call(customerDetails.update, { priceLimits: { ...priceLimits, totalCents: 5_000_000 } })
})

test('a rule that stops without the amounts is not saved while a vehicle lacks one', async () => {
  const { ids, clearance } = await threeTrucks()
  const stopping = { ...clearance, whenMissing: 'stop' } as const
  const { status, refusal } = await refusalOf(admin.call(pricingRules.add, stopping))
  expect([status, refusal.fields?.['whenMissing']]).toEqual([
    400,
    'The limits need an amount that 2 matching vehicles lack. Enter the amounts, or choose to skip these vehicles or to use their cost.',
  ])
  await forecourt.owner.query('update vehicles set invoice_cents = 2900000 where id = any($1::bigint[])', [
    [ids.cost, ids.neither],
  ])
  await admin.call(pricingRules.add, stopping)
  expect(await sellingPrice(ids.neither)).toBe(2_930_000)
})

test('a minimum price asks before it raises any price, a missing amount does not stop other rules unless it says so, and one with a start replaces the standing one', async () => {
  const { model, ids, clearance } = await threeTrucks()
  const condition = `model == "${model}"`
  const standing = {
    name: fresh('MAP'),
    kind: 'floor',
    cents: 3_010_000,
    exclusiveGroup: 'MAP',
    condition,
  } as const
  const { status, refusal } = await refusalOf(admin.call(pricingRules.add, standing))
  expect([status, Object.keys(refusal.fields ?? {})]).toEqual([409, ['confirmPrices']])
  expect(refusal.message).toMatch(
    /^The minimum price raises 3 prices, by \$300 in total: .*\$30,000 to \$30,100/,
  )
  await admin.call(pricingRules.add, { ...standing, confirmPrices: true })
  expect((await admin.call(pricingRules.effects, {}))[0]).toMatchObject({ raised: 3 })
  const dated = { ...standing, name: fresh('MAP'), cents: 2_980_000, fromMinute: '2026-01-01T00:00' }
  await admin.call(pricingRules.add, { ...dated, untilMinute: '2099-01-01T00:00' })
  expect(await sellingPrice(ids.invoice)).toBe(3_000_000)
  await admin.call(pricingRules.add, { ...clearance, aboveInvoiceCents: null, keepsMinimum: true })
  expect(await sellingPrice(ids.invoice)).toBe(2_980_000)

  const onCost = { name: fresh('Cost'), kind: 'floor', field: 'cost', percent: 100, condition } as const
  const { id, version } = await admin.call(pricingRules.add, { ...onCost, whenMissing: 'skip' })
  expect(await sellingPrice(ids.invoice)).toBe(2_980_000)
  await admin.call(pricingRules.update, { id, version, whenMissing: 'stop', confirmPrices: true })
  expect(await sellingPrice(ids.invoice)).toBe(3_000_000)
})

test('users who do not see costs see that a rule is limited, not by how much, and cannot try limits on costs', async () => {
  const { clearance } = await threeTrucks()
  const lotIds = [await place.addLot()]
  const { id } = await admin.call(pricingRules.add, { ...clearance, lotIds })
  const dealer = await forecourt.as('northgate.dealer')
  expect(await dealer.call(pricingRules.get, { id })).toMatchObject({
    hidesAmounts: true,
    aboveInvoiceCents: null,
    percent: null,
  })
  for (const limit of [
    { aboveCostCents: 0 },
    { aboveInvoiceCents: 0 },
    { offMsrpPercent: 5, whenMissing: 'cost' as const },
  ]) {
    const rule = { ...clearance, aboveInvoiceCents: null, ...limit }
    await expect(dealer.call(pricingRules.preview, { id: null, rule })).toRefuse(403)
  }
})
