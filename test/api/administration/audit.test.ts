import { afterAll, beforeAll, expect, test } from 'vitest'
import { lots } from '#contract/customers/lots/lots.ts'
import { organizations } from '#contract/organizations/organizations.ts'
import { testApp, type Caller, type TestApp } from '#test/app.ts'
import { testOrganization, type TestOrganization } from '#test/factories/test-organization.ts'

type Entry = {
  operation: string
  table_name: string
  endpoint: string | null
  actor_name: string | null
  organization_id: string | null
  before: Record<string, unknown> | null
  after: Record<string, unknown> | null
}

let forecourt: TestApp
let ford: TestOrganization
let admin: Caller
beforeAll(async () => {
  forecourt = await testApp()
  ford = await testOrganization(forecourt, 'Northgate Ford')
  admin = await forecourt.as('northgate.admin', 'Northgate Ford')
})
afterAll(() => forecourt.close())

async function entriesOf(table: string, rowId: string): Promise<Entry[]> {
  const { rows } = await forecourt.owner.query<Entry>(
    `select operation, table_name, endpoint, actor_name, organization_id, before, after
    from audit_log where table_name = $1 and row_id = $2 order by id`,
    [table, rowId],
  )
  return rows
}

test('logs the life of a lot with user, endpoint, and values before and after', async () => {
  const { id } = await admin.call(lots.add, { name: 'First', code: 'LIFE' })
  await admin.call(lots.update, { id, name: 'Second' })
  await admin.call(lots.remove, { id })
  const entries = await entriesOf('lots', id)
  const own = { table_name: 'lots', actor_name: 'Dana Whitfield', organization_id: ford.organizationId }
  expect(entries).toEqual([
    {
      ...own,
      operation: 'insert',
      endpoint: 'lots.add',
      before: null,
      after: expect.objectContaining({ name: 'First', version: 1 }),
    },
    {
      ...own,
      operation: 'update',
      endpoint: 'lots.update',
      before: expect.objectContaining({ name: 'First', version: 1 }),
      after: expect.objectContaining({ name: 'Second', version: 2 }),
    },
    {
      ...own,
      operation: 'delete',
      endpoint: 'lots.remove',
      before: expect.objectContaining({ name: 'Second' }),
      after: null,
    },
  ])
})

test('an update without changes leaves no entry, version or author', async () => {
  const lot = await admin.call(lots.add, { name: 'Same', code: 'SAME' })
  const again = await admin.call(lots.update, { ...lot, makes: lot.makes })
  expect({ again, entries: (await entriesOf('lots', lot.id)).length }).toEqual({ again: lot, entries: 1 })
})

test("an organization's entry belongs to it, so that sister organizations cannot read it", async () => {
  const { id } = await admin.call(organizations.save, { name: 'Audited' })
  expect(await entriesOf('organizations', id)).toEqual([
    expect.objectContaining({ operation: 'insert', organization_id: id, endpoint: 'organizations.save' }),
  ])
})

test('records all columns of a composite key', async () => {
  const { id } = await admin.call(organizations.save, { name: 'With a member' })
  const { rows } = await forecourt.owner.query<{ row_id: string; user_id: string }>(
    `select row_id, after ->> 'user_id' as user_id from audit_log where table_name = 'memberships' and organization_id = $1`,
    [id],
  )
  expect(rows).toEqual([{ row_id: `${rows[0]?.user_id}/${id}`, user_id: rows[0]?.user_id }])
})

test('a rolled-back change leaves no entry', async () => {
  const { owner } = forecourt
  await owner.query('begin')
  // With SQL, because a rejected call of the product is not rolled back halfway.
  const id = await ford.insert(
    `insert into lots (customer_id, organization_id, code, name) values ($1, $2, 'UNDONE', 'Undone') returning id`,
    [ford.customerId, ford.organizationId],
  )
  const meanwhile = (await entriesOf('lots', id)).length
  await owner.query('rollback')
  expect([meanwhile, (await entriesOf('lots', id)).length]).toEqual([1, 0])
})

test('a rejected call leaves no entry', async () => {
  const { rows: before } = await forecourt.owner.query('select from audit_log')
  await expect(admin.call(lots.add, { name: 'Taken', code: 'NGF' })).toRefuse(409)
  const { rows: after } = await forecourt.owner.query('select from audit_log')
  expect(after.length).toBe(before.length)
})

test('masks secrets by column name suffix, and shows null as null', async () => {
  const { owner } = forecourt
  await owner.query('begin')
  await owner.query(`create table vault (customer_id bigint not null, id bigint, organization_id bigint,
    password_hash text, smtp_sealed text, api_secret text, empty_secret text, secretary text, primary key (customer_id, id))`)
  await owner.query(`call protect_tenant_table('vault', array['id'])`)
  await owner.query(`insert into vault values ($1, 1, $2, 'h', 's', 'k', null, 'Ann')`, [
    ford.customerId,
    ford.organizationId,
  ])
  await owner.query(`update vault set api_secret = 'changed', secretary = 'Bea'`)
  const entries = await entriesOf('vault', '1')
  await owner.query('rollback')
  const masked = { password_hash: '***', smtp_sealed: '***', api_secret: '***', empty_secret: null }
  expect(entries.map(({ after }) => after)).toEqual([
    expect.objectContaining({ ...masked, secretary: 'Ann' }),
    expect.objectContaining({ ...masked, secretary: 'Bea' }),
  ])
})
