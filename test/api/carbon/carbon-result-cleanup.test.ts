// @module-tag release
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { activityImports, ImportPreview } from '#contract/carbon/activity/activity-imports.ts'
import { activities } from '#contract/carbon/activity/activity.ts'
import { carbonAssignments } from '#contract/carbon/inventories/assignments.ts'
import { carbonInventories } from '#contract/carbon/inventories/inventories.ts'
import { ledger } from '#contract/carbon/results/ledger.ts'
import { testApp, type Caller, type TestApp } from '#test/app.ts'
import { ownFactor } from '#test/cases/carbon/factors.ts'
import {
  countStored,
  expectConsistent,
  findOrphans,
  storedResults,
} from '#test/factories/carbon/stored-results.ts'
import { bill, ledgerWorld, type LedgerWorld } from '#test/factories/carbon/ledger-world.ts'
import { multipart } from '#test/harness/multipart.ts'
import { testOrganization, type TestOrganization } from '#test/factories/test-organization.ts'
import { addFactor, changeFactor, changeSettings } from '#test/factories/carbon/confirm-factor.ts'

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

const GAS = { activity: 'combustion/natural-gas', scope: '1', unit: 'mmBtu' }
const GRID = { activity: 'electricity/grid', scope: '2', unit: 'kWh' }
const gasBill = (quantity: string) => bill(quantity, 'mmBtu', { calorificBasis: 'gross' })
const stored = (one: LedgerWorld) => countStored(forecourt.owner, one)
const NOTHING = { results: 0, totals: 0, lines: 0, stale: 0 }

/** Gas at two sites of one region, which share a calculation line, and electricity at the first one. */
async function twoSites() {
  const one = await ledgerWorld(forecourt, ford, admin)
  const parentId = await one.addFacility()
  const site = () => one.addFacility({ gridRegion: 'CAMX', parentId })
  const [first, second] = [await site(), await site()]
  const gas = await one.addRecord({ ...GAS, facilityId: first }, gasBill('12'))
  const grid = await one.addRecord({ ...GRID, facilityId: first }, bill('365', 'kWh'))
  const otherGas = await one.addRecord({ ...GAS, facilityId: second }, gasBill('24'))
  return { one, first, second, gas, grid, otherGas }
}

/** The stored rows of one source. */
async function ofSource(sourceId: string) {
  const { rows } = await forecourt.owner.query<{ results: number; totals: number; lines: number }>(
    `select (select count(*)::int from calculation_results where source_id = $1) as results,
      (select count(*)::int from calculation_totals where source_id = $1) as totals,
      (select count(distinct line_id)::int from calculation_results where source_id = $1) as lines`,
    [sourceId],
  )
  return rows[0]
}

describe('results are deleted', () => {
  test('with their source, and only its own', async () => {
    const { owner } = forecourt
    const { one, gas, otherGas } = await twoSites()
    const other = await ofSource(otherGas.sourceId)
    expect(other).toEqual({ results: 12, totals: 12, lines: 1 })
    await owner.query('delete from activity_records where source_id = $1', [gas.sourceId])
    await owner.query('delete from emission_sources where id = $1', [gas.sourceId])
    expect(await ofSource(gas.sourceId)).toEqual({ results: 0, totals: 0, lines: 0 })
    expect(await ofSource(otherGas.sourceId)).toEqual(other)
    expect((await one.totals()).facilities).toHaveLength(2)
    expect(await findOrphans(owner)).toEqual([])
  })

  test('with an excluded facility, and calculated again once it is included', async () => {
    const { one, first, second } = await twoSites()
    const before = await storedResults(forecourt.owner, one)
    const shown = await one.totals()
    const of = async (facilityId: string) =>
      (await one.totals()).facilities.find(({ key }) => key === facilityId)
    const [other, excluded] = [await of(second), await of(first)]
    expect(Number(excluded?.location)).toBeGreaterThan(0)
    const choose = async (choice: 'included' | 'excluded') => {
      const choices = [{ facilityId: first, choice, ...(choice === 'excluded' && { reason: 'Sold' }) }]
      await admin.call(carbonAssignments.choose, { inventoryId: one.inventoryId, choices })
      await admin.call(ledger.recalculate, { inventoryId: one.inventoryId })
    }
    await choose('excluded')
    expect(await of(first)).toMatchObject({ location: '0', market: '0', biogenic: '0', missing: 0 })
    expect(await of(second)).toEqual(other)
    expect((await one.totals()).total).toMatchObject({ location: other?.location, market: other?.market })
    for (const { kg } of await one.results({ facilityId: first })) expect(kg).toBe('0')
    expect(await findOrphans(forecourt.owner)).toEqual([])
    await choose('included')
    expect(await one.totals()).toEqual(shown)
    expect(await storedResults(forecourt.owner, one)).toEqual(before)
  })

  test('with an undone import', async () => {
    const one = await ledgerWorld(forecourt, ford, admin)
    const sourceId = await one.addSource(GRID)
    const send = async (endpoint: { path: string }, more: object) => {
      const asked = {
        sheet: null,
        mapping: null,
        usual: { decimal: '.', order: 'mdy' },
        sourceId,
        ...more,
      }
      const bytes = Buffer.from(
        'From,To,Quantity,Unit,Bill\n2025-01-01,2025-03-31,30,kWh,A\n2025-04-01,2025-04-30,40,MWh,B\n',
      )
      const { payload, headers } = multipart({ inventoryId: one.inventoryId, asked: JSON.stringify(asked) }, [
        { name: 'bills.csv', bytes },
      ])
      const { body } = await forecourt.app.inject({
        method: 'POST',
        url: endpoint.path,
        payload,
        headers: { ...headers, authorization: `Bearer ${admin.token}` },
      })
      return JSON.parse(body).data
    }
    const { mapping } = ImportPreview.parse(await send(activityImports.read, {}))
    const added = activityImports.add.output.parse(await send(activityImports.add, { mapping }))
    expect(added).toMatchObject({ saved: 2 })
    expect(await stored(one)).toEqual({ results: 8, totals: 8, lines: 4, stale: 0 })
    await admin.call(activityImports.undo, { id: added.import?.id ?? '' })
    expect(await stored(one)).toEqual(NOTHING)
    expect((await one.totals()).total).toMatchObject({ location: '0', market: '0' })
  })

  test('with an inventory, which cannot be deleted while it has records', async () => {
    const { owner } = forecourt
    const { one, gas, grid, otherGas } = await twoSites()
    for (const { recordId } of [gas, grid, otherGas]) await admin.call(activities.remove, { id: recordId })
    expect(await stored(one)).toEqual(NOTHING)
    await admin.call(activities.restore, { id: gas.recordId })
    const before = await storedResults(owner, one)
    await expect(admin.call(carbonInventories.remove, { id: one.inventoryId })).toRefuse(
      409,
      'has 1 activity record',
    )
    expect(await storedResults(owner, one)).toEqual(before)
    await owner.query(
      'delete from activity_records where source_id in (select id from emission_sources where inventory_id = $1)',
      [one.inventoryId],
    )
    expect((await stored(one))?.results).toBe(12)
    await admin.call(carbonInventories.remove, { id: one.inventoryId })
    expect(await stored(one)).toEqual(NOTHING)
    expect(await findOrphans(owner)).toEqual([])
  })
})

