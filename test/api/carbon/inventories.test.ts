import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { carbonAssignments } from '#contract/carbon/inventories/assignments.ts'
import { carbonInventories } from '#contract/carbon/inventories/inventories.ts'
import { refusalOf, testApp, type Caller, type TestApp } from '#test/app.ts'
import { approveInventory, openWithTwo } from '#test/factories/carbon/approve-inventory.ts'
import { freshPeriod } from '#test/cases/carbon/inventories.ts'
import { testOrganization, type TestOrganization } from '#test/factories/test-organization.ts'

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

const userIdOf = async (userName: string): Promise<string> => {
  const { rows } = await forecourt.owner.query<{ id: string }>('select id from users where user_name = $1', [
    userName,
  ])
  return rows[0]?.id ?? ''
}
/** Adds an inventory through the API. */
const addInventory = (more: { boundary?: 'operational' | 'financial' | 'equity' } = {}) =>
  admin.call(carbonInventories.add, { ...freshPeriod(), boundary: 'operational', ...more })
/** Changes the status step by step. */
async function takeTo(id: string, statuses: readonly ('collecting' | 'in_review' | 'approved' | 'locked')[]) {
  for (const status of statuses) {
    if (status === 'approved') await approveInventory(admin, id)
    else {
      const who = status === 'in_review' ? manager : admin
      await who.call(carbonInventories.setStatus, { id, status, reason: 'As agreed' })
    }
  }
}

describe('the start step', () => {
  test('stores all fields, with all fifteen categories in order', async () => {
    const [ownerId, approverId] = [await userIdOf('northgate.sustain'), await userIdOf('northgate.admin')]
    const added = await admin.call(carbonInventories.add, {
      ...freshPeriod(),
      boundary: 'equity',
      gwpSet: 'AR5',
      yearRule: 'latest',
      datasets: ['2', '1'],
      recalculationThreshold: '7.5',
      ownerId,
      approverId,
      scope3: [{ category: 10, relevance: 'not_relevant', reason: 'Cars are sold as they are' }],
      denominators: [{ kind: 'revenue', amount: 41.5, unit: 'million USD' }],
    })
    expect(added).toMatchObject({
      boundary: 'equity',
      gwpSet: 'AR5',
      yearRule: 'latest',
      datasets: ['2', '1'],
      recalculationThreshold: '7.5',
      status: 'draft',
      ownerName: 'Priya Raman',
      approverName: 'Dana Whitfield',
      denominators: [{ kind: 'revenue', name: null, amount: '41.5', unit: 'million USD' }],
      steps: { start: 'partly', facility: 'empty', emission: 'locked', insights: 'locked' },
    })
    expect(added.scope3.map(({ category }) => category)).toEqual(
      Array.from({ length: 15 }, (_, at) => at + 1),
    )
    expect(added.scope3[9]).toEqual({
      category: 10,
      relevance: 'not_relevant',
      reason: 'Cars are sold as they are',
    })
    const all = added.scope3.map(({ category, reason }) => ({
      category,
      relevance: 'relevant' as const,
      reason,
    }))
    const complete = await admin.call(carbonInventories.update, {
      id: added.id,
      scope3: all,
      denominators: [],
    })
    expect(complete).toMatchObject({ denominators: [], steps: { start: 'complete' } })
    expect(complete.version).toBeGreaterThan(added.version)
  })

  test('rejects a period that overlaps another one with the same boundary', async () => {
    const first = await addInventory()
    const within = { periodStart: first.periodEnd, periodEnd: first.periodEnd.replace(/^\d+/, '9998') }
    const until = { ...within, periodEnd: `${Number(first.periodEnd.slice(0, 4)) + 1}-03-31` }
    const input = { name: 'Overlap', ...until }
    const refusal = await refusalOf(admin.call(carbonInventories.add, { ...input, boundary: 'operational' }))
    expect(refusal.refusal.fields).toEqual({
      periodStart: `This period overlaps “${first.name}” (${first.periodStart} to ${first.periodEnd}).`,
    })
    const other = await admin.call(carbonInventories.add, { ...input, boundary: 'financial' })
    await expect(admin.call(carbonInventories.update, { id: other.id, boundary: 'operational' })).toRefuse(
      409,
    )
    await admin.call(carbonInventories.remove, { id: other.id })
  })

  test('only one of two inventories added at the same time for one period succeeds', async () => {
    const input = { ...freshPeriod(), boundary: 'operational' } as const
    const outcomes = await Promise.allSettled([
      admin.call(carbonInventories.add, input),
      manager.call(carbonInventories.add, input),
    ])
    expect(outcomes.filter(({ status }) => status === 'fulfilled').length).toBe(1)
    const refusal = outcomes.find(({ status }) => status === 'rejected')
    expect(refusal).toMatchObject({ reason: { status: 409 } })
  })

  test('requires an approver other than the owner', async () => {
    const ownerId = await userIdOf('northgate.sustain')
    const { id } = await addInventory()
    await expect(admin.call(carbonInventories.update, { id, ownerId, approverId: ownerId })).toRefuse(400)
    const relaxed = await admin.call(carbonInventories.update, {
      id,
      ownerId,
      approverId: ownerId,
      twoPersonApproval: false,
    })
    expect(relaxed).toMatchObject({ ownerId, approverId: ownerId })
    await expect(admin.call(carbonInventories.update, { id, twoPersonApproval: true })).toRefuse(400)
  })

  test('rejects users of a sister organization, a second base year and an irrelevant category without a reason', async () => {
    const outsider = await toyota.addMember({ userName: 'toyota.only', userType: 'Sustainability manager' })
    const { id } = await addInventory({ boundary: 'financial' })
    await expect(admin.call(carbonInventories.update, { id, ownerId: outsider })).toRefuse(400)
    await expect(
      admin.call(carbonInventories.update, { id, scope3: [{ category: 1, relevance: 'not_relevant' }] }),
    ).toRefuse(400)
    await admin.call(carbonInventories.update, { id, isBaseYear: true })
    const { id: second } = await addInventory({ boundary: 'financial' })
    await expect(admin.call(carbonInventories.update, { id: second, isBaseYear: true })).toRefuse(409)
  })

  test('the later of two concurrent saves gets the current inventory', async () => {
    const { id, version } = await addInventory()
    await admin.call(carbonInventories.update, { id, version, name: 'First' })
    const refusal = await refusalOf(manager.call(carbonInventories.update, { id, version, name: 'Second' }))
    expect(refusal).toMatchObject({ status: 409, refusal: { current: { id, name: 'First' } } })
  })
})

