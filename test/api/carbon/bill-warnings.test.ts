import { afterAll, beforeAll, expect, test } from 'vitest'
import { activities } from '#contract/carbon/activity/activity.ts'
import { instruments } from '#contract/carbon/activity/instruments.ts'
import { testApp, type Caller, type TestApp } from '#test/app.ts'
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
const GRID = { activity: 'electricity/grid', scope: '2', unit: 'kWh', gridRegion: 'CAMX', frequency: 'month' }
const DIESEL = { activity: 'combustion/distillate-fuel-oil-no-2', scope: '1', unit: 'gallon' }
const days = (first: string, last: string) => ({ periodStart: `2025-${first}`, periodEnd: `2025-${last}` })

/** The stored records of a source, as another user sees them later. */
const recordsOf = async ({ inventoryId }: LedgerWorld, sourceId: string) =>
  (await admin.call(activities.list, { inventoryId, sourceId })).results
const warningsOf = async (one: LedgerWorld, sourceId: string) =>
  (await recordsOf(one, sourceId)).map(({ warnings }) => warnings.map(({ message }) => message))

async function submitAll(one: LedgerWorld, sourceId: string): Promise<void> {
  const records = (await recordsOf(one, sourceId)).map(({ id, version }) => ({ id, version }))
  await admin.call(activities.submit, { inventoryId: one.inventoryId, records })
}
const reasonsOf = async ({ inventoryId }: LedgerWorld) =>
  (await admin.call(activities.unusual, { inventoryId })).records.map(({ recordId, reasons }) => ({
    recordId,
    kinds: reasons.map(({ kind }) => kind),
  }))

test('an overlapping bill keeps its warning, is flagged for review, and coverage says which days count twice', async () => {
  const one = await world()
  const source = await one.addSource(GRID)
  const { rows } = await one.save(
    source,
    bill('1000', 'kWh', days('02-01', '02-28')),
    bill('1000', 'kWh', days('03-01', '03-31')),
    bill('1000', 'kWh', days('04-01', '04-30')),
    bill('990', 'kWh', days('03-10', '04-09')),
  )
  const sentence = 'Another record of this source overlaps this period'
  expect(rows[3]?.problems[0]?.message).toContain(sentence)
  const [february, march, overlapping, april] = await warningsOf(one, source)
  expect(february).toEqual([])
  for (const found of [march, overlapping, april]) expect(found?.[0]).toContain(sentence)

  await submitAll(one, source)
  expect((await reasonsOf(one)).map(({ kinds }) => kinds)).toEqual([['overlap'], ['overlap'], ['overlap']])
  expect((await one.totals()).coverage.overlaps).toMatchObject([{ sourceId: source, days: 31 }])

  const wrong = (await recordsOf(one, source)).find(({ quantity }) => quantity === '990')
  const returned = { id: wrong?.id ?? '', version: wrong?.version ?? 0 }
  await admin.call(activities.returnRecords, {
    inventoryId: one.inventoryId,
    records: [returned],
    comment: 'Twice',
  })
  await admin.call(activities.remove, { id: returned.id })
  expect(await warningsOf(one, source)).toEqual([[], [], []])
  expect(await reasonsOf(one)).toEqual([])
  expect((await one.totals()).coverage.overlaps).toEqual([])
})

test('the same bill in another unit is recognized; deliveries on one day do not overlap', async () => {
  const one = await world()
  const source = await one.addSource(DIESEL)
  await one.save(source, bill('10', 'gallon', days('05-01', '05-31')))
  const { rows } = await one.save(source, bill('37.85411784', 'L', days('05-01', '05-31')))
  expect(rows[0]?.problems).toMatchObject([
    { message: expect.stringContaining('the same bill as 10 gallon for the same period') },
  ])
  const same = await warningsOf(one, source)
  expect(same[0]?.[0]).toContain('the same bill as 37.85411784 L')
  expect(same[1]?.[0]).toContain('the same bill as 10 gallon')

  const deliveries = await one.addSource(DIESEL)
  await one.save(
    deliveries,
    bill('10', 'gallon', days('05-02', '05-02')),
    bill('12', 'gallon', days('05-02', '05-02')),
  )
  expect(await warningsOf(one, deliveries)).toEqual([[], []])
})

test('a first bill is checked for plausibility, also in review', async () => {
  const one = await world()
  const source = await one.addSource(GRID)
  const january = days('01-01', '01-31')
  const { rows } = await one.save(
    source,
    bill('1', 'GWh', january),
    bill('9999999999999999', 'kWh', days('02-01', '02-28')),
  )
  expect(rows.map(({ state }) => state)).toEqual(['saved', 'saved'])
  expect(rows[0]?.problems[0]?.message).toContain('unusually high for one site')
  expect(rows[1]?.problems[0]?.message).toMatch(/^No site uses/)
  await submitAll(one, source)
  expect((await reasonsOf(one)).map(({ kinds }) => kinds)).toEqual([['implausible'], ['implausible']])
})

test('more certificates than consumption are a reason for review', async () => {
  const one = await world()
  const { sourceId } = await one.addRecord(GRID, bill('1300', 'MWh', days('01-01', '12-31')))
  await admin.call(instruments.save, {
    inventoryId: one.inventoryId,
    kind: 'certificate',
    name: 'Wind',
    unit: 'MWh',
    kgCo2e: '0',
    sourceNote: `Registry of ${one.inventoryId}`,
    quantity: '1300',
    allocations: [{ sourceId, quantity: '1300' }],
  })
  // The bill is corrected afterwards.
  const [billed] = await recordsOf(one, sourceId)
  const record = { ...bill('1000', 'MWh', days('01-01', '12-31')), sourceId }
  await admin.call(activities.save, {
    inventoryId: one.inventoryId,
    rows: [{ key: '1', id: billed?.id ?? '', version: 1, record }],
  })
  await submitAll(one, sourceId)
  expect((await reasonsOf(one)).map(({ kinds }) => kinds)).toEqual([['certificates']])
})

test('a total is a minimum if data points or relevant categories are missing, and its rows can be listed exactly', async () => {
  const one = await world()
  const source = await one.addSource(GRID)
  await one.save(source, bill('1000', 'kWh', days('01-01', '01-31')))
  await forecourt.owner.query(
    `insert into inventory_scope3 (customer_id, organization_id, inventory_id, category, relevance) values ($1, $2, $3, 11, 'relevant')`,
    [ford.customerId, one.organizationId, one.inventoryId],
  )
  const { gaps, coverage, sources, total } = await one.totals()
  expect(gaps).toEqual({ points: 11, categories: [11] })
  expect(coverage.incompleteMonths).toHaveLength(11)
  expect(sources[0]?.facilityName).not.toBe('')
  const rows = await one.results({ method: 'market' })
  expect(rows.reduce((sum, { kg }) => sum + Number(kg), 0)).toBeCloseTo(Number(total.market), 9)
  expect(await one.results({ isMissing: true })).toEqual([])
})
