import { sql } from 'kysely'
import { afterAll, afterEach, beforeAll, describe, expect, test, vi } from 'vitest'
import { activities } from '#contract/carbon/activity/activity.ts'
import { ledger } from '#contract/carbon/results/ledger.ts'
import { Figure } from '#contract/carbon/factors/figure.ts'
import { recalculateStale } from '#server/carbon/calculation/recalculate.ts'
import { testApp, type Caller, type TestApp } from '#test/app.ts'
import { expectShares } from '#test/factories/carbon/day-shares.ts'
import { inTenantOf } from '#test/harness/in-tenant.ts'
import {
  expectConsistent,
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
})
afterAll(async () => {
  await forecourt.close()
})
afterEach(() => {
  vi.unstubAllEnvs()
})

const GAS = { activity: 'combustion/natural-gas', scope: '1', unit: 'mmBtu' }
const gasBill = (quantity: string, periodStart: string, periodEnd: string) =>
  bill(quantity, 'mmBtu', { calorificBasis: 'gross', periodStart, periodEnd })

/** An inventory with the given period and one site. */
async function world(first: string, last: string) {
  const one = await ledgerWorld(forecourt, ford, admin, { yearRule: 'latest' })
  await forecourt.owner.query(
    'update carbon_inventories set period_start = $2, period_end = $3 where id = $1',
    [one.inventoryId, first, last],
  )
  const facilityId = await one.addFacility({ parentId: await one.addFacility() })
  const sourceId = await one.addSource({ ...GAS, facilityId, frequency: 'month' })
  const wholly = { openedOn: null, closedOn: null, ownership: [{ from: '2000-01-01', percent: '100' }] }
  const shares = (place: { openedOn?: string; closedOn?: string } = {}) =>
    expectShares(forecourt.owner, one, { first, last, chains: { [facilityId]: [{ ...wholly, ...place }] } })
  return { one, facilityId, sourceId, shares }
}

async function saved(one: LedgerWorld, sourceId: string, ...rows: Parameters<LedgerWorld['save']>[1][]) {
  const result = await one.save(sourceId, ...rows)
  expect(result.rows.map(({ state }) => state)).toEqual(rows.map(() => 'saved'))
  return result.rows.map(({ record }) => record)
}

const monthsOf = async (one: LedgerWorld) =>
  (await one.results()).map(({ month, quantity }) => [month.slice(0, 7), quantity])

describe('quantities at their limits', () => {
  const MOST = '9999999999999999.999999999999'
  const LEAST = '0.000000000001'

  test('are stored without loss, and spread over days, summed and explained exactly', async () => {
    const { one, sourceId, shares } = await world('2025-01-01', '2025-12-31')
    const [most, least] = await saved(
      one,
      sourceId,
      gasBill(MOST, '2025-01-01', '2025-12-31'),
      gasBill(LEAST, '2025-01-01', '2025-12-31'),
    )
    expect([most?.quantity, least?.quantity]).toEqual([MOST, LEAST])
    expect(await shares()).toEqual({ expected: 24 })
    expect(await findDifferentSums(forecourt.owner, one)).toEqual([])
    const totals = await one.totals()
    expect(shownTotals(totals)).toEqual(await sumResults(forecourt.owner, one))
    // 53.06 kg CO2, 0.001 kg CH4 with a GWP of 28, 0.0001 kg N2O with a GWP of 265, for both bills together.
    expect(totals.total.location).toBe(new Figure('10000000000000000').times('53.1145').toFixed())
    const { rows } = await forecourt.owner.query(
      'select record_id, sum(quantity)::text as quantity from calculation_results where inventory_id = $1 group by 1 order by 1',
      [one.inventoryId],
    )
    expect(rows.map(({ quantity }) => quantity)).toEqual([MOST, LEAST])
  })

  test('are rejected beyond the limits with a sentence', async () => {
    const { one, sourceId } = await world('2025-01-01', '2025-12-31')
    for (const quantity of ['10000000000000000', '0.0000000000001', '1e5'])
      await expect(one.save(sourceId, gasBill(quantity, '2025-01-01', '2025-12-31'))).toRefuse(
        400,
        'decimal point',
      )
    const { rows } = await one.save(sourceId, gasBill('-1', '2025-01-01', '2025-12-31'))
    expect(rows[0]).toMatchObject({ state: 'refused', problems: [{ field: 'quantity', level: 'error' }] })
    const readings = { kind: 'meter' as const, quantity: null, meterFrom: '-9999999999999999', meterTo: MOST }
    const answer = await one.save(sourceId, { ...gasBill('1', '2025-01-01', '2025-12-31'), ...readings })
    expect(answer.rows[0]).toMatchObject({ state: 'refused', problems: [{ level: 'error' }] })
  })
})

