import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { lots } from '#contract/customers/lots/lots.ts'
import { auth } from '#contract/identity/auth.ts'
import { users } from '#contract/identity/users/users.ts'
import { can, Func, Opr } from '#contract/permissions.ts'
import { refusalOf, testApp, type Caller, type TestApp } from '#test/app.ts'
import { concurrently, countWaiting } from '#test/harness/concurrently.ts'
import { findUser } from '#test/factories/identity/find-user.ts'
import { fresh, testOrganization, type TestOrganization } from '#test/factories/test-organization.ts'
import { alterSession, forkSession, readStored, sessionIdOf } from '#test/factories/identity/sessions.ts'
import { DEMO_PASSWORD } from '../../../demo/world.ts'

let forecourt: TestApp
let ford: TestOrganization
let toyota: TestOrganization
let admin: Caller
let root: Caller
beforeAll(async () => {
  forecourt = await testApp()
  ford = await testOrganization(forecourt, 'Northgate Ford')
  toyota = await testOrganization(forecourt, 'Northgate Toyota')
  admin = await forecourt.as('northgate.admin', 'Northgate Ford')
  root = await forecourt.as('super', 'Forecourt Operations')
})
afterAll(() => forecourt.close())

const newUserName = (): string => fresh('person').replace(' ', '.')

async function newUserRow(
  more: { organizationIds?: string[]; userTypeId?: string; isActive?: boolean } = {},
) {
  const userName = newUserName()
  return {
    userName,
    firstName: 'Nia',
    lastName: 'Okoro',
    email: `${userName}@people.example`,
    userTypeId: await ford.userType('Dealer user'),
    organizationIds: [ford.organizationId],
    ...more,
  }
}

