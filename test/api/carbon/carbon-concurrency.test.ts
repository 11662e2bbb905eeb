import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { activities } from '#contract/carbon/activity/activity.ts'
import { carbonAssignments } from '#contract/carbon/inventories/assignments.ts'
import { factors } from '#contract/carbon/factors/factors.ts'
import { carbonInventories } from '#contract/carbon/inventories/inventories.ts'
import { ledger } from '#contract/carbon/results/ledger.ts'
import { processStaleQueue } from '#server/carbon/index.ts'
import { testApp, type Caller, type TestApp } from '#test/app.ts'
import { between, queued } from '#test/harness/concurrently.ts'
import { ownFactor } from '#test/cases/carbon/factors.ts'
import { countStored, expectConsistent } from '#test/factories/carbon/stored-results.ts'
import { bill, ledgerWorld } from '#test/factories/carbon/ledger-world.ts'
import { testOrganization, type TestOrganization } from '#test/factories/test-organization.ts'
import { changeFactor } from '#test/factories/carbon/confirm-factor.ts'

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

const inBackground = () => processStaleQueue(forecourt.jobsPool, forecourt.appPool)
const CO2E = { gas: 'CO2e', basis: 'co2e' } as const

/** A source with a custom factor of 2 kg, and one of another activity whose records can choose it manually. */
async function prepare() {
  const one = await ledgerWorld(forecourt, ford, admin)
  const activity = `own/of-${one.inventoryId}`
  const facilityId = await one.addFacility({ parentId: await one.addFacility() })
  const input = ownFactor({
    activity,
    scopes: ['1'],
    region: 'US',
    unit: 'kg',
    isForAll: true,
    gases: [{ ...CO2E, kg: '2' }],
  })
  const { id: factorId } = await admin.call(factors.add, input)
  const own = await one.addSource({ activity, scope: '1', unit: 'kg', facilityId })
  const other = await one.addSource({ activity: `${activity}-else`, scope: '1', unit: 'kg', facilityId })
  const correct = (kg: string) => {
    const change = { id: factorId, factor: { ...input, gases: [{ ...CO2E, kg }] } }
    // A record that is saved in between is confirmed as well.
    return changeFactor(admin, change).catch(() => changeFactor(admin, change))
  }
  const save = (sourceId: string, quantity: string, manualFactorId: string | null = null) =>
    one.save(sourceId, bill(quantity, 'kg', { factorId: manualFactorId, periodEnd: '2025-02-28' }))
  const held = `select from carbon_inventories where id = ${one.inventoryId} for update`
  const total = async () => (await one.totals()).total.location
  return { one, facilityId, factorId, own, other, correct, save, held, total }
}

/** Runs calls that wait for the same lock, one after the other. All must succeed. */
async function queueUp(held: string, calls: readonly (() => Promise<unknown>)[]): Promise<void> {
  const outcomes = await queued(forecourt.owner, held, calls)
  expect(outcomes.filter(({ status }) => status === 'rejected')).toEqual([])
}

/** Pauses a calculation between its reads and writes until another call has come as far as it can. */
async function whileCalculating(
  first: () => Promise<unknown>,
  second: () => Promise<unknown>,
): Promise<void> {
  const held = 'lock table calculation_lines in share mode'
  const outcomes = await between(forecourt.owner, held, [first, second])
  expect(outcomes.filter(({ status }) => status === 'rejected')).toEqual([])
}

describe('no data is lost or counted twice', () => {
  test('when two users save records while the inventory is recalculated in the background', async () => {
    const { one, own, save, correct, held, total } = await prepare()
    await save(own, '1')
    await correct('3')
    await queueUp(held, [() => save(own, '10'), inBackground, () => save(own, '100')])
    await inBackground()
    expect(await total()).toBe('333')
    expect(await countStored(forecourt.owner, one)).toEqual({ results: 6, totals: 2, lines: 1, stale: 0 })
    await expectConsistent(forecourt.owner, admin, one)
  })

  test('when the background job comes first', async () => {
    const { one, own, other, factorId, save, correct, held, total } = await prepare()
    await save(own, '1')
    await save(other, '5', factorId)
    await correct('3')
    await queueUp(held, [inBackground, () => save(other, '10', factorId), inBackground])
    await inBackground()
    expect(await total()).toBe('48')
    await expectConsistent(forecourt.owner, admin, one)
  })

  test('when a factor is corrected while a record of its activity is calculated', async () => {
    const { one, own, save, correct, total } = await prepare()
    await whileCalculating(
      () => save(own, '1'),
      () => correct('3'),
    )
    await inBackground()
    expect(await total()).toBe('3')
    await expectConsistent(forecourt.owner, admin, one)
  })

  test('when a manually chosen factor is corrected while its record is calculated', async () => {
    const { one, other, factorId, save, correct, total } = await prepare()
    await whileCalculating(
      () => save(other, '1', factorId),
      () => correct('3'),
    )
    await inBackground()
    expect(await total()).toBe('3')
    await expectConsistent(forecourt.owner, admin, one)
  })

  test('when deleting a manually chosen factor is refused while its record is calculated', async () => {
    const { one, other, factorId, save, total } = await prepare()
    await whileCalculating(
      () => save(other, '1', factorId),
      () => expect(admin.call(factors.remove, { id: factorId })).toRefuse(409),
    )
    await inBackground()
    expect(await one.totals()).toMatchObject({ pending: 0, total: { location: '2', missing: 0 } })
    expect(await total()).toBe('2')
    await expectConsistent(forecourt.owner, admin, one)
  })

  test('when a facility is excluded while a record of it is saved', async () => {
    const { one, facilityId, own, save, held, total } = await prepare()
    const choices = [{ facilityId, choice: 'excluded' as const, reason: 'Sold' }]
    await queueUp(held, [
      () => admin.call(carbonAssignments.choose, { inventoryId: one.inventoryId, choices }),
      () => save(own, '1'),
    ])
    expect(await total()).toBe('0')
    await expectConsistent(forecourt.owner, admin, one)
  })
})