describe('a calculation line', () => {
  const linesOf = async (one: LedgerWorld) => (await storedResults(forecourt.owner, one)).lines

  test('is kept while a source uses it, and deleted with the last one', async () => {
    const { one, gas, grid, otherGas } = await twoSites()
    await admin.call(activities.remove, { id: grid.recordId })
    const shared = await linesOf(one)
    expect(shared).toHaveLength(1)
    await admin.call(activities.remove, { id: gas.recordId })
    expect(await linesOf(one)).toEqual(shared)
    expect((await one.results()).map(({ sourceId }) => sourceId)).toEqual(
      Array.from({ length: 12 }, () => otherGas.sourceId),
    )
    await admin.call(activities.remove, { id: otherGas.recordId })
    expect(await stored(one)).toEqual(NOTHING)
    await admin.call(activities.restore, { id: gas.recordId })
    expect(await linesOf(one)).toEqual(shared)
  })

  test('is replaced after a correction of its factor or a change of the GWP set', async () => {
    const one = await ledgerWorld(forecourt, ford, admin)
    const activity = `own/of-${one.inventoryId}`
    const input = ownFactor({
      activity,
      scopes: ['1'],
      region: 'US',
      unit: 'kg',
      isForAll: true,
      gases: [{ gas: 'CH4', basis: 'gas', kg: '2' }],
    })
    const { id } = await addFactor(admin, input)
    await one.addRecord({ activity, scope: '1', unit: 'kg' }, bill('5', 'kg'))
    await one.addRecord(GAS, gasBill('12'))
    const seen = [await linesOf(one)]
    const gases = [{ gas: 'CH4', basis: 'gas' as const, kg: '3' }]
    await changeFactor(admin, { id, factor: { ...input, gases } })
    await admin.call(ledger.recalculate, { inventoryId: one.inventoryId })
    seen.push(await linesOf(one))
    await changeSettings(admin, { id: one.inventoryId, gwpSet: 'AR4' })
    await admin.call(ledger.recalculate, { inventoryId: one.inventoryId })
    seen.push(await linesOf(one))
    const [before = [], corrected = [], other = []] = seen
    expect([before.length, corrected.length, other.length]).toEqual([2, 2, 2])
    // Gas is unaffected by the correction, so its line stays the same until the GWP set changes.
    expect(corrected.filter((digest) => before.includes(digest))).toHaveLength(1)
    expect(other.filter((digest) => corrected.includes(digest))).toEqual([])
    expect(await findOrphans(forecourt.owner)).toEqual([])
    await expectConsistent(forecourt.owner, admin, one)
  })
})

test('the demo data has no orphans', async () => {
  expect(await findOrphans(forecourt.owner)).toEqual([])
})
