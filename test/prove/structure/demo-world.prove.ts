import { leadSettings } from '#contract/leads/inbox/lead-settings.ts'
import { leads } from '#contract/leads/inbox/leads.ts'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { assessmentAnswers } from '#contract/assessments/targets/answers.ts'
import { TARGET_STATES } from '#contract/assessments/targets/target-states.ts'
import { assessmentTargets } from '#contract/assessments/targets/targets.ts'
import { assessmentParticipants } from '#contract/participants/invitations/participants.ts'
import { activities } from '#contract/carbon/activity/activity.ts'
import { activityImports } from '#contract/carbon/activity/activity-imports.ts'
import { dealerIds } from '#contract/customers/dealer-ids/dealer-ids.ts'
import { feedRuns } from '#contract/feeds/runs/feed-runs.ts'
import { feedSources } from '#contract/feeds/sources/feed-sources.ts'
import { unmappedValues } from '#contract/feeds/values/unmapped-values.ts'
import { vehicles } from '#contract/vehicles/vehicles/vehicles.ts'
import { checkDigitOf } from '#contract/vehicles/vin/check-digit.ts'
import { testApp, type Caller, type TestApp } from '#test/app.ts'

let forecourt: TestApp
let northgate: Caller
let harbor: Caller
beforeAll(async () => {
  forecourt = await testApp()
  northgate = await forecourt.as('northgate.admin', 'Northgate Ford')
  harbor = await forecourt.as('harbor.admin')
})
afterAll(() => forecourt.close())

const runsOf = async (caller: Caller) =>
  (await caller.call(feedRuns.list, { sort: 'createdAt', pageSize: 50 })).results

test('every vehicle came from a feed and has a VIN with a valid check digit', async () => {
  const { rows } = await forecourt.owner.query<{
    customer: string
    vehicles: number
    fed: number
    vins: string[]
  }>(
    `select c.name as customer, count(*)::int as vehicles, count(s.id)::int as fed, array_remove(array_agg(v.vin), null) as vins
    from vehicles v join customers c on c.id = v.customer_id
    left join feed_sources s on s.customer_id = v.customer_id and s.id = v.feed_source_id
    group by c.id order by c.id`,
  )
  expect(rows.map(({ customer, vehicles: all, fed }) => [customer, all, fed])).toEqual([
    ['Northgate Motor Group', 620, 620],
    ['Harbor Auto Collective', 380, 380],
  ])
  const vins = rows.flatMap((row) => row.vins)
  expect(vins.length).toBeGreaterThan(950)
  expect(vins.filter((vin) => vin[8] !== checkDigitOf(vin))).toEqual([])
})

test('four providers sent three files each, which were applied automatically night after night', async () => {
  const runs = [...(await runsOf(northgate)), ...(await runsOf(harbor))]
  expect(runs.map(({ status }) => status)).toEqual(runs.map(() => 'applied'))
  expect(new Set(runs.map(({ mappingName }) => mappingName)).size).toBe(4)
  expect(runs).toHaveLength(12)
  const { results } = await northgate.call(feedSources.list, {})
  expect(results.map(({ name, lastProblem }) => [name, lastProblem])).toEqual([
    ['HomeNet nightly feed', null],
    ['MarketCheck nightly feed', null],
    ['vAuto nightly feed', null],
  ])
  for (const { id, lastRunAt } of results) {
    const { deliveries } = await northgate.call(feedSources.deliveries, { id })
    expect(deliveries.map(({ state }) => state)).toEqual(['received', 'received', 'received'])
    expect(deliveries[0]?.endedAt).toBe(lastRunAt)
  }
})

