import { afterAll, beforeAll, expect, test } from 'vitest'
import { factors } from '#contract/carbon/factors/factors.ts'
import { ledger } from '#contract/carbon/results/ledger.ts'
import { facilities } from '#contract/organizations/facilities/facilities.ts'
import { testApp, type Caller, type TestApp } from '#test/app.ts'
import { ownFactor } from '#test/cases/carbon/factors.ts'
import { expectConsistent } from '#test/factories/carbon/stored-results.ts'
import { bill, ledgerWorld } from '#test/factories/carbon/ledger-world.ts'
import { testOrganization, type TestOrganization } from '#test/factories/test-organization.ts'

let forecourt: TestApp
let admin: Caller
let ford: TestOrganization
beforeAll(async () => {
  forecourt = await testApp()
  admin = await forecourt.as('northgate.admin', 'Northgate Ford')
  ford = await testOrganization(forecourt, 'Northgate Ford')
})
afterAll(async () => {
  await forecourt.close()
})

const kgOf = (kg: string) => [{ gas: 'CO2e', basis: 'co2e' as const, kg }]
const GRID = { activity: 'electricity/grid', scope: '2', unit: 'kWh' }
const january = (quantity: string) => bill(quantity, 'kWh', { periodEnd: '2025-01-31' })

test('a facility that moves to another province is recalculated with the factor of that province', async () => {
  const one = await ledgerWorld(forecourt, ford, admin)
  for (const [region, kg] of [
    ['CA-PE', '0.3'],
    ['CA-NB', '0.2'],
  ] as const)
    await admin.call(factors.add, ownFactor({ region, isForAll: true, gases: kgOf(kg) }))
  const id = await one.addFacility({ country: 'CA', parentId: await one.addFacility() })
  await admin.call(facilities.update, { id, region: 'PE' })
  await one.addRecord({ ...GRID, facilityId: id }, january('100'))
  expect((await one.totals()).total.location).toBe('30')
  await admin.call(facilities.update, { id, region: 'NB' })
  expect((await one.totals()).pending).toBe(1)
  await admin.call(ledger.recalculate, { inventoryId: one.inventoryId })
  expect((await one.totals()).total.location).toBe('20')
  await expectConsistent(forecourt.owner, admin, one)
})

test('upstream emissions of electricity are calculated once there are factors for the country', async () => {
  const one = await ledgerWorld(forecourt, ford, admin, { hasUpstream: true })
  const facilityId = await one.addFacility({ country: 'NZ' })
  const common = { region: 'NZ', isForAll: true }
  await admin.call(factors.add, ownFactor({ ...common, gases: kgOf('0.1') }))
  const source = await one.addSource({ ...GRID, facilityId })
  await one.save(source, january('100'))
  expect((await one.totals()).total).toMatchObject({ location: '10', missing: 3 })
  const parts = [
    'well-to-tank/electricity/generation',
    'losses/electricity',
    'well-to-tank/electricity/losses',
  ]
  for (const [at, activity] of parts.entries()) {
    await admin.call(factors.add, ownFactor({ ...common, activity, scopes: ['3.3'], gases: kgOf('0.01') }))
    expect((await one.totals()).pending).toBe(1)
    await admin.call(ledger.recalculate, { inventoryId: one.inventoryId })
    expect((await one.totals()).total).toMatchObject({ location: `${11 + at}`, missing: 2 - at })
  }
  await expectConsistent(forecourt.owner, admin, one)
})
