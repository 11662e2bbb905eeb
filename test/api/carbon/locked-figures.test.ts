import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { carbonAssignments } from '#contract/carbon/inventories/assignments.ts'
import { carbonInventories } from '#contract/carbon/inventories/inventories.ts'
import { inventoryApproval } from '#contract/carbon/inventories/approval.ts'
import { factors } from '#contract/carbon/factors/factors.ts'
import { ledger } from '#contract/carbon/results/ledger.ts'
import { facilities } from '#contract/organizations/facilities/facilities.ts'
import { users } from '#contract/identity/users/users.ts'
import { testApp, type Caller, type TestApp } from '#test/app.ts'
import { ownFactor } from '#test/cases/carbon/factors.ts'
import {
  freshCountry,
  openWithTwo,
  reviewerOf,
  takeInventoryTo,
} from '#test/factories/carbon/approve-inventory.ts'
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
const gasesOf = (kg: string) => [{ gas: 'CO2e', basis: 'co2e' as const, kg }]

/** An inventory with 100 kWh calculated with a custom factor of 2 kg, taken to a status. */
async function prepare(status?: 'approved' | 'locked', opened?: string) {
  const one = await ledgerWorld(forecourt, ford, admin)
  const country = freshCountry()
  const common = { region: country, isForAll: true }
  const { id: factorId } = await admin.call(factors.add, ownFactor({ ...common, gases: gasesOf('2') }))
  const facilityId = await one.addFacility({ country, parentId: await one.addFacility() })
  if (opened !== undefined) await admin.call(facilities.update, { id: facilityId, openedOn: opened })
  const { sourceId } = await one.addRecord({ ...GRID, facilityId }, bill('100', 'kWh'))
  const submitter = await reviewerOf(forecourt, one.organizationId)
  const takeTo = (target: 'approved' | 'locked') =>
    takeInventoryTo({ submitter, approver: admin }, one.inventoryId, target)
  if (status !== undefined) await takeTo(status)
  return { one, factorId, facilityId, sourceId, common, takeTo, submitter }
}

describe('a custom factor that is in use', () => {
  test('cannot be deleted while a locked result depends on it, and the result stays explained', async () => {
    const { one, factorId } = await prepare('locked')
    await expect(admin.call(factors.remove, { id: factorId })).toRefuse(409, '(locked)')
    // The database refuses as well.
    await expect(
      forecourt.owner.query('delete from emission_factors where id = $1', [factorId]),
    ).rejects.toThrow(/is in use/)
    const [line] = await one.results()
    const explained = await admin.call(ledger.explain, { id: line?.id ?? '' })
    expect(explained.factor).toMatchObject({ id: factorId, sourceNote: 'Letter of the utility, 2024-03-01' })
  })

  test('can be edited: the locked result keeps the version it was calculated with', async () => {
    const { one, factorId, common } = await prepare('locked')
    const next = await admin.call(factors.update, {
      id: factorId,
      version: 1,
      factor: ownFactor({ ...common, gases: gasesOf('3') }),
    })
    const [line] = await one.results()
    expect(await admin.call(ledger.explain, { id: line?.id ?? '' })).toMatchObject({
      factor: { id: factorId, co2e: '2' },
    })
    expect((await one.totals()).total.location).toBe('200')
    // The new version is used nowhere, but the one before it is, and must not become current again.
    await expect(admin.call(factors.remove, { id: next.id })).toRefuse(409, '(locked)')
    await expect(admin.call(factors.remove, { id: factorId })).toRefuse(409)
  })

  test('lists the inventories that use it, with those that keep their figures', async () => {
    const open = await prepare()
    const usage = await admin.call(factors.usage, { id: open.factorId })
    expect(usage).toMatchObject({
      inventories: [{ id: open.one.inventoryId, status: 'draft', sources: 1, manual: 0, records: 1 }],
    })
    await open.takeTo('approved')
    expect(await admin.call(factors.usage, { id: open.factorId })).toMatchObject({
      inventories: [{ status: 'approved', records: 1 }],
    })
  })

  test('cannot be deleted while it was chosen for a source without data', async () => {
    const one = await ledgerWorld(forecourt, ford, admin)
    const { id } = await admin.call(factors.add, ownFactor({ region: freshCountry(), isForAll: true }))
    await one.addSource({ ...GRID, factorId: id })
    await expect(admin.call(factors.remove, { id })).toRefuse(409, '(draft)')
  })
})

