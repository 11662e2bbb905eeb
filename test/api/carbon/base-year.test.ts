// @module-tag release
import { afterAll, beforeAll, expect, test } from 'vitest'
import { baseYear } from '#contract/carbon/inventories/base-year.ts'
import { carbonInventories } from '#contract/carbon/inventories/inventories.ts'
import { factors } from '#contract/carbon/factors/factors.ts'
import { facilities } from '#contract/organizations/facilities/facilities.ts'
import { checkDueBaseYears } from '#server/carbon/index.ts'
import { testApp, type Caller, type TestApp } from '#test/app.ts'
import { ownFactor } from '#test/cases/carbon/factors.ts'
import { freshCountry, reviewerOf, takeInventoryTo } from '#test/factories/carbon/approve-inventory.ts'
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
afterAll(() => forecourt.close())

const GRID = { activity: 'electricity/grid', scope: '2', unit: 'kWh' }
const controlled = (validFrom: string, isControlled: boolean) => ({
  validFrom,
  ownership: '100',
  operationalControl: isControlled,
  financialControl: isControlled,
})

/** A locked base year 2025 with two sites of 100 and 900 kg, and a threshold of 5 %. */
async function prepare() {
  const one = await ledgerWorld(forecourt, ford, admin)
  const { inventoryId: inventory } = one
  const country = freshCountry()
  const factorOf = (kg: string) =>
    ownFactor({ region: country, isForAll: true, gases: [{ gas: 'CO2e', basis: 'co2e', kg }] })
  const factor = await admin.call(factors.add, factorOf('1'))
  await admin.call(carbonInventories.update, { id: inventory, isBaseYear: true })
  const group = await one.addFacility()
  const [small, large] = [
    await one.addFacility({ country, parentId: group }),
    await one.addFacility({ country, parentId: group }),
  ]
  await one.addRecord({ ...GRID, facilityId: small }, bill('100', 'kWh'))
  await one.addRecord({ ...GRID, facilityId: large }, bill('900', 'kWh'))
  const submitter = await reviewerOf(forecourt, one.organizationId)
  await takeInventoryTo({ submitter, approver: admin }, inventory, 'locked')
  const check = async () => {
    await checkDueBaseYears(forecourt.jobsPool, forecourt.appPool)
    return admin.call(baseYear.get, { inventory })
  }
  const sell = (id: string, day: string) =>
    admin.call(facilities.update, { id, control: [controlled('2000-01-01', true), controlled(day, false)] })
  return { one, inventory, factor, factorOf, small, large, check, sell }
}

test('a site that was sold after the base year raises a notice with the figure and its explanation', async () => {
  const { one, inventory, small, check, sell } = await prepare()
  expect(await check()).toEqual({ notice: null, isPending: false })
  await sell(small, '2026-01-01')
  expect((await admin.call(baseYear.get, { inventory })).isPending).toBe(true)
  expect(await check()).toMatchObject({
    isPending: false,
    notice: {
      location: '1000',
      newLocation: '900',
      percent: '-10.0',
      threshold: '5',
      asOf: '2026-11-18',
      explanation: [
        'With the boundary of Nov 18, 2026 for the whole base year, the total changes by \u2212100 kg CO2e.',
      ],
      facilities: [
        { facilityId: small, before: '100', after: '0', reason: expect.stringMatching(/since Jan 1, 2026/) },
      ],
      dismissedAt: null,
    },
  })
  // The base year itself stays as it was reported.
  expect((await one.totals()).total.location).toBe('1000')
})

test('a change up to the threshold raises no notice', async () => {
  const { inventory, factor, factorOf, check } = await prepare()
  await admin.call(factors.update, { id: factor.id, factor: factorOf('1.05') })
  expect(await check()).toEqual({ notice: null, isPending: false })
  expect((await admin.call(carbonInventories.get, { id: inventory })).recalculationThreshold).toBe('5')
})

test('a changed factor raises a notice, which can be dismissed with a reason until it changes again', async () => {
  const { inventory, factor, factorOf, check } = await prepare()
  const next = await admin.call(factors.update, { id: factor.id, factor: factorOf('1.2') })
  const { notice } = await check()
  expect(notice).toMatchObject({
    newLocation: '1200',
    percent: '20.0',
    explanation: ["With today's emission factors, the total changes by +200 kg CO2e."],
  })
  await expect(
    admin.call(baseYear.dismiss, { inventory, reason: 'Not material', newLocation: '1100' }),
  ).toRefuse(409)
  expect(
    await admin.call(baseYear.dismiss, { inventory, reason: 'Not material', newLocation: '1200' }),
  ).toMatchObject({ notice: { dismissedReason: 'Not material', dismissedBy: 'Dana Whitfield' } })
  // The same change stays dismissed; another one doesn't.
  await forecourt.owner.query(
    'insert into base_year_checks (customer_id, organization_id, inventory_id) select customer_id, organization_id, id from carbon_inventories where id = $1',
    [inventory],
  )
  expect((await check()).notice?.dismissedReason).toBe('Not material')
  const last = await admin.call(factors.update, { id: next.id, factor: factorOf('1.3') })
  expect((await check()).notice).toMatchObject({ newLocation: '1300', dismissedAt: null })
  await admin.call(factors.update, { id: last.id, factor: factorOf('1') })
  expect((await check()).notice).toBeNull()
})

test('the restatement replaces the notice: it has the changed figures once the site is excluded', async () => {
  const { inventory, small, check, sell } = await prepare()
  await sell(small, '2026-01-01')
  expect((await check()).notice).not.toBeNull()
  const later = await admin.call(carbonInventories.restate, { id: inventory, reason: 'A site was sold' })
  expect((await check()).notice).toBeNull()
  expect(await admin.call(baseYear.get, { inventory: later.id })).toEqual({ notice: null, isPending: false })
})
