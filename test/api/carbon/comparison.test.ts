// @module-tag release
import { afterAll, beforeAll, expect, test } from 'vitest'
import { carbonAssignments } from '#contract/carbon/inventories/assignments.ts'
import { activities } from '#contract/carbon/activity/activity.ts'
import { type BridgeLine, carbonComparison } from '#contract/carbon/results/comparison.ts'
import { factors } from '#contract/carbon/factors/factors.ts'
import { Figure, plain } from '#contract/carbon/factors/figure.ts'
import { importedTotals } from '#contract/carbon/activity/imported-totals.ts'
import { previousYearQuery } from '#contract/carbon/inventories/previous-year-query.ts'
import { carbonInventories } from '#contract/carbon/inventories/inventories.ts'
import { facilities as sites } from '#contract/organizations/facilities/facilities.ts'
import { testApp, type Caller, type TestApp } from '#test/app.ts'
import { ownFactor } from '#test/cases/carbon/factors.ts'
import { takeInventoryTo } from '#test/factories/carbon/approve-inventory.ts'
import { bill, ledgerWorld, type LedgerWorld, type Row } from '#test/factories/carbon/ledger-world.ts'
import { fresh, testOrganization, type TestOrganization } from '#test/factories/test-organization.ts'

let forecourt: TestApp
let admin: Caller
let ford: TestOrganization
beforeAll(async () => {
  forecourt = await testApp()
  admin = await forecourt.as('northgate.admin', 'Northgate Ford')
  ford = await testOrganization(forecourt, 'Northgate Ford')
})
afterAll(() => forecourt.close())

const GAS = { activity: 'combustion/natural-gas', scope: '1', unit: 'mmBtu' }
const gasBill = (quantity: string, year: number, more: Partial<Row> = {}) =>
  bill(quantity, 'mmBtu', {
    calorificBasis: 'gross',
    periodStart: `${year}-01-01`,
    periodEnd: `${year}-12-31`,
    ...more,
  })
const compare = (before: string, after: string) => admin.call(carbonComparison.compare, { before, after })

/** The next year with the same facilities and sources, and a function to save bills. */
async function nextYear(one: LedgerWorld) {
  const { id } = await admin.call(carbonInventories.copy, {
    id: one.inventoryId,
    name: fresh('Next year'),
    periodStart: '2026-01-01',
    periodEnd: '2026-12-31',
  })
  const [source] = await admin.call(carbonAssignments.sources, { inventory: id })
  const save = (row: Row) =>
    admin.call(activities.save, {
      inventoryId: id,
      rows: [{ key: '1', record: { ...row, sourceId: source?.id ?? '' } }],
    })
  return { id, save, facilityId: source?.facilityId ?? '' }
}
const world = () => ledgerWorld(forecourt, ford, admin, { yearRule: 'latest' })

/** The effects add up exactly to the difference in every line. */
function expectExactSums(lines: readonly BridgeLine[]): void {
  for (const { before, after, boundary, activity, method, factor, coverage } of lines)
    expect(
      plain(new Figure(before).plus(boundary).plus(activity).plus(method).plus(factor).plus(coverage)),
    ).toBe(plain(new Figure(after)))
}

test('a higher quantity is activity, another factor is factor, and they add up exactly', async () => {
  const one = await world()
  await one.addRecord(GAS, gasBill('10', 2025))
  const next = await nextYear(one)
  const { id: factorId } = await admin.call(
    factors.add,
    ownFactor({
      activity: 'own/gas-of-2026',
      scopes: ['1'],
      region: 'US',
      unit: 'mmBtu',
      isForAll: true,
      gases: [{ gas: 'CO2', basis: 'gas', kg: '50.000000000007' }],
    }),
  )
  await next.save(gasBill('15', 2026, { factorId }))
  const { total, scopes, facilities, sources, before, after } = await compare(one.inventoryId, next.id)
  expect(total).toMatchObject({ before: '531.145', boundary: '0', activity: '265.5725', method: '0' })
  expect(Number(total.after)).toBeCloseTo(750, 6)
  expect(Number(total.factor)).toBeCloseTo(750 - 531.145 - 265.5725, 6)
  expectExactSums([total, ...scopes, ...facilities, ...sources])
  expect([scopes.length, facilities.length, sources.length]).toEqual([1, 1, 1])
  expect([before.coverage, after.coverage]).toEqual([
    '1 of 1 expected data points',
    '1 of 1 expected data points',
  ])
})

test('another GWP set is method', async () => {
  const one = await world()
  await one.addRecord(GAS, gasBill('10', 2025))
  const next = await nextYear(one)
  await forecourt.owner.query(`update carbon_inventories set gwp_set = 'AR4' where id = $1`, [next.id])
  await next.save(gasBill('10', 2026))
  const { total, notes } = await compare(one.inventoryId, next.id)
  // 0.01 kg CH4 x (25 - 28) + 0.001 kg N2O x (298 - 265).
  expect(total).toMatchObject({ activity: '0', method: '0.003', factor: '0', after: '531.148' })
  expect(notes.join(' ')).toContain('AR5 and AR4')
})

