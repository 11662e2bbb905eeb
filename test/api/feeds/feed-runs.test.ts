import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { feedRuns, NOTHING_TO_APPLY } from '#contract/feeds/runs/feed-runs.ts'
import { feedSources } from '#contract/feeds/sources/feed-sources.ts'
import { vehiclePrices } from '#contract/pricing/totals/vehicle-price.ts'
import { vehicles } from '#contract/vehicles/vehicles/vehicles.ts'
import { jobs } from '#contract/jobs/jobs.ts'
import { testApp, type Caller, type TestApp } from '#test/app.ts'
import { concurrently } from '#test/harness/concurrently.ts'
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
  const { rows } = await forecourt.owner.query<{ name: string }>(
    `select o.name from organizations o join customers c on c.id = o.customer_id
      where c.id = (select customer_id from organizations where name = 'Northgate Ford') and o.name <> 'Northgate Ford' order by o.id limit 1`,
  )
  ford = await testOrganization(forecourt, 'Northgate Ford')
  toyota = await testOrganization(forecourt, rows[0]?.name ?? '')
  admin = await forecourt.as('northgate.admin', 'Northgate Ford')
  dealer = await forecourt.as('northgate.dealer')
  harbor = await forecourt.as('harbor.admin', 'Harbor Honda')
})
afterAll(() => forecourt.close())

const { uploadFeed, csv, apply, undo, rowsOf, stockOf, onLot, forgetVins } = feedImports(() => forecourt)
beforeEach(() => forgetVins('1FTFW1E50PFA00001', '1FADP3F20DL200002', '2FMPK4J90HBB00003'))

const HEAD = 'VIN,Stock,Type,Year,Make,Model,Price,Mileage'
const F150 = '1FTFW1E50PFA00001,A1,Used,2023,Ford,F-150,45000,12000'
const FOCUS = '1FADP3F20DL200002,A2,Used,2013,Ford,Focus,9000,88000'
const EDGE = '2FMPK4J90HBB00003,A3,Used,2017,Ford,Edge,15000,60000'
const PLAIN = ',A4,Used,2015,Ford,Escape,11000,70000'

async function newSource(lotIds: string[], caller = admin) {
  return caller.call(feedSources.add, { name: fresh('Source'), lotIds })
}

