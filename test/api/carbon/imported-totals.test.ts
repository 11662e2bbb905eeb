import { writeXlsx } from 'hucre/xlsx'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { activities } from '#contract/carbon/activity/activity.ts'
import { ImportedSheet, importedTotals, type ImportedRow } from '#contract/carbon/activity/imported-totals.ts'
import { carbonInventories } from '#contract/carbon/inventories/inventories.ts'
import { testApp, type Caller, type TestApp } from '#test/app.ts'
import { multipart } from '#test/harness/multipart.ts'
import { bill, ledgerWorld, type LedgerWorld } from '#test/factories/carbon/ledger-world.ts'
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

const world = (): Promise<LedgerWorld> => ledgerWorld(forecourt, ford, admin)
const row = (facilityId: string, more: Partial<ImportedRow> = {}): ImportedRow => ({
  key: '1',
  facilityId,
  sourceType: 'natural_gas',
  periodStart: '2025-01-01',
  periodEnd: '2025-12-31',
  tonnes: '36.5',
  ...more,
})
const importTotals = (inventoryId: string, ...rows: ImportedRow[]) =>
  admin.call(importedTotals.add, { inventoryId, rows })
const list = (inventoryId: string) => admin.call(importedTotals.list, { inventoryId })

test('an imported total counts in every grouping, is marked, and does not count toward coverage', async () => {
  const one = await world()
  const facilityId = await one.addFacility()
  const { batchId, rows } = await importTotals(
    one.inventoryId,
    row(facilityId),
    row(facilityId, { key: '2', sourceType: 'electricity', tonnes: '10', marketTonnes: '4' }),
  )
  expect(batchId).not.toBeNull()
  expect(rows).toEqual([
    { key: '1', isKept: true, problems: [] },
    { key: '2', isKept: true, problems: [] },
  ])
  const totals = await one.totals()
  expect(totals.total).toMatchObject({
    location: '46500',
    market: '40500',
    imported: '46500',
    importedMarket: '40500',
  })
  for (const lines of [totals.scopes, totals.facilities, totals.sources, totals.months, totals.gases])
    expect(lines.reduce((sum, line) => sum + Number(line.location), 0)).toBeCloseTo(46_500, 6)
  expect(totals.scopes.map(({ key, location, imported }) => [key, location, imported])).toEqual([
    ['1', '36500', '36500'],
    ['2', '10000', '10000'],
  ])
  // An imported total is not a data point, so data is still expected.
  expect(totals.coverage).toMatchObject({ expected: 2, there: 0 })
  expect(totals.records.total).toBe(0)
})

test('records replace an imported total day by day until they are deleted', async () => {
  const one = await world()
  const facilityId = await one.addFacility()
  await importTotals(one.inventoryId, row(facilityId))
  const [imported] = await list(one.inventoryId)
  const january = { calorificBasis: 'gross' as const, periodEnd: '2025-01-31' }
  const { rows } = await one.save(imported?.sourceId ?? '', bill('10', 'mmBtu', january))
  expect(rows[0]?.state).toBe('saved')
  expect((await list(one.inventoryId))[0]).toMatchObject({ kg: '36500', countedKg: '33400' })
  expect((await one.totals()).total).toMatchObject({ imported: '33400', location: '33931.145' })
  await admin.call(activities.remove, { id: rows[0]?.record?.id ?? '' })
  expect((await one.totals()).total.location).toBe('36500')
})

test('removes and restores one import with the sources it assigned', async () => {
  const one = await world()
  const facilityId = await one.addFacility()
  const { batchId } = await importTotals(one.inventoryId, row(facilityId))
  const batch = { inventoryId: one.inventoryId, batchId: batchId ?? '' }
  expect(await admin.call(importedTotals.remove, batch)).toEqual({ removed: 1 })
  expect(await list(one.inventoryId)).toEqual([])
  expect(await one.totals()).toMatchObject({ total: { location: '0' }, coverage: { expected: 0 } })
  expect(await admin.call(importedTotals.remove, batch)).toEqual({ removed: 0 })
  expect(await admin.call(importedTotals.restore, batch)).toEqual({ restored: 1 })
  expect(await one.totals()).toMatchObject({ total: { location: '36500' }, coverage: { expected: 1 } })
  await admin.call(importedTotals.remove, batch)
  await importTotals(one.inventoryId, row(facilityId, { tonnes: '40' }))
  await expect(admin.call(importedTotals.restore, batch)).toRefuse(409)
  expect((await one.totals()).total.location).toBe('40000')
})

test('rejects invalid rows with the reasons and saves the others', async () => {
  const one = await world()
  const facilityId = await one.addFacility()
  const source = await one.addSource({
    activity: 'mobile-combustion/diesel-fuel',
    scope: '1',
    unit: 'gal',
    facilityId,
  })
  await forecourt.owner.query(`update emission_sources set source_type = 'diesel_fleet' where id = $1`, [
    source,
  ])
  const { rows } = await importTotals(
    one.inventoryId,
    row(facilityId),
    row(facilityId, { key: '2', periodStart: '2025-06-01' }),
    row('999999999', { key: '3' }),
    row(facilityId, { key: '4', sourceType: 'unicorns' }),
    row(facilityId, { key: '5', sourceType: 'waste_landfill', periodEnd: '2026-01-31' }),
    row(facilityId, { key: '6', sourceType: 'natural_gas_other', marketTonnes: '3' }),
  )
  expect(rows.map(({ isKept }) => isKept)).toEqual([true, false, false, false, false, false])
  expect(rows[1]?.problems[0]).toMatchObject({ field: 'periodStart' })
  expect(rows[2]?.problems[0]).toMatchObject({ field: 'facilityId' })
  expect(rows[3]?.problems[0]).toMatchObject({ field: 'sourceType' })
  expect(rows[4]?.problems.map(({ message }) => message).join(' ')).toContain('must be within the inventory')
  expect((await list(one.inventoryId)).length).toBe(1)
})

