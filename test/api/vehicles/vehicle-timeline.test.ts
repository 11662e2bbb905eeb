import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { feedRuns } from '#contract/feeds/runs/feed-runs.ts'
import { feedSources } from '#contract/feeds/sources/feed-sources.ts'
import { vehicles } from '#contract/vehicles/vehicles/vehicles.ts'
import { testApp, type Caller, type TestApp } from '#test/app.ts'
import { feedImports } from '#test/factories/feeds/feed-imports.ts'
import { fresh, testOrganization, type TestOrganization } from '#test/factories/test-organization.ts'

let forecourt: TestApp
let ford: TestOrganization
let admin: Caller
let dealer: Caller
beforeAll(async () => {
  forecourt = await testApp()
  ford = await testOrganization(forecourt, 'Northgate Ford')
  admin = await forecourt.as('northgate.admin', 'Northgate Ford')
  dealer = await forecourt.as('northgate.dealer')
})
afterAll(() => forecourt.close())

const { uploadFeed, csv, apply, undo, onLot, forgetVins } = feedImports(() => forecourt)
beforeEach(() => forgetVins('1FTFW1E50PFA00871'))
const HEAD = 'VIN,Stock,Make,Model,Price'
const row = (price: number) => `1FTFW1E50PFA00871,T1,Ford,F-150,${price}`
const timelineOf = async (caller: Caller, id: string) => (await caller.call(vehicles.timeline, { id })).events
const addSource = (caller: Caller, ...lotIds: string[]) =>
  caller.call(feedSources.add, feedSources.add.input.parse({ name: fresh('Nightly'), lotIds }))

test('entries for feed changes name the feed and link to its run', async () => {
  const lotId = await ford.addLot()
  const source = await addSource(admin, lotId)
  const first = await uploadFeed(admin, { sourceId: source.id }, csv(HEAD, row(30_000)))
  await apply(admin, first.id)
  const [vehicle] = await onLot(lotId)
  const id = vehicle?.id ?? ''
  const second = await uploadFeed(admin, { sourceId: source.id }, csv(HEAD, row(29_500)))
  await apply(admin, second.id)
  await dealer.call(vehicles.update, { id, color: 'Blue' })
  const run = (of: string) => ({ id: of, feed: source.name, canOpen: true })
  const events = await timelineOf(admin, id)
  expect(events.map(({ what, by, run: of }) => [what, by, of])).toEqual([
    ['changed', 'Luis Ortega', null],
    ['changed', 'Dana Whitfield', run(second.id)],
    ['added', 'Dana Whitfield', run(first.id)],
  ])
  expect(events[1]?.changes).toEqual([{ field: 'Price', before: '$30,000', after: '$29,500' }])
  expect(events.map(({ isUndo }) => isUndo)).toEqual([false, false, false])
  expect(events[0]?.changes).toEqual([{ field: 'Exterior color', before: null, after: 'Blue' }])

  await undo(admin, second.id)
  const [last] = await timelineOf(admin, id)
  expect(last).toMatchObject({
    what: 'changed',
    run: run(second.id),
    isUndo: true,
    changes: [{ field: 'Price', before: '$29,500', after: '$30,000' }],
  })
})

test('users of one rooftop see the feed that added their vehicle but can open only their own runs', async () => {
  const lotId = await ford.addLot()
  const toyota = await testOrganization(forecourt, 'Northgate Toyota')
  const ofAll = await addSource(admin, lotId, await toyota.addLot())
  const run = await uploadFeed(admin, { sourceId: ofAll.id, lotId }, csv(HEAD, row(30_000)))
  await apply(admin, run.id)
  const [vehicle] = await onLot(lotId)
  const [added] = await timelineOf(dealer, vehicle?.id ?? '')
  expect(added).toMatchObject({ what: 'added', run: { id: run.id, feed: ofAll.name, canOpen: false } })
  await expect(dealer.call(feedRuns.get, { id: run.id })).toRefuse(404)

  await forgetVins('1FTFW1E50PFA00871')
  const own = await ford.addLot()
  const mine = await uploadFeed(dealer, { lotId: own }, csv(HEAD, row(31_000)))
  await apply(dealer, mine.id)
  const [other] = await onLot(own)
  const [begun] = await timelineOf(dealer, other?.id ?? '')
  expect(begun).toMatchObject({ what: 'added', by: 'Luis Ortega', run: { id: mine.id, canOpen: true } })
  expect(begun?.run?.feed).toBe(mine.mappingName)
})

test('manual changes name no run', async () => {
  const byHand = await admin.call(vehicles.add, { lotId: await ford.addLot(), priceCents: 2_000_000 })
  await admin.call(vehicles.update, { id: byHand.id, priceCents: 2_100_000 })
  const events = await timelineOf(admin, byHand.id)
  expect(events.map(({ what, jobId, run }) => [what, jobId, run])).toEqual([
    ['changed', null, null],
    ['added', null, null],
  ])
})

test('the timeline shows no internals: labels, amounts and names as users know them', async () => {
  const lotId = await ford.addLot('Timeline lot')
  const added = await admin.call(vehicles.add, {
    lotId: await ford.addLot('First lot'),
    make: 'Ford',
    photos: [],
  })
  const { version } = await admin.call(vehicles.update, {
    id: added.id,
    lotId,
    status: 'hold',
    statusReason: 'Open recall',
    condition: 'cpo',
    mileage: 5,
    tags: ['Front line', 'Demo'],
    photos: [{ kind: 'address', place: 'https://img.example/1.jpg', alt: '' }],
  })
  await admin.call(vehicles.update, { id: added.id, version, locks: { make: false } })
  const [unlocked, changed] = await timelineOf(admin, added.id)
  const shown = (changed?.changes ?? []).map(({ field, before, after }) => [field, [before, after]])
  expect(Object.fromEntries(shown)).toEqual({
    Condition: ['Used', 'Certified'],
    Lot: ['First lot', 'Timeline lot'],
    Mileage: [null, '5'],
    Photos: [null, '1 photo'],
    Reason: [null, 'Open recall'],
    Status: ['Incoming', 'Hold'],
    Tags: [null, 'Front line, Demo'],
  })
  expect(unlocked?.changes).toEqual([
    {
      field: 'Locked fields',
      before: expect.stringContaining('Make'),
      after: expect.not.stringContaining('Make'),
    },
  ])
})

test('demo vehicles start with the feed that added them', async () => {
  const { results } = await admin.call(vehicles.list, {
    filter: 'status == "live"',
    sort: 'stock',
    pageSize: 1,
  })
  const events = await timelineOf(admin, results[0]?.id ?? '')
  const added = events.filter(({ what }) => what === 'added')
  expect(added).toHaveLength(1)
  expect(added[0]).toBe(events.at(-1))
  expect(added[0]?.run).toMatchObject({ feed: expect.any(String), canOpen: true })
})
