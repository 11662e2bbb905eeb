// @module-tag release
import { afterAll, beforeAll, expect, test } from 'vitest'
import { activities } from '#contract/carbon/activity/activity.ts'
import { carbonComparison } from '#contract/carbon/results/comparison.ts'
import { carbonInventories } from '#contract/carbon/inventories/inventories.ts'
import { ledger } from '#contract/carbon/results/ledger.ts'
import { GAS_GROUPS } from '#contract/carbon/activity/ledger-schema.ts'
import { processStaleQueue } from '#server/carbon/index.ts'
import { testApp, type Caller, type TestApp } from '#test/app.ts'
import {
  countStored,
  findDifferentSums,
  storedResults,
  markAllStale,
  sumResults,
  shownTotals,
} from '#test/factories/carbon/stored-results.ts'
import { bill, ledgerWorld, type LedgerWorld } from '#test/factories/carbon/ledger-world.ts'
import { testOrganization, type TestOrganization } from '#test/factories/test-organization.ts'

let forecourt: TestApp
let admin: Caller
let ford: TestOrganization
beforeAll(async () => {
  forecourt = await testApp()
  admin = await forecourt.as('northgate.admin', 'Northgate Ford')
  ford = await testOrganization(forecourt, 'Northgate Ford')
  await forecourt.owner.query('analyze')
})
afterAll(async () => {
  await forecourt.close()
})

/** Gas, estimated electricity, a biogenic fuel, and a record without a factor. */
async function prepare() {
  const one = await ledgerWorld(forecourt, ford, admin, { hasUpstream: true, yearRule: 'latest' })
  const gas = { activity: 'combustion/natural-gas', scope: '1', unit: 'mmBtu' }
  await one.addRecord(
    gas,
    bill('12', 'mmBtu', { calorificBasis: 'gross', periodStart: '2024-12-01', periodEnd: '2025-02-11' }),
  )
  await one.addRecord(
    { activity: 'electricity/grid', scope: '2', unit: 'kWh', gridRegion: 'CAMX' },
    bill('3650', 'kWh', { kind: 'estimate', estimateMethod: 'average', periodEnd: '2025-01-31' }),
  )
  const bio = await one.addSource({ activity: 'bioenergy/wood-logs', scope: '1', unit: 't', country: 'GB' })
  await one.save(bio, bill('2', 't', { periodEnd: '2025-01-31' }))
  const lost = await one.addSource({ activity: 'own/nothing', scope: '1', unit: 'kg' })
  await one.save(lost, bill('2', 'kg', { periodEnd: '2025-01-31' }))
  return one
}

/** Rewrites results to the old format from before calculation lines were stored: formula, gases and flags are in each result. */
async function convertToOldFormat({ inventoryId }: LedgerWorld): Promise<void> {
  const gases = GAS_GROUPS.map((gas) => `${gas} = x.amount * w.${gas}`).join(', ')
  const { owner } = forecourt
  await owner.query(
    `update calculation_results x set ${gases}, biogenic_kg = x.amount * w.biogenic, other_kg = x.amount * w.other,
      formula = case when x.problem is null then 'Old formula of ' || x.record_id end,
      conversion = case when x.problem is null then 'Old conversion' end,
      flags = coalesce(w.flags, '{}') || coalesce(x.flags, '{}') || array['old'], line_id = null
    from calculation_lines w where w.customer_id = x.customer_id and w.id = x.line_id and x.inventory_id = $1`,
    [inventoryId],
  )
  await owner.query('delete from calculation_lines where inventory_id = $1', [inventoryId])
}

/** Everything a user can read of an inventory's results: records, ledger, explanations, comparison and file. */
async function read({ inventoryId, ...one }: LedgerWorld, after: string) {
  const { results: records } = await admin.call(activities.list, { inventoryId })
  const rows = await one.results()
  const explained = []
  // One of each kind: the first result of a source, part and method.
  const kinds = new Map(
    rows.toReversed().map((row) => [`${row.sourceId} ${row.part} ${row.method}`, row] as const),
  )
  for (const { id } of kinds.values()) explained.push(await admin.call(ledger.explain, { id }))
  const two = { before: inventoryId, after }
  const url = `${carbonComparison.export.path}?${new URLSearchParams(two)}`
  return {
    records,
    rows,
    explained,
    compared: await admin.call(carbonComparison.compare, two),
    file: await admin.send({ method: 'GET', url }),
    totals: await one.totals(),
  }
}