describe('the status', () => {
  test('advances step by step, goes back only with a reason, and blocks writes when locked', async () => {
    const { id } = await addInventory()
    const facilityId = await ford.addChosenFacility(id)
    const set = (status: 'collecting' | 'in_review' | 'approved' | 'locked', reason: string | null = null) =>
      admin.call(carbonInventories.setStatus, { id, status, reason })
    await expect(set('approved')).toRefuse(409)
    await set('collecting')
    await manager.call(carbonInventories.setStatus, { id, status: 'in_review' })
    await expect(set('collecting')).toRefuse(400)
    await approveInventory(admin, id)
    await expect(set('locked')).toRefuse(400)
    expect(await set('locked', 'Filed')).toMatchObject({ status: 'locked', statusReason: 'Filed' })

    const cell = { facilityId, sourceType: 'electricity', isAssigned: true } as const
    const writes = [
      () => admin.call(carbonInventories.update, { id, name: 'Other' }),
      () =>
        admin.call(carbonAssignments.choose, {
          inventoryId: id,
          choices: [{ facilityId, choice: 'included' }],
        }),
      () => admin.call(carbonAssignments.save, { inventoryId: id, changes: [cell] }),
      () => admin.call(carbonInventories.remove, { id }),
    ]
    for (const write of writes) await expect(write()).toRefuse(409)
    // The database blocks the write as well, in case a handler forgets to check.
    await expect(ford.addSource(id, facilityId)).rejects.toThrow(/is locked/)

    await expect(set('approved', 'A meter was misread')).toRefuse(409, 'second person')
    const two = { asks: admin, confirms: manager }
    for (const status of ['approved', 'collecting'] as const) await openWithTwo(two, id, status)
    await admin.call(carbonAssignments.save, { inventoryId: id, changes: [cell] })
  })

  test('can be approved only by the approver, and not by the owner', async () => {
    const [ownerId, approverId] = [await userIdOf('northgate.sustain'), await userIdOf('northgate.admin')]
    const { id } = await admin.call(carbonInventories.add, {
      ...freshPeriod(),
      boundary: 'operational',
      ownerId,
    })
    await takeTo(id, ['collecting', 'in_review'])
    const approve = (who: Caller) => approveInventory(who, id)
    await expect(approve(manager)).toRefuse(403)
    await admin.call(carbonInventories.update, { id, ownerId: null, approverId })
    await expect(approve(manager)).toRefuse(403)
    expect((await approve(admin)).status).toBe('approved')
  })

  test('a locked inventory can be restated once, and is active again if the restatement is deleted', async () => {
    const { id, periodStart, periodEnd } = await addInventory()
    const facilityId = await ford.addChosenFacility(id)
    await ford.addSource(id, facilityId)
    await expect(admin.call(carbonInventories.restate, { id, reason: 'Too early' })).toRefuse(409)
    await takeTo(id, ['collecting', 'in_review', 'approved', 'locked'])
    const later = await admin.call(carbonInventories.restate, { id, reason: 'A site was bought' })
    expect(later).toMatchObject({ status: 'collecting', restatesId: id, periodStart, periodEnd, sources: 1 })
    expect(await admin.call(carbonInventories.get, { id })).toMatchObject({
      status: 'restated',
      statusReason: 'A site was bought',
      restatedById: later.id,
      sources: 1,
    })
    await expect(admin.call(carbonInventories.restate, { id, reason: 'Again' })).toRefuse(409)
    await admin.call(carbonInventories.setStatus, { id: later.id, status: 'draft' })
    await admin.call(carbonInventories.remove, { id: later.id })
    expect(await admin.call(carbonInventories.get, { id })).toMatchObject({
      status: 'locked',
      restatedById: null,
    })
  })
})

