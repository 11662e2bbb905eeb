import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { importedTotals } from '#contract/carbon/activity/imported-totals.ts'
import { carbonInventories } from '#contract/carbon/inventories/inventories.ts'
import { ledger } from '#contract/carbon/results/ledger.ts'
import { facilities } from '#contract/organizations/facilities/facilities.ts'
import { testApp, type Caller, type TestApp } from '#test/app.ts'
import { reviewerOf, takeInventoryTo } from '#test/factories/carbon/approve-inventory.ts'
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

/** An inventory with a record and an imported total, taken to a status by two people. */
async function prepare(target: 'approved' | 'locked') {
  const one = await ledgerWorld(forecourt, ford, admin)
  const { inventoryId } = one
  const facilityId = await one.addFacility({ gridRegion: 'CAMX' })
  const grid = { activity: 'electricity/grid', scope: '2', unit: 'kWh', facilityId }
  const { recordId, sourceId } = await one.addRecord(grid, bill('100', 'kWh'))
  await admin.call(importedTotals.add, {
    inventoryId,
    rows: [
      {
        key: '1',
        facilityId,
        sourceType: 'natural_gas',
        periodStart: '2025-01-01',
        periodEnd: '2025-12-31',
        tonnes: '500',
      },
    ],
  })
  const submitter = await reviewerOf(forecourt, one.organizationId)
  await takeInventoryTo({ submitter, approver: admin }, inventoryId, target)
  const setStatus = (who: Caller, status: 'approved' | 'collecting' | 'draft', reason: string | null = 'Wrong') =>
    who.call(carbonInventories.setStatus, { id: inventoryId, status, reason })
  return { one, submitter, inventoryId, facilityId, recordId, sourceId, setStatus }
}

describe('what two people approved', () => {
  test('is not unlocked or reopened by one of them', async () => {
    const { submitter, setStatus } = await prepare('locked')
    await expect(setStatus(submitter, 'approved')).toRefuse(409, 'a second person')
    const approved = await prepare('approved')
    await expect(approved.setStatus(submitter, 'collecting')).toRefuse(409, 'a second person')
  })

  test('is not deleted, although one person could reopen it', async () => {
    const { id } = await admin.call(carbonInventories.add, {
      organizationId: await ford.addOrganization(),
      name: 'Base 2024',
      periodStart: '2024-01-01',
      periodEnd: '2024-12-31',
      boundary: 'operational',
      isBaseYear: true,
      twoPersonApproval: false,
    })
    await takeInventoryTo({ submitter: admin, approver: admin }, id, 'locked')
    const change = (status: 'approved' | 'collecting' | 'draft') =>
      admin.call(carbonInventories.setStatus, { id, status, reason: 'Wrong' })
    for (const status of ['approved', 'collecting', 'draft'] as const) await change(status)
    await expect(admin.call(carbonInventories.remove, { id })).toRefuse(409, 'was approved')
  })
})

test('the ledger has a line for each imported total, and adds up to the total', async () => {
  const { one, inventoryId } = await prepare('locked')
  const lines = await one.results()
  expect(lines.filter(({ part }) => part === 'imported')).toHaveLength(12)
  const sum = (method: string) =>
    lines.filter((line) => line.method === null || line.method === method).reduce((kg, line) => kg + Number(line.kg), 0)
  const { total } = await one.totals()
  expect(sum('location')).toBeCloseTo(Number(total.location), 6)
  expect(sum('market')).toBeCloseTo(Number(total.market), 6)
  const listed = await admin.call(ledger.list, { filter: `inventory == "${inventoryId}"`, pageSize: 100 })
  expect(listed.results).toHaveLength(lines.length)
})

test('a locked year has one name for its facility on every screen', async () => {
  const { one, facilityId } = await prepare('locked')
  const names = async () => {
    const { facilities: lines, sources, coverage } = await one.totals()
    const results = await one.results()
    const explained = await admin.call(ledger.explain, { id: results.find(({ part }) => part === 'main')?.id ?? '' })
    return {
      facility: lines.map(({ title }) => title),
      sources: sources.map(({ title, facilityName }) => [title, facilityName]),
      missing: coverage.missing.map(({ facilityName }) => facilityName),
      record: explained.record?.facilityName,
    }
  }
  const before = await names()
  await admin.call(facilities.update, { id: facilityId, name: 'RENAMED' })
  expect(await names()).toEqual(before)
})
