// @module-tag release
import { afterAll, beforeAll, expect, test } from 'vitest'
import { z } from 'zod'
import { feedRuns } from '#contract/feeds/runs/feed-runs.ts'
import { feedSources, inboundFeeds } from '#contract/feeds/sources/feed-sources.ts'
import { vehicles } from '#contract/vehicles/vehicles/vehicles.ts'
import { testApp, type Caller, type TestApp } from '#test/app.ts'
import { feedImports } from '#test/factories/feeds/feed-imports.ts'
import { mailsTo } from '#test/factories/mail/mails.ts'
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
const { uploadFeed, csv, apply, undo, onLot } = feedImports(() => forecourt)

const HEAD = 'Stock,Year,Make,Model,Price,Mileage'
const ABSURD: Readonly<Record<number, number>> = { 0: 1_000, 1: 2_700, 2: 270_000 }
const file = (price: (at: number) => number, mileage = 30_000, tag = 'UP') =>
  [
    HEAD,
    ...Array.from({ length: 40 }, (_, at) => `${tag}${at + 10},2019,Ford,Escape,${price(at)},${mileage}`),
  ].join('\n')
const usual = (at: number) => 32_000 + at * 100
const absurd = (at: number) => ABSURD[at] ?? usual(at)

async function automatic() {
  const lotId = await ford.addLot()
  const { id } = await admin.call(
    feedSources.add,
    feedSources.add.input.parse({
      name: fresh('Automatic'),
      kind: 'api',
      lotIds: [lotId],
      applies: 'automatic',
    }),
  )
  const { path } = await admin.call(feedSources.renewToken, { id })
  const push = async (payload: string) => {
    const { body } = await forecourt.app.inject({
      method: 'POST',
      url: path,
      payload,
      headers: { 'content-type': 'text/csv' },
    })
    const { data } = z.object({ data: inboundFeeds.push.output }).parse(JSON.parse(body))
    await forecourt.jobs.runDue()
    return admin.call(feedRuns.get, { id: data.runId ?? '' })
  }
  expect((await push(file(usual))).status).toBe('applied')
  return { lotId, id, push }
}
const pricesOn = async (lotId: string) =>
  (await onLot(lotId)).map(({ price_cents: cents }) => Number(cents) / 100)

test('an automatic feed keeps prices beyond the limits for a person, names and tells them, and applies the rest', async () => {
  const { lotId, id: sourceId, push } = await automatic()
  const run = await push(file((at) => (at === 5 ? 33_000 : absurd(at)), 31_000))
  expect(run).toMatchObject({
    status: 'applied',
    prices: 1,
    changed: 40,
    priceQuestions: { total: 3, open: 3 },
  })
  expect(run.heldPrices?.open).toBe(3)
  expect(run.heldPrices?.sentence).toMatch(
    /UP10\), \$32,000 to \$1,000; .*UP11\), \$32,100 to \$2,700; .*\$32,200 to \$270,000\./,
  )
  expect(await pricesOn(lotId)).toEqual(
    Array.from({ length: 40 }, (_, at) => (at === 5 ? 33_000 : usual(at))),
  )
  // A rule may use the price of the feed.
  const [first] = await onLot(lotId)
  expect((await admin.call(vehicles.get, { id: first?.id ?? '' })).feedPriceCents).toBe(3_200_000)
  const { rows: users } = await forecourt.owner.query<{ id: string }>(
    `select id from users where user_name = 'northgate.admin'`,
  )
  const mails = (await mailsTo(forecourt, { id: users[0]?.id ?? '' })).filter(({ text }) =>
    text.includes(`/inventory/feeds/${run.id}?`),
  )
  expect(mails.map(({ subject }) => subject)).toEqual([expect.stringMatching(/: unusual prices to decide$/)])
  expect(mails[0]?.text).toContain('3 prices that are beyond your limits')
  const open = async () =>
    (await admin.call(vehicles.list, { filter: `lotId == ${lotId} && priceDecision == "open"` })).results.map(
      ({ stock }) => stock,
    )
  expect(new Set(await open())).toEqual(new Set(['UP10', 'UP11', 'UP12']))

  // Another file with the same figures asks again about the same vehicles and takes none of them.
  await push(file(absurd, 31_500))
  expect((await open()).length).toBe(3)
  const stock = await onLot(lotId)
  const decide = async (at: number, sourcePrice: 'take' | 'keep') => {
    await admin.call(vehicles.change, {
      selection: { ids: [stock[at]?.id ?? ''] },
      change: { sourcePrice },
      confirmPrices: true,
    })
    await forecourt.jobs.runDue()
  }
  await decide(0, 'keep')
  await decide(1, 'take')
  expect((await pricesOn(lotId)).slice(0, 3)).toEqual([32_000, 2_700, 32_200])
  // The runs say so, too.
  const decided = await admin.call(feedRuns.get, { id: run.id })
  expect([decided.priceQuestions, decided.heldPrices?.open]).toEqual([{ total: 3, open: 1 }, 1])
  const again = await push(file(absurd, 31_600))
  // What was decided stays decided.
  expect([again.status, again.priceQuestions, await open()]).toEqual([
    'applied',
    { total: 1, open: 1 },
    ['UP12'],
  ])
  expect((await pricesOn(lotId)).slice(0, 3)).toEqual([32_000, 2_700, 32_200])
  // A usual price ends the question.
  const back = await push(file((at) => (at === 1 ? 2_700 : usual(at) + 50), 31_700))
  expect([back.status, back.heldPrices, await open()]).toEqual(['applied', null, []])
  const over = await admin.call(feedRuns.get, { id: run.id })
  expect([over.priceQuestions, over.heldPrices]).toEqual([{ total: 3, open: 0 }, null])
  expect((await pricesOn(lotId)).slice(0, 3)).toEqual([32_050, 2_700, 32_250])
  expect(sourceId).not.toBe('')
})

