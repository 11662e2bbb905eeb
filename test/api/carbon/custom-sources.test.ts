import { afterAll, beforeAll, expect, test } from 'vitest'
import { activities } from '#contract/carbon/activity/activity.ts'
import { importedTotals } from '#contract/carbon/activity/imported-totals.ts'
import { carbonAssignments } from '#contract/carbon/inventories/assignments.ts'
import { customSources, type NewCustomSource } from '#contract/carbon/inventories/custom-sources.ts'
import { carbonInventories } from '#contract/carbon/inventories/inventories.ts'
import { ledger } from '#contract/carbon/results/ledger.ts'
import { carbonComparison } from '#contract/carbon/results/comparison.ts'
import { testApp, type Caller, type TestApp } from '#test/app.ts'
import { ownFactor } from '#test/cases/carbon/factors.ts'
import { bill, ledgerWorld } from '#test/factories/carbon/ledger-world.ts'
import { testOrganization, type TestOrganization } from '#test/factories/test-organization.ts'
import { addFactor } from '#test/factories/carbon/confirm-factor.ts'

let forecourt: TestApp
let admin: Caller
let ford: TestOrganization
beforeAll(async () => {
  forecourt = await testApp()
  admin = await forecourt.as('northgate.admin', 'Northgate Ford')
  ford = await testOrganization(forecourt, 'Northgate Ford')
})
afterAll(() => forecourt.close())

const GAS = { activity: 'combustion/natural-gas', scope: '1', unit: 'therm' }
const gross = { calorificBasis: 'gross' as const }

/** An inventory with one site, and a function that adds custom sources to it. */
async function prepare() {
  const one = await ledgerWorld(forecourt, ford, admin)
  const facilityId = await one.addFacility()
  const add = (name: string, more: Partial<NewCustomSource> = {}) =>
    admin.call(customSources.add, {
      inventoryId: one.inventoryId,
      name,
      ...GAS,
      facilityIds: [facilityId],
      frequency: 'year',
      ...more,
    })
  const sources = () => admin.call(carbonAssignments.sources, { inventory: one.inventoryId })
  const sourceOf = async (name: string) => {
    const found = (await sources()).find(({ sourceName }) => sourceName === name)
    if (found === undefined) throw new Error(`There is no source ${name}.`)
    return found
  }
  const listed = () => admin.call(customSources.list, { inventory: one.inventoryId })
  return { ...one, facilityId, add, sources, sourceOf, listed }
}

test('two boilers at one facility are calculated and named separately in every total', async () => {
  const one = await prepare()
  await one.add('Boiler 1', { label: 'Meter 4711' })
  await one.add('Boiler 2')
  await one.save((await one.sourceOf('Boiler 1')).id, bill('100', 'therm', gross))
  await one.save((await one.sourceOf('Boiler 2')).id, bill('300', 'therm', gross))
  const { sources, total } = await one.totals()
  const [facility] = await admin.call(carbonAssignments.facilities, { inventory: one.inventoryId })
  expect(sources.map(({ title }) => title)).toEqual([
    `Boiler 2, ${facility?.name}`,
    `Boiler 1 (Meter 4711), ${facility?.name}`,
  ])
  const [larger, smaller] = sources.map(({ location }) => Number(location))
  expect(larger).toBeCloseTo((smaller ?? 0) * 3, 6)
  expect(Number(total.location)).toBeCloseTo((smaller ?? 0) * 4, 6)
  expect((await one.results()).map(({ sourceName }) => sourceName)).toContain('Boiler 1')
  const { results } = await admin.call(activities.list, { inventoryId: one.inventoryId })
  expect(results.map(({ sourceName, sourceLabel }) => [sourceName, sourceLabel])).toEqual(
    expect.arrayContaining([['Boiler 1', 'Meter 4711']]),
  )
})

test('hotel nights, a refrigerant, wood and an activity with a custom factor can be found and added', async () => {
  const one = await prepare()
  const find = async (search: string) =>
    (await admin.call(customSources.findActivities, { inventory: one.inventoryId, search })).map(
      ({ activity }) => activity,
    )
  expect(await find('hotel uk')).toContain('travel/hotel/uk')
  expect(await find('R-404A')).toContain('refrigerant/r-404a')
  expect(await find('wood residuals')).toContain('combustion/wood-and-wood-residuals')
  expect(await find('rail')).not.toEqual([])
  const activity = `own/welding-gas-${one.inventoryId}`
  await one.add('Welding gas', { activity, unit: 'kg' })
  const { id } = await one.sourceOf('Welding gas')
  await one.save(id, bill('50', 'kg'))
  expect((await one.totals()).total).toMatchObject({ location: '0', missing: 12 })
  const gaps = await admin.call(carbonAssignments.factorGaps, { inventory: one.inventoryId })
  expect(gaps.find((gap) => gap.activity === activity)).toMatchObject({
    sourceName: 'Welding gas',
    region: 'US',
  })
  const gases = [{ gas: 'CO2e', basis: 'co2e' as const, kg: '3' }]
  await addFactor(
    admin,
    ownFactor({ activity, scopes: ['1'], region: 'US', unit: 'kg', gases, isForAll: true }),
  )
  await admin.call(ledger.recalculate, { inventoryId: one.inventoryId })
  expect((await one.totals()).total).toMatchObject({ location: '150', missing: 0 })
  expect(await find('welding')).toContain(activity)
})

