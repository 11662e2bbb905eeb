import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { carbonAssignments } from '#contract/carbon/inventories/assignments.ts'
import { carbonInventories } from '#contract/carbon/inventories/inventories.ts'
import { refusalOf, testApp, type Caller, type TestApp } from '#test/app.ts'
import { freshPeriod } from '#test/cases/carbon/inventories.ts'
import { placeOf, type Place } from '#test/factories/places.ts'

let forecourt: TestApp
let admin: Caller
let keeper: Caller
let ford: Place
let toyota: Place
beforeAll(async () => {
  forecourt = await testApp()
  admin = await forecourt.as('northgate.admin', 'Northgate Ford')
  keeper = await forecourt.as('northgate.sustain', 'Northgate Ford')
  ford = await placeOf(forecourt, 'Northgate Ford')
  toyota = await placeOf(forecourt, 'Northgate Toyota')
})
afterAll(() => forecourt.close())

const personId = async (userName: string): Promise<string> => {
  const { rows } = await forecourt.owner.query<{ id: string }>('select id from users where user_name = $1', [
    userName,
  ])
  return rows[0]?.id ?? ''
}
/** An inventory as the product adds it. */
const addInventory = (more: { boundary?: 'operational' | 'financial' | 'equity' } = {}) =>
  admin.call(carbonInventories.add, { ...freshPeriod(), boundary: 'operational', ...more })
/** Taken there by its steps. */
async function takeTo(id: string, statuses: readonly ('collecting' | 'in_review' | 'approved' | 'locked')[]) {
  for (const status of statuses) {
    await admin.call(carbonInventories.setStatus, { id, status, reason: 'As agreed' })
  }
}

describe('the first step', () => {
  test('keeps everything it is told, with all fifteen categories in order', async () => {
    const [ownerId, approverId] = [await personId('northgate.sustain'), await personId('northgate.admin')]
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
    const settled = await admin.call(carbonInventories.update, {
      id: added.id,
      scope3: all,
      denominators: [],
    })
    expect(settled).toMatchObject({ denominators: [], steps: { start: 'complete' } })
    expect(settled.version).toBeGreaterThan(added.version)
  })

  test('refuses a period that overlaps another of the same boundary, and only that', async () => {
    const first = await addInventory()
    const within = { periodStart: first.periodEnd, periodEnd: first.periodEnd.replace(/^\d+/, '9998') }
    const until = { ...within, periodEnd: `${Number(first.periodEnd.slice(0, 4)) + 1}-03-31` }
    const given = { name: 'Overlap', ...until }
    await expect(admin.call(carbonInventories.add, { ...given, boundary: 'operational' })).toRefuse(409)
    const other = await admin.call(carbonInventories.add, { ...given, boundary: 'financial' })
    await expect(admin.call(carbonInventories.update, { id: other.id, boundary: 'operational' })).toRefuse(
      409,
    )
    await admin.call(carbonInventories.remove, { id: other.id })
  })

  test('of two that are added at once for one period only one is there', async () => {
    const given = { ...freshPeriod(), boundary: 'operational' } as const
    const tried = await Promise.allSettled([
      admin.call(carbonInventories.add, given),
      keeper.call(carbonInventories.add, given),
    ])
    expect(tried.filter(({ status }) => status === 'fulfilled').length).toBe(1)
    const refusal = tried.find(({ status }) => status === 'rejected')
    expect(refusal).toMatchObject({ reason: { status: 409 } })
  })

  test('asks for an approver who is not the owner while four eyes are required', async () => {
    const ownerId = await personId('northgate.sustain')
    const { id } = await addInventory()
    await expect(admin.call(carbonInventories.update, { id, ownerId, approverId: ownerId })).toRefuse(400)
    const freed = await admin.call(carbonInventories.update, {
      id,
      ownerId,
      approverId: ownerId,
      fourEyes: false,
    })
    expect(freed).toMatchObject({ ownerId, approverId: ownerId })
    await expect(admin.call(carbonInventories.update, { id, fourEyes: true })).toRefuse(400)
  })

  test('refuses people of a sister, a second base year and a category without its reason', async () => {
    const stranger = await toyota.addMember({ userName: 'toyota.only', userType: 'Sustainability manager' })
    const { id } = await addInventory({ boundary: 'financial' })
    await expect(admin.call(carbonInventories.update, { id, ownerId: stranger })).toRefuse(400)
    await expect(
      admin.call(carbonInventories.update, { id, scope3: [{ category: 1, relevance: 'not_relevant' }] }),
    ).toRefuse(400)
    await admin.call(carbonInventories.update, { id, isBaseYear: true })
    const { id: second } = await addInventory({ boundary: 'financial' })
    await expect(admin.call(carbonInventories.update, { id: second, isBaseYear: true })).toRefuse(409)
  })

  test('of two people who save at once the later one gets the inventory as it is', async () => {
    const { id, version } = await addInventory()
    await admin.call(carbonInventories.update, { id, version, name: 'First' })
    const refusal = await refusalOf(keeper.call(carbonInventories.update, { id, version, name: 'Second' }))
    expect(refusal).toMatchObject({ status: 409, refusal: { current: { id, name: 'First' } } })
  })
})