describe('a frozen inventory', () => {
  test('keeps its boundary, its coverage and its names when a facility changes', async () => {
    const { one, facilityId } = await prepare('locked', '2025-01-01')
    const read = async () => ({
      facilities: await admin.call(carbonAssignments.facilities, { inventory: one.inventoryId }),
      coverage: (await one.totals()).coverage,
      names: (await one.results()).map(({ facilityName }) => facilityName),
      undecided: (await admin.call(carbonInventories.get, { id: one.inventoryId })).undecided,
    })
    const before = await read()
    expect(before.facilities.find(({ id }) => id === facilityId)?.spans).toMatchObject([{ percent: '100' }])
    await admin.call(facilities.update, {
      id: facilityId,
      name: 'Renamed',
      control: [
        { validFrom: '2000-01-01', ownership: '0', operationalControl: false, financialControl: false },
      ],
      openedOn: '2025-07-01',
    })
    await forecourt.owner.query(
      `with added as (insert into facilities (customer_id, organization_id, level, code, name)
          values ($1, $2, 'site', 'LATER', 'Later') returning customer_id, organization_id, id)
        insert into facility_control (customer_id, organization_id, facility_id, valid_from, ownership, operational_control,
          financial_control) select *, '2000-01-01', 100, true, true from added`,
      [ford.customerId, one.organizationId],
    )
    expect(await read()).toEqual(before)
  })

  test('shows the facilities of today again once it is reopened', async () => {
    const { one, facilityId, submitter } = await prepare('approved')
    await admin.call(facilities.update, { id: facilityId, name: 'Renamed after approval' })
    await openWithTwo({ asks: submitter, confirms: admin }, one.inventoryId, 'collecting')
    const shown = await admin.call(carbonAssignments.facilities, { inventory: one.inventoryId })
    expect(shown.find(({ id }) => id === facilityId)?.name).toBe('Renamed after approval')
  })

  test('keeps the names of its people after they are deleted', async () => {
    const one = await ledgerWorld(forecourt, ford, admin)
    const ownerId = await ford.createUser()
    await forecourt.owner.query(
      'insert into memberships (customer_id, organization_id, user_id) values ($1, $2, $3) on conflict do nothing',
      [ford.customerId, one.organizationId, ownerId],
    )
    await admin.call(carbonInventories.update, { id: one.inventoryId, ownerId })
    const sourceId = await one.addSource(GRID)
    const readSources = () => admin.call(carbonAssignments.sources, { inventory: one.inventoryId })
    const source = (await readSources()).find(({ id }) => id === sourceId)
    await admin.call(carbonAssignments.save, {
      inventoryId: one.inventoryId,
      changes: [
        {
          facilityId: source?.facilityId ?? '',
          sourceType: source?.sourceType ?? '',
          isAssigned: true,
          dataOwnerId: ownerId,
        },
      ],
    })
    const submitter = await reviewerOf(forecourt, one.organizationId)
    await takeInventoryTo({ submitter, approver: admin }, one.inventoryId, 'locked')
    await admin.call(users.remove, { id: ownerId })
    expect(await admin.call(carbonInventories.get, { id: one.inventoryId })).toMatchObject({
      ownerId: null,
      ownerName: 'Ina Vited',
    })
    expect(await readSources()).toMatchObject([{ dataOwnerId: null, dataOwnerName: 'Ina Vited' }])
    const history = await admin.call(inventoryApproval.history, { inventory: one.inventoryId })
    expect(history.map(({ status, userName }) => `${status} ${userName}`)).toEqual([
      'locked Dana Whitfield',
      'approved Dana Whitfield',
      'in_review Priya Raman',
      'collecting Priya Raman',
    ])
  })
})