test('copies an inventory with its facilities, sources and data owners, but without year-specific values', async () => {
  const { id, periodStart } = await addInventory({ boundary: 'equity' })
  const facilityId = await ford.addChosenFacility(id)
  const ownerId = await userIdOf('northgate.sustain')
  const factorId = await ford.addFactor()
  await admin.call(carbonInventories.update, {
    id,
    isBaseYear: true,
    denominators: [{ kind: 'staff', amount: '64', unit: 'people' }],
  })
  await admin.call(carbonAssignments.save, {
    inventoryId: id,
    changes: [
      {
        facilityId,
        sourceType: 'electricity',
        isAssigned: true,
        dataOwnerId: ownerId,
        dueOn: `${periodStart.slice(0, 4)}-02-28`,
        frequency: 'quarter',
        factorId,
      },
      { facilityId, sourceType: 'waste_oil', isAssigned: true },
    ],
  })
  await admin.call(carbonAssignments.save, {
    inventoryId: id,
    changes: [{ facilityId, sourceType: 'waste_oil', isAssigned: false }],
  })
  const next = freshPeriod()
  const copy = await admin.call(carbonInventories.copy, { id, ...next })
  expect(copy).toMatchObject({
    status: 'draft',
    isBaseYear: false,
    denominators: [],
    facilities: 1,
    sources: 1,
    assigned: 1,
  })
  const [source] = await admin.call(carbonAssignments.sources, { inventory: copy.id })
  expect(source).toMatchObject({
    facilityId,
    sourceType: 'electricity',
    dataOwnerId: ownerId,
    dueOn: `${next.periodStart.slice(0, 4)}-02-28`,
    frequency: 'quarter',
    factorId: null,
  })
})

test('a member of one rooftop sees only its inventories, and an auditor cannot change any', async () => {
  const theirs = await toyota.addInventory()
  const own = await ford.addInventory()
  const { results } = await manager.call(carbonInventories.list, { pageSize: 200 })
  expect(results.map(({ id }) => id)).toContain(own)
  expect(results.map(({ id }) => id)).not.toContain(theirs)
  const all = await admin.call(carbonInventories.list, { pageSize: 200 })
  expect(all.results.map(({ id }) => id)).toEqual(expect.arrayContaining([own, theirs]))
  const auditor = await forecourt.as('northgate.auditor', 'Northgate Ford')
  expect((await auditor.call(carbonInventories.get, { id: own })).id).toBe(own)
  await expect(auditor.call(carbonInventories.update, { id: own, name: 'Other' })).toRefuse(403)
  await expect(auditor.call(carbonInventories.setStatus, { id: own, status: 'collecting' })).toRefuse(403)
})
