// @module-tag release
import { afterAll, beforeAll, expect, test } from 'vitest'
import { activities } from '#contract/carbon/activity/activity.ts'
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
const gas = (quantity: string, unit: string, from: string, to: string) =>
  bill(quantity, unit, { calorificBasis: 'gross', periodStart: from, periodEnd: to })

/** 2025 with gas bills, and 2024 with the same source at the same facility. */
async function twoYears() {
  const one = await ledgerWorld(forecourt, ford, admin, { yearRule: 'latest' })
  const facilityId = await one.addFacility()
  const here = await one.addSource({ ...GAS, facilityId })
  const { rows } = await forecourt.owner.query<{ id: string }>(
    `insert into carbon_inventories (customer_id, organization_id, name, period_start, period_end, boundary, year_rule)
    select customer_id, organization_id, 'Carbon 2024', '2024-01-01', '2024-12-31', boundary, year_rule
    from carbon_inventories where id = $1 returning id`,
    [one.inventoryId],
  )
  const formerId = rows[0]?.id ?? ''
  await forecourt.owner.query(
    `insert into inventory_facilities (customer_id, organization_id, inventory_id, facility_id) values ($1, $2, $3, $4)`,
    [ford.customerId, one.organizationId, formerId, facilityId],
  )
  const { rows: sources } = await forecourt.owner.query<{ id: string }>(
    `insert into emission_sources (customer_id, organization_id, inventory_id, facility_id, source_type, activity, scope, unit, frequency)
    select customer_id, organization_id, $2, facility_id, source_type, activity, scope, unit, frequency
    from emission_sources where id = $1 returning id`,
    [here, formerId],
  )
  const there = sources[0]?.id ?? ''
  const saved = await admin.call(activities.save, {
    inventoryId: formerId,
    rows: [
      gas('10', 'mmBtu', '2024-01-01', '2024-01-31'),
      gas('20', 'mmBtu', '2024-02-01', '2024-03-31'),
      gas('30', 'mmBtu', '2024-04-01', '2024-04-30'),
    ].map((record, at) => ({ key: String(at), record: { ...record, sourceId: there } })),
  })
  expect(saved.rows.map(({ state }) => state)).toEqual(['saved', 'saved', 'saved'])
  const submit = async (...bills: Parameters<typeof one.save>[1][]) => {
    const { rows: told } = await one.save(here, ...bills)
    const records = told.map(({ record }) => ({ id: record?.id ?? '', version: 1 }))
    expect(await admin.call(activities.submit, { inventoryId: one.inventoryId, records })).toMatchObject({
      moved: bills.length,
    })
    return records.map(({ id }) => id)
  }
  const look = () => admin.call(activities.unusual, { inventoryId: one.inventoryId })
  return { ...one, facilityId, here, there, formerId, submit, look }
}

test('flags a bill of three times the prior year with both figures in its own unit, but not a similar one', async () => {
  const one = await twoYears()
  // 10 mmBtu equals 100 therms.
  const [odd = ''] = await one.submit(
    gas('400', 'therm', '2025-01-01', '2025-01-31'),
    gas('21', 'mmBtu', '2025-02-01', '2025-03-31'),
  )
  const { records, count, comparedWith } = await one.look()
  expect(comparedWith).toEqual(['Carbon 2024'])
  expect(count).toBe(1)
  expect(records.map(({ recordId }) => recordId)).toEqual([odd])
  const [found] = records
  expect(found?.yearBefore).toMatchObject({
    inventoryId: one.formerId,
    sourceId: one.there,
    unit: 'therm',
    times: '4.0',
  })
  expect(Number(found?.yearBefore?.now)).toBeCloseTo(400, 6)
  expect(Number(found?.yearBefore?.before)).toBeCloseTo(100, 1)
  expect(found?.reasons).toHaveLength(1)
  expect(found?.reasons[0]?.sentence).toMatch(
    /^400 therm in 2025-01, 4\.0 times the prior year \(.* therm\)\.$/,
  )
  // Insights show the count, and the list returns just these.
  expect((await one.totals()).records).toMatchObject({ submitted: 2, unusual: 1 })
  const wanted = { inventoryId: one.inventoryId, status: 'submitted', only: 'unusual' } as const
  const { results, filteredRows } = await admin.call(activities.list, wanted)
  expect([results.map(({ id }) => id), filteredRows]).toEqual([[odd], 1])
})