describe('changing', () => {
  test('accepts the whole edit-user response back without changing anything', async () => {
    const { id } = await admin.call(users.add, { user: await newUserRow() })
    const before = await admin.call(users.get, { id })
    const again = await admin.call(users.update, {
      user: { ...before, organizationIds: before.organizations.map((one) => one.id) },
      permissions: await admin.call(users.permissions, { id }),
    })
    expect(again).toEqual(before)
  })

  test('rejects a stale edit with the current user', async () => {
    const { id } = await admin.call(users.add, { user: await newUserRow() })
    const loaded = await admin.call(users.get, { id })
    const { permissions } = await admin.call(users.permissions, { id })
    const first = await admin.call(users.update, {
      user: { id, version: loaded.version },
      permissions: permissions.slice(1),
    })
    const refusal = await refusalOf(
      admin.call(users.update, { user: { id, version: loaded.version, firstName: 'Late' } }),
    )
    expect([refusal.status, refusal.refusal.current]).toEqual([409, first])
    expect(first.version).toBe(loaded.version + 1)
  })

  test('increments the version even if only memberships change', async () => {
    const { id, version } = await admin.call(users.add, { user: await newUserRow() })
    const moved = await admin.call(users.update, {
      user: { id, version, organizationIds: [toyota.organizationId] },
    })
    expect([moved.version, moved.organizations.map(({ name }) => name)]).toEqual([
      version + 1,
      ['Northgate Toyota'],
    ])
  })

  test('of the type keeps overrides, except those it makes redundant', async () => {
    const dealer = await ford.userType('Dealer user')
    const { id: like } = await findUser(admin, 'northgate.dealer')
    const grants = (await admin.call(users.permissions, { id: like })).permissions
    const extra = [can(Func.carbonInsights, Opr.list), can(Func.users, Opr.list)]
    const { id } = await admin.call(users.add, {
      user: await newUserRow({ userTypeId: dealer }),
      permissions: [...grants, ...extra],
    })
    // An override for a permission of the new type is redundant.
    const retyped = await admin.call(users.update, {
      user: { id, userTypeId: await ford.userType('Sustainability manager') },
    })
    const { permissions } = await admin.call(users.permissions, { id })
    expect([retyped.differences, permissions]).toEqual([1, expect.arrayContaining(extra)])
  })

  test('of permissions requires administer, unless the set is unchanged', async () => {
    const userTypeId = await ford.addUserType()
    const typeName = fresh('Clerk')
    const clerkType = await ford.addUserType(typeName)
    const belowId = await ford.addUserType(fresh('Below'), typeName)
    const [userName, target] = [newUserName(), await newUserRow({ userTypeId: belowId })]
    await forecourt.owner.query(
      `insert into user_type_permissions (customer_id, user_type_id, func, opr)
      select $1, $2, func, opr from (values (1, 1), (2, 1), (2, 2), (2, 4)) given (func, opr)`,
      [ford.customerId, clerkType],
    )
    await forecourt.owner.query(
      `insert into user_type_permissions (customer_id, user_type_id, func, opr) values ($1, $2, 1, 1)`,
      [ford.customerId, belowId],
    )
    await ford.addMember({ userName, userType: typeName })
    const clerk = await forecourt.as(userName)
    const { id } = await admin.call(users.add, { user: target })
    const own = await clerk.call(users.permissions, { id })
    await clerk.call(users.update, { user: { id, phone: '+1 916 555 0100' }, permissions: own })
    await expect(clerk.call(users.update, { user: { id }, permissions: [] })).toRefuse(
      403,
      'Users, administer (2, 8)',
    )
    await expect(clerk.call(users.update, { user: { id, userTypeId } })).toRefuse(400, 'user.userTypeId')
  })

  test('deactivation ends sessions at once, and activation does not revive them', async () => {
    const userName = newUserName()
    const id = await ford.addMember({ userName, userType: 'Dealer user' })
    const session = await forecourt.as(userName)
    await admin.call(users.update, { user: { id, isActive: false } })
    await expect(session.call(lots.list, {})).toRefuse(401)
    await admin.call(users.update, { user: { id, isActive: true } })
    await expect(session.call(lots.list, {})).toRefuse(401)
    expect((await readStored(forecourt, sessionIdOf(session))).revoked).toBe(true)
    await expect(forecourt.as(userName)).resolves.toBeDefined()
  })

  test('is rejected for a user name in use', async () => {
    const { id } = await admin.call(users.add, { user: await newUserRow() })
    for (const userName of ['northgate.dealer', 'priya.raman@northgate.example']) {
      await expect(admin.call(users.update, { user: { id, userName } })).toRefuse(409, 'user.userName')
    }
    const userName = 'nobodys@people.example'
    await expect(admin.call(users.update, { user: { id, userName } })).resolves.toMatchObject({ userName })
  })
})

describe('oneself', () => {
  test('changes names and phone', async () => {
    const own = await findUser(admin, 'northgate.admin')
    const changed = await admin.call(users.update, { user: { id: own.id, phone: '+1 916 555 0188' } })
    expect([own.lock, changed.phone]).toEqual([null, '+1 916 555 0188'])
  })

  test('can send the own record back unchanged', async () => {
    const own = await findUser(admin, 'northgate.admin')
    const back = await admin.call(users.update, {
      user: { ...own, organizationIds: own.organizations.map(({ id }) => id) },
      permissions: await admin.call(users.permissions, { id: own.id }),
    })
    expect(back).toEqual(own)
  })

  test.for([
    ['email address', () => Promise.resolve({ email: 'mine@people.example' }), 'Ask an administrator'],
    ['user name', () => Promise.resolve({ userName: 'mine' }), 'Ask an administrator'],
    ['user type', async () => ({ userTypeId: await ford.userType('Dealer user') }), 'your own user type'],
    ['super user status', () => Promise.resolve({ isSuper: true }), 'super user status'],
    ['activity', () => Promise.resolve({ isActive: false }), 'deactivate yourself'],
    [
      'organizations',
      () => Promise.resolve({ organizationIds: [ford.organizationId] }),
      'your own organizations',
    ],
  ] as const)('cannot change the own %s', async ([, change, sentence]) => {
    const { id } = await findUser(admin, 'northgate.admin')
    await expect(admin.call(users.update, { user: { id, ...(await change()) } })).toRefuse(403, sentence)
  })

  test('cannot be sent a password email', async () => {
    const { id } = await findUser(admin, 'northgate.admin')
    await expect(admin.call(users.sendPasswordMail, { id })).toRefuse(403, 'Use Change Password.')
  })

  test('can neither change the own permissions nor delete the own account', async () => {
    const { id } = await findUser(admin, 'northgate.admin')
    await expect(admin.call(users.update, { user: { id }, permissions: [] })).toRefuse(
      403,
      'your own permissions',
    )
    await expect(admin.call(users.remove, { id })).toRefuse(403, "You can't delete yourself.")
  })
})

