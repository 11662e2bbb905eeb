import { afterAll, beforeAll, expect, test } from 'vitest'
import { activities } from '#contract/carbon/activity/activity.ts'
import { importedTotals } from '#contract/carbon/activity/imported-totals.ts'
import { instruments } from '#contract/carbon/activity/instruments.ts'
import { carbonInventories } from '#contract/carbon/inventories/inventories.ts'
import { ledger } from '#contract/carbon/results/ledger.ts'
import { Func, Opr } from '#contract/permissions.ts'
import { testApp, type Caller, type TestApp } from '#test/app.ts'
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

const GAS = { activity: 'combustion/natural-gas', scope: '1', unit: 'mmBtu', frequency: 'month' }
const GRID = { activity: 'electricity/grid', scope: '2', unit: 'kWh', gridRegion: 'CAMX' }
const gasBill = (quantity: string, month: string) =>
  bill(quantity, 'mmBtu', {
    calorificBasis: 'gross',
    periodStart: `2025-${month}-01`,
    periodEnd: `2025-${month}-28`,
  })

test('the list has the same totals as insights, and the demo data has every status', async () => {
  const { results } = await admin.call(carbonInventories.list, { pageSize: 50 })
  expect(new Set(results.map(({ status }) => status))).toEqual(
    new Set(['draft', 'collecting', 'approved', 'locked', 'restated']),
  )
  for (const { id, figures } of results) {
    const { total, coverage, gaps } = await admin.call(ledger.totals, { inventoryId: id })
    expect(figures).toEqual({
      location: total.location,
      market: total.market,
      imported: total.imported,
      importedMarket: total.importedMarket,
      missing: total.missing,
      expected: coverage.expected,
      there: coverage.there,
      points: gaps.points,
      categories: gaps.categories.length,
    })
  }
  const withData = results.filter(({ figures }) => figures !== null && figures.there > 0)
  expect(withData.length).toBe(results.length - 1)
})

test('users without access to insights get no totals and cannot filter by them', async () => {
  await forecourt.owner.query(
    `insert into user_permissions (customer_id, user_id, func, opr, is_allowed)
    select customer_id, id, $1, $2, false from users where user_name = 'northgate.sustain'`,
    [Func.carbonInsights.func, Opr.list],
  )
  const manager = await forecourt.as('northgate.sustain', 'Northgate Ford')
  const { results } = await manager.call(carbonInventories.list, {})
  expect(results.length).toBeGreaterThan(0)
  expect(results.every(({ figures }) => figures === null)).toBe(true)
  await expect(manager.call(carbonInventories.list, { filter: 'location > 1' })).toRefuse(400)
})

test('a restatement copies records and instruments, and corrections do not change the original', async () => {
  const one = await ledgerWorld(forecourt, ford, admin)
  const gas = await one.addSource(GAS)
  const grid = await one.addSource(GRID)
  await one.save(gas, gasBill('100', '01'), gasBill('200', '02'))
  await one.save(grid, bill('1000', 'kWh'))
  await admin.call(instruments.save, {
    inventoryId: one.inventoryId,
    kind: 'certificate',
    name: 'Wind',
    unit: 'kWh',
    kgCo2e: '0.01',
    quantity: '600',
    sourceNote: `Registry of ${one.inventoryId}`,
    allocations: [{ sourceId: grid, quantity: '600' }],
  })
  // A closed source keeps its data in both.
  const closed = await one.addSource(GAS)
  await one.save(closed, gasBill('7', '03'))
  await forecourt.owner.query('update emission_sources set closed = true where id = $1', [closed])
  const { batchId } = await admin.call(importedTotals.add, {
    inventoryId: one.inventoryId,
    rows: [
      {
        key: '1',
        facilityId: await one.addFacility(),
        sourceType: 'propane',
        periodStart: '2025-01-01',
        periodEnd: '2025-12-31',
        tonnes: '5',
      },
    ],
  })
  expect(batchId).not.toBeNull()
  const { records } = await recordsOf(one.inventoryId)
  await admin.call(activities.submit, {
    inventoryId: one.inventoryId,
    records: records.filter(({ sourceId }) => sourceId === gas).map(({ id, version }) => ({ id, version })),
  })
  await forecourt.owner.query(`update carbon_inventories set status = 'locked' where id = $1`, [
    one.inventoryId,
  ])
  const before = await one.totals()
  expect(before.total.imported).toBe('5000')

  const later = await admin.call(carbonInventories.restate, {
    id: one.inventoryId,
    reason: 'A meter was misread',
  })
  const copied = await admin.call(ledger.totals, { inventoryId: later.id })
  expect(copied.total).toEqual(before.total)
  expect(copied.coverage.sentence).toBe(before.coverage.sentence)
  expect(copied.records).toEqual(before.records)
  expect(copied.pending).toBe(0)
  const { records: own } = await recordsOf(later.id)
  expect(own.map(factsOf)).toEqual(
    records.map((record) => ({ ...factsOf(record), status: expect.any(String) })),
  )
  const former = new Set(records.map(({ id }) => id))
  expect(own.some(({ id }) => former.has(id))).toBe(false)

  const wrong = own.find(({ quantity }) => quantity === '200')
  if (wrong === undefined) throw new Error('The record was not copied.')
  const saved = await admin.call(activities.save, {
    inventoryId: later.id,
    rows: [
      { key: 'a', id: wrong.id, version: 1, record: { ...gasBill('20', '02'), sourceId: wrong.sourceId } },
    ],
  })
  expect(saved.rows[0]?.state).toBe('saved')
  const corrected = await admin.call(ledger.totals, { inventoryId: later.id })
  expect(Number(corrected.total.location)).toBeLessThan(Number(before.total.location))
  const still = await one.totals()
  expect({ ...still, inventory: before.inventory }).toEqual(before)
  const { figures } = (await admin.call(carbonInventories.list, { pageSize: 100 })).results.find(
    ({ id }) => id === one.inventoryId,
  ) ?? { figures: null }
  expect(figures?.location).toBe(before.total.location)
})

async function recordsOf(inventoryId: string) {
  const { results } = await admin.call(activities.list, { inventoryId })
  return { records: results.toSorted((one, other) => Number(one.id) - Number(other.id)) }
}

const factsOf = ({
  quantity,
  unit,
  periodStart,
  periodEnd,
  status,
  result,
}: Awaited<ReturnType<typeof recordsOf>>['records'][number]) => ({
  quantity,
  unit,
  periodStart,
  periodEnd,
  status,
  kg: result?.kg,
})