test('reads results in the old format everywhere', async () => {
  const one = await prepare()
  const { id: later } = await admin.call(carbonInventories.copy, {
    id: one.inventoryId,
    name: 'The next year',
    periodStart: '2026-01-01',
    periodEnd: '2026-12-31',
  })
  const before = await read(one, later)
  expect(before.rows.length).toBeGreaterThan(9)
  await convertToOldFormat(one)
  expect(await countStored(forecourt.owner, one)).toMatchObject({ lines: 0, stale: 0 })
  const after = await read(one, later)

  const flagged = ({ flags }: { flags: string[] }) => [...flags, 'old'].toSorted()
  const sorted = <T extends { flags: string[] }>(line: T) => ({ ...line, flags: line.flags.toSorted() })
  expect(after.rows.map(sorted)).toEqual(before.rows.map((row) => ({ ...row, flags: flagged(row) })))
  expect(after.explained.map(({ formula, conversion }) => ({ formula, conversion }))).toEqual(
    after.explained.map(({ recordId, problem }) => ({
      formula: problem === null ? `Old formula of ${recordId}` : null,
      conversion: problem === null ? 'Old conversion' : null,
    })),
  )
  expect(after.explained.map(({ amount, inclusion, gwpSet }) => ({ amount, inclusion, gwpSet }))).toEqual(
    before.explained.map(({ amount, inclusion, gwpSet }) => ({ amount, inclusion, gwpSet })),
  )
  expect(after.records).toEqual(
    before.records.map(({ result, ...record }) => ({
      ...record,
      result: result && { ...result, flags: flagged(result) },
    })),
  )
  expect(after.compared).toEqual(before.compared)
  expect(after.file.status).toBe(200)
  expect(after.file.text).toBe(before.file.text)
  expect(after.totals).toEqual(before.totals)
  expect(shownTotals(after.totals)).toEqual(await sumResults(forecourt.owner, one))
  expect(await findDifferentSums(forecourt.owner, one)).toEqual([])
}, 60_000)

test('a locked inventory keeps the old format, and recalculating it after reopening converts it', async () => {
  const { owner } = forecourt
  const one = await prepare()
  // One person does all the steps.
  await admin.call(carbonInventories.update, { id: one.inventoryId, twoPersonApproval: false })
  await admin.call(ledger.recalculate, { inventoryId: one.inventoryId })
  const fresh = await storedResults(owner, one)
  await convertToOldFormat(one)
  const old = await storedResults(owner, one)
  const lock = (status: string) =>
    owner.query('update carbon_inventories set status = $2 where id = $1', [one.inventoryId, status])
  await lock('locked')
  await markAllStale(owner, one)
  await expect(admin.call(ledger.recalculate, { inventoryId: one.inventoryId })).toRefuse(409)
  await processStaleQueue(forecourt.jobsPool, forecourt.appPool)
  expect(await countStored(owner, one)).toMatchObject({ lines: 0, stale: 0 })
  expect(await storedResults(owner, one)).toEqual(old)

  const [line] = await one.results()
  const { version } = await admin.call(carbonInventories.get, { id: one.inventoryId })
  const reason = 'A meter was misread'
  for (const status of ['approved', 'collecting'] as const)
    await admin.call(carbonInventories.setStatus, {
      id: one.inventoryId,
      status,
      reason,
      version: status === 'approved' ? version : version + 1,
    })
  expect((await one.totals()).pending).toBeGreaterThan(0)
  await admin.call(ledger.recalculate, { inventoryId: one.inventoryId })
  await expect(admin.call(ledger.explain, { id: line?.id ?? '' })).toRefuse(404)
  expect(await storedResults(owner, one)).toEqual(fresh)
})
