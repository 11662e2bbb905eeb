import { afterAll, beforeAll, expect, test } from 'vitest'
import { dashboard } from '#contract/home/dashboard.ts'
import { feedRuns } from '#contract/feeds/runs/feed-runs.ts'
import { feedSources } from '#contract/feeds/sources/feed-sources.ts'
import { jobs } from '#contract/jobs/jobs.ts'
import { vehiclePrices } from '#contract/pricing/totals/vehicle-price.ts'
import { vehicles } from '#contract/vehicles/vehicles/vehicles.ts'
import { testApp, type Caller, type TestApp } from '#test/app.ts'
import { feedImports } from '#test/factories/feeds/feed-imports.ts'
import { fresh, testOrganization, type TestOrganization } from '#test/factories/test-organization.ts'

let forecourt: TestApp
let ford: TestOrganization
let admin: Caller
beforeAll(async () => {
  forecourt = await testApp()
  ford = await testOrganization(forecourt, 'Northgate Ford')
  admin = await forecourt.as('northgate.admin', 'Northgate Ford')
})
afterAll(() => forecourt.close())
const { uploadFeed, csv, apply, undo, rowsOf, stockOf, onLot } = feedImports(() => forecourt)

const HEAD = 'Stock,Year,Make,Model,Price'
const feed = (...prices: (number | string)[]) =>
  csv(HEAD, ...prices.map((price, at) => `SP${at},2019,Ford,Escape,${price}`))

/** Vehicles of one source, of which the first has a price that a person set: $21,000 instead of the $20,000 of the feed. */
async function stocked() {
  const lotId = await ford.addLot()
  const { id: sourceId } = await admin.call(feedSources.add, { name: fresh('Prices'), lotIds: [lotId] })
  await apply(admin, (await uploadFeed(admin, { sourceId }, feed(20_000, 30_000))).id)
  const [first, second] = (await onLot(lotId)).map(({ id }) => id)
  if (first === undefined || second === undefined) throw new Error('The vehicles are missing.')
  const { version } = await admin.call(vehicles.get, { id: first })
  await admin.call(vehicles.update, { id: first, version, priceCents: 2_100_000 })
  return { lotId, sourceId, first, second }
}
const priceOf = async (id: string) => {
  const { priceCents, priceState, asksPrice, sourcePriceCents, locked } = await admin.call(vehicles.get, {
    id,
  })
  return [priceCents, priceState, asksPrice, sourcePriceCents, locked.includes('price')]
}
const openOn = async (lotId: string) =>
  (await admin.call(vehicles.list, { filter: `lotId == ${lotId} && priceDecision == "open"` })).results.map(
    ({ id }) => id,
  )

test('a price that a person set stays without a question while the feed sends what it had sent', async () => {
  const { sourceId, first, second } = await stocked()
  expect(await priceOf(first)).toEqual([2_100_000, 'person', false, 2_000_000, true])
  expect(await priceOf(second)).toEqual([3_000_000, 'source', false, 3_000_000, false])
  const same = await uploadFeed(admin, { sourceId }, feed(20_000, 29_500))
  expect(same.priceQuestions).toEqual({ total: 0, open: 0 })
  await apply(admin, same.id)
  expect(await priceOf(first)).toEqual([2_100_000, 'person', false, 2_000_000, true])
  // The feed arrives at the own price: nothing to decide.
  await apply(admin, (await uploadFeed(admin, { sourceId }, feed(21_000, 29_500))).id)
  expect(await priceOf(first)).toEqual([2_100_000, 'person', false, 2_100_000, true])
})

test('a run shows the own and the new price, and takes or keeps what the user decides, exactly undone', async () => {
  const { sourceId, first } = await stocked()
  for (const answer of ['take', 'keep'] as const) {
    const before = await stockOf(ford)
    const run = await uploadFeed(admin, { sourceId }, feed(19_500, 30_000))
    expect(run).toMatchObject({
      priceQuestions: { total: 1, open: 1 },
      changed: 1,
      prices: 0,
      status: 'ready',
    })
    const asked = (await admin.call(feedRuns.rows, { runId: run.id, asks: 'price' })).results
    expect(asked.map(({ priceQuestion }) => priceQuestion)).toEqual([
      { ownCents: 2_100_000, sentCents: 2_000_000, sourceCents: 1_950_000, answer: null, isUnusual: false },
    ])
    const answered = await admin.call(feedRuns.answerPrices, { runId: run.id, answer })
    const isTaken = answer === 'take'
    expect(answered).toMatchObject({
      priceQuestions: { total: 1, open: 0 },
      prices: Number(isTaken),
    })
    await apply(admin, run.id)
    expect(await priceOf(first)).toEqual(
      isTaken
        ? [1_950_000, 'source', false, 1_950_000, false]
        : [2_100_000, 'person', false, 1_950_000, true],
    )
    const [row] = await rowsOf(admin, run.id, 'changed')
    expect(row?.changes.some(({ field }) => field === 'price')).toBe(isTaken)
    expect(await undo(admin, run.id)).toMatchObject({ status: 'undone', notUndone: 0 })
    expect(await stockOf(ford)).toEqual(before)
  }
})

