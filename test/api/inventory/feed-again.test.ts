import { gzipSync } from 'node:zlib'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { feedRuns, NO_LOT } from '#contract/inventory/feeds/runs/feed-runs.ts'
import { providerMappings } from '#contract/inventory/feeds/mappings/provider-mappings.ts'
import { testApp, type Caller, type TestApp } from '#test/app.ts'
import { feedImports } from '#test/factories/inventory/feed-imports.ts'
import { placeOf, type Place } from '#test/factories/places.ts'

let forecourt: TestApp
let ford: Place
let admin: Caller
beforeAll(async () => {
  forecourt = await testApp()
  ford = await placeOf(forecourt, 'Northgate Ford')
  admin = await forecourt.as('northgate.admin', 'Northgate Ford')
})
afterAll(() => forecourt.close())

const { bring, csv, apply, rowsOf, onLot } = feedImports(() => forecourt)

const HEAD = 'VIN,Stock,Type,Year,Make,Model,Price'
const F150 = '1FTFW1E50PFA00001,A1,Used,2023,Ford,F-150,45000'
const FOCUS = '1FADP3F20DL200002,A2,Used,2013,Ford,Focus,9000'

async function readAgain(input: { id: string; lotId?: string; mappingId?: string }) {
  expect(await admin.call(feedRuns.readAgain, input)).toMatchObject({ status: 'reading' })
  await forecourt.jobs.runDue()
  return admin.call(feedRuns.get, { id: input.id })
}

test('rows that name no dealer wait for their lot, which is said once: the next file like it goes there by itself', async () => {
  const lotId = await ford.addLot()
  const run = await bring(admin, {}, csv(HEAD, F150, FOCUS))
  expect(run).toMatchObject({
    refused: 2,
    refusals: [{ sentence: NO_LOT, rows: 2 }],
    canReadAgain: true,
    canApply: false,
  })
  const read = await readAgain({ id: run.id, lotId })
  expect(read).toMatchObject({ status: 'ready', new: 2, refused: 0, refusals: [], lotId })
  expect(await rowsOf(admin, run.id, 'refused')).toEqual([])
  expect(await apply(admin, run.id)).toMatchObject({ status: 'applied', canReadAgain: false })
  expect(await onLot(lotId)).toHaveLength(2)

  const next = await bring(admin, {}, csv(HEAD, F150.replace('45000', '44000'), FOCUS))
  expect(next).toMatchObject({ changed: 1, unchanged: 1, refused: 0, lotId })
  const elsewhere = await ford.addLot()
  expect(await readAgain({ id: next.id, lotId: elsewhere })).toMatchObject({ new: 2, lotId: elsewhere })
  await admin.call(feedRuns.cancel, { id: next.id })
  // Other columns are another provider's.
  const other = await bring(admin, {}, csv(`${HEAD},Trim`, `${F150},XL`))
  expect(other).toMatchObject({ refused: 1, lotId: null })
  await admin.call(feedRuns.cancel, { id: other.id })
})

test('a file that nobody could read is read again by a mapping made with what is kept of it', async () => {
  const lotId = await ford.addLot()
  const run = await bring(admin, { lotId }, csv('ref,wagon', 'KX-1,Kombi', 'KX-2,Kombi'))
  expect(run).toMatchObject({ status: 'failed', canReadAgain: true })
  const sample = await forecourt.app.inject({
    method: 'GET',
    url: feedRuns.sample.path.replace('{id}', run.id),
    headers: { authorization: `Bearer ${admin.token}` },
  })
  expect(sample.body).toBe('ref,wagon\nKX-1,Kombi\nKX-2,Kombi\n')
  expect(sample.headers['content-disposition']).toContain('feed.csv')
  const column = (name: string) => ({ source: { kind: 'column' as const, column: name } })
  const mapping = await admin.call(providerMappings.add, {
    name: 'Wagons',
    mapping: { fields: { stock: column('ref'), model: column('wagon') } },
  })
  const read = await readAgain({ id: run.id, mappingId: mapping.id })
  expect(read).toMatchObject({ status: 'ready', new: 2, mappingName: 'Wagons', error: null })
  await admin.call(feedRuns.cancel, { id: run.id })
  await expect(admin.call(feedRuns.readAgain, { id: run.id, lotId })).toRefuse(409)
  await expect(admin.call(feedRuns.sample, { id: run.id })).toRefuse(409)
})

test('a feed that is packed with gzip is read, and one packed file of none is refused before there is a run', async () => {
  const lotId = await ford.addLot()
  const packed = { name: 'feed.csv.gz', bytes: gzipSync(`${HEAD}\n${F150}\n`) }
  const run = await bring(admin, { lotId }, packed)
  expect(run).toMatchObject({ status: 'ready', fileName: 'feed.csv.gz', new: 1 })
  await admin.call(feedRuns.cancel, { id: run.id })
  const broken = { name: 'feed.csv.gz', bytes: packed.bytes.subarray(0, 40) }
  await expect(bring(admin, { lotId }, broken)).rejects.toThrow('400 What is packed is broken or was cut.')
})

test('a run is read again once, however often somebody asks, and not while it is applied', async () => {
  const lotId = await ford.addLot()
  const { id } = await bring(admin, { lotId }, csv(HEAD, F150))
  const asked = await Promise.allSettled([1, 2, 3].map(() => admin.call(feedRuns.readAgain, { id, lotId })))
  expect(asked.filter(({ status }) => status === 'fulfilled')).toHaveLength(1)
  await forecourt.jobs.runDue()
  expect(await apply(admin, id)).toMatchObject({ status: 'applied', new: 1 })
  await expect(admin.call(feedRuns.readAgain, { id, lotId })).toRefuse(409)
  expect(await onLot(lotId)).toHaveLength(1)
})

test('of a rooftop with one lot that sells and one that serves, the first is meant, and can be changed', async () => {
  const honda = await forecourt.as('harbor.admin')
  const run = await bring(honda, {}, csv(HEAD, F150))
  expect(run).toMatchObject({ new: 1, refused: 0, lotName: 'Harbor Honda', canReadAgain: true })
  expect((await honda.call(feedRuns.cancel, { id: run.id })).status).toBe('cancelled')
})
