import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { activities } from '#contract/carbon/activity/activity.ts'
import { inventoryApproval } from '#contract/carbon/inventories/approval.ts'
import { carbonInventories } from '#contract/carbon/inventories/inventories.ts'
import { ledger } from '#contract/carbon/results/ledger.ts'
import { refusalOf, testApp, type Caller, type TestApp } from '#test/app.ts'
import { ownFactor } from '#test/cases/carbon/factors.ts'
import { approveInventory, freshCountry, reviewerOf } from '#test/factories/carbon/approve-inventory.ts'
import { bill, ledgerWorld } from '#test/factories/carbon/ledger-world.ts'
import { testOrganization, type TestOrganization } from '#test/factories/test-organization.ts'
import { addFactor, changeFactor } from '#test/factories/carbon/confirm-factor.ts'

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

/** 100 kWh at 2 kg, submitted by the manager, in an inventory with this status. */
async function prepare(status: 'collecting' | 'in_review', year = 2025) {
  const one = await ledgerWorld(forecourt, ford, admin, { year })
  const { inventoryId } = one
  const manager = await reviewerOf(forecourt, one.organizationId)
  const country = freshCountry()
  const factorOf = (kg: string) => ownFactor({ region: country, isForAll: true, gases: gasesOf(kg) })
  const factor = await addFactor(admin, factorOf('2'))
  const { recordId } = await one.addRecord(
    { ...GRID, country },
    bill('100', 'kWh', { periodStart: `${year}-01-01`, periodEnd: `${year}-12-31` }),
  )
  const records = [{ id: recordId, version: 1 }]
  await manager.call(activities.submit, { inventoryId, records })
  const steps = status === 'in_review' ? (['collecting', 'in_review'] as const) : (['collecting'] as const)
  for (const step of steps) await manager.call(carbonInventories.setStatus, { id: inventoryId, status: step })
  const approveRecord = (seen?: { kg: string; marketKg: string }) =>
    admin.call(activities.approve, {
      inventoryId,
      records: records.map((record) => (seen === undefined ? record : { ...record, seen })),
    })
  const read = async () => (await admin.call(activities.list, { inventoryId })).results[0]
  const replaceFactor = (kg: string) => changeFactor(admin, { id: factor.id, factor: factorOf(kg) })
  const check = (who = admin) => who.call(inventoryApproval.check, { inventory: inventoryId })
  return { one, manager, country, inventoryId, approveRecord, read, replaceFactor, check }
}

describe('the approved figure is the one the approver saw', () => {
  test('an approved record goes back into review when its result changes', async () => {
    const { inventoryId, approveRecord, read, replaceFactor } = await prepare('in_review')
    expect(await approveRecord({ kg: '200', marketKg: '200' })).toMatchObject({ moved: 1, refused: [] })
    await replaceFactor('3')
    await admin.call(ledger.recalculate, { inventoryId })
    expect(await read()).toMatchObject({
      status: 'submitted',
      version: 1,
      reviewComment: 'The result changed from 200 kg CO2e to 300 kg CO2e after approval. Review it again.',
      result: { kg: '300' },
    })
  })

  test('an approved record keeps its approval when it is recalculated with the same result', async () => {
    const { inventoryId, approveRecord, read, replaceFactor } = await prepare('in_review')
    await approveRecord()
    await replaceFactor('2.0')
    await admin.call(ledger.recalculate, { inventoryId })
    expect(await read()).toMatchObject({ status: 'approved', result: { kg: '200' } })
  })

  test('a record is not approved with another result than the one seen', async () => {
    const { approveRecord, read, replaceFactor } = await prepare('in_review')
    await replaceFactor('3')
    expect(await approveRecord({ kg: '200', marketKg: '200' })).toMatchObject({
      moved: 0,
      refused: [{ message: 'The result is 300 kg CO2e now, not 200 kg CO2e. Review the record again.' }],
    })
    expect(await read()).toMatchObject({ status: 'submitted', result: { kg: '300' } })
    expect(await approveRecord({ kg: '300', marketKg: '300' })).toMatchObject({ moved: 1 })
  })

  test('an inventory is not approved with another total than the one seen, and says the new one', async () => {
    const { inventoryId: id, approveRecord, replaceFactor, check } = await prepare('in_review')
    await approveRecord()
    const seen = await check()
    expect(seen).toMatchObject({ location: '200', market: '200', pending: 0 })
    await replaceFactor('3')
    expect(await check()).toMatchObject({ location: '200', pending: 1 })
    const approve = (location: string) =>
      admin.call(carbonInventories.setStatus, {
        id,
        status: 'approved',
        reason: 'As agreed',
        seen: { location, market: location },
      })
    expect(await refusalOf(approve('200'))).toMatchObject({
      status: 409,
      refusal: {
        message: expect.stringMatching(
          /is now 300 kg CO2e \(location-based\) and 300 kg CO2e \(market-based\)/,
        ),
        current: { id, status: 'in_review' },
      },
    })
    expect((await admin.call(carbonInventories.get, { id })).status).toBe('in_review')
    await expect(
      admin.call(carbonInventories.setStatus, { id, status: 'approved', reason: 'As agreed' }),
    ).toRefuse(400)
    expect(await approve('300.0')).toMatchObject({ status: 'approved' })
    const [approval] = await admin.call(inventoryApproval.history, { inventory: id })
    expect(approval).toMatchObject({
      status: 'approved',
      location: '300',
      market: '300',
      reason: 'As agreed',
    })
  })
})

