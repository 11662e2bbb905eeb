import { parseCsv } from 'hucre/csv'
import { readXlsx } from 'hucre/xlsx'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { z } from 'zod'
import { lots } from '#contract/customers/lots/lots.ts'
import { users } from '#contract/identity/users/users.ts'
import { jobs } from '#contract/jobs/jobs.ts'
import { reports, type ListExport } from '#contract/reports/reports.ts'
import { testApp, type Caller, type TestApp } from '#test/app.ts'
import { addManyLots } from '#test/factories/customers/many-lots.ts'
import { testOrganization, type TestOrganization } from '#test/factories/test-organization.ts'

let forecourt: TestApp
let ford: TestOrganization
let dealer: Caller
let admin: Caller
let address: string
beforeAll(async () => {
  forecourt = await testApp()
  ford = await testOrganization(forecourt, 'Northgate Ford')
  dealer = await forecourt.as('northgate.dealer')
  admin = await forecourt.as('northgate.admin', 'Northgate Ford')
  address = await forecourt.app.listen({ port: 0, host: '127.0.0.1' })
})
afterAll(() => forecourt.close())

type ExportInput = z.input<typeof ListExport>
const take = async (caller: Caller, payload: ExportInput) => {
  const answer = await caller.send({ method: 'POST', url: reports.exportList.path, payload })
  if (answer.status !== 200) throw new Error(answer.text)
  return answer
}
const asCsv = async (caller: Caller, asked: Omit<ExportInput, 'format'>) =>
  parseCsv((await take(caller, { ...asked, format: 'csv' })).text.replace(/^\uFEFF/, ''))
const asXlsx = async (caller: Caller, asked: Omit<ExportInput, 'format'>) => {
  const { sheets } = await readXlsx((await take(caller, { ...asked, format: 'xlsx' })).bytes)
  return sheets.map(({ name, rows }) => ({ name, rows }))
}

test('a file contains exactly the matching rows and shown columns, in order', async () => {
  await addManyLots(forecourt, ford, { count: 3, word: 'Exported' })
  await dealer.call(lots.add, {
    name: 'Exported, "quoted"',
    code: 'EXQ',
    type: 'used',
    makes: ['Ford', 'Škoda'],
    isPublic: false,
  })
  const asked = {
    list: 'lots',
    columns: ['code', 'name', 'type', 'makes', 'isPublic', 'organizationId', 'city'],
    sort: '-code',
    search: 'Exported',
    filter: 'name != "Exported 2"',
  }
  const head = ['Code', 'Lot', 'Type', 'Makes', 'On public pages', 'Organization', 'City']
  const rows = [
    ['EXQ', 'Exported, "quoted"', 'Used', 'Ford, Škoda', 'No', 'Northgate Ford', ''],
    ['EXPORTED-3', 'Exported 3', 'New and used', '', 'Yes', 'Northgate Ford', ''],
    ['EXPORTED-1', 'Exported 1', 'New and used', '', 'Yes', 'Northgate Ford', ''],
  ]
  expect(await asCsv(dealer, asked)).toEqual([head, ...rows])
  const empty = (cells: string[]) => cells.map((cell) => (cell === '' ? null : cell))
  const [sheet] = await asXlsx(dealer, asked)
  expect(sheet?.name).toBe('Lots')
  expect(sheet?.rows.map((row) => head.map((_, at) => row[at] ?? null))).toEqual([head, ...rows.map(empty)])
})

