import { afterAll, beforeAll, expect, test } from 'vitest'
import { customerDetails } from '#contract/customers/details/details.ts'
import type { OwnProfile } from '#contract/customers/details/price-laws.ts'
import { LOT_RULES, lots } from '#contract/customers/lots/lots.ts'
import { dashboard } from '#contract/home/dashboard.ts'
import { channels } from '#contract/channels/channels/channels.ts'
import { vehicles } from '#contract/vehicles/vehicles/vehicles.ts'
import { pricingRules } from '#contract/pricing/rules/pricing-rules.ts'
import { vehiclePrices } from '#contract/pricing/totals/vehicle-price.ts'
import { type Caller, testApp, type TestApp } from '#test/app.ts'
import { fresh, testOrganization, type TestOrganization } from '#test/factories/test-organization.ts'

let forecourt: TestApp
let admin: Caller
let place: TestOrganization
beforeAll(async () => {
  forecourt = await testApp()
  // Prices as they were entered.
  await forecourt.owner.query('delete from pricing_rules')
  admin = await forecourt.as('northgate.admin', 'Northgate Ford')
  place = await testOrganization(forecourt, 'Northgate Ford')
  await admin.call(customerDetails.update, {
    priceLaw: 'us',
    fees: [
      { name: 'Document', class: 'document', cents: 8_500 },
      { name: 'Levy', class: 'levy', cents: 875 },
      { name: 'Document', class: 'document', cents: 9_500, from: '2099-01-01' },
    ],
    feeCaps: [{ class: 'document', region: 'CA', cents: 8_000, source: 'Vehicle Code', from: '2020-01-01' }],
    confirmPrices: true,
  })
})
afterAll(() => forecourt.close())

test("the customer's own reading of the law decides what the total includes, everywhere", async () => {
  const lotId = await place.addLot()
  await admin.call(lots.update, { id: lotId, region: 'TX' })
  const id = await place.addVehicle({ lotId, status: 'live', priceCents: 2_000_000 })
  const profile: OwnProfile = {
    law: 'us',
    from: '2026-01-01',
    includes: ['levy'],
    deductsRebates: false,
    sentence: 'Price with the levy.',
    source: 'Our counsel',
  }
  await admin.call(customerDetails.update, { priceProfiles: [profile], confirmPrices: true })
  const price = await admin.call(vehiclePrices.get, { id })
  expect(price).toMatchObject({
    totalCents: 2_000_875,
    law: { code: 'us', from: '2026-01-01', sentence: 'Price with the levy.', source: 'Our counsel' },
  })
  const { jsonLd } = await admin.call(channels.ofVehicle, { id })
  expect(jsonLd).toMatchObject({ offers: { price: '20008.75' } })
  await forecourt.prices.workDue()
  expect((await admin.call(vehicles.get, { id })).totalPriceCents).toBe(2_000_875)
  await expect(admin.call(customerDetails.update, { priceProfiles: [profile, profile] })).toRefuse(400)
  await admin.call(customerDetails.update, { priceProfiles: [], confirmPrices: true })
  await forecourt.prices.workDue()
  expect((await admin.call(vehicles.get, { id })).totalPriceCents).toBe(2_008_500)
})

test('the price is explained from the rules of the lot, and channels send the same total', async () => {
  const lotId = await place.addLot()
  await admin.call(lots.update, { id: lotId, region: 'CA' })
  const id = await place.addVehicle({ lotId, status: 'live', priceCents: 2_000_000, msrpCents: 2_100_000 })
  const price = await admin.call(vehiclePrices.get, { id })
  expect(price).toMatchObject({
    base: { field: 'price', cents: 2_000_000, provenance: { source: 'user' } },
    sellingCents: 2_000_000,
    totalCents: 2_008_500,
    law: { code: 'us-ca', origin: 'state', deductsRebates: false },
    nextChange: { minute: '2099-01-01T00:00', totalCents: 2_009_500 },
    fees: [
      { name: 'Document', addedCents: 8_500, treatment: 'included', exceeds: { cents: 8_000 } },
      { name: 'Levy', addedCents: 0, chargedCents: 875, treatment: 'extra' },
    ],
  })
  const { jsonLd } = await admin.call(channels.ofVehicle, { id })
  expect(jsonLd).toMatchObject({ offers: { price: '20085.00' } })

  await admin.call(lots.update, { id: lotId, priceLaw: 'ca' })
  const inCanada = await admin.call(vehiclePrices.get, { id })
  expect(inCanada).toMatchObject({ totalCents: 2_009_375, law: { code: 'ca', origin: 'lot' } })
  await admin.call(lots.update, { id: lotId, priceLaw: null, region: '' })
  expect((await admin.call(vehiclePrices.get, { id })).law).toMatchObject({ code: 'us', origin: 'customer' })
})