test('the last files have rejected rows with reasons, respect locked fields, and remove vehicles', async () => {
  const last = (await runsOf(northgate)).findLast(({ sourceName }) => sourceName === 'HomeNet nightly feed')
  if (last === undefined) throw new Error('There is no run.')
  const run = await northgate.call(feedRuns.get, { id: last.id })
  expect(run).toMatchObject({ refused: 40, unknownDealers: [{ dealer: 'MP20417', rows: 37 }], skipped: 0 })
  expect([run.locked, run.new, run.prices, run.missing, run.unchanged].map((count) => count > 0)).toEqual(
    Array.from({ length: 5 }, () => true),
  )
  const { results } = await northgate.call(feedRuns.rows, { runId: run.id, kind: 'refused', pageSize: 200 })
  const reasons = new Set(results.flatMap((row) => row.reasons))
  expect([...reasons].toSorted()).toEqual([
    "Dealer ID MP20417 isn't linked to a lot.",
    'Line 2 already has the same VIN.',
    'No VIN or stock number.',
    "The values are in the wrong columns: \u201con order\u201d isn't a VIN.",
  ])
  const { rows } = await forecourt.owner.query<{ removed: number }>(
    `select count(*)::int as removed from vehicles where status = 'removed' and missing_runs = 2 and removed_from = 'live'`,
  )
  expect(rows[0]?.removed).toBeGreaterThan(10)
})

test('prices are shown in every state, and some wait for a decision at the vehicle and in the last run', async () => {
  for (const caller of [northgate, harbor]) {
    const countOf = async (filter: string) =>
      (await caller.call(vehicles.list, { filter, pageSize: 1 })).filteredRows
    expect(await countOf('priceState == "fixed"')).toBe(1)
    expect(await countOf('priceState == "person"')).toBeGreaterThan(10)
    expect(await countOf('priceDecision == "open" && status == "live"')).toBeGreaterThan(0)
    const questions = (await runsOf(caller)).map(({ id }) => caller.call(feedRuns.get, { id }))
    const open = (await Promise.all(questions)).filter(({ priceQuestions }) => priceQuestions.open > 0)
    expect(open.length).toBeGreaterThan(0)
  }
})

test('one form that was left has become a lead', async () => {
  expect(await northgate.call(leadSettings.get, {})).toMatchObject({ unfinishedMinutes: 60 })
  const { results } = await northgate.call(leads.list, { filter: 'isUnfinished' })
  expect(results).toMatchObject([{ unfinished: { step: 1 } }])
})

test('unmapped values and an unlinked dealer ID are waiting for review', async () => {
  const { results } = await northgate.call(unmappedValues.list, { sort: 'raw' })
  expect(results.map(({ raw, rows }) => [raw, rows])).toEqual([
    ['Atomatic', 4],
    ['Explorer', 5],
    ['Ford Truck', 21],
    ['Meteorite', 7],
    ['SelectShift', 14],
  ])
  const waiting = await northgate.call(dealerIds.unmatched, {})
  expect(waiting).toMatchObject([{ dealerId: 'MP20417', rows: 37, source: 'HomeNet nightly' }])
})

test('a vehicle has provenance and price history, all in the past', async () => {
  const { rows } = await forecourt.owner.query<{ id: string }>(
    `select v.id from vehicles v join vehicle_history h on h.customer_id = v.customer_id and h.vehicle_id = v.id
    where v.organization_id = (select id from organizations where name = 'Northgate Ford') and v.status = 'live'
      and 'price' = any(v.locked) group by v.id order by count(*) desc, v.id limit 1`,
  )
  const [{ id } = { id: '' }] = rows
  const vehicle = await northgate.call(vehicles.get, { id })
  expect(vehicle.provenance.price).toMatchObject({ source: 'user', by: 'Dana Whitfield' })
  expect(vehicle.provenance.feedPrice).toMatchObject({ source: 'feed' })
  expect(vehicle.provenance.feedPrice?.by).toMatch(/ nightly feed$/)
  expect(vehicle.feedPriceCents).not.toBe(vehicle.priceCents)
  const prices = await northgate.call(vehicles.prices, { id })
  expect(prices.at(-1)?.priceCents).toBe(vehicle.priceCents)
  const { rows: wrong } = await forecourt.owner.query(
    `select v.id from vehicles v join lateral (select min(at) as first, max(at) as last, (array_agg(status order by at, id))[count(*)] as status,
        (array_agg(price_cents order by at, id))[count(*)] as price
      from vehicle_history h where h.customer_id = v.customer_id and h.vehicle_id = v.id) h on true
    where v.updated_at > app_now() or v.created_at <> h.first or v.updated_at < h.last or v.in_stock_on > today('UTC')
      or (v.status, v.price_cents) is distinct from (h.status, h.price)`,
  )
  expect(wrong).toEqual([])
})

