// @module-tag release
import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { feedRuns } from '#contract/feeds/runs/feed-runs.ts'
import { FeedMapping } from '#contract/feeds/mappings/mapping.ts'
import { providerMappings } from '#contract/feeds/mappings/provider-mappings.ts'
import { testApp, type Caller, type TestApp } from '#test/app.ts'
import { feedImports } from '#test/factories/feeds/feed-imports.ts'
import { fresh, testOrganization, type TestOrganization } from '#test/factories/test-organization.ts'

let forecourt: TestApp
let ford: TestOrganization
let admin: Caller
let mappingId: string
beforeAll(async () => {
  forecourt = await testApp()
  ford = await testOrganization(forecourt, 'Northgate Ford')
  admin = await forecourt.as('northgate.admin', 'Northgate Ford')
  const column = (name: string) => ({ source: { kind: 'column' as const, column: name } })
  const mapping = FeedMapping.parse({
    second: { column: 'VIN', secondColumn: 'Vehicle' },
    fields: {
      vin: column('VIN'),
      stock: column('Stock'),
      make: column('Make'),
      model: column('Model'),
      price: column('Asking'),
      color: column('Paint'),
    },
  })
  mappingId = (await admin.call(providerMappings.add, { name: fresh('Two files'), mapping })).id
})
afterAll(() => forecourt.close())

const { uploadFeed, apply, undo, rowsOf, onLot } = feedImports(() => forecourt)

const CARS = {
  name: 'cars.csv',
  bytes: `VIN,Stock,Make,Model
1FTFW1E50PFA00001,A1,Ford,F-150
1FADP3F20DL200002,A2,Ford,Focus
2FMPK4J90HBB00003,A3,Ford,Edge
`,
}
const PRICES = {
  name: 'prices.csv',
  bytes: `Vehicle,Asking,Paint
1fadp3f20dl200002,9000,Blue
1FTFW1E50PFA00001,45000,Red
1FTFW1E50PFA00001,1,Black
,5,White
WVWZZZ1JZXW000001,7000,Green
`,
}

async function kept(): Promise<{ files: string[]; partners: number }> {
  const { rows } = await forecourt.owner.query<{ count: number }>(
    'select count(*)::int as count from feed_run_partners',
  )
  const files = await readdir(join(forecourt.filesFolder, 'kept', ford.customerId, '_feeds'))
  return { files, partners: rows[0]?.count ?? -1 }
}

const EXPECTED = { status: 'ready', rows: 6, new: 3, refused: 3, columns: { known: 6, total: 7 } }

test.each([
  ['in order', [CARS, PRICES]],
  ['in reverse order', [PRICES, CARS]],
])('joins two files uploaded together %s and reports unmatched rows', async (_, files) => {
  const lotId = await ford.addLot()
  const run = await uploadFeed(admin, { lotId, mappingId }, ...files)
  expect(run).toMatchObject(EXPECTED)
  const refused = await rowsOf(admin, run.id, 'refused')
  expect(refused.map(({ reasons }) => reasons.join(' ')).toSorted()).toEqual([
    'The first file has no row for WVWZZZ1JZXW000001.',
    'The second file lists 1FTFW1E50PFA00001 more than once.',
    'This row of the second file has no Vehicle.',
  ])
  expect(await kept()).toMatchObject({ files: { length: 2 }, partners: 0 })
  await apply(admin, run.id)
  expect(await kept()).toEqual({ files: [], partners: 0 })
  expect(await onLot(lotId)).toMatchObject([
    { stock: 'A1', price_cents: '4500000' },
    { stock: 'A2', price_cents: '900000' },
    { stock: 'A3', price_cents: null },
  ])
  await undo(admin, run.id)
  expect(await onLot(lotId)).toEqual([])
})

test.each([
  ['first', CARS, PRICES],
  ['second', PRICES, CARS],
])('a run with only the %s file waits for the other one', async (_, one, other) => {
  const lotId = await ford.addLot()
  const waiting = await uploadFeed(admin, { lotId, mappingId }, one)
  expect(waiting).toMatchObject({ status: 'waiting', canCancel: true, canApply: false, secondName: null })
  expect((await kept()).files).toHaveLength(1)
  await expect(admin.call(feedRuns.apply, { id: waiting.id })).toRefuse(409)
  const run = await uploadFeed(admin, { id: waiting.id }, other)
  expect(run).toMatchObject({ ...EXPECTED, secondName: other.name })
  await expect(uploadFeed(admin, { id: waiting.id }, other)).rejects.toThrow(
    "isn't waiting for a second file",
  )
  expect(await kept()).toMatchObject({ files: { length: 2 }, partners: 0 })
  await admin.call(feedRuns.cancel, { id: run.id })
  expect((await kept()).files).toEqual([])
})

test('a waiting run can be canceled and leaves no file', async () => {
  const waiting = await uploadFeed(admin, { lotId: await ford.addLot(), mappingId }, CARS)
  expect(await admin.call(feedRuns.cancel, { id: waiting.id })).toMatchObject({ status: 'canceled' })
  expect((await kept()).files).toEqual([])
})

test('rejects two files that no mapping joins, and three files, and explains what to do', async () => {
  const lotId = await ford.addLot()
  const alone = { name: 'other.csv', bytes: 'Something,Else\n1,2\n3,4\n' }
  expect(await uploadFeed(admin, { lotId }, CARS, alone)).toMatchObject({
    status: 'failed',
    error: expect.stringContaining('no provider mapping joins them'),
    canReadAgain: true,
  })
  await expect(uploadFeed(admin, { lotId }, CARS, PRICES, alone)).rejects.toThrow(
    'Send one file, or two that a provider mapping joins.',
  )
  expect(await kept()).toMatchObject({ files: { length: 2 }, partners: 0 })
})

test('joins a second file of thousands of rows in the database', async () => {
  const lotId = await ford.addLot()
  const numbers = Array.from({ length: 3_000 }, (_, n) => `1FTFW1E50PF${String(n).padStart(6, '0')}`)
  const cars = numbers.map((vin, n) => `${vin},J${n},Ford,F-150`)
  const prices = numbers.map((vin, n) => `${vin},${20_000 + n},Red`).toReversed()
  const run = await uploadFeed(
    admin,
    { lotId, mappingId },
    { name: 'cars.csv', bytes: `VIN,Stock,Make,Model\n${cars.join('\n')}\n` },
    { name: 'prices.csv', bytes: `Vehicle,Asking,Paint\n${prices.join('\n')}\n` },
  )
  expect(run).toMatchObject({ new: 3_000, refused: 0 })
  const { rows } = await forecourt.owner.query<{ right: number }>(
    `select count(*)::int as right from feed_run_rows where run_id = $1
      and (after ->> 'price')::bigint = (20000 + substr(stock, 2)::int) * 100`,
    [run.id],
  )
  expect(rows[0]?.right).toBe(3_000)
  await admin.call(feedRuns.cancel, { id: run.id })
})

test('a run that fails while reading deletes the rows of its second file', async () => {
  const { id } = await uploadFeed(admin, { lotId: await ford.addLot(), mappingId }, CARS)
  await forecourt.owner.query(`update feed_runs set status = 'reading' where id = $1`, [id])
  await forecourt.owner.query(
    `insert into feed_run_partners (customer_id, organization_id, run_id, row) values ($1, $2, $3, '{}')`,
    [ford.customerId, ford.organizationId, id],
  )
  expect((await kept()).partners).toBe(1)
  await forecourt.owner.query(`update feed_runs set status = 'failed', stored_as = null where id = $1`, [id])
  expect((await kept()).partners).toBe(0)
})
