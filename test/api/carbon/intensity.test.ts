// @module-tag release
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { carbonComparison } from '#contract/carbon/results/comparison.ts'
import { importedTotals } from '#contract/carbon/activity/imported-totals.ts'
import { carbonInventories } from '#contract/carbon/inventories/inventories.ts'
import { ledger } from '#contract/carbon/results/ledger.ts'
import { testApp, type Caller, type TestApp } from '#test/app.ts'
import { ledgerWorld } from '#test/factories/carbon/ledger-world.ts'
import { fresh, testOrganization, type TestOrganization } from '#test/factories/test-organization.ts'
import { hasPublishedFigures, workedExample } from '#test/factories/carbon/published-figures.ts'

let forecourt: TestApp
let admin: Caller
let ford: TestOrganization
beforeAll(async () => {
  forecourt = await testApp()
  admin = await forecourt.as('northgate.admin', 'Northgate Ford')
  ford = await testOrganization(forecourt, 'Northgate Ford')
})
afterAll(() => forecourt.close())

type AnnualData = { year: number; facilityId: string; tonnes: string; amount: string; unit?: string }

/** Adds an imported total and the revenue denominator of an inventory. */
async function enterYear(id: string, { year, facilityId, tonnes, amount, unit = 'million GBP' }: AnnualData) {
  const { version } = await admin.call(carbonInventories.get, { id })
  const denominators = [
    { kind: 'revenue' as const, amount, unit },
    { kind: 'own' as const, name: 'Showrooms', amount: '4', unit: 'showrooms' },
  ]
  await admin.call(carbonInventories.update, { id, version, denominators })
  const days = { periodStart: `${year}-01-01`, periodEnd: `${year}-12-31` }
  await admin.call(importedTotals.add, {
    inventoryId: id,
    rows: [{ key: '1', facilityId, sourceType: 'natural_gas', tonnes, ...days }],
  })
}

async function twoYears(first: Omit<AnnualData, 'year' | 'facilityId'>, second: typeof first) {
  const one = await ledgerWorld(forecourt, ford, admin, { year: 2021 })
  const facilityId = await one.addFacility()
  const { id } = await admin.call(carbonInventories.copy, {
    id: one.inventoryId,
    name: fresh('Two years later'),
    periodStart: '2023-01-01',
    periodEnd: '2023-12-31',
  })
  await enterYear(one.inventoryId, { year: 2021, facilityId, ...first })
  await enterYear(id, { year: 2023, facilityId, ...second })
  return { before: one.inventoryId, after: id }
}

describe.skipIf(!hasPublishedFigures)('the worked example matches within its tolerance', () => {
  test('EX16 emissions per revenue and their change', async () => {
    const { given, expected } = workedExample('EX16')
    const years = await twoYears(
      { tonnes: given('intensity_2021'), amount: '1' },
      { tonnes: given('emissions_2023_t'), amount: expected('implied_turnover_GBP_million') },
    )
    const { intensities } = await admin.call(ledger.totals, { inventoryId: years.after })
    expect(intensities[0]).toMatchObject({ kind: 'revenue', name: null, unit: 'million GBP' })
    expect(Number(intensities[0]?.location) / 1000).toBeCloseTo(Number(given('intensity_2023')), 1)
    const compared = await admin.call(carbonComparison.compare, years)
    const change = Number(compared.intensities[0]?.change)
    expect(Math.abs(change - Number(expected('change_percent')))).toBeLessThan(0.5)
  })
})

test('compares only denominators that both years have in the same unit, and gives no change from zero', async () => {
  const years = await twoYears(
    { tonnes: '0', amount: '2' },
    { tonnes: '8', amount: '2', unit: 'million USD' },
  )
  const { intensities } = await admin.call(carbonComparison.compare, years)
  expect(intensities).toEqual([
    { kind: 'own', name: 'Showrooms', unit: 'showrooms', before: '0', after: '2000', change: null },
  ])
  const totals = await admin.call(ledger.totals, { inventoryId: years.after })
  expect(totals.intensities.map(({ amount, location, market }) => [amount, location, market])).toEqual([
    ['2', '4000', '4000'],
    ['4', '2000', '2000'],
  ])
})