describe('concurrent changes', () => {
  test('a record that was just approved cannot be deleted', async () => {
    const { one, own, save, held, total } = await prepare()
    await admin.call(carbonInventories.update, { id: one.inventoryId, twoPersonApproval: false })
    const { rows } = await save(own, '1')
    const { id = '' } = rows[0]?.record ?? {}
    const { inventoryId } = one
    await admin.call(activities.submit, { inventoryId, records: [{ id, version: 1 }] })
    const [approved, removed] = await queued(forecourt.owner, held, [
      () => admin.call(activities.approve, { inventoryId, records: [{ id, version: 1 }] }),
      () => admin.call(activities.remove, { id }),
    ])
    expect(approved).toMatchObject({ status: 'fulfilled', value: { moved: 1 } })
    expect(removed).toMatchObject({ status: 'rejected', reason: { status: 409 } })
    expect(await total()).toBe('2')
  })

  test('a record that was changed since it was shown is only deleted by its present version', async () => {
    const { one, own, save } = await prepare()
    const { rows } = await save(own, '1')
    const saved = rows[0]?.record
    if (saved === undefined || saved === null) throw new Error('The record was not saved.')
    const { id, version, sourceId, periodStart, periodEnd, unit, reference, comment } = saved
    const record = { sourceId, periodStart, periodEnd, quantity: '5', unit, reference, comment }
    const { inventoryId } = one
    await admin.call(activities.save, { inventoryId, rows: [{ key: 'one', id, version, record }] })
    await expect(admin.call(activities.remove, { id, version })).rejects.toMatchObject({
      status: 409,
      refusal: { current: { id, version: version + 1 } },
    })
    await admin.call(activities.remove, { id, version: version + 1 })
  })

  test('two users restoring a record restore it once', async () => {
    const { one, own, save, held, total } = await prepare()
    const { rows } = await save(own, '1')
    const { id = '' } = rows[0]?.record ?? {}
    await admin.call(activities.remove, { id })
    await queueUp(held, [
      () => admin.call(activities.restore, { id }),
      () => admin.call(activities.restore, { id }),
    ])
    expect(await total()).toBe('2')
    const { results } = await admin.call(activities.list, { inventoryId: one.inventoryId })
    expect(results.map(({ version }) => version)).toEqual([2])
    await expectConsistent(forecourt.owner, admin, one)
  })

  test('an estimate cannot be restored after its bill was just entered', async () => {
    const { one, own, save, held, total } = await prepare()
    const { rows } = await one.save(
      own,
      bill('7', 'kg', { kind: 'estimate', estimateMethod: 'average', periodEnd: '2025-02-28' }),
    )
    const { id = '' } = rows[0]?.record ?? {}
    await admin.call(activities.remove, { id })
    const [saved, restored] = await queued(forecourt.owner, held, [
      () => save(own, '1'),
      () => admin.call(activities.restore, { id }),
    ])
    expect(saved?.status).toBe('fulfilled')
    expect(restored).toMatchObject({ status: 'rejected', reason: { status: 409 } })
    expect(await total()).toBe('2')
  })
})

test('approving recalculates stale sources first', async () => {
  const { one, own, save, correct, total } = await prepare()
  const { inventoryId: id } = one
  await admin.call(carbonInventories.update, { id, twoPersonApproval: false })
  await save(own, '1')
  await correct('3')
  expect((await one.totals()).pending).toBe(1)
  for (const status of ['collecting', 'in_review'] as const)
    await admin.call(carbonInventories.setStatus, { id, status })
  const approve = (kg: string) =>
    admin.call(carbonInventories.setStatus, {
      id,
      status: 'approved',
      reason: 'As agreed',
      seen: { location: kg, market: kg },
    })
  await expect(approve('1')).toRefuse(409)
  await approve('3')
  await inBackground()
  expect(await total()).toBe('3')
  await correct('4')
  await inBackground()
  expect(await total()).toBe('3')
  await expect(admin.call(ledger.recalculate, { inventoryId: id })).toRefuse(409)
})