test('a taken price beyond the limits holds the run, and a price changed meanwhile is not replaced', async () => {
  const { lotId, sourceId, first } = await stocked()
  const run = await uploadFeed(admin, { sourceId }, feed(100, 30_000))
  expect(run.status).toBe('ready')
  const { id: rowId } = (await admin.call(feedRuns.rows, { runId: run.id, asks: 'price' })).results[0] ?? {
    id: '',
  }
  const held = await admin.call(feedRuns.answerPrices, { runId: run.id, ids: [rowId], answer: 'take' })
  expect(held).toMatchObject({
    status: 'review',
    reviewReasons: [expect.stringContaining('$21,000 to $100')],
  })
  expect(await admin.call(feedRuns.answerPrices, { runId: run.id, answer: null })).toMatchObject({
    status: 'ready',
    priceQuestions: { total: 1, open: 1 },
  })
  await admin.call(feedRuns.answerPrices, { runId: run.id, answer: 'take' })
  const { version } = await admin.call(vehicles.get, { id: first })
  await admin.call(vehicles.update, { id: first, version, priceCents: 2_050_000 })
  await apply(admin, run.id, true)
  expect(await priceOf(first)).toEqual([2_050_000, 'person', true, 10_000, true])
  expect(await openOn(lotId)).toEqual([first])
  await expect(admin.call(feedRuns.answerPrices, { runId: run.id, answer: 'keep' })).toRefuse(409)
})

test('an unanswered price stays, is listed, and is decided there later, with undo', async () => {
  const { lotId, sourceId, first } = await stocked()
  await apply(admin, (await uploadFeed(admin, { sourceId }, feed(19_500, 30_000))).id)
  expect(await priceOf(first)).toEqual([2_100_000, 'person', true, 1_950_000, true])
  expect(await openOn(lotId)).toEqual([first])
  const tile = (await admin.call(dashboard.decisions, {})).find(({ id }) => id === 'prices-to-decide')
  const filter = new URL(tile?.url ?? '', 'http://localhost').searchParams.get('filter') ?? ''
  const listed = await admin.call(vehicles.list, { filter, pageSize: 100 })
  expect([listed.filteredRows, listed.results.every(({ asksPrice }) => asksPrice)]).toEqual([
    tile?.count,
    true,
  ])

  const decide = async (sourcePrice: 'take' | 'keep', cents?: number) => {
    const { id } = await admin.call(vehicles.change, {
      selection: { ids: [first] },
      change: { sourcePrice, cents },
    })
    await forecourt.jobs.runDue()
    return admin.call(jobs.get, { id })
  }
  // The feed has sent another price since the user read it.
  await decide('take', 1_900_000)
  expect(await priceOf(first)).toEqual([2_100_000, 'person', true, 1_950_000, true])
  for (const answer of ['keep', 'take'] as const) {
    const job = await decide(answer, 1_950_000)
    expect(await openOn(lotId)).toEqual([])
    expect((await priceOf(first))[0]).toBe(answer === 'take' ? 1_950_000 : 2_100_000)
    await admin.call(jobs.undo, { id: job.id })
    await forecourt.jobs.runDue()
    expect(await priceOf(first)).toEqual([2_100_000, 'person', true, 1_950_000, true])
  }
  // Setting a price with the feed's price in view decides, too.
  const { version } = await admin.call(vehicles.get, { id: first })
  await admin.call(vehicles.update, { id: first, version, priceCents: 2_080_000 })
  expect(await openOn(lotId)).toEqual([])
})

test('a special price is a fixed price until it ends', async () => {
  const { second } = await stocked()
  await admin.call(vehiclePrices.setSpecial, {
    id: second,
    version: null,
    cents: 2_900_000,
    until: null,
    reason: 'Hail damage',
  })
  expect((await priceOf(second))[1]).toBe('fixed')
  await admin.call(vehiclePrices.endSpecial, { id: second })
  expect((await priceOf(second))[1]).toBe('source')
})

test('the effect of an undo states the totals that undoing then changes', async () => {
  const { lotId, sourceId, second } = await stocked()
  const run = await uploadFeed(admin, { sourceId }, feed(20_000, 28_000, 15_000))
  await expect(admin.call(feedRuns.undoEffect, { id: run.id })).toRefuse(409)
  await apply(admin, run.id)
  const effect = {
    prices: 1,
    beforeCents: 2_800_000,
    afterCents: 3_000_000,
    removed: 1,
    removedCents: 1_500_000,
  }
  expect(await admin.call(feedRuns.undoEffect, { id: run.id })).toEqual({ ...effect, currency: 'USD' })
  await undo(admin, run.id)
  expect([(await priceOf(second))[0], (await onLot(lotId)).length]).toEqual([3_000_000, 2])
})