describe('two-person approval', () => {
  test('without a named owner requires someone other than the submitter', async () => {
    const { manager, inventoryId, check } = await prepare('in_review')
    expect((await check(manager)).refusal).toMatch(/you submitted it for review/)
    await expect(approveInventory(manager, inventoryId)).toRefuse(403, 'you submitted it for review')
    expect((await check()).refusal).toBeNull()
    expect((await approveInventory(admin, inventoryId)).status).toBe('approved')
  })

  test('can be turned off until the inventory is submitted for the first time, and by nobody after that', async () => {
    const { manager, inventoryId: id } = await prepare('collecting')
    const set = (caller: Caller, twoPersonApproval: boolean) =>
      caller.call(carbonInventories.update, { id, twoPersonApproval })
    expect((await set(manager, false)).twoPersonApproval).toBe(false)
    expect((await set(manager, true)).twoPersonApproval).toBe(true)
    await manager.call(carbonInventories.setStatus, { id, status: 'in_review' })
    await expect(set(manager, false)).toRefuse(409, 'was submitted for review before')
    await manager.call(carbonInventories.setStatus, { id, status: 'collecting', reason: 'Once more' })
    for (const caller of [manager, admin])
      await expect(set(caller, false)).toRefuse(409, 'was submitted for review before')
  })
})

test('an approval states what is missing, requires a reason then, and keeps both', async () => {
  const { one, manager, country, inventoryId: id, check } = await prepare('collecting', 2026)
  const sourceId = await one.addSource({ ...GRID, country, frequency: 'month' })
  await one.save(sourceId, bill('5', 'kWh', { periodStart: '2026-01-01', periodEnd: '2026-01-31' }))
  await admin.call(ledger.recalculate, { inventoryId: id })
  await manager.call(carbonInventories.setStatus, { id, status: 'in_review' })
  const { location, market, gaps } = await check()
  expect(gaps).toEqual([
    { kind: 'period', sentence: 'The period ends on Dec 31, 2026.' },
    { kind: 'coverage', sentence: '2 of 13 expected data points are covered.' },
    { kind: 'unreviewed', sentence: '2 of 2 records not approved.' },
    { kind: 'scope3', sentence: '15 scope 3 categories are not assessed.' },
  ])
  const approve = (reason: string | null) =>
    admin.call(carbonInventories.setStatus, { id, status: 'approved', reason, seen: { location, market } })
  await expect(approve(null)).toRefuse(400, '2 of 13 expected data points are covered.')
  // An approval with gaps never shows its steps as complete.
  expect(await approve('Interim report')).toMatchObject({
    gaps,
    steps: { emission: 'partly', insights: 'partly' },
  })
  const [approval] = await admin.call(inventoryApproval.history, { inventory: id })
  expect(approval).toMatchObject({ reason: 'Interim report', gaps, userName: 'Dana Whitfield' })
})
