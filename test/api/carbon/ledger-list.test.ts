import { afterAll, beforeAll, expect, test } from 'vitest'
import { Figure, plain } from '#contract/carbon/factors/figure.ts'
import { carbonInventories } from '#contract/carbon/inventories/inventories.ts'
import { ledger } from '#contract/carbon/results/ledger.ts'
import { ledgerFilter, type LedgerTotal } from '#contract/carbon/results/ledger-filter.ts'
import type { TotalLine } from '#contract/carbon/activity/ledger-schema.ts'
import { LEDGER_LIST } from '#contract/carbon/results/ledger-list.ts'
import { fieldsOf } from '#contract/lists/list.ts'
import { reports } from '#contract/reports/reports.ts'
import { testApp, type Caller, type TestApp } from '#test/app.ts'
import { bill, ledgerWorld, type LedgerWorld } from '#test/factories/carbon/ledger-world.ts'
import { testOrganization } from '#test/factories/test-organization.ts'

let forecourt: TestApp
let admin: Caller
let one: LedgerWorld
beforeAll(async () => {
  forecourt = await testApp()
  admin = await forecourt.as('northgate.admin', 'Northgate Ford')
  const ford = await testOrganization(forecourt, 'Northgate Ford')
  one = await ledgerWorld(forecourt, ford, admin, { hasUpstream: true, yearRule: 'latest' })
  const months = { periodStart: '2025-01-10', periodEnd: '2025-04-20' }
  await one.addRecord({ activity: 'electricity/grid', scope: '2', unit: 'kWh' }, bill('900', 'kWh', months))
  await one.addRecord(
    { activity: 'combustion/natural-gas', scope: '1', unit: 'mmBtu' },
    bill('10', 'mmBtu', { calorificBasis: 'gross', reference: 'INV-77' }),
  )
  // No factor: a missing result.
  const sourceId = await one.addSource({ activity: 'own/nothing', scope: '1', unit: 'kg' })
  await one.save(sourceId, bill('5', 'kg'))
})
afterAll(() => forecourt.close())

/** All rows of the list that the rule finds. */
async function rowsOf(total: LedgerTotal, method: 'location' | 'market') {
  const filter = ledgerFilter(one.inventoryId, total, method)
  const { results, filteredRows } = await admin.call(ledger.list, { filter, pageSize: 200 })
  expect(results).toHaveLength(filteredRows)
  return results
}
const sumOf = (results: readonly { kg: string | null; scope: string }[]): string =>
  plain(results.reduce((sum, { kg }) => sum.plus(kg ?? 0), new Figure(0)))

test('the rows that a total opens in the ledger add up to it, by both methods', async () => {
  const totals = await one.totals()
  const linesOf = (by: LedgerTotal['by'], lines: readonly TotalLine[]) =>
    lines.map((line) => ({ total: { by, key: line.key }, line }))
  const lines = [
    ...linesOf('all', [totals.total]),
    ...linesOf('scope', totals.scopes),
    ...linesOf('facility', totals.facilities),
    ...linesOf('source', totals.sources),
    ...linesOf('month', totals.months),
  ]
  expect(lines.length).toBeGreaterThan(18)
  for (const { total, line } of lines) {
    for (const method of ['location', 'market'] as const)
      expect([total, method, sumOf(await rowsOf(total, method))]).toEqual([total, method, line[method]])
  }
  const missing = await rowsOf({ by: 'missing', key: '' }, 'location')
  expect(missing).toHaveLength(totals.total.missing)
  expect(missing.every(({ kg, problem }) => kg === null && problem !== null)).toBe(true)
})

test('the ledger is sorted, searched and exported like any list, with the formula of each result', async () => {
  const filter = ledgerFilter(one.inventoryId, { by: 'scope', key: '1' }, 'location')
  const { results } = await admin.call(ledger.list, { filter: `${filter} && kg != null`, sort: '-kg' })
  const figures = results.map(({ kg }) => Number(kg))
  expect(figures).toEqual(figures.toSorted((less, more) => more - less))
  expect((await admin.call(ledger.list, { search: 'INV-77' })).results[0]).toMatchObject({
    reference: 'INV-77',
    inventoryId: one.inventoryId,
    formula: expect.stringContaining('kg CO2'),
  })
  const payload = {
    list: 'ledger',
    format: 'csv',
    filter: `${filter} && kg != null`,
    sort: '-kg',
    columns: ['source', 'month', 'kg', 'formula'],
  }
  const { text } = await admin.send({ method: 'POST', url: reports.exportList.path, payload })
  const [head, ...rest] = text.trim().split('\r\n')
  expect(head).toContain('"Source","Month","kg CO2e","Formula"')
  expect(rest).toHaveLength(results.length)
  expect(rest[0]).toContain('kg CO2')
})

test('every field of the ledger can be filtered, and every sortable one sorted', async () => {
  const whole = ledgerFilter(one.inventoryId, { by: 'all', key: '' }, 'location')
  const count = async (filter: string) =>
    (await admin.call(ledger.list, { filter: `${whole} && (${filter})` })).filteredRows
  const all = await count('kg == kg || kg == null')
  for (const [id, field] of fieldsOf(LEDGER_LIST, () => true)) {
    if (field.isFilterable === false) continue
    const [has, lacks] = field.kind === 'flag' ? [id, `!${id}`] : [`${id} != null`, `${id} == null`]
    expect([id, (await count(has)) + (await count(lacks))]).toEqual([id, all])
    if (!field.isSortable) continue
    const [up, down] = [
      await admin.call(ledger.list, { filter: whole, sort: id, pageSize: 200 }),
      await admin.call(ledger.list, { filter: whole, sort: `-${id}`, pageSize: 200 }),
    ].map(({ results }) => results.map((row) => row.id))
    expect(up?.toSorted()).toEqual(down?.toSorted())
  }
})

test('an auditor reads the ledger; a user of another organization or without insights does not', async () => {
  const auditor = await forecourt.as('northgate.auditor')
  expect((await auditor.call(ledger.list, {})).totalRows).toBeGreaterThan(0)
  const dealer = await forecourt.as('northgate.dealer')
  await expect(dealer.call(ledger.list, {})).toRefuse(403)
  const harbor = await forecourt.as('harbor.admin')
  const filter = ledgerFilter(one.inventoryId, { by: 'all', key: '' }, 'location')
  expect((await harbor.call(ledger.list, { filter })).filteredRows).toBe(0)
})

test('the results of a deleted inventory are gone', async () => {
  await expect(admin.call(carbonInventories.remove, { id: one.inventoryId })).toRefuse(409)
  expect((await admin.call(ledger.list, { filter: 'inventory == "999999"' })).results).toEqual([])
})