test('fuel card statements came as an import that can be undone; records have comments, and some were returned', async () => {
  const { rows } = await forecourt.owner.query<{ id: string }>(
    `select i.id from carbon_inventories i join organizations o on o.id = i.organization_id
    where o.name = 'Northgate Ford' and i.status = 'collecting'`,
  )
  const inventoryId = rows[0]?.id ?? ''
  const [file, ...others] = await northgate.call(activityImports.list, { inventoryId })
  if (file === undefined) throw new Error('There is no import.')
  expect(others).toEqual([])
  expect(file).toMatchObject({ createdBy: 'Priya Raman', refused: 1, untouched: file.saved, undoneAt: null })
  expect(file.fileName).toMatch(/^fuel-cards-\d{4}-\d{2}\.csv$/)
  expect(file.saved).toBeGreaterThan(0)

  const all = (await northgate.call(activities.list, { inventoryId, pageSize: 2_000 })).results
  const noted = all.filter(({ kind, comment }) => kind !== 'estimate' && comment !== null)
  expect(noted.length).toBeGreaterThan(3)
  const returned = all.filter(({ status }) => status === 'returned')
  expect(returned.map(({ reviewComment }) => reviewComment)).not.toContain(null)
  // In the first two months of a year (when the demo data was created) nothing is in review yet.
  const { rows: made } = await forecourt.owner.query<{ month: number }>(
    `select extract(month from max(created_at) at time zone 'UTC')::int as month from customers`,
  )
  const isInReview = (made[0]?.month ?? 0) > 2
  const { records } = await northgate.call(activities.unusual, { inventoryId })
  const misread = records.filter(({ reasons }) => reasons.some(({ kind }) => kind === 'year_before'))
  expect([returned.length > 0, misread.length > 0]).toEqual([isInReview, isInReview])

  const { deleted, kept } = await northgate.call(activityImports.undo, { id: file.id })
  expect([deleted, kept]).toEqual([file.saved, []])
  const left = await northgate.call(activities.list, { inventoryId, pageSize: 1 })
  expect(left.totalRows).toBe(all.length - file.saved)
})

test('assessments have targets in every state, with complete logs and snapshots', async () => {
  const { results } = await northgate.call(assessmentTargets.list, { pageSize: 50 })
  expect(new Set(results.map(({ state }) => state))).toEqual(new Set(TARGET_STATES.map(({ value }) => value)))
  expect(results.some(({ isOverdue }) => isOverdue)).toBe(true)
  for (const { id, state } of results) {
    const { isIntact, entries } = await northgate.call(assessmentAnswers.log, { targetId: id })
    expect([id, isIntact, entries.length > 0]).toEqual([id, true, state !== 'not_started'])
  }
  const { rows } = await forecourt.owner.query<{ wrong: string }>(
    `select id as wrong from assessment_snapshots where sha256 <> encode(sha256(convert_to(content, 'UTF8')), 'hex')`,
  )
  expect(rows).toEqual([])
  const invitations = await northgate.call(assessmentParticipants.list, {
    assessment: results.find(({ isOverdue }) => isOverdue)?.assessmentId,
  })
  expect(new Set(invitations.map(({ state }) => state)).size).toBeGreaterThan(3)
})