describe('periods at their limits', () => {
  test('a leap day gets its share', async () => {
    const { one, sourceId, shares } = await world('2024-01-01', '2024-12-31')
    await saved(
      one,
      sourceId,
      gasBill('29', '2024-02-01', '2024-02-29'),
      gasBill('2.9', '2024-02-29', '2024-02-29'),
      gasBill('3', '2024-02-28', '2024-03-01'),
    )
    expect(await monthsOf(one)).toEqual([
      ['2024-02', '29'],
      ['2024-02', '2.9'],
      ['2024-02', '2'],
      ['2024-03', '1'],
    ])
    expect(await shares()).toEqual({ expected: 4 })
    await expect(one.save(sourceId, gasBill('1', '2025-02-29', '2025-02-29'))).toRefuse(400, "doesn't exist")
    await expectConsistent(forecourt.owner, admin, one)
  })

  test('a bill of 400 days counts only with its days inside the period', async () => {
    const { one, sourceId, shares } = await world('2025-01-01', '2025-12-31')
    await saved(one, sourceId, gasBill('400', '2024-12-15', '2026-01-18'))
    const months = await monthsOf(one)
    expect(months).toHaveLength(12)
    expect([months[0], months[1], months[11]]).toEqual([
      ['2025-01', '31'],
      ['2025-02', '28'],
      ['2025-12', '31'],
    ])
    expect(await shares()).toEqual({ expected: 12 })
    const { coverage, total } = await one.totals()
    expect([coverage.there, coverage.expected, total.location]).toEqual([12, 12, '19386.7925'])
  })

  test('a one-day bill at the end of a month counts only in that month', async () => {
    const { one, sourceId, shares } = await world('2025-01-01', '2025-12-31')
    const ends = ['2025-01-31', '2025-02-28', '2025-04-30', '2025-12-31']
    await saved(one, sourceId, ...ends.map((day, at) => gasBill(`${at + 1}.000000000007`, day, day)))
    expect(await monthsOf(one)).toEqual(ends.map((day, at) => [day.slice(0, 7), `${at + 1}.000000000007`]))
    expect(await shares()).toEqual({ expected: 4 })
  })

  test('an inventory of thirteen months that starts mid-month expects fourteen data points', async () => {
    const { one, sourceId, shares } = await world('2025-01-15', '2026-02-14')
    await saved(one, sourceId, gasBill('396', '2025-01-15', '2026-02-14'))
    const months = await monthsOf(one)
    expect(months).toHaveLength(14)
    expect([months[0], months[1], months[13]]).toEqual([
      ['2025-01', '17'],
      ['2025-02', '28'],
      ['2026-02', '14'],
    ])
    expect(await shares()).toEqual({ expected: 14 })
    const { coverage, months: shown } = await one.totals()
    expect([coverage.there, coverage.expected, shown.length]).toEqual([14, 14, 14])
    await expectConsistent(forecourt.owner, admin, one)
  })

  test('a facility opened during the year counts and expects data from that day on', async () => {
    const { one, sourceId, facilityId, shares } = await world('2025-01-01', '2025-12-31')
    await saved(one, sourceId, gasBill('365', '2025-01-01', '2025-12-31'))
    await forecourt.owner.query(`update facilities set opened_on = '2025-07-16' where id = $1`, [facilityId])
    await admin.call(ledger.recalculate, { inventoryId: one.inventoryId })
    expect(await shares({ openedOn: '2025-07-16' })).toEqual({ expected: 12 })
    const { coverage, total } = await one.totals()
    expect([coverage.there, coverage.expected]).toEqual([6, 6])
    // Sixteen days of July, and 153 days from August on.
    expect(total.location).toBe(new Figure(169).times('53.1145').toFixed())
    const july = (await one.results({ month: '2025-07-01' }))[0]?.id ?? ''
    const { amount, quantity, inclusionReason } = await admin.call(ledger.explain, { id: july })
    expect([amount, quantity]).toEqual(['16', '31'])
    expect(inclusionReason).toContain('Jul 16, 2025')
  })
})

test('a server and a session west of Greenwich calculate the same days', async () => {
  const { one, sourceId, facilityId, shares } = await world('2025-01-15', '2026-02-14')
  await forecourt.owner.query(`update facilities set closed_on = '2025-08-31' where id = $1`, [facilityId])
  await saved(
    one,
    sourceId,
    gasBill('5', '2025-01-31', '2025-02-01'),
    gasBill('7', '2025-03-08', '2025-03-10'),
    gasBill('9', '2025-01-01', '2026-02-28'),
  )
  const before = await storedResults(forecourt.owner, one)
  const totals = await one.totals()
  vi.stubEnv('TZ', 'America/Los_Angeles')
  expect(new Date('2025-01-01T00:00:00Z').getDate()).toBe(31)
  await markAllStale(forecourt.owner, one)
  const place = { ...ford, organizationId: one.organizationId }
  const stale = await inTenantOf(forecourt, place, async (db) => {
    await sql`select set_config('timezone', 'America/Los_Angeles', true)`.execute(db)
    return recalculateStale(db, one.inventoryId)
  })
  expect(stale).toBe(0)
  expect(await storedResults(forecourt.owner, one)).toEqual(before)
  expect(await one.totals()).toEqual(totals)
  expect(await shares({ closedOn: '2025-08-31' })).toEqual({ expected: 17 })
  const record = { ...gasBill('11', '2025-07-31', '2025-08-02'), sourceId }
  const { lines } = await admin.call(activities.preview, { record })
  expect(lines.map(({ month, quantity }) => [month, Number(quantity).toFixed(6)])).toEqual([
    ['2025-07-01', '3.666667'],
    ['2025-08-01', '7.333333'],
  ])
})