test("cells keep their type: numbers, money, dates, and moments in the organization's time zone", async () => {
  // With SQL: changed in the past, once in daylight saving time and once not.
  const insertVehicle = (columns: string, values: unknown[]) =>
    ford.insert(
      `insert into vehicles (customer_id, organization_id, lot_id, make, ${columns})
      select customer_id, organization_id, id, 'Ford', ${values.map((_, at) => `$${at + 2}`).join(', ')}
      from lots where id = $1 returning id`,
      [lotId, ...values],
    )
  const lotId = await ford.addLot()
  await insertVehicle('stock, year, mileage, price_cents, cost_cents, in_stock_on, updated_at', [
    'KIND-1',
    2021,
    0,
    123_456_05,
    1,
    '2026-03-01',
    '2026-07-01T06:30:00Z',
  ])
  await insertVehicle('stock, updated_at', ['KIND-2', '2026-01-01T12:00:00Z'])
  const asked = {
    list: 'vehicles',
    columns: ['stock', 'year', 'mileage', 'price', 'cost', 'inStockOn', 'updatedAt', 'condition'],
    search: 'KIND-',
    sort: 'stock',
  }
  const csv = await take(admin, { ...asked, format: 'csv' })
  expect(csv.text).toBe(
    [
      '\uFEFF"Stock","Year","Mileage","Price before rules","Cost","In stock since","Changed (America/Los_Angeles)","Condition"',
      '"KIND-1",2021,0,123456.05,0.01,2026-03-01,2026-06-30 23:30:00,"Used"',
      '"KIND-2",,,,,,2026-01-01 04:00:00,"Used"',
      '',
    ].join('\r\n'),
  )
  expect(csv.headers).toMatchObject({
    'content-type': 'text/csv; charset=utf-8',
    'content-disposition': expect.stringMatching(/^attachment; filename="vehicle-data-\d{4}-\d\d-\d\d\.csv"/),
  })
  const [sheet] = await asXlsx(admin, asked)
  const [, first, second] = sheet?.rows ?? []
  expect(first).toEqual([
    'KIND-1',
    2021,
    0,
    123_456.05,
    0.01,
    new Date('2026-03-01'),
    new Date('2026-06-30T23:30:00Z'),
    'Used',
  ])
  expect(second?.slice(0, 4)).toEqual(['KIND-2', null, null, null])
})

test('text is never read as a formula, and is complete', async () => {
  const names = [
    '=HYPERLINK("https://evil.example","x")',
    '+cmd|calc',
    '-1+2',
    '@SUM(A1)',
    'a;=1+1',
    '＝1+1',
    'متجر السيارات',
    '汽车 🚗',
    'O’Brien, Ana',
  ]
  for (const [at, name] of names.entries()) await dealer.call(lots.add, { name, code: `FORM${at}` })
  await dealer.call(lots.add, { name: 'Phone', code: 'FORM9', phone: '+1 916 555 0140' })
  const asked = { list: 'lots', columns: ['name', 'phone'], search: 'FORM', sort: 'code' }
  const csv = await asCsv(dealer, asked)
  expect(csv.slice(1).map(([name]) => name)).toEqual([
    ...names.slice(0, 4).map((name) => `'${name}`),
    "a;'=1+1",
    `'${names[5]}`,
    ...names.slice(6),
    'Phone',
  ])
  expect(csv.at(-1)?.[1]).toBe("'+1 916 555 0140")
  const { bytes } = await take(dealer, { ...asked, format: 'xlsx' })
  const { sheets } = await readXlsx(bytes)
  expect(sheets[0]?.rows.slice(1).map(([name]) => name)).toEqual([...names, 'Phone'])
  const cells = [...(sheets[0]?.cells?.values() ?? [])]
  expect(cells.filter((cell) => cell.formula !== undefined)).toEqual([])
})

test('exports selected rows, or all but some', async () => {
  const [one, two, three] = await addManyLots(forecourt, ford, { count: 3, word: 'Chosen' })
  const asked = { list: 'lots', columns: ['name'], search: 'Chosen', sort: 'name' }
  expect(await asCsv(dealer, { ...asked, ids: [one ?? '', three ?? ''] })).toEqual([
    ['Lot'],
    ['Chosen 1'],
    ['Chosen 3'],
  ])
  expect(await asCsv(dealer, { ...asked, except: [two ?? ''] })).toHaveLength(3)
  expect(await asCsv(dealer, { ...asked, filter: 'name == "nothing"' })).toEqual([['Lot']])
})

test('rejects an unavailable column, sort or rule by name', async () => {
  const asked: ExportInput = { list: 'vehicles', format: 'csv', columns: ['stock'] }
  const refusals: readonly (readonly [Partial<ExportInput>, number, string])[] = [
    [{ columns: ['stock', 'cost'] }, 400, 'Unknown column: cost.'],
    [{ columns: ['stock', 'nothing'] }, 400, 'Unknown column: nothing.'],
    [{ sort: '-cost' }, 400, 'Cannot sort by cost.'],
    [{ filter: 'cost > 5' }, 400, 'cost'],
    [{ list: 'nothing' }, 404, 'List not found.'],
    [{ list: 'jobs', columns: ['title'] }, 403, "Jobs can't be exported."],
  ]
  for (const [more, status, text] of refusals) {
    await expect(dealer.call(reports.exportList, { ...asked, ...more })).toRefuse(status, text)
    await expect(dealer.call(reports.startExport, { ...asked, ...more })).toRefuse(status, text)
  }
})

