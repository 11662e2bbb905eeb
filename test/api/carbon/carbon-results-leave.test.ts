import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { activityImports, ImportPreview } from '#contract/carbon/activity/activity-imports.ts'
import { activities } from '#contract/carbon/activity/activity.ts'
import { carbonAssignments } from '#contract/carbon/inventories/assignments.ts'
import { factors } from '#contract/carbon/factors/factors.ts'
import { carbonInventories } from '#contract/carbon/inventories/inventories.ts'
import { ledger } from '#contract/carbon/results/ledger.ts'
import { testApp, type Caller, type TestApp } from '#test/app.ts'
import { ownFactor } from '#test/cases/carbon/factors.ts'
import { countStored, expectWhole, findOrphans, keptOf } from '#test/factories/carbon/kept-results.ts'
import { bill, ledgerWorld, type LedgerWorld } from '#test/factories/carbon/ledger-world.ts'
import { multipart } from '#test/harness/multipart.ts'
import { placeOf, type Place } from '#test/factories/places.ts'

let forecourt: TestApp
let admin: Caller
let ford: Place
beforeAll(async () => {
  forecourt = await testApp()
  admin = await forecourt.as('northgate.admin', 'Northgate Ford')
  ford = await placeOf(forecourt, 'Northgate Ford')
})
afterAll(async () => {
  await forecourt.close()
})

const GAS = { activity: 'combustion/natural-gas', scope: '1', unit: 'mmBtu' }
const GRID = { activity: 'electricity/grid', scope: '2', unit: 'kWh' }
const gasBill = (quantity: string) => bill(quantity, 'mmBtu', { calorificBasis: 'gross' })
const kept = (one: LedgerWorld) => countStored(forecourt.owner, one)
const NOTHING = { results: 0, totals: 0, routes: 0, waiting: 0 }

/** Gas at two sites of one region, which goes by one route, and electricity at the first. */
async function twoSites() {
  const one = await ledgerWorld(forecourt, ford, admin)
  const parentId = await one.addFacility()
  const site = () => one.addFacility({ gridRegion: 'CAMX', parentId })
  const [first, second] = [await site(), await site()]
  const gas = await one.calculateEmissions({ ...GAS, facilityId: first }, gasBill('12'))
  const grid = await one.calculateEmissions({ ...GRID, facilityId: first }, bill('365', 'kWh'))
  const otherGas = await one.calculateEmissions({ ...GAS, facilityId: second }, gasBill('24'))
  return { one, first, second, gas, grid, otherGas }
}

/** What is kept of one source. */
async function ofSource(sourceId: string) {
  const { rows } = await forecourt.owner.query<{ results: number; totals: number; routes: number }>(
    `select (select count(*)::int from calculation_results where source_id = $1) as results,
      (select count(*)::int from calculation_totals where source_id = $1) as totals,
      (select count(distinct route_id)::int from calculation_results where source_id = $1) as routes`,
    [sourceId],
  )
  return rows[0]
}

