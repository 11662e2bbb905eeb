import { afterAll, beforeAll, expect, test } from 'vitest'
import { feedSources } from '#contract/feeds/sources/feed-sources.ts'
import { feedRuns, type FeedRun } from '#contract/feeds/runs/feed-runs.ts'
import { providerMappings } from '#contract/feeds/mappings/provider-mappings.ts'
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
const { uploadFeed, csv, apply, onLot } = feedImports(() => forecourt)

async function source() {
  const lotId = await ford.addLot()
  const { id: sourceId } = await admin.call(feedSources.add, { name: fresh('Asks'), lotIds: [lotId] })
  return { lotId, sourceId }
}
const answer = async (id: string, answers: Record<string, string>): Promise<FeedRun> => {
  expect((await admin.call(feedRuns.answerQuestions, { id, answers })).status).toBe('reading')
  await forecourt.jobs.runDue()
  return admin.call(feedRuns.get, { id })
}
const statuses = async (lotId: string) => (await onLot(lotId)).map(({ status }) => status)

const HEAD = 'Stock,Year,Make,Model,Price'
const rows = (values: readonly string[], at = 0) =>
  values.map((value, place) => `Q${at + place},2020,Ford,Escape,20000,${value}`)

test.for(['Status', 'Inv Status Code'])(
  'unknown words of a column named %s are asked about before anything is offered, once for a source',
  async (name) => {
    const { lotId, sourceId } = await source()
    const head = `${HEAD},${name}`
    const run = await uploadFeed(admin, { sourceId }, csv(head, ...rows(['I', 'I', 'Gone', 'Q7'])))
    expect(run).toMatchObject({
      status: 'review',
      canApply: false,
      reviewReasons: ['Unknown words in the status column: “I”, “Gone”, “Q7”.'],
      questions: [
        { key: 'status:i', kind: 'status', column: name, value: 'I', rows: 2 },
        { key: 'status:gone', value: 'Gone', rows: 1 },
        { key: 'status:q7' },
      ],
    })
    await expect(admin.call(feedRuns.apply, { id: run.id, confirm: true })).toRefuse(409)
    await expect(
      admin.call(feedRuns.answerQuestions, { id: run.id, answers: { 'status:i': 'removed' } }),
    ).toRefuse(400)
    const part = await answer(run.id, { 'status:i': 'live', 'status:gone': 'sold' })
    expect(part).toMatchObject({ questions: [{ key: 'status:q7' }], new: 3, leftOut: 1, canApply: false })
    const whole = await answer(run.id, { 'status:q7': 'incoming' })
    expect(whole).toMatchObject({ status: 'ready', questions: [], new: 3, leftOut: 1 })
    await apply(admin, run.id)
    expect(await statuses(lotId)).toEqual(['live', 'live', 'incoming'])

    const next = await uploadFeed(admin, { sourceId }, csv(head, ...rows(['i', 'GONE', 'Sold', 'Q7'])))
    expect(next).toMatchObject({ status: 'ready', questions: [], changed: 1 })
    await apply(admin, next.id)
    expect(await statuses(lotId)).toEqual(['live', 'sold', 'incoming'])
  },
)

test('sold flags, days of sale and several status columns count, and the strictest one wins', async () => {
  const { lotId, sourceId } = await source()
  const head = `${HEAD},Status,Pre-Sold,Sold Date`
  const lines = [
    'Active,False,',
    'Active,True,',
    'Active,,2026-11-01',
    'In transit,0,',
    'Active,No,0000-00-00',
  ]
  const run = await uploadFeed(admin, { sourceId }, csv(head, ...rows(lines)))
  expect(run).toMatchObject({ status: 'ready', new: 3, leftOut: 2, warnings: [] })
  await apply(admin, run.id)
  expect(await statuses(lotId)).toEqual(['live', 'incoming', 'live'])
})

test('a column whose name says nothing is a status by its words, and one with many words is asked about as a whole', async () => {
  const { sourceId } = await source()
  const words = ['In stock', 'In stock', 'Sold', 'In stock']
  expect(await uploadFeed(admin, { sourceId }, csv(`${HEAD},Vehicle State`, ...rows(words)))).toMatchObject({
    new: 3,
    leftOut: 1,
  })
  const other = await source()
  const many = Array.from({ length: 25 }, (_, at) => `Note ${at}`)
  const run = await uploadFeed(admin, other, csv(`${HEAD},Lot status`, ...rows(many)))
  expect(run.questions).toMatchObject([{ key: 'statusColumn', kind: 'statusColumn', rows: 25 }])
  expect(await answer(run.id, { statusColumn: 'ignore' })).toMatchObject({
    status: 'ready',
    questions: [],
    warnings: [],
    new: 25,
  })
})

