import fc from 'fast-check'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Sent } from '#contract/endpoint.ts'
import { jobs } from '#contract/jobs/jobs.ts'
import { pricingRules } from '#contract/pricing/rules/pricing-rules.ts'
import { vehiclePrices } from '#contract/pricing/totals/vehicle-price.ts'
import { PRICE_ENDINGS, ROUNDING_DIRECTIONS } from '#contract/vehicles/vehicles/bulk-prices.ts'
import { vehicles } from '#contract/vehicles/vehicles/vehicles.ts'
import { clock } from '#server/clock.ts'
import { refusalOf, testApp, type Caller, type TestApp } from '#test/app.ts'
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

type Change = Sent<typeof vehicles.previewPrices>['price']

async function stock(...prices: (number | null)[]) {
  const lotId = await ford.addLot()
  const ids = []
  for (const priceCents of prices) {
    // oxlint-disable-next-line no-await-in-loop -- In order, so that their IDs are.
    ids.push(await ford.addVehicle({ lotId, year: 2021, status: 'live', priceCents, costCents: 100_000 }))
  }
  return { lotId, ids, selection: { ids } }
}
const preview = (selection: { ids: string[] } | { all: true; filter: string }, price: Change) =>
  admin.call(vehicles.previewPrices, { selection, price })
const pricesOf = (ids: readonly string[]) =>
  Promise.all(ids.map(async (id) => (await admin.call(vehicles.get, { id })).priceCents))
const totalsOf = async (ids: readonly string[]) =>
  Promise.all(ids.map(async (id) => (await admin.call(vehiclePrices.get, { id })).totalCents ?? 0))
const sum = (all: readonly (number | null)[]) => all.reduce<number>((total, one) => total + (one ?? 0), 0)

async function run(job: { id: string }) {
  await forecourt.jobs.runDue()
  const ended = await admin.call(jobs.get, { id: job.id })
  const refused = await admin.call(jobs.failures, { id: job.id })
  return { ...ended, refused: refused.map(({ rowId, reason }) => [rowId, reason]) }
}
async function change(selection: { ids: string[] } | { all: true; filter: string }, price: Change) {
  const seen = await preview(selection, price)
  const input = { selection, change: { price, seen: seen.seen }, confirmPrices: true }
  return { seen, input, job: await run(await admin.call(vehicles.change, input)) }
}
const undo = async (job: { id: string }) => run(await admin.call(jobs.undo, { id: job.id }))
const setPrice = async (id: string, priceCents: number) => {
  const { version } = await admin.call(vehicles.get, { id })
  return admin.call(vehicles.update, { id, version, priceCents, confirmPrices: true })
}

test('a preview states exactly what the change then does, and the undo restores it exactly', async () => {
  const { ids, selection, lotId } = await stock(
    2_000_000,
    2_133_300,
    1_501_111,
    999_900,
    3_333_333,
    52_000,
    null,
  )
  await admin.call(pricingRules.add, {
    name: fresh('Aging'),
    kind: 'discount',
    cents: 30_000,
    condition: 'price >= 15000',
    lotIds: [lotId],
    confirmPrices: true,
  })
  const before = await pricesOf(ids)
  const any = fc.record({
    action: fc.constantFrom('lower' as const, 'raise' as const, 'set' as const),
    cents: fc.option(fc.integer({ min: 1, max: 1_500_000 })),
    percent: fc.integer({ min: 1, max: 4_000 }),
    ending: fc.constantFrom(...PRICE_ENDINGS.map(({ value }) => value)),
    direction: fc.constantFrom(...ROUNDING_DIRECTIONS.map(({ value }) => value)),
  })
  for (const one of fc.sample(any, { numRuns: 5, seed: 44 })) {
    const amount =
      one.cents === null && one.action !== 'set'
        ? { percent: one.percent / 100 }
        : { cents: one.cents ?? one.percent * 500 }
    const price =
      one.action === 'set'
        ? { action: one.action, ...amount }
        : { action: one.action, ending: one.ending, direction: one.direction, ...amount }
    /* oxlint-disable no-await-in-loop -- One after the other. */
    const totals = await totalsOf(ids)
    const seen = await preview(selection, price)
    const changed = seen.lowered + seen.raised
    expect([seen.selected, changed + sum(seen.kept.map((kept) => kept.vehicles))]).toEqual([7, 7])
    if (changed === 0) continue
    const job = await run(
      await admin.call(vehicles.change, {
        selection,
        change: { price, seen: seen.seen },
        confirmPrices: true,
      }),
    )
    const after = await pricesOf(ids)
    const afterTotals = await totalsOf(ids)
    const moved = ids.flatMap((_, at) => (before[at] === after[at] ? [] : [at]))
    const of = (all: readonly (number | null)[]) => sum(moved.map((at) => all[at] ?? 0))
    expect({ changed: moved.length, prices: seen.prices, totals: seen.totals }).toEqual({
      changed,
      prices: { beforeCents: of(before), afterCents: of(after) },
      totals: {
        beforeCents: of(before.map((cents, at) => (cents === null ? 0 : (totals[at] ?? 0)))),
        afterCents: of(afterTotals),
      },
    })
    const opposite = moved.filter(
      (at) => ((after[at] ?? 0) - (before[at] ?? 0)) * ((afterTotals[at] ?? 0) - (totals[at] ?? 0)) < 0,
    )
    expect(seen.opposite.named.map(({ vehicleId }) => vehicleId).toSorted()).toEqual(
      opposite.map((at) => ids[at]).toSorted(),
    )
    expect(job.failures).toBe(
      sum(seen.kept.filter(({ reason }) => reason !== 'same').map((kept) => kept.vehicles)),
    )
    expect((await undo(job)).failures).toBe(0)
    expect(await pricesOf(ids)).toEqual(before)
    /* oxlint-enable no-await-in-loop */
  }
})