test('flags outliers of a source, and suggests a unit error if likely', async () => {
  const one = await ledgerWorld(forecourt, ford, admin, { yearRule: 'latest' })
  const source = await one.addSource(GAS)
  const months = ['01', '02', '03', '04', '05', '06']
  const figures: [quantity: string, unit: string][] = [
    ['10', 'mmBtu'],
    ['11', 'mmBtu'],
    ['9', 'mmBtu'],
    ['10', 'mmBtu'],
    ['10', 'therm'],
    ['90', 'mmBtu'],
  ]
  const { rows } = await one.save(
    source,
    ...figures.map(([quantity, unit], at) =>
      gas(quantity, unit, `2025-${months[at]}-01`, `2025-${months[at]}-28`),
    ),
  )
  const records = rows.map(({ record }) => ({ id: record?.id ?? '', version: 1 }))
  const inventoryId = one.inventoryId
  const look = () => admin.call(activities.unusual, { inventoryId })
  // Drafts aren't reviewed yet.
  expect(await look()).toMatchObject({ count: 0, comparedWith: [] })
  await admin.call(activities.submit, { inventoryId, records })
  const found = (await look()).records
  expect(found.map(({ recordId }) => recordId)).toEqual([records[4]?.id, records[5]?.id])
  expect(found[0]?.reasons.map(({ kind, sentence }) => [kind, sentence])).toEqual([
    [
      'source',
      '10% of the usual daily quantity of this source. Other records are in mmBtu. Is therm the right unit?',
    ],
  ])
  expect(found[1]?.reasons[0]?.sentence).toBe('9.0 times the usual daily quantity of this source.')
  expect(found.every(({ yearBefore }) => yearBefore === null)).toBe(true)
  await forecourt.owner.query('update carbon_inventories set two_person_approval = false where id = $1', [
    inventoryId,
  ])
  // Approved records need no review, but still show the usual quantity.
  await admin.call(activities.approve, {
    inventoryId,
    records: records.slice(0, 5).map(({ id }) => ({ id, version: 1 })),
  })
  expect((await look()).records.map(({ recordId }) => recordId)).toEqual([records[5]?.id])
})

test('does not flag longer bills or sources with few records, and lists records without a result', async () => {
  const one = await ledgerWorld(forecourt, ford, admin, { yearRule: 'latest' })
  const inventoryId = one.inventoryId
  const submitAll = async (source: string, ...bills: Parameters<typeof one.save>[1][]) => {
    const { rows } = await one.save(source, ...bills)
    const records = rows.map(({ record }) => ({ id: record?.id ?? '', version: 1 }))
    await admin.call(activities.submit, { inventoryId, records })
    return records.map(({ id }) => id)
  }
  await submitAll(
    await one.addSource(GAS),
    gas('100', 'mmBtu', '2025-01-01', '2025-01-31'),
    gas('95', 'mmBtu', '2025-02-01', '2025-02-28'),
    gas('100', 'mmBtu', '2025-03-01', '2025-03-31'),
    gas('300', 'mmBtu', '2025-04-01', '2025-06-30'),
  )
  await submitAll(
    await one.addSource(GAS),
    gas('1', 'mmBtu', '2025-01-01', '2025-01-31'),
    gas('50', 'mmBtu', '2025-02-01', '2025-02-28'),
    gas('1', 'mmBtu', '2025-03-01', '2025-03-31'),
  )
  const [lost] = await submitAll(
    await one.addSource({ activity: 'waste/closed-loop/mineral-oil', scope: '3.5', unit: 'short ton' }),
    bill('1', 'short ton'),
  )
  const { records } = await admin.call(activities.unusual, { inventoryId })
  expect(records).toEqual([
    expect.objectContaining({ recordId: lost, reasons: [expect.objectContaining({ kind: 'no_result' })] }),
  ])
})

test('lists months that had records in the prior year, until a record is added', async () => {
  const one = await twoYears()
  await one.submit(gas('10', 'mmBtu', '2025-01-01', '2025-01-31'))
  const { gone } = await one.look()
  expect(gone).toEqual([
    expect.objectContaining({
      facilityId: one.facilityId,
      from: '2025-02-01',
      to: '2025-04-01',
      unit: 'mmBtu',
      hereId: one.here,
      inventoryId: one.formerId,
    }),
  ])
  expect(Number(gone[0]?.before)).toBeCloseTo(50, 6)
  await one.submit(gas('50', 'mmBtu', '2025-02-01', '2025-04-30'))
  expect((await one.look()).gone).toEqual([])
  // A source without an owner this year is marked.
  await forecourt.owner.query(
    `update activity_records set replaced_at = app_now(), replaced_how = 'deleted' where source_id = $1`,
    [one.here],
  )
  await forecourt.owner.query('update emission_sources set closed = true where id = $1', [one.here])
  expect((await one.look()).gone[0]).toMatchObject({ from: '2025-01-01', hereId: null })
})

test('ignores excluded facilities and restated years, and returns 404 without access', async () => {
  const one = await twoYears()
  await one.submit(gas('90', 'mmBtu', '2025-01-01', '2025-01-31'))
  expect((await one.look()).count).toBe(1)
  await forecourt.owner.query(
    'update inventory_facilities set excluded = true, reason = $2 where inventory_id = $1',
    [one.inventoryId, 'Sold'],
  )
  expect(await one.look()).toMatchObject({ gone: [] })
  expect((await one.look()).records).toEqual([])
  await forecourt.owner.query(`update carbon_inventories set status = 'restated' where id = $1`, [
    one.formerId,
  ])
  expect(await one.look()).toEqual({ comparedWith: [], count: 0, records: [], gone: [] })
  const stranger = await forecourt.as('harbor.admin')
  await expect(stranger.call(activities.unusual, { inventoryId: one.inventoryId })).toRefuse(404)
})