test('the order of dates is asked once for a column if nothing shows it, and the proof is named otherwise', async () => {
  const { lotId, sourceId } = await source()
  const head = `${HEAD},Date In Stock`
  const run = await uploadFeed(admin, { sourceId }, csv(head, ...rows(['03/04/2026', '08/09/2026'])))
  const key = 'date:inStockOn:Date In Stock'
  expect(run).toMatchObject({
    canApply: false,
    questions: [{ key, kind: 'date', column: 'Date In Stock', value: '03/04/2026', rows: 2 }],
  })
  expect(await answer(run.id, { [key]: 'eu' })).toMatchObject({ status: 'ready', warnings: [] })
  await apply(admin, run.id)
  const days = async () => {
    const { rows: found } = await forecourt.owner.query<{ day: string }>(
      'select in_stock_on::text as day from vehicles where lot_id = $1 order by stock',
      [lotId],
    )
    return found.map(({ day }) => day)
  }
  expect(await days()).toEqual(['2026-04-03', '2026-09-08'])
  const next = await uploadFeed(admin, { sourceId }, csv(head, ...rows(['03/04/2026', '08/10/2026'])))
  expect(next).toMatchObject({ status: 'ready', questions: [] })
  await apply(admin, next.id)
  expect(await days()).toEqual(['2026-04-03', '2026-10-08'])

  const proved = await uploadFeed(
    admin,
    await source(),
    csv(head, ...rows(['13/04/2026', '28/09/2026', '05/10/2026'], 10)),
  )
  expect(proved).toMatchObject({
    status: 'ready',
    notes: ['In stock since: dates in Date In Stock are day/month/year. 28/09/2026 shows it.'],
  })
})

test.for(['List Price', 'Retail'])(
  'a file whose only price column is %s asks whether vehicles are sold for it',
  async (name) => {
    const { lotId, sourceId } = await source()
    const head = `Stock,Year,Make,Model,${name}`
    const run = await uploadFeed(admin, { sourceId }, csv(head, 'Q1,2020,Ford,Escape,20000'))
    const key = `price:${name}`
    expect(run).toMatchObject({ canApply: false, questions: [{ key, kind: 'price', column: name, rows: 1 }] })
    expect(await answer(run.id, { [key]: 'both' })).toMatchObject({ status: 'ready', questions: [] })
    await apply(admin, run.id)
    expect((await onLot(lotId))[0]?.price_cents).toBe('2000000')
    const next = await uploadFeed(admin, { sourceId }, csv(head, 'Q1,2020,Ford,Escape,19500'))
    expect(next).toMatchObject({ status: 'ready', questions: [], changed: 1, prices: 1 })
  },
)

test('a mapping by position belongs to its source; other files without a header are read by their values', async () => {
  const one = await source()
  const first = ['S1,1FMCU9GD8LU110007,2020,Ford,Escape,Blue,20000,41000,Used']
  const run = await uploadFeed(admin, { sourceId: one.sourceId }, csv(...first))
  const at = (place: number) => ({ source: { kind: 'column' as const, column: `Column ${place}` } })
  const fields = { stock: at(1), vin: at(2), year: at(3), make: at(4), model: at(5), color: at(6) }
  const { id: mappingId } = await admin.call(providerMappings.add, {
    name: fresh('By position'),
    mapping: { fields: { ...fields, price: at(7), mileage: at(8), condition: at(9) } },
  })
  await admin.call(feedRuns.readAgain, { id: run.id, mappingId })
  await forecourt.jobs.runDue()
  await apply(admin, run.id)

  const two = await source()
  const others = [
    'R9,Ford,Escape,2020,Used,E1,1FMCU9GD2LU110049,20006,45006',
    'R9,Ford,Escape,2020,Used,E2,1FMCU9GDXLU110056,20007,45007',
  ]
  const other = await uploadFeed(admin, { sourceId: two.sourceId }, csv(...others))
  expect(other).toMatchObject({ new: 2, refused: 0, mappingId: null })
  expect((await uploadFeed(admin, { lotId: two.lotId }, csv(...others))).mappingId).toBeNull()

  const next = await uploadFeed(admin, { sourceId: one.sourceId }, csv(...first))
  expect(next).toMatchObject({ mappingId, status: 'ready', changed: 0 })
  const moved = await uploadFeed(admin, { sourceId: one.sourceId }, csv(...others))
  expect(moved).toMatchObject({ mappingId: null, status: 'review', new: 2 })
  expect(moved.reviewReasons[0]).toMatch(/^The layout of the file changed: Column \d isn't .+ anymore\.$/)
})