test('two users importing the same total at the same time import it once', async () => {
  const one = await world()
  const facilityId = await one.addFacility()
  const both = await Promise.all([
    importTotals(one.inventoryId, row(facilityId)),
    importTotals(one.inventoryId, row(facilityId)),
  ])
  expect(both.filter(({ batchId }) => batchId !== null).length).toBe(1)
  expect((await one.totals()).total.location).toBe('36500')
})

test('an approved inventory rejects importing and removing totals', async () => {
  const one = await world()
  const facilityId = await one.addFacility()
  const { batchId } = await importTotals(one.inventoryId, row(facilityId))
  await forecourt.owner.query(`update carbon_inventories set status = 'approved' where id = $1`, [
    one.inventoryId,
  ])
  const { inventoryId } = one
  await expect(importTotals(inventoryId, row(facilityId, { sourceType: 'electricity' }))).toRefuse(409)
  await expect(admin.call(importedTotals.remove, { inventoryId, batchId: batchId ?? '' })).toRefuse(409)
  expect((await one.totals()).total.location).toBe('36500')
})

async function readFile(inventoryId: string, bytes: string | Uint8Array, fields: { sheet?: string } = {}) {
  const { payload, headers } = multipart({ inventoryId, ...fields }, [
    { name: 'totals.xlsx', bytes: Buffer.from(bytes) },
  ])
  const { body, statusCode } = await forecourt.app.inject({
    method: 'POST',
    url: importedTotals.read.path,
    payload,
    headers: { ...headers, authorization: `Bearer ${admin.token}` },
  })
  const { data, message } = JSON.parse(body)
  return { statusCode, message, sheet: statusCode === 200 ? ImportedSheet.parse(data) : null }
}

test('reads any sheet of a workbook from the header row on, without saving', async () => {
  const one = await world()
  const bytes = await writeXlsx({
    sheets: [
      { name: 'Notes', rows: [['Report of the group']] },
      {
        name: '2025',
        rows: [
          ['Report of 2025', null, null],
          [],
          ['Facility', 'Source', 'From', 'To', 't CO2e'],
          ['Main street', 'Natural gas', new Date('2025-01-01T00:00:00Z'), '2025-12-31', 36.125],
        ],
      },
    ],
  })
  const first = await readFile(one.inventoryId, bytes)
  expect(first.sheet).toMatchObject({
    sheet: 'Notes',
    sheets: [
      { name: 'Notes', lines: 1 },
      { name: '2025', lines: 3 },
    ],
  })
  const { sheet } = await readFile(one.inventoryId, bytes, { sheet: '2025' })
  expect(sheet?.isWorkbook).toBe(true)
  expect(sheet?.lines.map((cells) => cells.slice(0, 5))).toEqual([
    ['Facility', 'Source', 'From', 'To', 't CO2e'],
    ['Main street', 'Natural gas', '2025-01-01', '2025-12-31', '36.125'],
  ])
  expect(await list(one.inventoryId)).toEqual([])
  const csv = await readFile(one.inventoryId, 'Facility;t CO2e\r\nMain street;36,125\r\n')
  expect(csv.sheet).toMatchObject({
    isWorkbook: false,
    lines: [
      ['Facility', 't CO2e'],
      ['Main street', '36,125'],
    ],
  })
})

test('rejects an empty, unreadable or too long file and a locked inventory with the reason', async () => {
  const one = await world()
  for (const [bytes, words] of [
    ['', 'empty'],
    [Buffer.from('504b030400', 'hex'), "can't be read"],
    ['a\u0000b', 'byte 2 is zero'],
    [Array.from({ length: 2_001 }, (_, at) => `Main street,${at}`).join('\n'), '2,001 rows'],
  ] as const) {
    const { statusCode, message } = await readFile(one.inventoryId, bytes)
    expect([statusCode, message]).toEqual([400, expect.stringContaining(words)])
  }
  const missing = await readFile(one.inventoryId, 'a,b', { sheet: '2031' })
  expect(missing.message).toContain("doesn't have a sheet")
  await forecourt.owner.query(`update carbon_inventories set status = 'locked' where id = $1`, [
    one.inventoryId,
  ])
  expect((await readFile(one.inventoryId, 'a,b')).statusCode).toBe(409)
})

test('the list includes imported totals and can be filtered by them', async () => {
  const one = await world()
  const facilityId = await one.addFacility()
  await importTotals(
    one.inventoryId,
    row(facilityId),
    row(facilityId, { key: '2', sourceType: 'electricity', tonnes: '10', marketTonnes: '4' }),
  )
  const found = async (filter: string) =>
    (await admin.call(carbonInventories.list, { filter, pageSize: 200 })).results.filter(
      ({ id }) => id === one.inventoryId,
    )
  const [listed] = await found('location >= 46.5 && market <= 40.5 && imported == 46.5')
  expect(listed?.figures).toEqual({
    location: '46500',
    market: '40500',
    imported: '46500',
    importedMarket: '40500',
    missing: 0,
    expected: 2,
    there: 0,
    points: 0,
    categories: 0,
  })
  expect(await found('location > 46.5')).toEqual([])
})
