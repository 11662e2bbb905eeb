// @module-tag release
import { gzipSync } from 'node:zlib'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { feedRuns, NO_LOT } from '#contract/feeds/runs/feed-runs.ts'
import { providerMappings } from '#contract/feeds/mappings/provider-mappings.ts'
import { testApp, type Caller, type TestApp } from '#test/app.ts'
import { feedImports } from '#test/factories/feeds/feed-imports.ts'
import { testOrganization, type TestOrganization } from '#test/factories/test-organization.ts'

let forecourt: TestApp
let ford: TestOrganization
let admin: Caller
beforeAll(async () => {
  forecourt = await testApp()
  ford = await testOrganization(forecourt, 'Northgate Ford')
  admin = await forecourt.as('northgate.admin', 'Northgate Ford')
})
afterAll(() => forecourt.close())

const { uploadFeed, csv, apply, rowsOf, onLot, forgetVins } = feedImports(() => forecourt)
beforeEach(() => forgetVins('1FTFW1E50PFA00001', '1FADP3F20DL200002'))

const HEAD = 'VIN,Stock,Type,Year,Make,Model,Price'
const F150 = '1FTFW1E50PFA00001,A1,Used,2023,Ford,F-150,45000'
const FOCUS = '1FADP3F20DL200002,A2,Used,2013,Ford,Focus,9000'

async function readAgain(input: { id: string; lotId?: string; mappingId?: string }) {
  expect(await admin.call(feedRuns.readAgain, input)).toMatchObject({ status: 'reading' })
  await forecourt.jobs.runDue()
  return admin.call(feedRuns.get, { id: input.id })
}

test('asks for the lot of rows without a dealer ID once and remembers it for the next file', async () => {
  const lotId = await ford.addLot()
  const run = await uploadFeed(admin, {}, csv(HEAD, F150, FOCUS))
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

  const next = await uploadFeed(admin, {}, csv(HEAD, F150.replace('45000', '44000'), FOCUS))
  expect(next).toMatchObject({ changed: 1, unchanged: 1, refused: 0, lotId })
  const elsewhere = await ford.addLot()
  expect(await readAgain({ id: next.id, lotId: elsewhere })).toMatchObject({ new: 2, lotId: elsewhere })
  await admin.call(feedRuns.cancel, { id: next.id })
  // Different columns mean a different provider.
  const other = await uploadFeed(admin, {}, csv(`${HEAD},Trim`, `${F150.replace('00001', '00009')},XL`))
  expect(other).toMatchObject({ refused: 1, lotId: null })
  await admin.call(feedRuns.cancel, { id: other.id })
})

test('reads an unrecognized file again with a mapping made from its stored sample', async () => {
  const lotId = await ford.addLot()
  const run = await uploadFeed(admin, { lotId }, csv('ref,wagon', 'KX-1,Kombi', 'KX-2,Kombi'))
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

test('reads a gzip feed and rejects a damaged one before creating a run', async () => {
  const lotId = await ford.addLot()
  const packed = { name: 'feed.csv.gz', bytes: gzipSync(`${HEAD}\n${F150}\n`) }
  const run = await uploadFeed(admin, { lotId }, packed)
  expect(run).toMatchObject({ status: 'ready', fileName: 'feed.csv.gz', new: 1 })
  await admin.call(feedRuns.cancel, { id: run.id })
  const broken = { name: 'feed.csv.gz', bytes: packed.bytes.subarray(0, 40) }
  await expect(uploadFeed(admin, { lotId }, broken)).rejects.toThrow(
    '400 The compressed file is damaged or incomplete.',
  )
})

test('reads a run again only once for concurrent requests, and never after it is applied', async () => {
  const lotId = await ford.addLot()
  const { id } = await uploadFeed(admin, { lotId }, csv(HEAD, F150))
  const results = await Promise.allSettled([1, 2, 3].map(() => admin.call(feedRuns.readAgain, { id, lotId })))
  expect(results.filter(({ status }) => status === 'fulfilled')).toHaveLength(1)
  await forecourt.jobs.runDue()
  expect(await apply(admin, id)).toMatchObject({ status: 'applied', new: 1 })
  await expect(admin.call(feedRuns.readAgain, { id, lotId })).toRefuse(409)
  expect(await onLot(lotId)).toHaveLength(1)
})

test('assumes the only sales lot of an organization, which the user can change', async () => {
  const honda = await forecourt.as('harbor.admin')
  const run = await uploadFeed(honda, {}, csv(HEAD, F150))
  expect(run).toMatchObject({ new: 1, refused: 0, lotName: 'Harbor Honda', canReadAgain: true })
  expect((await honda.call(feedRuns.cancel, { id: run.id })).status).toBe('canceled')
})
