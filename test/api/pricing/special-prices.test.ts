import { afterAll, beforeAll, expect, test } from 'vitest'
import { customerDetails } from '#contract/customers/details/details.ts'
import { channels } from '#contract/channels/channels/channels.ts'
import { pricingRules } from '#contract/pricing/rules/pricing-rules.ts'
import { vehiclePrices } from '#contract/pricing/totals/vehicle-price.ts'
import { vehicles } from '#contract/vehicles/vehicles/vehicles.ts'
import { clock } from '#server/clock.ts'
import { type Caller, refusalOf, testApp, type TestApp } from '#test/app.ts'
import { fresh, testOrganization, type TestOrganization } from '#test/factories/test-organization.ts'

let forecourt: TestApp
let admin: Caller
let place: TestOrganization
beforeAll(async () => {
  forecourt = await testApp()
  await forecourt.owner.query('delete from pricing_rules')
  admin = await forecourt.as('northgate.admin', 'Northgate Ford')
  place = await testOrganization(forecourt, 'Northgate Ford')
  await admin.call(customerDetails.update, { priceLaw: 'us', fees: [], confirmPrices: true })
})
afterAll(() => forecourt.close())

/** A vehicle for sale with a discount of 1,000 and a lowest price of 15,000. */
async function addVehicle(): Promise<string> {
  const model = fresh('Special')
  const condition = `model == "${model}"`
  await admin.call(pricingRules.add, { name: fresh('Off'), kind: 'discount', cents: 100_000, condition })
  await admin.call(pricingRules.add, { name: fresh('Floor'), kind: 'floor', cents: 1_500_000, condition })
  return place.addVehicle({ model, status: 'live', priceCents: 2_000_000, locksEdits: false })
}
const shownOf = async (id: string) => {
  const { sellingPriceCents } = await admin.call(vehicles.get, { id })
  const { sellingCents } = await admin.call(vehiclePrices.get, { id })
  const { jsonLd } = await admin.call(channels.ofVehicle, { id })
  return { listed: sellingPriceCents, explained: sellingCents, jsonLd }
}
const shows = (cents: number) => ({
  listed: cents,
  explained: cents,
  jsonLd: expect.objectContaining({ offers: expect.objectContaining({ price: (cents / 100).toFixed(2) }) }),
})

test('a special price replaces what rules make of the price, everywhere, and its end restores it exactly', async () => {
  const id = await addVehicle()
  expect(await shownOf(id)).toEqual(shows(1_900_000))
  const price = await admin.call(vehiclePrices.setSpecial, {
    id,
    cents: 1_850_000,
    reason: 'Hail damage',
    until: '2026-11-20T09:00',
  })
  expect(price.ruleLines).toMatchObject([
    { kind: 'special', name: 'Hail damage', ruleId: null, amountCents: -150_000 },
  ])
  expect(price.special).toMatchObject({ cents: 1_850_000, reason: 'Hail damage', setBy: 'Dana Whitfield' })
  expect(price.skippedRules.map(({ reason }) => reason)).toEqual(['manual'])
  expect(price.nextChange).toEqual({ minute: '2026-11-20T09:00', totalCents: 1_900_000 })
  expect(await shownOf(id)).toEqual(shows(1_850_000))
  // 9:00 in Los Angeles.
  clock.set('2026-11-20T16:59:00Z')
  admin = await forecourt.as('northgate.admin', 'Northgate Ford')
  await forecourt.prices.workDue()
  expect(await shownOf(id)).toEqual(shows(1_850_000))
  clock.set('2026-11-20T17:00:00Z')
  await forecourt.prices.workDue()
  expect(await shownOf(id)).toEqual(shows(1_900_000))
})

test('the lowest price and the limits of the customer apply, and ending it restores the rules', async () => {
  const id = await addVehicle()
  await expect(admin.call(vehiclePrices.setSpecial, { id, cents: 100_000, reason: 'Typo' })).toRefuse(
    409,
    'unusual',
  )
  await admin.call(vehiclePrices.setSpecial, { id, cents: 1_400_000, reason: 'Auction', confirmPrices: true })
  expect(await shownOf(id)).toEqual(shows(1_500_000))
  await admin.call(vehiclePrices.endSpecial, { id })
  expect(await shownOf(id)).toEqual(shows(1_900_000))
  await expect(admin.call(vehiclePrices.endSpecial, { id })).toRefuse(404)
})

test('a vehicle without a price gets none by a special price, and a reason is needed', async () => {
  const id = await place.addVehicle({ priceCents: null })
  await expect(admin.call(vehiclePrices.setSpecial, { id, cents: 1_400_000, reason: 'Auction' })).toRefuse(
    409,
    'first',
  )
  await expect(admin.call(vehiclePrices.setSpecial, { id, cents: 1_400_000, reason: ' ' })).toRefuse(400)
  // It would have ended before it began. It is 7 a.m. in Los Angeles.
  const { refusal } = await refusalOf(
    admin.call(vehiclePrices.setSpecial, {
      id: await addVehicle(),
      cents: 1_850_000,
      reason: 'Auction',
      until: `${clock.today('America/Los_Angeles')}T00:00`,
    }),
  )
  expect(Object.keys(refusal.fields ?? {})).toEqual(['until'])
})

test('a special price stays with a vehicle that moves to another organization', async () => {
  const id = await addVehicle()
  await admin.call(vehiclePrices.setSpecial, { id, cents: 1_850_000, reason: 'Hail damage' })
  const toyota = await testOrganization(forecourt, 'Northgate Toyota')
  await admin.call(vehicles.update, { id, lotId: await toyota.addLot() })
  expect((await admin.call(vehicles.get, { id })).sellingPriceCents).toBe(1_850_000)
})

test('a special price that someone else set meanwhile is neither replaced nor ended unseen', async () => {
  const id = await addVehicle()
  const none = { id, version: null }
  const { special } = await admin.call(vehiclePrices.setSpecial, {
    ...none,
    cents: 1_850_000,
    reason: 'First',
  })
  const second = admin.call(vehiclePrices.setSpecial, { ...none, cents: 1_860_000, reason: 'Second' })
  expect(await refusalOf(second)).toMatchObject({
    status: 409,
    refusal: { message: expect.stringContaining('The special price was changed'), current: { special } },
  })
  expect(await shownOf(id)).toEqual(shows(1_850_000))

  // Ended and set again, also to the same.
  const version = special?.version
  await admin.call(vehiclePrices.endSpecial, { id, version })
  await admin.call(vehiclePrices.setSpecial, { ...none, cents: 1_850_000, reason: 'First' })
  await expect(admin.call(vehiclePrices.endSpecial, { id, version })).toRefuse(409, 'changed by someone else')
  const current = (await admin.call(vehiclePrices.get, { id })).special?.version
  await admin.call(vehiclePrices.setSpecial, { id, version: current, cents: 1_840_000, reason: 'Third' })
  await expect(admin.call(vehiclePrices.endSpecial, { id, version: current })).toRefuse(409)
  expect(await shownOf(id)).toEqual(shows(1_840_000))
})
