import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { activities } from '#contract/carbon/activity/activity.ts'
import { carbonAssignments } from '#contract/carbon/inventories/assignments.ts'
import { carbonComparison } from '#contract/carbon/results/comparison.ts'
import { dataRequests } from '#contract/carbon/activity/data-requests.ts'
import { factors } from '#contract/carbon/factors/factors.ts'
import { importedTotals } from '#contract/carbon/activity/imported-totals.ts'
import { instruments } from '#contract/carbon/activity/instruments.ts'
import { carbonInventories } from '#contract/carbon/inventories/inventories.ts'
import { ledger } from '#contract/carbon/results/ledger.ts'
import { testApp, type Caller, type TestApp } from '#test/app.ts'
import { ownFactor } from '#test/cases/carbon/factors.ts'
import { bill, ledgerWorld } from '#test/factories/carbon/ledger-world.ts'
import { testOrganization, type TestOrganization } from '#test/factories/test-organization.ts'

let forecourt: TestApp
let admin: Caller
let ford: TestOrganization
let there: Awaited<ReturnType<typeof prepare>>
let here: typeof there
beforeAll(async () => {
  forecourt = await testApp()
  admin = await forecourt.as('northgate.admin', 'Northgate Ford')
  ford = await testOrganization(forecourt, 'Northgate Ford')
  const harbor = await forecourt.as('harbor.admin', 'Harbor Honda')
  here = await prepare(admin, ford)
  there = await prepare(harbor, await testOrganization(forecourt, 'Harbor Honda'))
})
afterAll(async () => {
  await forecourt.close()
})

/** A record with a manually chosen custom factor, in an inventory of its own. */
async function prepare(caller: Caller, place: TestOrganization) {
  const one = await ledgerWorld(forecourt, place, caller)
  const { inventoryId } = one
  const facilityId = await one.addFacility({ parentId: await one.addFacility() })
  const factor = ownFactor({ activity: 'own/paint', scopes: ['1'], region: 'US', unit: 'kg', isForAll: true })
  const { id: factorId } = await caller.call(factors.add, factor)
  const grid = await one.addSource({ activity: 'electricity/grid', scope: '2', unit: 'kWh', facilityId })
  const source = { activity: 'own/paint', scope: '1', unit: 'kg', facilityId }
  const { recordId, sourceId } = await one.addRecord(source, bill('5', 'kg', { factorId }))
  const instrument = {
    kind: 'supplier_rate',
    name: 'Rate',
    unit: 'kWh',
    kgCo2e: '0.1',
    sourceNote: 'X',
  } as const
  const { id: instrumentId } = await caller.call(instruments.save, {
    inventoryId,
    ...instrument,
    allocations: [],
  })
  const dataOwnerId = await place.createUser()
  return {
    one,
    inventoryId,
    facilityId,
    factorId,
    grid,
    sourceId,
    recordId,
    instrument,
    instrumentId,
    dataOwnerId,
  }
}

/** All rows of the other customer that a call could change. */
async function readThere(): Promise<unknown[]> {
  const tables = [
    'activity_records',
    'calculation_results',
    'calculation_totals',
    'emission_sources',
    'instruments',
  ]
  const more = [
    'instrument_allocations',
    'inventory_facilities',
    'stale_sources',
    'imported_totals',
    'data_requests',
  ]
  const rows = []
  for (const table of [...tables, ...more])
    rows.push(
      (
        await forecourt.owner.query(
          `select to_jsonb(t) as row from ${table} t where t.organization_id = $1 order by to_jsonb(t)::text`,
          [there.one.organizationId],
        )
      ).rows,
    )
  return rows
}

async function expectUnchanged(work: () => Promise<void>): Promise<void> {
  const before = await readThere()
  await work()
  expect(await readThere()).toEqual(before)
}

