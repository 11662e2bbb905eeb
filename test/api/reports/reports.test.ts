import { readXlsx } from 'hucre/xlsx'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { reports } from '#contract/reports/reports.ts'
import { testApp, type Caller, type TestApp } from '#test/app.ts'
import { readPdf } from '#test/read-pdf.ts'
import { testOrganization, type TestOrganization } from '#test/factories/test-organization.ts'

let forecourt: TestApp
let ford: TestOrganization
let admin: Caller
let auditor: Caller
beforeAll(async () => {
  forecourt = await testApp()
  ford = await testOrganization(forecourt, 'Northgate Ford')
  admin = await forecourt.as('northgate.admin', 'Northgate Ford')
  auditor = await forecourt.as('northgate.auditor')
})
afterAll(() => forecourt.close())

const make = (caller: Caller, format: 'pdf' | 'xlsx') =>
  caller.send({
    method: 'POST',
    url: reports.make.path.replace('{name}', 'user-access-review'),
    payload: { format },
  })

async function rowsOf(caller: Caller) {
  const { bytes, status, text } = await make(caller, 'xlsx')
  if (status !== 200) throw new Error(text)
  const { sheets } = await readXlsx(bytes)
  return { about: sheets[0]?.rows ?? [], rows: sheets[1]?.rows ?? [] }
}

test('lists reports, with the reason if the caller cannot create them', async () => {
  const dealer = await forecourt.as('northgate.dealer')
  const list = await dealer.call(reports.list, {})
  expect(list).toMatchObject([
    { name: 'user-access-review', formats: ['pdf', 'xlsx'], lock: 'You need Users, read (2, 2).' },
  ])
  expect(await auditor.call(reports.list, {})).toMatchObject([{ lock: null }])
  expect((await make(dealer, 'pdf')).status).toBe(403)
})

test('the user access review lists all users within reach, by type, with individual permissions', async () => {
  const { about, rows } = await rowsOf(admin)
  expect(about).toEqual(
    expect.arrayContaining([
      ['Customer', 'Northgate Motor Group'],
      ['Users of', 'all organizations'],
      ['By', 'Dana Whitfield'],
      ['Deactivated', 1],
    ]),
  )
  const [head, ...people] = rows
  expect(head).toEqual([
    'Group',
    'Name',
    'User name and email',
    'Organizations',
    'Status',
    'Individual permissions',
    'Last sign-in',
    'Password email',
  ])
  const { rows: there } = await forecourt.owner.query('select from users where customer_id = $1', [
    ford.customerId,
  ])
  expect(people).toHaveLength(there.length)
  expect(people.find(([, name]) => name === 'Sofia Marino')).toEqual([
    'Sales manager (own organization), 1 user',
    'Sofia Marino',
    'sofia.marino\nsofia.marino@northgate.example',
    'Northgate Ford, Northgate Toyota',
    'Active',
    '2 individual\nAllowed: Reports, export\nDenied: Pricing rules, delete',
    'Never',
    'Never',
  ])
})

test('a user of one rooftop reviews only its users', async () => {
  const { about, rows } = await rowsOf(auditor)
  expect(about).toContainEqual(['Users of', 'Northgate Ford'])
  const text = rows.flat().join(' ')
  expect(text).toContain('Luis Ortega')
  expect(text).not.toContain('Theo Lindqvist')
  expect(text).not.toContain('Toyota')
})

test('the PDF has the same users on numbered pages, and is an attachment', async () => {
  const { status, headers, bytes } = await make(auditor, 'pdf')
  expect(status).toBe(200)
  expect(headers).toMatchObject({
    'content-type': 'application/pdf',
    'content-disposition': expect.stringMatching(/^attachment; filename="user-access-review-/),
  })
  expect(bytes.subarray(0, 5).toString()).toBe('%PDF-')
  const { pages, text: words, isAccessible } = readPdf(bytes)
  expect(pages).toBeGreaterThan(0)
  expect(isAccessible).toBe(true)
  for (const word of [
    'User access review',
    'Luis Ortega',
    'Wei Zhang',
    `Page 1 of ${pages}`,
    'Reviewed by',
  ]) {
    expect(words).toContain(word)
  }
  expect(words).not.toContain('Theo Lindqvist')
})

test('a report is logged, and requires permission to create reports', async () => {
  await make(auditor, 'pdf')
  const { rows } = await forecourt.owner.query<{ actor_name: string; after: unknown }>(
    `select actor_name, after from audit_log where table_name = 'reports' order by id desc limit 1`,
  )
  expect(rows).toEqual([
    { actor_name: 'Wei Zhang', after: { event: 'created the report User access review as PDF' } },
  ])
  await expect(
    admin.send({ method: 'POST', url: '/api/reports/nothing', payload: {} }),
  ).resolves.toMatchObject({ status: 400 })
  const participant = await forecourt.as('northgate.sustain', 'Northgate Ford')
  expect((await make(participant, 'pdf')).status).toBe(403)
})