describe('what hangs on something goes with it', () => {
  test('with a source, and only its own', async () => {
    const { owner } = forecourt
    const { one, gas, otherGas } = await twoSites()
    const other = await ofSource(otherGas.sourceId)
    expect(other).toEqual({ results: 12, totals: 12, routes: 1 })
    await owner.query('delete from activity_records where source_id = $1', [gas.sourceId])
    await owner.query('delete from emission_sources where id = $1', [gas.sourceId])
    expect(await ofSource(gas.sourceId)).toEqual({ results: 0, totals: 0, routes: 0 })
    expect(await ofSource(otherGas.sourceId)).toEqual(other)
    expect((await one.totals()).facilities).toHaveLength(2)
    expect(await findOrphans(owner)).toEqual([])
  })

  test('with a facility that is taken out: nothing of it counts, and all of it again once it is back', async () => {
    const { one, first, second } = await twoSites()
    const before = await keptOf(forecourt.owner, one)
    const shown = await one.totals()
    const of = async (facilityId: string) =>
      (await one.totals()).facilities.find(({ key }) => key === facilityId)
    const [rest, gone] = [await of(second), await of(first)]
    expect(Number(gone?.location)).toBeGreaterThan(0)
    const choose = async (choice: 'included' | 'excluded') => {
      const choices = [{ facilityId: first, choice, ...(choice === 'excluded' && { reason: 'Sold' }) }]
      await admin.call(carbonAssignments.choose, { inventoryId: one.inventoryId, choices })
      await admin.call(ledger.recalculate, { inventoryId: one.inventoryId })
    }
    await choose('excluded')
    expect(await of(first)).toMatchObject({ location: '0', market: '0', biogenic: '0', missing: 0 })
    expect(await of(second)).toEqual(rest)
    expect((await one.totals()).total).toMatchObject({ location: rest?.location, market: rest?.market })
    for (const { kg } of await one.results({ facilityId: first })) expect(kg).toBe('0')
    expect(await findOrphans(forecourt.owner)).toEqual([])
    await choose('included')
    expect(await one.totals()).toEqual(shown)
    expect(await keptOf(forecourt.owner, one)).toEqual(before)
  })

  test('with an import that is undone', async () => {
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
    expect(await kept(one)).toEqual({ results: 8, totals: 8, routes: 4, waiting: 0 })
    await admin.call(activityImports.undo, { id: added.import?.id ?? '' })
    expect(await kept(one)).toEqual(NOTHING)
    expect((await one.totals()).total).toMatchObject({ location: '0', market: '0' })
  })

  test('with an inventory, which is kept while it has records', async () => {
    const { owner } = forecourt
    const { one, gas, grid, otherGas } = await twoSites()
    for (const { recordId } of [gas, grid, otherGas]) await admin.call(activities.remove, { id: recordId })
    expect(await kept(one)).toEqual(NOTHING)
    await admin.call(activities.restore, { id: gas.recordId })
    const before = await keptOf(owner, one)
    await expect(admin.call(carbonInventories.remove, { id: one.inventoryId })).toRefuse(409, 'has records')
    expect(await keptOf(owner, one)).toEqual(before)
    await owner.query(
      'delete from activity_records where source_id in (select id from emission_sources where inventory_id = $1)',
      [one.inventoryId],
    )
    expect((await kept(one))?.results).toBe(12)
    await admin.call(carbonInventories.remove, { id: one.inventoryId })
    expect(await kept(one)).toEqual(NOTHING)
    expect(await findOrphans(owner)).toEqual([])
  })
})

describe('a route', () => {
  const routes = async (one: LedgerWorld) => (await keptOf(forecourt.owner, one)).routes

  test('stays while another source goes by it, and goes with the last', async () => {
    const { one, gas, grid, otherGas } = await twoSites()
    await admin.call(activities.remove, { id: grid.recordId })
    const shared = await routes(one)
    expect(shared).toHaveLength(1)
    await admin.call(activities.remove, { id: gas.recordId })
    expect(await routes(one)).toEqual(shared)
    expect((await one.results()).map(({ sourceId }) => sourceId)).toEqual(
      Array.from({ length: 12 }, () => otherGas.sourceId),
    )
    await admin.call(activities.remove, { id: otherGas.recordId })
    expect(await kept(one)).toEqual(NOTHING)
    await admin.call(activities.restore, { id: gas.recordId })
    expect(await routes(one)).toEqual(shared)
  })

  test('is another after a correction of its factor or another report, and the former is gone', async () => {
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
    const { id } = await admin.call(factors.add, input)
    await one.calculateEmissions({ activity, scope: '1', unit: 'kg' }, bill('5', 'kg'))
    await one.calculateEmissions(GAS, gasBill('12'))
    const seen = [await routes(one)]
    const gases = [{ gas: 'CH4', basis: 'gas' as const, kg: '3' }]
    await admin.call(factors.update, { id, factor: { ...input, gases } })
    await admin.call(ledger.recalculate, { inventoryId: one.inventoryId })
    seen.push(await routes(one))
    await admin.call(carbonInventories.update, { id: one.inventoryId, gwpSet: 'AR4' })
    await admin.call(ledger.recalculate, { inventoryId: one.inventoryId })
    seen.push(await routes(one))
    const [before = [], corrected = [], other = []] = seen
    expect([before.length, corrected.length, other.length]).toEqual([2, 2, 2])
    // Gas is burned as before: its route is the same until the warming potentials are others.
    expect(corrected.filter((digest) => before.includes(digest))).toHaveLength(1)
    expect(other.filter((digest) => corrected.includes(digest))).toEqual([])
    expect(await findOrphans(forecourt.owner)).toEqual([])
    await expectWhole(forecourt.owner, admin, one)
  })
})

test('in the demo world nothing hangs on nothing', async () => {
  expect(await findOrphans(forecourt.owner)).toEqual([])
})