test('while impersonating, only names, phone and job title can be changed', async () => {
  const impersonated = await forkSession(forecourt, admin)
  const { id: other } = await findUser(admin, 'northgate.sustain')
  await alterSession(forecourt, sessionIdOf(impersonated), `user_id = ${other}`)
  const { id } = await admin.call(users.add, { user: await newUserRow() })
  const current = await admin.call(users.get, { id })
  const back = { ...current, organizationIds: [ford.organizationId] }
  await expect(
    impersonated.call(users.update, {
      user: { ...back, firstName: 'Nina', lastName: 'O', phone: '+1 916 555 0101', jobTitle: 'x' },
    }),
  ).resolves.toMatchObject({ firstName: 'Nina', lastName: 'O', phone: '+1 916 555 0101', jobTitle: 'x' })
  for (const change of [
    { email: 'other@people.example' },
    { userName: newUserName() },
    { userTypeId: await ford.userType('Participant') },
    { organizationIds: [toyota.organizationId] },
    { isActive: false },
  ]) {
    await expect(impersonated.call(users.update, { user: { id, ...change } })).toRefuse(
      403,
      'while impersonating a user',
    )
  }
})

test('a concurrent password email does not deadlock with a change that ends sessions', async () => {
  const userName = newUserName()
  const id = await ford.addMember({ userName, userType: 'Dealer user' })
  await forecourt.as(userName)
  const change = () => admin.call(users.update, { user: { id, userName: newUserName(), isActive: false } })
  const { owner } = forecourt
  await owner.query('begin')
  await owner.query('select from iam.sessions where user_id = $1 for update', [id])
  const changed = change()
  await expect.poll(() => countWaiting(owner), { interval: 20 }).toBe(1)
  const { rowCount } = await owner.query('select from users where id = $1 for key share skip locked', [id])
  await owner.query('commit')
  await expect(changed).resolves.toMatchObject({ isActive: false })
  expect(rowCount).toBe(1)
})

describe('the last super user', () => {
  const ownId = async () => (await findUser(root, 'super')).id
  async function addSuper(): Promise<{ id: string; caller: Caller }> {
    const platform = await testOrganization(forecourt, 'Forecourt Operations')
    const userName = newUserName()
    const id = await platform.addMember({ userName, userType: 'Super user' })
    await forecourt.owner.query('update users set is_super = true where id = $1', [id])
    return { id, caller: await forecourt.as(userName, 'Forecourt Operations') }
  }

  test('cannot be removed; another one can while there is one left', async () => {
    const second = await addSuper()
    await root.call(users.update, { user: { id: second.id, isSuper: false } })
    await expect(root.call(users.get, { id: second.id })).resolves.toMatchObject({ isSuper: false })
    await root.call(users.remove, { id: second.id })
  })

  test('one of two who deactivate each other at once stays', async () => {
    const second = await addSuper()
    const rootId = await ownId()
    const outcomes = await concurrently(forecourt.owner, 'select from users where is_super for update', [
      () => root.call(users.update, { user: { id: second.id, isActive: false } }),
      () => second.caller.call(users.update, { user: { id: rootId, isActive: false } }),
    ])
    const { rows } = await forecourt.owner.query<{ n: number }>(
      'select count(*)::int as n from users where is_super and is_active',
    )
    expect([outcomes.filter(({ status }) => status === 'fulfilled').length, rows]).toEqual([1, [{ n: 1 }]])
    await forecourt.owner.query('update users set is_active = true where is_super')
    root = await forecourt.as('super', 'Forecourt Operations')
    await root.call(users.remove, { id: second.id })
  })
})