test('names are unique in the organization, and unknown units, activities and facilities are refused by field', async () => {
  const one = await prepare()
  await one.add('Generator')
  await expect(one.add('generator')).toRefuse(409, 'Another source is named generator.')
  await expect(one.add('Natural gas')).toRefuse(400, 'A standard source has this name.')
  await expect(one.add('A', { unit: 'moons' })).toRefuse(400, 'unit')
  await expect(one.add('B', { activity: 'combustion/moonlight' })).toRefuse(
    400,
    'No factor has this activity.',
  )
  await expect(one.add('C', { facilityIds: ['999999999'] })).toRefuse(400, "isn't in the inventory")
  // All or none: the source with the wrong facility was not added either.
  expect((await one.listed()).map(({ name }) => name)).toEqual(['Generator'])
})

test('a change applies to open inventories only; a locked one keeps the name', async () => {
  const one = await prepare()
  const added = await one.add('Boiler 1')
  const { id: copyId } = await admin.call(carbonInventories.copy, {
    id: one.inventoryId,
    name: `Next ${one.inventoryId}`,
    periodStart: '2026-01-01',
    periodEnd: '2026-12-31',
  })
  await forecourt.owner.query(`update carbon_inventories set status = 'locked' where id = $1`, [
    one.inventoryId,
  ])
  const next = await admin.call(customSources.update, {
    id: added.id,
    version: added.version,
    name: 'Old boiler',
    ...GAS,
    unit: 'mmBtu',
  })
  expect(next).toMatchObject({ name: 'Old boiler', unit: 'mmBtu', version: 2 })
  const names = async (inventory: string) =>
    (await admin.call(carbonAssignments.sources, { inventory })).map(({ sourceName, unit }) => [
      sourceName,
      unit,
    ])
  expect(await names(one.inventoryId)).toEqual([['Boiler 1', 'therm']])
  expect(await names(copyId)).toEqual([['Old boiler', 'mmBtu']])
  await expect(admin.call(customSources.update, { id: added.id, version: 1, name: 'Mine', ...GAS })).toRefuse(
    409,
    'changed by someone else',
  )
  const compared = await admin.call(carbonComparison.compare, { before: one.inventoryId, after: copyId })
  expect(compared.sources.map(({ title }) => title)).not.toContain(added.sourceType)
})

test('a change that would alter approved records or break their units is refused', async () => {
  const one = await prepare()
  const { id } = await one.add('Boiler 1')
  const source = await one.sourceOf('Boiler 1')
  const { rows } = await one.save(source.id, bill('100', 'therm', gross))
  const change = { id, name: 'Boiler 1', ...GAS }
  await expect(admin.call(customSources.update, { ...change, unit: 'kg' })).toRefuse(400, 'unit')
  await forecourt.owner.query(`update activity_records set status = 'approved' where id = $1`, [
    rows[0]?.record?.id,
  ])
  await expect(admin.call(customSources.update, { ...change, activity: 'combustion/propane' })).toRefuse(
    409,
    '1 approved record would change',
  )
  expect(await admin.call(customSources.update, { ...change, name: 'Boiler A' })).toMatchObject({
    records: 1,
  })
})

test('a removal is refused while there is data, otherwise it can be undone', async () => {
  const one = await prepare()
  const { id, sourceType } = await one.add('Barrels', { unit: 'barrel', activity: 'own/barrels' })
  await admin.call(importedTotals.add, {
    inventoryId: one.inventoryId,
    rows: [
      {
        key: '1',
        facilityId: one.facilityId,
        sourceType,
        tonnes: '4',
        periodStart: '2025-01-01',
        periodEnd: '2025-01-31',
      },
    ],
  })
  await expect(admin.call(customSources.remove, { id })).toRefuse(409, 'Barrels has 1 imported total')
  const { id: other } = await one.add('Homes', { unit: 'kWh', activity: 'own/homes' })
  await admin.call(customSources.remove, { id: other })
  expect((await one.sources()).map(({ sourceName }) => sourceName)).toEqual(['Barrels'])
  const cell = { facilityId: one.facilityId, sourceType: `own-${other}`, isAssigned: true as const }
  await expect(
    admin.call(carbonAssignments.save, { inventoryId: one.inventoryId, changes: [cell] }),
  ).toRefuse(400, 'This source was removed.')
  await admin.call(customSources.restore, { id: other })
  expect((await one.sources()).map(({ sourceName }) => sourceName)).toEqual(['Barrels', 'Homes'])
  await admin.call(customSources.remove, { id: other })
  await one.add('Homes')
  await expect(admin.call(customSources.restore, { id: other })).toRefuse(
    409,
    'Another source is named Homes.',
  )
})