test('an automatic feed with many prices beyond the limits is held as a whole', async () => {
  const { lotId, push } = await automatic()
  const run = await push(file((at) => (at < 6 ? 2_000 : usual(at))))
  expect(run).toMatchObject({ status: 'review', heldPrices: null, prices: 6 })
  expect(run.reviewReasons[0]).toContain('6 of 40 vehicles (15%) change their price by more than 30%')
  expect((await apply(admin, run.id, true)).status).toBe('applied')
  expect((await pricesOn(lotId)).slice(0, 7)).toEqual([2_000, 2_000, 2_000, 2_000, 2_000, 2_000, 32_600])
})

test('undo takes back a run with prices that wait, and a taken one is applied with the run', async () => {
  const { lotId, push } = await automatic()
  const run = await push(file(absurd, 31_000))
  expect(await undo(admin, run.id)).toMatchObject({ status: 'undone', notUndone: 0 })
  const listed = await admin.call(vehicles.list, { filter: `lotId == ${lotId} && priceDecision == "open"` })
  expect([listed.filteredRows, (await onLot(lotId))[0]?.mileage]).toEqual([0, 30_000])
})

test.for([1, 2])('an upload keeps prices beyond the limits until a person takes them (%i)', async (count) => {
  const lotId = await ford.addLot()
  const tag = `UA${count}-`
  await apply(admin, (await uploadFeed(admin, { lotId }, csv(file(usual, 30_000, tag)))).id)
  const absurdFile = file((at) => (at < count ? 1_000 : usual(at)), 30_000, tag)
  const run = await uploadFeed(admin, { lotId }, csv(absurdFile))
  expect(run).toMatchObject({ status: 'ready', prices: 0, heldPrices: { open: count } })
  const [first] = (await admin.call(feedRuns.rows, { runId: run.id, asks: 'price' })).results
  await admin.call(feedRuns.answerPrices, { runId: run.id, ids: [first?.id ?? ''], answer: 'take' })
  await apply(admin, run.id)
  expect((await pricesOn(lotId)).slice(0, 3)).toEqual([0, 1, 2].map((at) => (at === 0 ? 1_000 : usual(at))))
  const listed = await admin.call(vehicles.list, { filter: `lotId == ${lotId} && priceDecision == "open"` })
  expect(listed.filteredRows).toBe(count - 1)
})