describe('a feed', () => {
  test('is read and applied, changes nothing the second time, and is undone to the byte', async () => {
    const lotId = await ford.addLot()
    const before = await stockOf(ford)
    const run = await uploadFeed(
      admin,
      { lotId },
      csv(HEAD, F150, FOCUS, EDGE, PLAIN, ',,Used,2015,Ford,Nothing,1,2', F150),
    )
    expect(run).toMatchObject({
      status: 'ready',
      rows: 6,
      new: 4,
      changed: 0,
      refused: 2,
      unchanged: 0,
      canApply: true,
    })
    expect(run.columns).toEqual({ known: 8, total: 8 })
    const refused = await rowsOf(admin, run.id, 'refused')
    expect(refused.map(({ line, reasons }) => [line, reasons])).toEqual([
      [6, ['No VIN or stock number.']],
      [7, ['Line 2 already has the same VIN.']],
    ])
    expect(refused[0]?.raw).toBe(',,Used,2015,Ford,Nothing,1,2')
    expect(await stockOf(ford)).toEqual(before)

    expect(await apply(admin, run.id)).toMatchObject({ status: 'applied', error: null, canUndo: true })
    const made = await onLot(lotId)
    expect(made).toMatchObject([
      { vin: '1FTFW1E50PFA00001', status: 'live', price_cents: '4500000', mileage: 12_000, make: 'Ford' },
      { stock: 'A2' },
      { stock: 'A3' },
      { vin: null, stock: 'A4', model: 'Escape' },
    ])
    const vehicle = await admin.call(vehicles.get, { id: made[0]?.id ?? '' })
    expect(vehicle.provenance.price).toMatchObject({ source: 'feed', run: run.id })
    const sources = Object.values(vehicle.provenance).flatMap((one) => one?.source ?? [])
    expect([...new Set(sources)].toSorted()).toEqual(['feed', 'vin'])

    const again = await uploadFeed(admin, { lotId }, csv(HEAD, F150, FOCUS, EDGE, PLAIN))
    expect(again).toMatchObject({ new: 0, changed: 0, missing: 0, unchanged: 4, refused: 0 })
    const untouched = await stockOf(ford)
    await apply(admin, again.id)
    expect(await stockOf(ford)).toEqual(untouched)

    await undo(admin, run.id)
    expect(await stockOf(ford)).toEqual(before)
  })

  test('a vehicle that got a special price stays when the feed that added it is undone', async () => {
    const lotId = await ford.addLot()
    const run = await uploadFeed(admin, { lotId }, csv(HEAD, F150, FOCUS))
    await apply(admin, run.id)
    const [kept] = await onLot(lotId)
    await admin.call(vehiclePrices.setSpecial, {
      id: kept?.id ?? '',
      cents: 4_450_000,
      reason: 'Hail damage',
    })
    await undo(admin, run.id)
    const { results } = await admin.call(feedRuns.rows, { runId: run.id, state: 'notUndone' })
    expect(results.map(({ note }) => note)).toEqual(['Edited after the feed was applied: Special price.'])
    expect((await onLot(lotId)).map(({ id }) => id)).toEqual([kept?.id])
  })

  test('changes what differs, leaves locked fields alone, and undoes only values that have not changed since', async () => {
    const lotId = await ford.addLot()
    await apply(admin, (await uploadFeed(admin, { lotId }, csv(HEAD, F150, FOCUS, EDGE))).id)
    const [first, second] = await onLot(lotId)
    const ids = { f150: first?.id ?? '', focus: second?.id ?? '' }
    await admin.call(vehicles.update, { id: ids.f150, mileage: 12_500 })
    const before = await stockOf(ford)
    const run = await uploadFeed(
      admin,
      { lotId },
      csv(HEAD, F150.replace('45000,12000', '44000,13000'), FOCUS.replace('9000,88000', '8500,88100'), EDGE),
    )
    expect(run).toMatchObject({ new: 0, changed: 2, prices: 2, unchanged: 1, locked: 1 })
    const changed = await rowsOf(admin, run.id, 'changed')
    expect(changed[0]).toMatchObject({ locked: ['mileage'] })
    expect(changed[1]?.changes).toEqual([
      { field: 'mileage', before: 88_000, after: 88_100, isFromVin: false },
      { field: 'feedPrice', before: 900_000, after: 850_000, isFromVin: false },
      { field: 'price', before: 900_000, after: 850_000, isFromVin: false },
    ])
    await apply(admin, run.id)
    expect(await onLot(lotId)).toMatchObject([
      { price_cents: '4400000', mileage: 12_500 },
      { price_cents: '850000', mileage: 88_100 },
      {},
    ])
    const { rows } = await forecourt.owner.query(
      `select price_cents from vehicle_history where vehicle_id = $1 order by id`,
      [ids.focus],
    )
    expect(rows).toEqual([{ price_cents: '900000' }, { price_cents: '850000' }])
    // Unchanged values are restored; a value a user changed since stays and is noted.
    await admin.call(vehicles.update, { id: ids.focus, priceCents: 800_000 })
    const undone = await undo(admin, run.id)
    expect(undone).toMatchObject({ status: 'undone', notUndone: 1 })
    const kept = await admin.call(feedRuns.rows, { runId: run.id, state: 'notUndone' })
    expect(kept.results.map(({ note }) => note)).toEqual(['Changed since: Price.'])
    expect(await onLot(lotId)).toMatchObject([
      { price_cents: '4500000', mileage: 12_500 },
      { price_cents: '800000', mileage: 88_000 },
      {},
    ])
    const one = (stock: unknown[]) =>
      stock.map((row) => JSON.stringify(row)).find((row) => row.includes('1FTFW1E50PFA00001'))
    expect(one(await stockOf(ford))).toBe(one(before))
  })

  test('removes a vehicle missing twice and restores it when it is listed again', async () => {
    const lotId = await ford.addLot()
    const source = await newSource([lotId])
    const sourceId = source.id
    const all = csv(HEAD, F150, FOCUS, EDGE, PLAIN)
    const without = csv(HEAD, F150, FOCUS, EDGE)
    await apply(admin, (await uploadFeed(admin, { sourceId }, all)).id)
    const once = await uploadFeed(admin, { sourceId }, without)
    expect(once).toMatchObject({ status: 'ready', missing: 1, unchanged: 3 })
    await apply(admin, once.id)
    expect((await onLot(lotId)).map(({ status }) => status)).toEqual(['live', 'live', 'live', 'live'])
    const twice = await uploadFeed(admin, { sourceId }, without)
    expect(await rowsOf(admin, twice.id, 'missing')).toMatchObject([{ toStatus: 'removed', stock: 'A4' }])
    await apply(admin, twice.id)
    expect((await onLot(lotId)).map(({ status }) => status)).toEqual(['live', 'live', 'live', 'removed'])
    const back = await uploadFeed(admin, { sourceId }, all)
    expect(back).toMatchObject({ changed: 1, new: 0 })
    await apply(admin, back.id)
    expect((await onLot(lotId)).map(({ status }) => status)).toEqual(['live', 'live', 'live', 'live'])
    await undo(admin, back.id)
    await undo(admin, twice.id)
    expect((await onLot(lotId)).map(({ status, missing_runs: missing }) => [status, missing])).toEqual([
      ['live', 0],
      ['live', 0],
      ['live', 0],
      ['live', 1],
    ])
  })

  test('with too many missing vehicles needs review and confirmation', async () => {
    const lotId = await ford.addLot()
    const { id: sourceId } = await newSource([lotId])
    await apply(admin, (await uploadFeed(admin, { sourceId }, csv(HEAD, F150, FOCUS, EDGE, PLAIN))).id)
    const run = await uploadFeed(admin, { sourceId }, csv(HEAD, F150))
    expect(run.status).toBe('review')
    expect(run.reviewReasons).toEqual([
      '3 of the 4 vehicles from this feed source (75%) are missing.',
      'The file has only 1 row. The last applied file had 4.',
    ])
    await expect(admin.call(feedRuns.apply, { id: run.id })).toRefuse(409, 'needs review')
    expect(await apply(admin, run.id, true)).toMatchObject({ status: 'applied' })
  })

  test('is not overwritten by an older file of its source, and two cannot be applied at once', async () => {
    const lotId = await ford.addLot()
    const { id: sourceId } = await newSource([lotId])
    const first = await uploadFeed(admin, { sourceId }, csv(HEAD, F150))
    const second = await uploadFeed(admin, { sourceId }, csv(HEAD, F150.replace('45000', '43000')))
    await admin.call(feedRuns.apply, { id: second.id })
    await expect(admin.call(feedRuns.apply, { id: first.id })).toRefuse(409)
    await expect(admin.call(feedRuns.apply, { id: second.id })).toRefuse(409, 'already')
    await forecourt.jobs.runDue()
    await expect(admin.call(feedRuns.apply, { id: first.id })).toRefuse(409, 'later file')
    const third = await uploadFeed(admin, { sourceId }, csv(HEAD, F150))
    const fourth = await uploadFeed(admin, { sourceId }, csv(HEAD, F150))
    await admin.call(feedRuns.apply, { id: third.id })
    await expect(admin.call(feedRuns.apply, { id: fourth.id })).toRefuse(409, 'being applied')
    await forecourt.jobs.runDue()
  })

  test('is not overwritten by an older file that is applied at the same time', async () => {
    const lotId = await ford.addLot()
    const { id: sourceId } = await newSource([lotId])
    const first = await uploadFeed(admin, { sourceId }, csv(HEAD, F150))
    const second = await uploadFeed(admin, { sourceId }, csv(HEAD, F150.replace('45000', '43000')))
    const outcomes = await concurrently(
      forecourt.owner,
      `update feed_runs set status = 'applying' where id = ${second.id};
      update feed_runs set status = 'applied' where id = ${second.id}`,
      [() => admin.call(feedRuns.apply, { id: first.id })],
    )
    expect(outcomes).toMatchObject([
      { status: 'rejected', reason: { status: 409, message: expect.stringContaining('later file') } },
    ])
    expect(await admin.call(feedRuns.get, { id: first.id })).toMatchObject({ status: 'ready' })
  })

  test('is compared again if the inventory changed after it was read', async () => {
    const lotId = await ford.addLot()
    await apply(admin, (await uploadFeed(admin, { lotId }, csv(HEAD, F150, FOCUS))).id)
    const run = await uploadFeed(
      admin,
      { lotId },
      csv(HEAD, F150.replace('45000', '44000'), FOCUS.replace('9000', '8000'), EDGE),
    )
    const [f150, focus] = await onLot(lotId)
    await admin.call(vehicles.update, { id: f150?.id ?? '', priceCents: 4_600_000 })
    await ford.removeVehicle(focus?.id ?? '')
    await admin.call(vehicles.add, { lotId, vin: '2FMPK4J90HBB00003', make: 'Ford' })
    const applied = await apply(admin, run.id)
    expect(applied).toMatchObject({ status: 'applied', skipped: 2 })
    const skipped = await admin.call(feedRuns.rows, { runId: run.id, state: 'skipped' })
    expect(skipped.results.map(({ note }) => note)).toEqual([
      "The vehicle no longer exists or you don't have access to it.",
      'The lot now has another vehicle with this VIN or stock number.',
    ])
    expect((await onLot(lotId)).map(({ price_cents: cents }) => cents)).toContain('4600000')
  })
})