describe('deleting', () => {
  test('ends the sessions and keeps the name in the audit log', async () => {
    const userName = newUserName()
    const id = await ford.addMember({ userName, userType: 'Dealer user' })
    const session = await forecourt.as(userName)
    await admin.call(users.remove, { id })
    await expect(session.call(auth.me, {})).toRefuse(401)
    await expect(admin.call(users.get, { id })).toRefuse(404)
    const { rows } = await forecourt.owner.query<{ name: string }>(
      `select before ->> 'user_name' as name from audit_log
      where table_name = 'users' and operation = 'delete' and row_id = $1`,
      [id],
    )
    expect(rows).toEqual([{ name: userName }])
    await expect(
      forecourt.anonymous.call(auth.signIn, { username: userName, password: DEMO_PASSWORD }),
    ).toRefuse(401)
  })
})

describe('the activity', () => {
  test('lists changes to a user as sentences, newest first', async () => {
    const { id } = await admin.call(users.add, { user: await newUserRow() })
    const { permissions } = await admin.call(users.permissions, { id })
    const lacking = can(Func.lots, Opr.delete)
    const less = permissions.filter(({ func, opr }) => func !== lacking.func || opr !== lacking.opr)
    await admin.call(users.update, { user: { id, email: 'new@people.example', phone: '+1 916 555 0101' } })
    await admin.call(users.update, { user: { id }, permissions: [...less, can(Func.users, Opr.list)] })
    await admin.call(users.update, { user: { id }, permissions })
    await admin.call(users.update, { user: { id, organizationIds: [toyota.organizationId] } })
    await admin.call(users.update, { user: { id, isActive: false } })
    await admin.call(users.update, { user: { id, isActive: true } })
    await admin.call(users.sendPasswordMail, { id })
    const told = await admin.call(users.activity, { id })
    expect(told.map(({ what }) => what)).toEqual([
      'Sent a password email',
      'Activated',
      'Deactivated',
      'Joined Northgate Toyota',
      'Left Northgate Ford',
      'Restored Lots, delete',
      'Removed Users, list',
      'Denied Lots, delete',
      'Allowed Users, list',
      'Changed email and phone',
      'Added',
    ])
    expect(new Set(told.map(({ by }) => by))).toEqual(new Set(['Dana Whitfield']))
  })

  test('is of that user only, even if another ID starts with the same digits', async () => {
    const id = await ford.createUser()
    await forecourt.owner.query(
      `insert into audit_log (customer_id, operation, table_name, row_id, after)
      select $1, 'insert', 'memberships', key, '{}' from unnest($2::text[]) key`,
      [ford.customerId, [`${id}1/1`, `${id}0/1`, `${id}.`, `1${id}/1`]],
    )
    const told = await admin.call(users.activity, { id })
    expect(told.map(({ what }) => what)).toEqual(['Added'])
  })

  test('uses the index instead of scanning the whole log', async () => {
    // Run as the application, because its policies affect the plan.
    const client = await forecourt.appPool.connect()
    await client.query('begin')
    await client.query('set local enable_seqscan = off')
    const { rows } = await client.query<{ 'QUERY PLAN': string }>(
      `explain select * from audit_log where customer_id = 1 and table_name = 'memberships'
        and row_id ~>=~ '5/' and row_id ~<~ '50'`,
    )
    await client.query('rollback')
    client.release()
    expect(rows.map((row) => row['QUERY PLAN']).join(' ')).toMatch(
      /audit_log_row.*Index Cond: [^F]*row_id ~>=~ '5\/'/,
    )
  })
})
