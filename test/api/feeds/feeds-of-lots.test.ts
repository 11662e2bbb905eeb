// @module-tag release
import { afterAll, beforeAll, expect, test } from 'vitest'
import { lots } from '#contract/customers/lots/lots.ts'
import { feedRuns } from '#contract/feeds/runs/feed-runs.ts'
import { feedSources, CUSTOMER_MANAGED, MAX_FEED_SOURCES } from '#contract/feeds/sources/feed-sources.ts'
import { vehicles } from '#contract/vehicles/vehicles/vehicles.ts'
import { testApp, type Caller, type TestApp } from '#test/app.ts'
import { feedImports } from '#test/factories/feeds/feed-imports.ts'
import { fresh, testOrganization, type TestOrganization } from '#test/factories/test-organization.ts'

let forecourt: TestApp
let ford: TestOrganization
let toyota: TestOrganization
let admin: Caller
let dealer: Caller
let harbor: Caller
beforeAll(async () => {
  forecourt = await testApp()
  ford = await testOrganization(forecourt, 'Northgate Ford')
  toyota = await testOrganization(forecourt, 'Northgate Toyota')
  admin = await forecourt.as('northgate.admin', 'Northgate Ford')
  dealer = await forecourt.as('northgate.dealer')
  harbor = await forecourt.as('harbor.admin')
})
afterAll(() => forecourt.close())

const { uploadFeed, csv, apply, rowsOf, onLot } = feedImports(() => forecourt)
const HEAD = 'Dealer ID,VIN,Stock,Make,Model,Price'
const codeOf = async (id: string) => (await admin.call(lots.get, { id })).code
const addSource = (caller: Caller, lotIds: readonly string[], more: object = {}) =>
  caller.call(
    feedSources.add,
    feedSources.add.input.parse({ name: fresh('Feed'), kind: 'upload', lotIds: [...lotIds], ...more }),
  )
const seesRun = async (caller: Caller, id: string) =>
  (await caller.call(feedRuns.list, { pageSize: 200 })).results.some((run) => run.id === id)

test('a source for the lots of one organization is visible there with its runs, without rows of other lots', async () => {
  const [own, sister] = [await ford.addLot(), await toyota.addLot()]
  const source = await addSource(admin, [own, await ford.addLot()])
  const [mine, theirs] = [await codeOf(own), await codeOf(sister)]
  const file = csv(
    HEAD,
    `${mine},1FTFW1E50PFA00871,T1,Ford,F-150,30000`,
    `${mine},,,Ford,F-150,30000`,
    `${theirs},1FTFW1E50PFA00872,T2,Ford,F-150,30000`,
    `NOBODY-7,1FTFW1E50PFA00873,T3,Ford,F-150,30000`,
  )
  const run = await uploadFeed(admin, { sourceId: source.id }, file)
  expect(run).toMatchObject({ new: 1, refused: 3, isReadOnly: false })
  expect(await rowsOf(admin, run.id)).toHaveLength(4)

  expect(await dealer.call(feedSources.get, { id: source.id })).toMatchObject({
    name: source.name,
    isReadOnly: true,
  })
  expect(await seesRun(dealer, run.id)).toBe(true)
  const seen = await dealer.call(feedRuns.get, { id: run.id })
  expect(seen).toMatchObject({
    new: 1,
    refused: 1,
    isReadOnly: true,
    unknownDealers: [],
    unmapped: [],
    canApply: false,
    canCancel: false,
    canReadAgain: false,
  })
  const rows = await rowsOf(dealer, run.id)
  expect(rows.map(({ kind, lotId }) => [kind, lotId])).toEqual([
    ['new', own],
    ['refused', own],
  ])
  expect(JSON.stringify([seen, rows])).not.toContain('PFA00872')
  expect(JSON.stringify([seen, rows])).not.toContain(theirs)

  await apply(admin, run.id)
  const [vehicle] = await onLot(own)
  const { events } = await dealer.call(vehicles.timeline, { id: vehicle?.id ?? '' })
  expect(events.at(-1)?.run).toEqual({ id: run.id, feed: source.name, canOpen: true })
})