test('changed prices are those of a person, with one entry for all, and are not changed if fixed, sold or without one', async () => {
  const { ids, selection } = await stock(2_000_000, 2_000_000, 2_000_000, null, 52_000)
  const [plain = '', fixed = '', sold = '', blank = '', cheap = ''] = ids
  await admin.call(vehiclePrices.setSpecial, {
    id: fixed,
    version: null,
    cents: 1_900_000,
    until: null,
    reason: 'Scratch',
  })
  await admin.call(vehicles.update, { id: sold, status: 'sold' })
  const price = { action: 'lower', percent: 5, ending: 'ends-99' } as const
  const { seen, job } = await change(selection, price)
  expect(seen).toMatchObject({ selected: 5, lowered: 1, raised: 0, opposite: { vehicles: 0, named: [] } })
  expect(seen.kept.map(({ reason, vehicles: some }) => [reason, some])).toEqual([
    ['sold', 1],
    ['fixed', 1],
    ['blank', 1],
    ['lowest', 1],
  ])
  expect(seen.largest.map(({ vehicleId, afterCents }) => [vehicleId, afterCents])).toEqual([
    [plain, 1_899_900],
  ])
  expect(job).toMatchObject({
    title: 'Lower the price of 5 vehicles by 5%, rounded to prices ending in 99',
    done: 5,
    failures: 4,
    canUndo: true,
  })
  expect(job.refused.map(([id]) => id)).toEqual([fixed, sold, blank, cheap])
  const changed = await admin.call(vehicles.get, { id: plain })
  expect(changed).toMatchObject({ priceCents: 1_899_900, priceState: 'person', locked: ['price'] })
  const { events } = await admin.call(vehicles.timeline, { id: plain })
  expect(events[0]).toMatchObject({
    jobId: job.id,
    changes: [{ field: 'Price', before: '$20,000', after: '$18,999' }],
  })
  await undo(job)
  const restored = await admin.call(vehicles.get, { id: plain })
  expect(restored).toMatchObject({ priceCents: 2_000_000, locked: [] })
})

