import { afterAll, beforeAll, expect, test } from 'vitest'
import { auditLog } from '#contract/administration/audit-log.ts'
import { lots } from '#contract/customers/lots/lots.ts'
import { impersonation } from '#contract/identity/impersonation/impersonation.ts'
import { emailHandlers } from '#contract/mail/handlers/handlers.ts'
import { reports } from '#contract/reports/reports.ts'
import { makeCaller, testApp, type Caller, type TestApp } from '#test/app.ts'
import { vehicles } from '#contract/vehicles/vehicles/vehicles.ts'
import { freshCode } from '#test/factories/fresh.ts'
import { findUser } from '#test/factories/identity/find-user.ts'
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

const find = async (caller: Caller, filter: string) => (await caller.call(auditLog.list, { filter })).results

test('lists the newest entry first, with user, action, row and endpoint', async () => {
  const lot = await admin.call(lots.add, { name: 'Elm lot', code: 'ELM' })
  await admin.call(lots.update, { id: lot.id, name: 'Elm renamed' })
  const { results, totalRows } = await admin.call(auditLog.list, { pageSize: 2 })
  expect(results).toMatchObject([
    {
      actor: 'Dana Whitfield',
      effective: null,
      operation: 'update',
      kind: 'lots',
      rowId: lot.id,
      what: 'Elm renamed',
      call: 'lots.update',
    },
    { operation: 'insert', what: 'Elm lot', call: 'lots.add' },
  ])
  const { rows } = await forecourt.owner.query<{ count: number }>(
    'select count(*)::int from audit_log where customer_id = $1',
    [ford.customerId],
  )
  expect(totalRows).toBe(rows[0]?.count)
  const open = await admin.call(auditLog.get, { id: results[0]?.id ?? '' })
  expect(open.changes).toEqual([{ field: 'name', before: 'Elm lot', after: 'Elm renamed', isCovered: false }])
  expect(open.organizationName).toBe('Northgate Ford')
})

test('is searched by the stock number and VIN of a vehicle, and price changes by the word', async () => {
  const stock = freshCode('AUD')
  const vin = '1FTEW3L89TD998877'
  const id = await ford.addVehicle({ stock, vin, priceCents: 2_000_000 })
  await ford.call(vehicles.update, { id, doors: 4 })
  await ford.call(vehicles.update, { id, priceCents: 1_990_000 })
  await ford.call(vehicles.update, { id, stock: `${stock}X` })
  await ford.addSpecialPrice(id)
  const search = async (text: string) => {
    const { results } = await ford.call(auditLog.list, { search: text })
    return results.map(({ kind, operation, rowId }) => [kind, operation, rowId === id])
  }
  const renamed = ['vehicles', 'update', true]
  const special = ['vehicle_special_prices', 'insert', true]
  const others = [renamed, renamed, ['vehicles', 'insert', true]]
  // A vehicle is found by the number that it had, too; what belongs to it by the one that it has.
  expect(await search(stock)).toEqual([special, renamed, ...others])
  expect(await search(`${stock}X`.toLowerCase())).toEqual([special, renamed])
  expect(await search(vin)).toEqual([special, renamed, ...others])
  expect((await search('price')).slice(0, 3)).toEqual([special, renamed, ['vehicles', 'insert', true]])
})

test('can be filtered by user, kind, row, operation and date', async () => {
  const dealer = await forecourt.as('northgate.dealer')
  const lot = await dealer.call(lots.add, { name: 'Filtered lot', code: 'FLT' })
  for (const filter of [
    `rowId == "${lot.id}" && kind == "lots"`,
    `actor == "Luis Ortega" && operation == "insert" && what.contains("Filtered")`,
    `call == "lots.add" && kind == "lots" && rowId == "${lot.id}"`,
  ]) {
    const found = await find(admin, filter)
    expect(found).toMatchObject([{ rowId: lot.id, operation: 'insert' }])
  }
  expect(await find(admin, `rowId == "${lot.id}" && kind == "lots" && operation == "delete"`)).toEqual([])
})