describe('a file', () => {
  test.each([
    ['empty', '', 'The file is empty.'],
    ['an image', Buffer.from('89504e470d0a1a0a00000000', 'hex'), 'an image'],
    ['a web page', '<!doctype html><html><body>Sign in</body></html>', 'web page'],
    [
      'without a VIN or a stock number',
      'Color,Note\nRed,fine\nBlue,fine\n',
      'No column has VINs or stock numbers',
    ],
  ])('that is %s fails with the reason and leaves nothing behind', async (_what, bytes, reason) => {
    const run = await uploadFeed(admin, {}, { name: 'bad.csv', bytes })
    expect(run).toMatchObject({ status: 'failed', canApply: false, new: 0 })
    expect(run.error).toContain(reason)
    await expect(admin.call(feedRuns.apply, { id: run.id })).toRefuse(409)
  })

  test('whose rows are all rejected has nothing to apply', async () => {
    // These columns are new, so no lot is remembered for them.
    const run = await uploadFeed(admin, {}, csv(`${HEAD},Trim`, `${F150},XL`, `${FOCUS},SE`))
    expect(run).toMatchObject({ status: 'ready', rows: 2, refused: 2, canApply: false })
    await expect(admin.call(feedRuns.apply, { id: run.id })).toRefuse(409, NOTHING_TO_APPLY)
  })

  test('with shifted columns has those rows rejected', async () => {
    const lotId = await ford.addLot()
    const run = await uploadFeed(
      admin,
      { lotId },
      csv(HEAD, F150, FOCUS, EDGE, 'Used,2013,Ford,Focus', 'Used,2017,Ford,Edge'),
    )
    expect(run).toMatchObject({ new: 3, refused: 2 })
  })

  test('lists unlinked dealer IDs, and a rejected row can be fixed', async () => {
    const lotId = await ford.addLot()
    const { rows } = await forecourt.owner.query<{ code: string }>('select code from lots where id = $1', [
      lotId,
    ])
    const code = rows[0]?.code ?? ''
    const run = await uploadFeed(
      admin,
      {},
      csv(`${HEAD},Dealer ID`, `${F150},${code.toLowerCase()}`, `${FOCUS},NOBODY-1`, `${EDGE},NOBODY-1`),
    )
    expect(run).toMatchObject({ new: 1, refused: 2, unknownDealers: [{ dealer: 'NOBODY-1', rows: 2 }] })
    const [refused] = await rowsOf(admin, run.id, 'refused')
    expect(refused?.reasons).toEqual(["Dealer ID NOBODY-1 isn't linked to a lot."])
    const fixed = await admin.call(feedRuns.fixRow, {
      runId: run.id,
      id: refused?.id ?? '',
      lotId,
      values: { priceCents: 910_000 },
    })
    expect(fixed).toMatchObject({ kind: 'new', lotId, state: 'staged' })
    expect(await admin.call(feedRuns.get, { id: run.id })).toMatchObject({ new: 2, refused: 1 })
    await apply(admin, run.id)
    expect(await onLot(lotId)).toMatchObject([{ stock: 'A1' }, { stock: 'A2', price_cents: '910000' }])
  })

  test('leaves nothing behind when canceled', async () => {
    const lotId = await ford.addLot()
    const run = await uploadFeed(admin, { lotId }, csv(HEAD, F150))
    expect(await admin.call(feedRuns.cancel, { id: run.id })).toMatchObject({ status: 'canceled' })
    expect((await admin.call(feedRuns.rows, { runId: run.id })).totalRows).toBe(0)
    await expect(admin.call(feedRuns.apply, { id: run.id })).toRefuse(409)
  })
})