test('exporting requires its own permission in addition to reading', async () => {
  const sustain = await forecourt.as('northgate.sustain', 'Northgate Ford')
  const asked: ExportInput = { list: 'lots', format: 'csv', columns: ['name'] }
  await expect(sustain.call(reports.exportList, asked)).toRefuse(403, 'It requires Lots, export (8, 6).')
  await expect(sustain.call(reports.startExport, asked)).toRefuse(403, 'It requires Lots, export (8, 6).')
})

test('a user of one rooftop exports only its rows', async () => {
  const asked = {
    list: 'users',
    format: 'csv',
    columns: ['email', 'organizationIds'],
    sort: 'email',
  } as const
  const auditor = await forecourt.as('northgate.auditor')
  const seen = await auditor.call(users.list, {
    pageSize: 200,
    sort: 'email',
  })
  const rows = await asCsv(auditor, asked)
  expect(rows.slice(1).map(([email]) => email)).toEqual(seen.results.map(({ email }) => email))
  expect(rows.flat().join(' ')).not.toContain('Toyota')
})

test('an export is logged with the user, list, filter and number of rows', async () => {
  await take(dealer, { list: 'lots', format: 'csv', columns: ['name'], search: 'Chosen' })
  const { rows } = await forecourt.owner.query<Record<string, unknown>>(
    `select actor_name, endpoint, organization_id, after from audit_log where table_name = 'downloads' and operation = 'event'
    order by id desc limit 1`,
  )
  expect(rows).toEqual([
    {
      actor_name: 'Luis Ortega',
      endpoint: 'reports.exportList',
      organization_id: ford.organizationId,
      after: {
        event: 'exported 3 rows of Lots as CSV',
        rows: 3,
        asked: { list: 'lots', format: 'csv', columns: ['name'], search: 'Chosen' },
      },
    },
  ])
})

test('more than ten thousand rows are exported by a job, whose file only its user can download', async () => {
  await forecourt.owner.query('alter table lots disable trigger user')
  await addManyLots(forecourt, ford, { count: 10_500, word: 'Big' })
  await forecourt.owner.query('alter table lots enable trigger user')
  const asked: ExportInput = { list: 'lots', format: 'csv', columns: ['code', 'name'], search: 'Big' }
  await expect(dealer.call(reports.exportList, asked)).toRefuse(409, 'Exports of more than 10,000 lots')
  const { id } = await dealer.call(reports.startExport, { ...asked, sort: '-code' })
  expect(await dealer.call(jobs.get, { id })).toMatchObject({ title: 'Lots as CSV', total: null, file: null })
  await forecourt.jobs.runDue()
  const done = await dealer.call(jobs.get, { id })
  expect(done).toMatchObject({
    state: 'done',
    total: 10_500,
    done: 10_500,
    canUndo: false,
    file: { name: expect.stringMatching(/^lots-.*\.csv$/) },
  })
  const file = await download(dealer, id)
  expect(file.bytes.byteLength).toBe(done.file?.bytes)
  const rows = parseCsv(file.text.replace(/^\uFEFF/, ''))
  expect(rows).toHaveLength(10_501)
  expect(rows[1]).toEqual(['BIG-9999', 'Big 9999'])

  // Other users can't download it, nor can its user after losing the permission to export.
  expect((await download(admin, id)).status).toBe(403)
  expect((await download(await forecourt.as('northgate.sustain', 'Northgate Ford'), id)).status).toBe(404)
  await forecourt.owner.query(
    `insert into user_permissions (customer_id, user_id, func, opr, is_allowed)
    select customer_id, id, 8, 6, false from users where user_name = 'northgate.dealer'`,
  )
  expect((await download(dealer, id)).status).toBe(403)
  await forecourt.owner.query(`delete from user_permissions where func = 8 and opr = 6`)
  await forecourt.owner.query(
    `update jobs set file_expires_at = app_now() - interval '1 second' where id = $1`,
    [id],
  )
  expect(await download(dealer, id)).toMatchObject({ status: 404 })
  expect(await forecourt.jobs.sweep()).toEqual({ files: 1, jobs: 0 })
  expect((await forecourt.owner.query('select from job_file_parts')).rowCount).toBe(0)
  expect(await dealer.call(jobs.get, { id })).toMatchObject({ state: 'done', file: null })
})

