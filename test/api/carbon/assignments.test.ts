import { afterAll, beforeAll, expect, test } from 'vitest'
import { carbonAssignments } from '#contract/carbon/inventories/assignments.ts'
import { factors } from '#contract/carbon/factors/factors.ts'
import { carbonInventories } from '#contract/carbon/inventories/inventories.ts'
import { facilities } from '#contract/organizations/facilities/facilities.ts'
import { refusalOf, testApp, type Caller, type TestApp } from '#test/app.ts'
import { ownFactor } from '#test/cases/carbon/factors.ts'
import { ledgerWorld } from '#test/factories/carbon/ledger-world.ts'
import { fresh, testOrganization, type TestOrganization } from '#test/factories/test-organization.ts'

let forecourt: TestApp
let admin: Caller
let manager: Caller
let ford: TestOrganization
let toyota: TestOrganization
beforeAll(async () => {
  forecourt = await testApp()
  admin = await forecourt.as('northgate.admin', 'Northgate Ford')
  manager = await forecourt.as('northgate.sustain', 'Northgate Ford')
  ford = await testOrganization(forecourt, 'Northgate Ford')
  toyota = await testOrganization(forecourt, 'Northgate Toyota')
})
afterAll(() => forecourt.close())

const facilitiesOf = (inventory: string) => admin.call(carbonAssignments.facilities, { inventory })
const sourcesOf = (inventory: string) => admin.call(carbonAssignments.sources, { inventory })

test('the inclusion of a facility follows from ownership and dates, by span with the reason', async () => {
  const inventory = await ford.addInventory()
  const { periodStart, periodEnd } = await admin.call(carbonInventories.get, { id: inventory })
  await admin.call(carbonInventories.update, { id: inventory, boundary: 'equity' })
  const sold = `${periodStart.slice(0, 4)}-07-01`
  const owned = { ownership: '100', operationalControl: true, financialControl: true }
  const { id: above } = await admin.call(facilities.add, {
    level: 'entity',
    code: fresh('E').replace(' ', ''),
    name: 'Venture',
    control: [{ ...owned, ownership: '50', validFrom: '2020-01-01' }],
  })
  const { id } = await admin.call(facilities.add, {
    level: 'site',
    parentId: above,
    code: fresh('S').replace(' ', ''),
    name: 'Sold in summer',
    control: [
      { ...owned, validFrom: '2020-01-01' },
      { ...owned, ownership: '40', validFrom: sold },
    ],
  })
  const all = await facilitiesOf(inventory)
  expect(all.map((one) => one.id)).not.toContain(above)
  expect(all.find((one) => one.id === id)).toMatchObject({
    choice: null,
    version: null,
    spans: [
      { from: periodStart, to: `${periodStart.slice(0, 4)}-06-30`, percent: '50' },
      { from: sold, to: periodEnd, percent: '20' },
    ],
  })
})

test('includes facilities, or excludes them with a reason and keeps their assignments', async () => {
  const inventoryId = await ford.addInventory()
  const facilityId = await ford.addFacility()
  const choose = (choice: 'included' | 'excluded', reason?: string) =>
    admin.call(carbonAssignments.choose, {
      inventoryId,
      choices: [{ facilityId, choice, ...(reason && { reason }) }],
    })
  await choose('included')
  const again = admin.call(carbonAssignments.choose, {
    inventoryId,
    choices: [{ facilityId, choice: 'excluded', reason: 'Sold', version: 7 }],
  })
  await expect(again).toRefuse(409, 'changed by someone else')
  await admin.call(carbonAssignments.save, {
    inventoryId,
    changes: [{ facilityId, sourceType: 'electricity', isAssigned: true }],
  })
  await expect(choose('excluded')).toRefuse(400)
  const excluded = await choose('excluded', 'Leased to another company')
  expect(excluded.find(({ id }) => id === facilityId)).toMatchObject({
    choice: 'excluded',
    reason: 'Leased to another company',
    sources: 1,
  })
  expect(await sourcesOf(inventoryId)).toEqual([])
  await choose('included')
  expect(await sourcesOf(inventoryId)).toMatchObject([{ facilityId, sourceType: 'electricity' }])
  const theirs = await toyota.addFacility()
  await expect(
    admin.call(carbonAssignments.choose, {
      inventoryId,
      choices: [{ facilityId: theirs, choice: 'included' }],
    }),
  ).toRefuse(400)
})

test('a cell starts with the defaults of the country, keeps fields that are not sent, and can be reopened', async () => {
  const inventoryId = await ford.addInventory()
  const facilityId = await ford.addChosenFacility(inventoryId)
  await admin.call(facilities.update, { id: facilityId, country: 'GB', gridRegion: null })
  const cell = { facilityId, sourceType: 'natural_gas' } as const
  const save = (change: object) =>
    admin.call(carbonAssignments.save, {
      inventoryId,
      changes: [{ ...cell, isAssigned: true, ...change }],
    })
  const { sources, inventory } = await save({ version: 0, dueOn: '2026-03-31' })
  expect(inventory).toMatchObject({ sources: 1, assigned: 0, steps: { emission: 'partly' } })
  const [source] = sources
  expect(source).toMatchObject({
    activity: 'combustion/natural-gas',
    unit: 'kWh',
    scope: '1',
    frequency: 'month',
    method: 'calculated',
    dueOn: '2026-03-31',
  })
  const changed = await save({ frequency: 'year' })
  expect(changed.sources[0]).toMatchObject({ id: source?.id, frequency: 'year', dueOn: '2026-03-31' })
  const closed = await admin.call(carbonAssignments.save, {
    inventoryId,
    changes: [{ ...cell, isAssigned: false }],
  })
  expect(closed.sources).toEqual([])
  const again = await save({ version: 0 })
  expect(again.sources[0]).toMatchObject({ id: source?.id })
})