test('an impersonating user is shown with both names, and found by either', async () => {
  const staff = await forecourt.as('super', 'Northgate Ford')
  const { id } = await findUser(admin, 'northgate.dealer')
  const { accessToken } = await staff.call(impersonation.impersonate, {
    userId: id,
    mode: 'act',
    reason: 'Why not',
  })
  await makeCaller(forecourt.app, accessToken).call(lots.add, { name: 'Skin lot', code: 'SKN' })
  const [entry] = await find(admin, 'effective == "Luis Ortega" && operation == "insert"')
  expect(entry).toMatchObject({ actor: 'Robin Hale', effective: 'Luis Ortega', what: 'Skin lot' })
  const [started] = await find(admin, 'what == "started acting as them"')
  expect(started).toMatchObject({ actor: 'Robin Hale', effective: 'Luis Ortega', kind: 'users', rowId: id })
  expect((await admin.call(auditLog.get, { id: started?.id ?? '' })).changes).toEqual([
    { field: 'reason', before: null, after: 'Why not', isCovered: false },
  ])
})

test('secrets are never shown', async () => {
  const handler = await admin.call(emailHandlers.add, {
    emailHandler: {
      name: 'Elm handler',
      kind: 'smtp',
      fromEmail: 'us@people.example',
      host: 'mail.people.example',
      port: 587,
      userName: 'us',
      secret: 'very-secret-word',
    },
  })
  const [entry] = await find(admin, `kind == "email_handlers" && rowId == "${handler.id}"`)
  const open = await admin.call(auditLog.get, { id: entry?.id ?? '' })
  expect(JSON.stringify(open)).not.toContain('very-secret-word')
  expect(open.changes.filter(({ isCovered }) => isCovered).length).toBeGreaterThan(0)
})

test('costs require permission', async () => {
  const id = await ford.addVehicle({ costCents: 1_234_500 })
  const [entry] = await find(admin, `kind == "vehicles" && rowId == "${id}"`)
  const fields = async (caller: Caller) =>
    (await caller.call(auditLog.get, { id: entry?.id ?? '' })).changes.map(({ field }) => field)
  expect(await fields(admin)).toContain('cost')
  await forecourt.owner.query(
    `insert into user_permissions (customer_id, user_id, func, opr, is_allowed)
    select customer_id, id, 49, 2, false from users where user_name = 'northgate.admin'`,
  )
  const denied = await fields(admin)
  await forecourt.owner.query('delete from user_permissions where func = 49')
  expect(denied).toContain('make')
  expect(denied).not.toContain('cost')
})

test('users with organization reach see only its rows', async () => {
  const toyota = await testOrganization(forecourt, 'Northgate Toyota')
  const [own, sisters] = [await ford.addAuditEntry('Own entry'), await toyota.addAuditEntry('Sister entry')]
  await forecourt.owner.query(
    `insert into user_permissions (customer_id, user_id, func, opr, is_allowed)
    select customer_id, id, 42, opr, true from users, unnest('{1,2}'::int[]) opr where user_name = 'northgate.dealer'`,
  )
  const dealer = await forecourt.as('northgate.dealer')
  expect((await find(dealer, 'what.contains(" entry")')).map(({ id }) => id)).toEqual([own])
  await expect(dealer.call(auditLog.get, { id: sisters })).toRefuse(404)
})

test('can be exported, which is logged', async () => {
  const file = { list: 'auditLog', format: 'csv' as const, columns: ['what', 'actor', 'effective', 'at'] }
  await expect(admin.call(reports.exportList, file)).resolves.toBeDefined()
  const [noted] = await find(admin, 'call == "reports.exportList"')
  expect(noted?.what).toMatch(/^exported \d+ rows of Audit log as CSV$/)
  const job = await admin.call(reports.startExport, file)
  await forecourt.jobs.runDue()
  const { rows } = await forecourt.owner.query<{ state: string }>('select state from jobs where id = $1', [
    job.id,
  ])
  expect(rows).toEqual([{ state: 'done' }])
})

test('a page of a large log is read in order from the index', async () => {
  await forecourt.owner.query(
    `insert into audit_log (customer_id, organization_id, at, actor_name, operation, table_name, row_id, after)
    select $1, $2, app_now() - n * interval '1 s', 'Many', 'update', 'lots', n::text, jsonb_build_object('name', 'Many ' || n)
    from generate_series(1, 20000) n`,
    [ford.customerId, ford.organizationId],
  )
  await forecourt.owner.query('vacuum analyze audit_log')
  const { rows } = await forecourt.owner.query<{ 'QUERY PLAN': string }>(
    `explain select a.id from audit_log a where a.customer_id = ${ford.customerId} order by a.at desc, a.id desc limit 50`,
  )
  const plan = rows.map((row) => row['QUERY PLAN']).join('\n')
  expect(plan).toContain('Index Only Scan using audit_log_latest')
  expect(plan).not.toContain('Sort')
  const { results } = await admin.call(auditLog.list, { pageSize: 50, page: 100 })
  expect(results).toHaveLength(50)
})