describe('its status', () => {
  test('goes step by step, back only with a reason, and a locked one refuses every write', async () => {
    const { id } = await addInventory()
    const facilityId = await ford.addChosenFacility(id)
    const set = (status: 'collecting' | 'in_review' | 'approved' | 'locked', reason: string | null = null) =>
      admin.call(carbonInventories.setStatus, { id, status, reason })
    await expect(set('approved')).toRefuse(409)
    await set('collecting')
    await set('in_review')
    await expect(set('collecting')).toRefuse(400)
    await set('approved')
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
    // Nor does the database let anybody by: whoever forgets to ask is stopped there.
    await expect(ford.addSource(id, facilityId)).rejects.toThrow(/is locked/)

    await set('approved', 'A meter was misread')
    await set('collecting', 'A meter was misread')
    await admin.call(carbonAssignments.save, { inventoryId: id, changes: [cell] })
  })

  test('is not approved by its owner, nor by anybody but the approver that was named', async () => {
    const [ownerId, approverId] = [await personId('northgate.sustain'), await personId('northgate.admin')]
    const { id } = await admin.call(carbonInventories.add, {
      ...freshPeriod(),
      boundary: 'operational',
      ownerId,
    })
    await takeTo(id, ['collecting', 'in_review'])
    const approve = (who: Caller) => who.call(carbonInventories.setStatus, { id, status: 'approved' })
    await expect(approve(keeper)).toRefuse(403)
    await admin.call(carbonInventories.update, { id, ownerId: null, approverId })
    await expect(approve(keeper)).toRefuse(403)
    expect((await approve(admin)).status).toBe('approved')
  })

  test('a locked one is restated beside its figures, once, and counts again when that is deleted', async () => {
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

test('last year is copied with its facilities, sources and people, and without what belongs to its year', async () => {
  const { id, periodStart } = await addInventory({ boundary: 'equity' })
  const facilityId = await ford.addChosenFacility(id)
  const person = await personId('northgate.sustain')
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
        personId: person,
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
    personId: person,
    dueOn: `${next.periodStart.slice(0, 4)}-02-28`,
    frequency: 'quarter',
    factorId: null,
  })
})

test('somebody of one rooftop sees its inventories alone, and an auditor changes none', async () => {
  const theirs = await toyota.addInventory()
  const own = await ford.addInventory()
  const { results } = await keeper.call(carbonInventories.list, { pageSize: 200 })
  expect(results.map(({ id }) => id)).toContain(own)
  expect(results.map(({ id }) => id)).not.toContain(theirs)
  const all = await admin.call(carbonInventories.list, { pageSize: 200 })
  expect(all.results.map(({ id }) => id)).toEqual(expect.arrayContaining([own, theirs]))
  const auditor = await forecourt.as('northgate.auditor', 'Northgate Ford')
  expect((await auditor.call(carbonInventories.get, { id: own })).id).toBe(own)
  await expect(auditor.call(carbonInventories.update, { id: own, name: 'Other' })).toRefuse(403)
  await expect(auditor.call(carbonInventories.setStatus, { id: own, status: 'collecting' })).toRefuse(403)
})