test('a user with read-only access cannot change the source or its runs, or upload to it', async () => {
  const own = await ford.addLot()
  const source = await addSource(admin, [own])
  const pushed = await addSource(admin, [own], { kind: 'api' })
  const file = csv(HEAD, `${await codeOf(own)},1FTFW1E50PFA00874,T4,Ford,F-150,30000`)
  const run = await uploadFeed(admin, { sourceId: source.id }, file)
  const { id } = run
  await expect(dealer.call(feedRuns.apply, { id })).toRefuse(403, CUSTOMER_MANAGED)
  await expect(dealer.call(feedRuns.readAgain, { id })).toRefuse(403, CUSTOMER_MANAGED)
  await expect(dealer.call(feedRuns.cancel, { id })).toRefuse(403, CUSTOMER_MANAGED)
  await expect(dealer.call(feedRuns.fixRow, { runId: id, id: '1', values: {} })).toRefuse(
    403,
    CUSTOMER_MANAGED,
  )
  const sample = await dealer.send({ method: 'GET', url: feedRuns.sample.path.replace('{id}', id) })
  expect(sample.status).toBe(403)
  await expect(uploadFeed(dealer, { sourceId: source.id }, file)).rejects.toThrow(`403 ${CUSTOMER_MANAGED}`)
  await expect(dealer.call(feedSources.update, { id: source.id, name: 'Mine' })).toRefuse(
    403,
    CUSTOMER_MANAGED,
  )
  await expect(dealer.call(feedSources.fetch, { id: source.id })).toRefuse(403, CUSTOMER_MANAGED)
  await expect(dealer.call(feedSources.test, { id: source.id })).toRefuse(403, CUSTOMER_MANAGED)
  await expect(dealer.call(feedSources.forgetHostKey, { id: source.id })).toRefuse(403, CUSTOMER_MANAGED)
  await expect(dealer.call(feedSources.renewToken, { id: pushed.id })).toRefuse(403, CUSTOMER_MANAGED)
  await expect(dealer.call(feedSources.remove, { id: source.id })).toRefuse(403, CUSTOMER_MANAGED)
  await apply(admin, id)
  await expect(dealer.call(feedRuns.undo, { id })).toRefuse(403, CUSTOMER_MANAGED)
  await expect(harbor.call(feedRuns.get, { id })).toRefuse(404)
  await expect(harbor.call(feedSources.update, { id: source.id, name: 'Mine' })).toRefuse(404)
})

test('a source for several organizations or all lots is visible only with access to the whole customer', async () => {
  const [own, sister] = [await ford.addLot(), await toyota.addLot()]
  const both = await addSource(admin, [own, sister])
  const all = await addSource(admin, [])
  for (const { id } of [both, all]) await expect(dealer.call(feedSources.get, { id })).toRefuse(404)
  const file = csv(HEAD, `${await codeOf(own)},1FTFW1E50PFA00875,T5,Ford,F-150,30000`)
  const run = await uploadFeed(admin, { sourceId: both.id }, file)
  await expect(dealer.call(feedRuns.get, { id: run.id })).toRefuse(404)
  await expect(dealer.call(feedRuns.rows, { runId: run.id })).toRefuse(404)

  // Limited to the lots of one organization it becomes visible there; extended to both it is hidden again.
  await admin.call(feedSources.update, { id: both.id, lotIds: [own] })
  expect((await dealer.call(feedSources.get, { id: both.id })).isReadOnly).toBe(true)
  await admin.call(feedSources.update, { id: both.id, lotIds: [own, sister] })
  await expect(dealer.call(feedSources.get, { id: both.id })).toRefuse(404)
})

test('organization users can manage the sources and feeds they create', async () => {
  const own = await ford.addLot()
  const source = await addSource(dealer, [own])
  expect(source.isReadOnly).toBe(false)
  const run = await uploadFeed(
    dealer,
    { sourceId: source.id },
    csv(HEAD, `NOBODY-8,1FTFW1E50PFA00876,T6,Ford,F-150,30000`, `,1FTFW1E50PFA00877,T7,Ford,F-150,30000`),
  )
  expect(run).toMatchObject({ isReadOnly: false, canApply: true })
  expect((await apply(dealer, run.id)).status).toBe('applied')
  expect(await rowsOf(dealer, run.id)).toHaveLength(2)
})

test('organization users in the demo data see only the feeds of their lots', async () => {
  const { results } = await dealer.call(feedSources.list, { search: 'nightly', pageSize: 200 })
  expect(results.map(({ name, isReadOnly }) => [name, isReadOnly])).toEqual([
    ['HomeNet nightly feed', true],
    ['vAuto nightly feed', true],
  ])
})

test('a customer has at most 1,000 feed sources', async () => {
  const { id } = await addSource(admin, [])
  await forecourt.owner.query(`
    insert into feed_sources (customer_id, name, acting_organization_id, reach, user_customer_id, user_id)
    select s.customer_id, 'Full ' || n, s.acting_organization_id, s.reach, s.user_customer_id, s.user_id
    from feed_sources s, generate_series(1, ${MAX_FEED_SOURCES}
      - (select count(*)::int from feed_sources where customer_id = ${ford.customerId})) n where s.id = ${id}`)
  await expect(addSource(admin, [])).toRefuse(409, 'There can be at most 1,000 feed sources.')
  await forecourt.owner.query(`delete from feed_sources where name = 'Full 1'`)
  await addSource(admin, [])
})