test('missing bills are not savings: only the months that both inventories have are compared', async () => {
  const one = await world()
  const source = await one.addSource({ ...GAS, frequency: 'month' })
  const months = ['01-01 01-31', '02-01 02-28', '03-01 03-31']
  const rows = (year: number, quantities: readonly string[]) =>
    quantities.map((quantity, at) => {
      const [first = '', last = ''] = (months[at] ?? '').split(' ')
      return gasBill(quantity, year, { periodStart: `${year}-${first}`, periodEnd: `${year}-${last}` })
    })
  await one.save(source, ...rows(2025, ['10', '10', '10']))
  const next = await nextYear(one)
  for (const row of rows(2026, ['10', '12'])) await next.save(row)
  const { total, sources, after, notes } = await compare(one.inventoryId, next.id)
  expect(total).toMatchObject({
    before: '1593.435',
    activity: '106.229',
    coverage: '-531.145',
    unmatchedBefore: '531.145',
    unmatchedAfter: '0',
  })
  expect(after.missingPoints).toBe(10)
  expectExactSums([total, ...sources])
  expect(notes.join(' ')).toContain('neither a reduction nor an increase')
})

test('excluding a facility is boundary, missing data is coverage', async () => {
  const one = await world()
  await one.addRecord(GAS, gasBill('10', 2025))
  const next = await nextYear(one)
  const without = await compare(one.inventoryId, next.id)
  expect(without.total).toMatchObject({ boundary: '0', activity: '0', coverage: '-531.145', after: '0' })
  await forecourt.owner.query(
    `update inventory_facilities set excluded = true, reason = 'Sold' where inventory_id = $1`,
    [next.id],
  )
  const sold = await compare(one.inventoryId, next.id)
  expect(sold.total).toMatchObject({ boundary: '-531.145', activity: '0', after: '0' })
})

test('imported totals are not split into effects, with a note', async () => {
  const one = await world()
  await one.addRecord(GAS, gasBill('10', 2025))
  const next = await nextYear(one)
  const row = {
    key: '1',
    sourceType: 'natural_gas',
    periodStart: '2026-01-01',
    periodEnd: '2026-12-31',
    tonnes: '2',
  }
  await admin.call(importedTotals.add, {
    inventoryId: next.id,
    rows: [{ ...row, facilityId: next.facilityId }],
  })
  const { total, notes } = await compare(one.inventoryId, next.id)
  expect(total).toMatchObject({ importedBefore: '0', importedAfter: '2000', after: '2000' })
  expectExactSums([total])
  expect(notes.join(' ')).toContain('Imported totals')
})

test('rejects comparing an inventory with itself or with another organization', async () => {
  const [one, other] = [await world(), await world()]
  await expect(compare(one.inventoryId, one.inventoryId)).toRefuse(400)
  await expect(compare(one.inventoryId, other.inventoryId)).toRefuse(400)
})

test('the file has the same data as the page', async () => {
  const one = await world()
  await one.addRecord(GAS, gasBill('10', 2025))
  const next = await nextYear(one)
  await next.save(gasBill('15', 2026))
  const search = new URLSearchParams({ before: one.inventoryId, after: next.id }).toString()
  const file = await admin.send({ method: 'GET', url: `${carbonComparison.export.path}?${search}` })
  const lines = file.text.split('\r\n')
  expect(lines[0]).toContain(
    '"Boundary, kg CO2e","Activity, kg CO2e","Method, kg CO2e","Factor, kg CO2e","Coverage, kg CO2e"',
  )
  expect(lines[1]).toContain('"Total","Total",531.145,0,265.5725,0,0,0,796.7175,0,0,0,0,0,0')
})

test('the inventory of the prior year is found among any number of others', async () => {
  const one = await world()
  const next = await nextYear(one)
  const later = await admin.call(carbonInventories.get, { id: next.id })
  const previous = async (change: Partial<typeof later> = {}) => {
    const { results } = await admin.call(carbonInventories.list, previousYearQuery({ ...later, ...change }))
    return results.map(({ id, organizationId, boundary, periodEnd }) => ({
      id,
      organizationId,
      boundary,
      periodEnd,
    }))
  }
  const { organizationId } = later
  expect(await previous()).toMatchObject([
    { organizationId, boundary: later.boundary, periodEnd: '2025-12-31' },
  ])
  // One that ends on the day itself overlaps.
  expect(await previous({ periodStart: '2025-12-31' })).not.toMatchObject([{ periodEnd: '2025-12-31' }])
  expect(await previous({ periodStart: '1990-01-01' })).toEqual([])
})

test('approved inventories are compared under the names that their facilities had at the approval', async () => {
  const one = await world()
  const facilityId = await one.addFacility({ country: 'US' })
  const source = { ...GAS, facilityId }
  await one.addRecord(source, gasBill('100', 2025))
  const approve = async (id: string) => {
    await admin.call(carbonInventories.update, { id, twoPersonApproval: false })
    await takeInventoryTo({ submitter: admin, approver: admin }, id, 'approved')
  }
  const rename = (name: string) => admin.call(sites.update, { id: facilityId, name })
  const next = await nextYear(one)
  await next.save(gasBill('90', 2026))
  const titles = async () =>
    (await compare(one.inventoryId, next.id)).facilities.map(({ key, title }) => [key, title])

  await rename('North lot')
  await approve(one.inventoryId)
  await rename('Showroom')
  await approve(next.id)
  await rename('Renamed afterwards')
  const { name } = await admin.call(carbonInventories.get, { id: one.inventoryId })
  expect(await titles()).toEqual([[facilityId, `Showroom (North lot in ${name})`]])
  const back = (await compare(next.id, one.inventoryId)).facilities.map(({ title }) => title)
  expect(back).toEqual([expect.stringMatching(/^North lot \(Showroom in /)])
})
