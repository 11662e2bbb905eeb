// @module-tag release
import { afterAll, beforeAll, expect, test } from 'vitest'
import { channels } from '#contract/channels/channels/channels.ts'
import { customerDetails } from '#contract/customers/details/details.ts'
import { lots } from '#contract/customers/lots/lots.ts'
import { pricingRules } from '#contract/pricing/rules/pricing-rules.ts'
import { vehiclePrices } from '#contract/pricing/totals/vehicle-price.ts'
import { vehicles } from '#contract/vehicles/vehicles/vehicles.ts'
import { clock } from '#server/clock.ts'
import { type Caller, testApp, type TestApp } from '#test/app.ts'
import { fresh, testOrganization, type TestOrganization } from '#test/factories/test-organization.ts'

let forecourt: TestApp
let admin: Caller
let place: TestOrganization
beforeAll(async () => {
  forecourt = await testApp()
  admin = await forecourt.as('northgate.admin', 'Northgate Ford')
  place = await testOrganization(forecourt, 'Northgate Ford')
  await forecourt.owner.query('delete from pricing_rules')
  await admin.call(customerDetails.update, { priceLaw: 'none', fees: [], confirmPrices: true })
})
afterAll(() => forecourt.close())

/** From almost a day after UTC to almost a day before. */
const ZONES = ['Pacific/Kiritimati', 'Asia/Kolkata', 'America/New_York', 'Pacific/Honolulu']
const PRICE = 2_000_000
const DAYS = 14

test.for(['UTC', 'America/Los_Angeles'])(
  'for a customer in %s, a condition on days in stock begins with a step at midnight of each lot',
  async (customerZone) => {
    await admin.call(customerDetails.update, { timeZone: customerZone })
    const model = fresh('Maverick')
    const rule = { kind: 'discount', confirmPrices: true } as const
    const one = `model == "${model}"`
    const conditions = [`daysInStock >= ${DAYS}`, `!(inStockOn > daysAgo(${DAYS}))`]
    for (const [at, condition] of conditions.entries())
      await admin.call(pricingRules.add, {
        ...rule,
        name: fresh('Condition'),
        condition: `${one} && ${condition}`,
        cents: 10_000 * (at + 1),
      })
    const steps = [{ days: DAYS, cents: 40_000, percent: null }]
    await admin.call(pricingRules.add, { ...rule, name: fresh('Step'), condition: one, cents: 0, steps })
    const today = clock.date().toISOString().slice(0, 10)
    const { rows } = await forecourt.owner.query<{ since: string; day: string }>(
      `select ($1::date + 2 - $2::int)::text as since, ($1::date + 2)::text as day`,
      [today, DAYS],
    )
    const { since, day } = rows[0] ?? { since: '', day: '' }
    const cars = []
    for (const zone of ZONES) {
      const lotId = await place.addLot()
      await admin.call(lots.update, { id: lotId, timeZone: zone })
      const vehicle = { model, lotId, status: 'live', priceCents: PRICE, inStockOn: since } as const
      const id = await place.addVehicle({ ...vehicle, locksEdits: false })
      const moment = await forecourt.owner.query<{ at: number }>(
        'select extract(epoch from lot_moment($1, $2))::float8 * 1000 as at',
        [`${day}T00:00`, zone],
      )
      cars.push({ zone, id, at: moment.rows[0]?.at ?? 0 })
    }
    const pricesOf = async (id: string) => {
      const { sellingCents } = await admin.call(vehiclePrices.get, { id })
      const { sellingPriceCents } = await admin.call(vehicles.get, { id })
      const { jsonLd } = await admin.call(channels.ofVehicle, { id })
      return { explained: sellingCents, listed: sellingPriceCents, jsonLd }
    }
    const all = (cents: number) => ({
      explained: cents,
      listed: cents,
      jsonLd: expect.objectContaining({
        offers: expect.objectContaining({ price: (cents / 100).toFixed(2) }),
      }),
    })
    for (const { zone, id, at } of cars) {
      for (const [offset, cents] of [
        [-60_000, PRICE],
        [1_000, PRICE - 70_000],
      ] as const) {
        clock.set(new Date(at + offset))
        admin = await forecourt.as('northgate.admin', 'Northgate Ford')
        await forecourt.prices.workDue()
        expect({ zone, offset, ...(await pricesOf(id)) }).toEqual({ zone, offset, ...all(cents) })
        const { nextChange } = await admin.call(vehiclePrices.get, { id })
        const announced = { minute: `${day}T00:00`, totalCents: PRICE - 70_000 }
        expect(nextChange).toEqual(offset < 0 ? announced : null)
      }
      // Simulated, midnight is the same at every lot.
      const before = await admin.call(vehiclePrices.get, { id, minute: `${since}T12:00` })
      const then = await admin.call(vehiclePrices.get, { id, minute: `${day}T00:00` })
      expect([before.sellingCents, then.sellingCents]).toEqual([PRICE, PRICE - 70_000])
    }
    const preview = await admin.call(pricingRules.preview, {
      id: null,
      minute: `${day}T00:00`,
      rule: { kind: 'discount', cents: 5_000, condition: `${one} && daysInStock == ${DAYS}` },
    })
    expect(preview.matched).toBe(ZONES.length)
  },
)