describe('organization users', () => {
  test('can import vehicles only to their own lots', async () => {
    const own = await ford.addLot()
    const foreign = await toyota.addLot()
    const codes = await forecourt.owner.query<{ code: string }>(
      'select code from lots where id = any($1) order by id',
      [[own, foreign]],
    )
    const [mine = '', theirs = ''] = codes.rows.map(({ code }) => code)
    const run = await uploadFeed(
      dealer,
      {},
      csv(`${HEAD},Dealer ID`, `${F150},${mine}`, `${FOCUS},${theirs}`),
    )
    expect(run).toMatchObject({ new: 1, refused: 1 })
    const [refused] = await rowsOf(dealer, run.id, 'refused')
    expect(refused?.reasons).toEqual([`Dealer ID ${theirs} isn't one of your lots.`])
    await apply(dealer, run.id)
    expect(await onLot(foreign)).toEqual([])
    expect(await onLot(own)).toHaveLength(1)
    await expect(harbor.call(feedRuns.get, { id: run.id })).toRefuse(404)
    await expect(harbor.call(feedRuns.undo, { id: run.id })).toRefuse(404)
  })
})

test('a job canceled halfway keeps its changes, can be resumed, and can be undone', async () => {
  const lotId = await ford.addLot()
  const lines = Array.from({ length: 1_200 }, (_, at) => `,C${at},Used,2015,Ford,Escape,${10_000 + at},70000`)
  const before = await stockOf(ford)
  const run = await uploadFeed(admin, { lotId }, csv(HEAD, ...lines))
  expect(run).toMatchObject({ new: 1_200 })
  await admin.call(feedRuns.apply, { id: run.id })
  // The job fails after its first step, as if the server was killed: the lease expires and another server resumes.
  await forecourt.owner.query(
    `create function stop_once() returns trigger language plpgsql as $$ begin
      if (select count(*) from vehicles where lot_id = ${lotId}) > 400 then raise exception 'killed'; end if; return null; end $$`,
  )
  await forecourt.owner.query(
    'create trigger stop_once before insert on vehicles for each statement execute function stop_once()',
  )
  await forecourt.jobs.runLease()
  expect(await onLot(lotId)).toHaveLength(500)
  expect(await admin.call(feedRuns.get, { id: run.id })).toMatchObject({ status: 'applying' })
  await admin.call(feedRuns.cancel, { id: run.id })
  await forecourt.owner.query('drop trigger stop_once on vehicles')
  await forecourt.owner.query('drop function stop_once')
  await forecourt.owner.query(
    `update jobs set leased_until = app_now() - interval '1 second' where state = 'running'`,
  )
  await forecourt.jobs.runDue()
  const stopped = await admin.call(feedRuns.get, { id: run.id })
  expect(stopped).toMatchObject({
    status: 'applied',
    error: 'It was canceled before its end.',
    canApply: true,
    canUndo: true,
  })
  expect(await apply(admin, run.id)).toMatchObject({ status: 'applied', error: null })
  expect(await onLot(lotId)).toHaveLength(1_200)
  expect(
    await admin.call(jobs.get, { id: (await admin.call(feedRuns.get, { id: run.id })).jobId ?? '' }),
  ).toMatchObject({ state: 'done' })
  await undo(admin, run.id)
  expect(await stockOf(ford)).toEqual(before)
})
