import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { lots } from '#contract/customers/lots/lots.ts'
import { auth } from '#contract/identity/auth.ts'
import { users } from '#contract/identity/users/users.ts'
import { can, Func, Opr } from '#contract/permissions.ts'
import { refusalOf, testApp, type Caller, type TestApp } from '#test/app.ts'
import { concurrently, countWaiting } from '#test/harness/concurrently.ts'
import { findUser } from '#test/factories/identity/find-user.ts'
import { fresh, placeOf, type Place } from '#test/factories/places.ts'
import { alterSession, forkSession, readStored, sessionIdOf } from '#test/factories/identity/sessions.ts'
import { DEMO_PASSWORD } from '../../../demo/world.ts'

let forecourt: TestApp
let ford: Place
let toyota: Place
let admin: Caller
let root: Caller
beforeAll(async () => {
  forecourt = await testApp()
  ford = await placeOf(forecourt, 'Northgate Ford')
  toyota = await placeOf(forecourt, 'Northgate Toyota')
  admin = await forecourt.as('northgate.admin', 'Northgate Ford')
  root = await forecourt.as('super', 'Forecourt Operations')
})
afterAll(() => forecourt.close())

const word = (): string => fresh('person').replace(' ', '.')

async function newUserRow(
  more: { organizationIds?: string[]; userTypeId?: string; isActive?: boolean } = {},
) {
  const userName = word()
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
  test('takes back whole what edit-user answered, and then changes nothing', async () => {
    const { id } = await admin.call(users.add, { user: await newUserRow() })
    const before = await admin.call(users.get, { id })
    const again = await admin.call(users.update, {
      user: { ...before, organizationIds: before.organizations.map((one) => one.id) },
      permissions: await admin.call(users.permissions, { id }),
    })
    expect(again).toEqual(before)
  })

  test('of two people with the form open tells the second, with the person as they are', async () => {
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

  test('memberships alone count the version up, too', async () => {
    const { id, version } = await admin.call(users.add, { user: await newUserRow() })
    const moved = await admin.call(users.update, {
      user: { id, version, organizationIds: [toyota.organizationId] },
    })
    expect([moved.version, moved.organizations.map(({ name }) => name)]).toEqual([
      version + 1,
      ['Northgate Toyota'],
    ])
  })

  test('the type keeps the differences, but for those it makes needless', async () => {
    const dealer = await ford.userType('Dealer user')
    const { id: like } = await findUser(admin, 'northgate.dealer')
    const grants = (await admin.call(users.permissions, { id: like })).permissions
    const extra = [can(Func.carbonStart, Opr.list), can(Func.users, Opr.list)]
    const { id } = await admin.call(users.add, {
      user: await newUserRow({ userTypeId: dealer }),
      permissions: [...grants, ...extra],
    })
    // What the new type grants, it need not be allowed any more.
    const retyped = await admin.call(users.update, {
      user: { id, userTypeId: await ford.userType('Sustainability manager') },
    })
    const { permissions } = await admin.call(users.permissions, { id })
    expect([retyped.differences, permissions]).toEqual([1, expect.arrayContaining(extra)])
  })

  test('rights takes administer: update alone is not enough, whoever sends the unchanged set back may', async () => {
    const userTypeId = await ford.addUserType()
    const [userName, target] = [word(), await newUserRow({ userTypeId: await ford.userType('Participant') })]
    const typeName = fresh('Clerk')
    const clerkType = await ford.addUserType(typeName)
    await forecourt.owner.query(
      `insert into user_type_permissions (customer_id, user_type_id, func, opr)
      select $1, $2, func, opr from (values (1, 1), (2, 1), (2, 2), (2, 4)) given (func, opr)`,
      [ford.customerId, clerkType],
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

  test('switched off, the person is out at once, and stays out of old sessions when switched on again', async () => {
    const userName = word()
    const id = await ford.addMember({ userName, userType: 'Dealer user' })
    const session = await forecourt.as(userName)
    await admin.call(users.update, { user: { id, isActive: false } })
    await expect(session.call(lots.list, {})).toRefuse(401)
    await admin.call(users.update, { user: { id, isActive: true } })
    await expect(session.call(lots.list, {})).toRefuse(401)
    expect((await readStored(forecourt, sessionIdOf(session))).revoked).toBe(true)
    await expect(forecourt.as(userName)).resolves.toBeDefined()
  })

  test('is refused for a user name somebody has', async () => {
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

  test('sends the own record back whole without being refused', async () => {
    const own = await findUser(admin, 'northgate.admin')
    const back = await admin.call(users.update, {
      user: { ...own, organizationIds: own.organizations.map(({ id }) => id) },
      permissions: await admin.call(users.permissions, { id: own.id }),
    })
    expect(back).toEqual(own)
  })

  test.for([
    ['e-mail', () => Promise.resolve({ email: 'mine@people.example' }), 'Ask somebody who keeps users'],
    ['user name', () => Promise.resolve({ userName: 'mine' }), 'Ask somebody who keeps users'],
    ['user type', async () => ({ userTypeId: await ford.userType('Dealer user') }), 'your own user type'],
    ['being a super user', () => Promise.resolve({ isSuper: true }), 'yourself a super user'],
    ['activity', () => Promise.resolve({ isActive: false }), 'switch yourself off'],
    [
      'organizations',
      () => Promise.resolve({ organizationIds: [ford.organizationId] }),
      'your own organizations',
    ],
  ] as const)('does not change the own %s', async ([, change, sentence]) => {
    const { id } = await findUser(admin, 'northgate.admin')
    await expect(admin.call(users.update, { user: { id, ...(await change()) } })).toRefuse(403, sentence)
  })

  test('is mailed no link to a password', async () => {
    const { id } = await findUser(admin, 'northgate.admin')
    await expect(admin.call(users.sendPasswordMail, { id })).toRefuse(403, 'Use Change Password.')
  })

  test('changes the own rights as little as deletes the own account', async () => {
    const { id } = await findUser(admin, 'northgate.admin')
    await expect(admin.call(users.update, { user: { id }, permissions: [] })).toRefuse(
      403,
      'your own permissions',
    )
    await expect(admin.call(users.remove, { id })).toRefuse(403, 'You cannot delete yourself.')
  })
})

test('in somebody else’s skin names, phone and job title are changed, and nothing that opens an account', async () => {
  const skinned = await forkSession(forecourt, admin)
  const { id: other } = await findUser(admin, 'northgate.sustain')
  await alterSession(forecourt, sessionIdOf(skinned), `user_id = ${other}`)
  const { id } = await admin.call(users.add, { user: await newUserRow() })
  const current = await admin.call(users.get, { id })
  const back = { ...current, organizationIds: [ford.organizationId] }
  await expect(
    skinned.call(users.update, {
      user: { ...back, firstName: 'Nina', lastName: 'O', phone: '1', jobTitle: 'x' },
    }),
  ).resolves.toMatchObject({ firstName: 'Nina', lastName: 'O', phone: '1', jobTitle: 'x' })
  for (const change of [
    { email: 'other@people.example' },
    { userName: word() },
    { userTypeId: await ford.userType('Participant') },
    { organizationIds: [toyota.organizationId] },
    { isActive: false },
  ]) {
    await expect(skinned.call(users.update, { user: { id, ...change } })).toRefuse(403, 'acting as somebody')
  }
})

test('a password mailed at the same moment does not wait for the row, whose change waits for the sessions', async () => {
  const userName = word()
  const id = await ford.addMember({ userName, userType: 'Dealer user' })
  await forecourt.as(userName)
  const change = () => admin.call(users.update, { user: { id, userName: word(), isActive: false } })
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
    const platform = await placeOf(forecourt, 'Forecourt Operations')
    const userName = word()
    const id = await platform.addMember({ userName, userType: 'Super user' })
    await forecourt.owner.query('update users set is_super = true where id = $1', [id])
    return { id, caller: await forecourt.as(userName, 'Forecourt Operations') }
  }

  test('stays: another one may be unmade while there is one', async () => {
    const second = await addSuper()
    await root.call(users.update, { user: { id: second.id, isSuper: false } })
    await expect(root.call(users.get, { id: second.id })).resolves.toMatchObject({ isSuper: false })
    await root.call(users.remove, { id: second.id })
  })

  test('of two who switch each other off at once, one stays', async () => {
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
  test('ends the sessions and leaves the name in the audit log', async () => {
    const userName = word()
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
  test('tells what was done to a person in sentences, newest first', async () => {
    const { id } = await admin.call(users.add, { user: await newUserRow() })
    const { permissions } = await admin.call(users.permissions, { id })
    const lacking = can(Func.lots, Opr.delete)
    const less = permissions.filter(({ func, opr }) => func !== lacking.func || opr !== lacking.opr)
    await admin.call(users.update, { user: { id, email: 'new@people.example', phone: '1' } })
    await admin.call(users.update, { user: { id }, permissions: [...less, can(Func.users, Opr.list)] })
    await admin.call(users.update, { user: { id }, permissions })
    await admin.call(users.update, { user: { id, organizationIds: [toyota.organizationId] } })
    await admin.call(users.update, { user: { id, isActive: false } })
    await admin.call(users.update, { user: { id, isActive: true } })
    await admin.call(users.sendPasswordMail, { id })
    const told = await admin.call(users.activity, { id })
    expect(told.map(({ what }) => what)).toEqual([
      'Sent a password mail',
      'Switched on',
      'Switched off',
      'Joined Northgate Toyota',
      'Left Northgate Ford',
      'Gave back Lots, delete',
      'Took back Users, list',
      'Denied Lots, delete',
      'Allowed Users, list',
      'Changed e-mail and phone',
      'Added',
    ])
    expect(new Set(told.map(({ by }) => by))).toEqual(new Set(['Dana Whitfield']))
  })

  test('is of that person alone, whoever’s number starts alike', async () => {
    const id = await ford.createUser()
    await forecourt.owner.query(
      `insert into audit_log (customer_id, operation, table_name, row_id, after)
      select $1, 'insert', 'memberships', key, '{}' from unnest($2::text[]) key`,
      [ford.customerId, [`${id}1/1`, `${id}0/1`, `${id}.`, `1${id}/1`]],
    )
    const told = await admin.call(users.activity, { id })
    expect(told.map(({ what }) => what)).toEqual(['Joined Northgate Ford', 'Added'])
  })

  test('is read by the index, not from the whole log', async () => {
    // As the application, whose policies are part of the plan.
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