test('what changed since the preview is not overwritten: before the start it is refused, after it left and named', async () => {
  const { ids, selection } = await stock(2_000_000, 2_100_000, 2_200_000)
  const [first = '', second = '', third = ''] = ids
  const price = { action: 'lower', cents: 10_000 } as const
  const seen = await preview(selection, price)
  await setPrice(first, 1_950_000)
  const input = { selection, change: { price, seen: seen.seen }, confirmPrices: true }
  const { status, refusal } = await refusalOf(admin.call(vehicles.change, input))
  expect([status, refusal.fields]).toEqual([409, { seen: 'Preview the change again.' }])

  const again = await preview(selection, price)
  const started = await admin.call(vehicles.change, { ...input, change: { price, seen: again.seen } })
  // The same click twice, and another user before the job gets to it.
  const twice = await admin.call(vehicles.change, { ...input, change: { price, seen: again.seen } })
  await setPrice(second, 2_080_000)
  // Workers take them in any order.
  const both = [await run(started), await run(twice)].toSorted((a, b) => a.failures - b.failures)
  const [job, late] = both
  if (job === undefined) throw new Error('No job ran.')
  expect(job.refused).toEqual([[second, expect.stringMatching(/^It was changed since by /)]])
  expect(late?.failures).toBe(3)
  expect(await pricesOf(ids)).toEqual([1_940_000, 2_080_000, 2_190_000])

  // The undo leaves what was changed since, also if the price is the same again.
  clock.advance(60_000)
  await setPrice(third, 2_000_000)
  await setPrice(third, 2_190_000)
  await admin.call(vehicles.update, { id: first, color: 'Blue' })
  const undone = await undo(job)
  expect(undone.refused).toEqual([[third, expect.stringMatching(/^It was changed since by /)]])
  expect(await pricesOf(ids)).toEqual([1_950_000, 2_080_000, 2_190_000])
})

test('it asks about unusual prices, large totals, and totals for buyers that move the other way', async () => {
  const { ids, lotId, selection } = await stock(2_000_000)
  const start = async (price: Change) =>
    admin.call(vehicles.change, {
      selection,
      change: { price, seen: (await preview(selection, price)).seen },
    })
  const half = await refusalOf(start({ action: 'lower', percent: 50 }))
  expect([half.status, Object.keys(half.refusal.fields ?? {})]).toEqual([409, ['confirmPrices']])
  expect(half.refusal.message).toMatch(/^This price is unusual: 2021 Ford Focus, .*, \$19,995 to \$9,995\./)
  await admin.call(pricingRules.add, {
    name: fresh('Over 19,900'),
    kind: 'discount',
    cents: 50_000,
    condition: 'price >= 19900',
    lotIds: [lotId],
    confirmPrices: true,
  })
  const price = { action: 'lower', cents: 15_000 } as const
  const seen = await preview(selection, price)
  expect(seen.opposite).toMatchObject({
    vehicles: 1,
    named: [{ vehicleId: ids[0], beforeCents: 2_000_000, afterCents: 1_985_000 }],
  })
  const [named] = seen.opposite.named
  expect((named?.totalAfterCents ?? 0) - (named?.totalBeforeCents ?? 0)).toBeGreaterThan(0)
  const rise = await refusalOf(start(price))
  expect(rise.refusal.message).toContain('What buyers pay for 1 vehicle moves the other way')
  expect(await pricesOf(ids)).toEqual([2_000_000])
  // A small change of one price is not asked about.
  const { id } = await start({ action: 'lower', cents: 1_000 })
  await run({ id })
  expect(await pricesOf(ids)).toEqual([1_999_000])
})

test('it changes only vehicles within reach, of users who may change vehicles, and all that match a filter', async () => {
  const { ids, lotId } = await stock(2_000_000, 2_100_000)
  const toyota = await testOrganization(forecourt, 'Northgate Toyota')
  const theirs = await toyota.addVehicle({ priceCents: 2_000_000 })
  const dealer = await forecourt.as('northgate.dealer', 'Northgate Ford')
  const price = { action: 'raise', cents: 10_000 } as const
  const selection = { ids: [...ids, theirs] }
  const seen = await dealer.call(vehicles.previewPrices, { selection, price })
  expect([seen.selected, seen.raised, seen.kept]).toEqual([
    3,
    2,
    [{ reason: 'gone', vehicles: 1, titles: [] }],
  ])
  await expect(dealer.call(vehicles.previewPrices, { selection: { ids: [theirs] }, price })).toRefuse(404)
  const auditor = await forecourt.as('northgate.auditor', 'Northgate Ford')
  await expect(auditor.call(vehicles.previewPrices, { selection, price })).toRefuse(403)
  await expect(auditor.call(vehicles.change, { selection, change: { price, seen: seen.seen } })).toRefuse(403)
  const { job } = await change({ all: true, filter: `lotId == ${lotId}` }, price)
  expect(job).toMatchObject({ total: 2, failures: 0 })
  expect(await pricesOf(ids)).toEqual([2_010_000, 2_110_000])
  expect(await pricesOf([theirs])).toEqual([2_000_000])
})
