import { afterAll, beforeAll, expect, test } from 'vitest'
import { fitsVin } from '#contract/vehicles/vin/fits-vin.ts'
import { vehicles, type Vehicle } from '#contract/vehicles/vehicles/vehicles.ts'
import { vins } from '#contract/vehicles/vin/vin.ts'
import { clock } from '#server/clock.ts'
import { decodeVin } from '#server/vehicles/index.ts'
import { testApp, type Caller, type TestApp } from '#test/app.ts'

let forecourt: TestApp
let dealer: Caller
beforeAll(async () => {
  forecourt = await testApp()
  dealer = await forecourt.as('northgate.dealer')
})
afterAll(() => forecourt.close())

test('decodes a VIN with sources for users who may read vehicles', async () => {
  const { vin, refusal, checkDigit, values, warnings } = await dealer.call(vins.decode, {
    vin: '1hgcm826 33a004352',
  })
  expect({ vin, refusal, warnings }).toEqual({ vin: '1HGCM82633A004352', refusal: null, warnings: [] })
  expect(checkDigit.verdict).toBe('right')
  expect(values).toMatchObject({
    year: { value: '2003', from: 'Character 10: 3' },
    make: { value: 'Honda', from: 'Derived from the model' },
    model: { value: 'Accord', from: expect.stringMatching(/^Characters 4 to \d: /) },
  })
})

test('returns the reason for an invalid VIN instead of an error, because the user may still be typing', async () => {
  for (const [written, reason] of [
    ['1HGCM826', 'A VIN has 17 characters. This one has 8.'],
    ['AAAAAAA:AAAAAAAAA', 'A VIN has only letters and digits. Remove “:”.'],
    ['1HGCM82633/004352', 'A VIN has only letters and digits. Remove “/”.'],
    ['%2e%2e/%00?x=1#yyy', 'A VIN has 17 characters. This one has 18.'],
  ] as const) {
    const { refusal, values } = await dealer.call(vins.decode, { vin: written })
    expect({ refusal, values }).toEqual({ refusal: reason, values: {} })
  }
  await expect(dealer.call(vins.decode, { vin: 'A'.repeat(41) })).toRefuse(400)
})

test('demo VINs decode to the data of their vehicles', async () => {
  const admin = await forecourt.as('northgate.admin', 'Northgate Ford')
  const harbor = await forecourt.as('harbor.admin')
  const all: Vehicle[] = []
  for (const caller of [admin, harbor]) {
    for (let page = 1, more = true; more; page += 1) {
      const { results, filteredRows } = await caller.call(vehicles.list, {
        page,
        pageSize: 200,
        sort: 'stock',
      })
      all.push(...results)
      more = page * 200 < filteredRows
    }
  }
  const withVin = all.filter(({ vin }) => vin !== null)
  expect(withVin.length).toBeGreaterThan(900)
  const share = (field: 'year' | 'make' | 'model') =>
    withVin.filter((vehicle) => {
      const { values } = decodeVin(vehicle.vin ?? '', clock.date().getUTCFullYear())
      return values[field] !== undefined && fitsVin(field, vehicle[field] ?? '', values)
    }).length / withVin.length
  expect(share('year')).toBeGreaterThanOrEqual(0.95)
  expect(share('make')).toBeGreaterThanOrEqual(0.95)
  expect(share('model')).toBeGreaterThanOrEqual(0.8)
})