const download = (caller: Caller, id: string) =>
  caller.send({ method: 'GET', url: jobs.download.path.replace('{id}', id) })

test('an export job stops when its user loses access to a column', async () => {
  const { id } = await admin.call(reports.startExport, {
    list: 'vehicles',
    format: 'xlsx',
    columns: ['stock', 'cost'],
  })
  await forecourt.owner.query(
    `insert into user_permissions (customer_id, user_id, func, opr, is_allowed)
    select customer_id, id, 49, 1, false from users where user_name = 'northgate.admin'`,
  )
  await forecourt.jobs.runDue()
  expect(await admin.call(jobs.get, { id })).toMatchObject({
    state: 'failed',
    error: "You don't have permission to do this. It requires Vehicle cost, list (49, 1).",
  })
  await forecourt.owner.query(`delete from user_permissions where func = 49`)
})

/** Opens a download over the network, without reading it. */
async function openDownload(caller: Caller, asked: ExportInput) {
  const over = new AbortController()
  const response = await fetch(`${address}${reports.exportList.path}`, {
    method: 'POST',
    headers: { authorization: `Bearer ${caller.token}`, 'content-type': 'application/json' },
    body: JSON.stringify(asked),
    signal: over.signal,
  })
  return { status: response.status, abort: () => over.abort(), finish: () => response.text() }
}

const LONG: ExportInput = { list: 'lots', columns: ['name', 'address'], format: 'csv', search: 'Shared' }

/** Lots whose export is longer than what the network keeps for a reader that does not read. */
async function addLongLots(): Promise<void> {
  await addManyLots(forecourt, ford, { count: 9_000, word: 'Shared' })
  await forecourt.owner.query(
    `update lots set address = (select string_agg(md5(lots.id::text || n), '') from generate_series(1, 40) n)
    where name like 'Shared %'`,
  )
}

test('a customer downloads two exports at a time, so that others can export too', async () => {
  await addLongLots()
  const harbor = await forecourt.as('harbor.admin')
  const tryExport = async (caller: Caller, payload: ExportInput): Promise<number> =>
    (await caller.send({ method: 'POST', url: reports.exportList.path, payload })).status
  const short: ExportInput = { ...LONG, search: 'Shared 77' }
  const [aborted, complete] = [await openDownload(dealer, LONG), await openDownload(dealer, LONG)]
  expect([aborted.status, complete.status]).toEqual([200, 200])
  const refused = await dealer.send({ method: 'POST', url: reports.exportList.path, payload: short })
  expect([refused.status, refused.text]).toEqual([
    429,
    expect.stringContaining(
      'Two exports of your company are being downloaded. Wait for one to finish, or start this one as a job.',
    ),
  ])
  expect(await tryExport(harbor, short)).toBe(200)
  aborted.abort()
  await expect.poll(() => tryExport(dealer, short)).toBe(200)

  const again = await openDownload(dealer, LONG)
  expect([again.status, await tryExport(dealer, short)]).toEqual([200, 429])
  await complete.finish()
  await expect.poll(() => tryExport(dealer, short)).toBe(200)
  // Exports that fail release their share as well.
  for (let turn = 0; turn < 3; turn += 1)
    expect(await tryExport(dealer, { ...short, ids: ['999999999'] })).toBe(404)
  expect(await tryExport(dealer, short)).toBe(200)
  again.abort()
}, 60_000)

test('an aborted download releases its connection', async () => {
  for (let turn = 0; turn < 8; turn += 1) {
    let opened = await openDownload(dealer, LONG)
    // The abort before may not have arrived.
    while (opened.status === 429) opened = await openDownload(dealer, LONG)
    expect(opened.status).toBe(200)
    opened.abort()
  }
  await expect
    .poll(async () => {
      const { rows } = await forecourt.owner.query<{ open: number }>(
        `select count(*)::int as open from pg_stat_activity where datname = current_database()
          and state like 'idle in transaction%'`,
      )
      return rows[0]?.open
    })
    .toBe(0)
})