test('a vehicle without a price shows its MSRP as the price, or none', async () => {
  const withMsrp = await place.addVehicle({ msrpCents: 2_100_000 })
  expect(await admin.call(vehiclePrices.get, { id: withMsrp })).toMatchObject({
    base: { field: 'msrp' },
    totalCents: 2_108_500,
  })
  const without = await place.addVehicle({})
  expect(await admin.call(vehiclePrices.get, { id: without })).toMatchObject({
    base: null,
    sellingCents: null,
    totalCents: null,
    fees: [],
    nextChange: null,
  })
})

test('the description is checked by the price law of the lot', async () => {
  const lotId = await place.addLot()
  const id = await place.addVehicle({
    lotId,
    priceCents: 2_000_000,
    description: 'Great car, plus dealer fees.',
  })
  const price = await admin.call(vehiclePrices.get, { id })
  expect(price.textFindings).toMatchObject([{ words: 'plus dealer fees', from: 11 }])
  await admin.call(lots.update, { id: lotId, priceLaw: 'none' })
  expect((await admin.call(vehiclePrices.get, { id })).textFindings).toEqual([])
})

test('the sentence about fees is shown only where fees are entered, even if they are 0, and lots without any are decisions', async () => {
  const lotId = await place.addLot()
  const id = await place.addVehicle({ lotId, status: 'live', priceCents: 2_000_000 })
  const fee = { name: 'Document', class: 'document', cents: 8_500 } as const
  const lawWith = async (fees: readonly { cents?: number; lotIds?: string[]; vehicles?: 'new' }[]) => {
    await admin.call(customerDetails.update, {
      fees: fees.map((one) => ({ ...fee, ...one })),
      confirmPrices: true,
    })
    const { law } = await admin.call(vehiclePrices.get, { id })
    return { says: law.sentence !== null, lacksFees: law.lacksFees }
  }
  const lacking = async () =>
    (await admin.call(lots.list, { filter: LOT_RULES.withoutFees })).results.some((one) => one.id === lotId)
  const none = { says: false, lacksFees: true }
  expect(await lawWith([])).toEqual(none)
  expect(await lacking()).toBe(true)
  const decided = (await admin.call(dashboard.decisions, {})).map((one) => one.id)
  expect(decided).toContain('lots-without-fees')
  expect(await lawWith([{ lotIds: [await place.addLot()] }])).toEqual(none)
  // The vehicle is a used one.
  expect(await lawWith([{ vehicles: 'new' }])).toEqual(none)
  for (const fees of [[{}], [{ cents: 0 }], [{ lotIds: [lotId] }]])
    expect(await lawWith(fees)).toEqual({ says: true, lacksFees: false })
  expect(await lacking()).toBe(false)
})

test.for([
  { cents: 50_000, has: ['$19,000'], hasNot: ['Fall event', '$20,000', '$19,500'] },
  { cents: 150_000, has: ['Fall event', '−$500', '$19,000', '$18,500'], hasNot: ['$20,000', '$1,500'] },
])(
  'a discount in a document is what buyers pay less than without it, beside a highest price ($cents)',
  async ({ cents, has, hasNot }) => {
    const model = fresh('Escape')
    const id = await place.addVehicle({ model, status: 'live', priceCents: 2_000_000 })
    const condition = `model == "${model}"`
    await admin.call(pricingRules.add, {
      condition,
      kind: 'ceiling',
      name: fresh('Not above'),
      cents: 1_900_000,
    })
    const discount = { condition, kind: 'discount', name: fresh('Fall'), label: 'Fall event', cents } as const
    await admin.call(pricingRules.add, discount)
    const { text } = await admin.send({
      method: 'POST',
      url: vehiclePrices.documents.path,
      payload: { selection: { ids: [id] }, kind: 'deal-sheet', format: 'html' },
    })
    expect({
      has: has.filter((one) => !text.includes(one)),
      hasNot: hasNot.filter((one) => text.includes(one)),
    }).toEqual({
      has: [],
      hasNot: [],
    })
  },
)