test('a concurrent change of a cell returns the current sources and saves nothing', async () => {
  const inventoryId = await ford.addInventory()
  const facilityId = await ford.addChosenFacility(inventoryId)
  const save = (who: Caller, sourceType: string, version: number, frequency: 'quarter' | 'year') =>
    who.call(carbonAssignments.save, {
      inventoryId,
      changes: [
        { facilityId, sourceType, isAssigned: true, version, frequency },
        { facilityId, sourceType: 'water', isAssigned: true, version: 0 },
      ],
    })
  await manager.call(carbonAssignments.save, {
    inventoryId,
    changes: [{ facilityId, sourceType: 'electricity', isAssigned: true, version: 0 }],
  })
  const refusal = await refusalOf(save(admin, 'electricity', 0, 'year'))
  const now = { sources: [{ sourceType: 'electricity', version: 1 }] }
  expect([refusal.status, refusal.refusal]).toMatchObject([409, { current: now }])
  expect((await sourcesOf(inventoryId)).length).toBe(1)
  expect((await save(admin, 'electricity', 1, 'year')).sources.length).toBe(2)
})

test('two users can save different cells at the same time', async () => {
  const inventoryId = await ford.addInventory()
  const facilityId = await ford.addChosenFacility(inventoryId)
  const save = (who: Caller, sourceType: string) =>
    who.call(carbonAssignments.save, {
      inventoryId,
      changes: [{ facilityId, sourceType, isAssigned: true, version: 0 }],
    })
  await Promise.all([save(admin, 'electricity'), save(manager, 'water')])
  const kinds = (await sourcesOf(inventoryId)).map(({ sourceType }) => sourceType)
  expect(kinds.toSorted()).toEqual(['electricity', 'water'])
})

test.for([
  ['an unknown source type', { sourceType: 'moonlight' }],
  ['an unknown factor', { factorId: '999999999999' }],
  ['an unknown user', { dataOwnerId: '999999999999' }],
  ['a facility outside the inventory', { facilityId: '999999999999' }],
] as const)('rejects %s', async ([, wrong]) => {
  const inventoryId = await ford.addInventory()
  const facilityId = await ford.addChosenFacility(inventoryId)
  const change = { facilityId, sourceType: 'electricity', isAssigned: true as const, ...wrong }
  await expect(admin.call(carbonAssignments.save, { inventoryId, changes: [change] })).toRefuse(400)
})

test('lists factor gaps by region until the customer adds a custom factor', async () => {
  const one = await ledgerWorld(forecourt, ford, admin)
  const [first, second] = [
    await one.addFacility({ gridRegion: 'ERCT' }),
    await one.addFacility({ gridRegion: 'ERCT' }),
  ]
  await one.addFacility({ country: null })
  const gapsOf = (caller: Caller, inventory: string) =>
    caller.call(carbonAssignments.factorGaps, { inventory })
  const gaps = await gapsOf(admin, one.inventoryId)
  const oil = gaps.find(({ sourceType }) => sourceType === 'waste_oil')
  expect(oil).toMatchObject({ region: 'US-ERCT', scope: '3.5', unit: 'short ton', elsewhere: ['GB'] })
  expect(oil?.facilityIds.toSorted()).toEqual([first, second].toSorted())
  // A factor for the country, the grid region or any region closes the gap. A facility without a location has none.
  const kinds = gaps.map(({ sourceType }) => sourceType)
  for (const there of ['natural_gas', 'electricity', 'refrigerant_building', 'waste_metal'])
    expect(kinds).not.toContain(there)
  expect(new Set(gaps.map(({ region }) => region))).toEqual(new Set(['US-ERCT']))

  // A factor of a sibling region does not close the gap, one of the region does, but not for other customers.
  const factor = { activity: oil?.activity ?? '', scopes: ['3.5'], unit: 'short ton', region: 'US-NYUP' }
  await admin.call(factors.add, ownFactor({ ...factor, boundary: 'waste-treatment', isForAll: true }))
  const stillThere = await gapsOf(admin, one.inventoryId)
  expect(stillThere.find(({ sourceType }) => sourceType === 'waste_oil')?.elsewhere).toEqual([
    'GB',
    'US-NYUP',
  ])
  await admin.call(
    factors.add,
    ownFactor({ ...factor, region: 'US-ERCT', boundary: 'waste-treatment', isForAll: true }),
  )
  const closed = await gapsOf(admin, one.inventoryId)
  expect(closed.map(({ sourceType }) => sourceType)).not.toContain('waste_oil')
  const harbor = await forecourt.as('harbor.admin')
  const theirs = await ledgerWorld(forecourt, await testOrganization(forecourt, 'Harbor Honda'), harbor)
  await theirs.addFacility({ gridRegion: 'ERCT' })
  const theirKinds = (await gapsOf(harbor, theirs.inventoryId)).map(({ sourceType }) => sourceType)
  expect(theirKinds).toContain('waste_oil')
  await expect(gapsOf(harbor, one.inventoryId)).toRefuse(404)
})