describe('the ID of another customer is treated as nonexistent', () => {
  test('when records are saved, previewed, reviewed and read', async () => {
    const { inventoryId, sourceId, one } = here
    const record = { ...bill('7', 'kg'), sourceId }
    await expectUnchanged(async () => {
      const { rows, pending } = await admin.call(activities.save, {
        inventoryId,
        rows: [
          { key: 'source', record: { ...record, sourceId: there.sourceId } },
          { key: 'record', id: there.recordId, version: 1, record },
          { key: 'factor', record: { ...record, factorId: there.factorId } },
        ],
      })
      expect(pending).toBe(0)
      expect(rows.map(({ key, state, record: stored }) => [key, state, stored])).toEqual([
        ['source', 'refused', null],
        ['record', 'gone', null],
        ['factor', 'refused', null],
      ])
      const previewed = await admin.call(activities.preview, {
        record: { ...record, factorId: there.factorId },
      })
      expect(previewed).toMatchObject({ result: null, lines: [] })
      expect(previewed.choice?.candidates.map(({ factor }) => factor.id)).not.toContain(there.factorId)
      const records = [{ id: there.recordId, version: 1 }]
      for (const call of [activities.submit, activities.approve])
        expect(await admin.call(call, { inventoryId, records })).toMatchObject({ moved: 0, refused: [{}] })
      const empty = { filteredRows: 0, results: [] }
      for (const filter of [{ sourceId: there.sourceId }, { facilityId: there.facilityId }]) {
        expect(await admin.call(activities.list, { inventoryId, ...filter })).toMatchObject(empty)
        expect(await admin.call(ledger.rows, { inventoryId, ...filter })).toMatchObject(empty)
      }
      for (const filter of [{ recordId: there.recordId }, { factorId: there.factorId }])
        expect(await admin.call(ledger.rows, { inventoryId, ...filter })).toMatchObject(empty)
    })
    expect(await one.results()).toHaveLength(12)
  })

  test('when instruments, assignments, facilities, imports or requests are saved', async () => {
    const { inventoryId, instrument, facilityId } = here
    await expectUnchanged(async () => {
      const saveInstrument = (more: object) =>
        admin.call(instruments.save, { inventoryId, ...instrument, allocations: [], ...more })
      await expect(saveInstrument({ allocations: [{ sourceId: there.grid }] })).toRefuse(
        400,
        'Choose a scope 2 source',
      )
      await expect(saveInstrument({ id: there.instrumentId })).toRefuse(404)
      const choices = [{ facilityId: there.facilityId, choice: 'included' as const }]
      await expect(admin.call(carbonAssignments.choose, { inventoryId, choices })).toRefuse(400)
      const cell = { facilityId, sourceType: 'natural_gas', isAssigned: true as const }
      for (const wrong of [
        { facilityId: there.facilityId },
        { factorId: there.factorId },
        { dataOwnerId: there.dataOwnerId },
      ])
        await expect(
          admin.call(carbonAssignments.save, { inventoryId, changes: [{ ...cell, ...wrong }] }),
        ).toRefuse(400)
      const days = {
        periodStart: '2025-01-01',
        periodEnd: '2025-01-31',
        tonnes: '1',
        sourceType: 'natural_gas',
      }
      expect(
        await admin.call(importedTotals.add, {
          inventoryId,
          rows: [{ key: '1', facilityId: there.facilityId, ...days }],
        }),
      ).toMatchObject({ batchId: null, rows: [{ isKept: false }] })
      const cells = [{ sourceId: there.sourceId }]
      await expect(
        admin.call(dataRequests.ask, { inventoryId, idempotencyKey: 'b'.repeat(32), cells }),
      ).toRefuse(409)
      await expect(
        admin.call(carbonInventories.update, { id: inventoryId, ownerId: there.dataOwnerId }),
      ).toRefuse(400)
      for (const two of [
        { before: inventoryId, after: there.inventoryId },
        { before: there.inventoryId, after: inventoryId },
      ])
        await expect(admin.call(carbonComparison.compare, two)).toRefuse(404)
    })
  })

  test('when datasets are ordered: datasets of other customers are ignored', async () => {
    const harbor = await testOrganization(forecourt, 'Harbor Honda')
    const datasets = [await harbor.addDataset()]
    const before = await here.one.totals()
    await admin.call(carbonInventories.update, { id: here.inventoryId, datasets }).catch(() => null)
    await admin.call(ledger.recalculate, { inventoryId: here.inventoryId })
    expect((await here.one.totals()).total).toEqual(before.total)
  })
})
