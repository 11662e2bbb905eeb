import fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { auth } from '#contract/identity/auth.ts'
import { impersonation } from '#contract/identity/impersonation/impersonation.ts'
import { secondFactor } from '#contract/identity/second-factor/second-factor.ts'
import { sessions } from '#contract/identity/sessions/sessions.ts'
import { userTypes } from '#contract/identity/user-types/user-types.ts'
import { users } from '#contract/identity/users/users.ts'
import { Func, isPlatformOnly, Opr, type Permission } from '#contract/permissions.ts'
import { Refused, testApp, type Caller, type TestApp } from '#test/app.ts'
import { findUser } from '#test/factories/identity/find-user.ts'
import { fresh, testOrganization, type TestOrganization } from '#test/factories/test-organization.ts'

const everything = Object.values(Func)
  .filter(({ func }) => !isPlatformOnly(func))
  .flatMap(({ func, operations }) => operations.map((opr) => ({ func, opr })))
const keyOf = ({ func, opr }: Permission): string => `${func}/${opr}`
const sorted = (permissions: readonly Permission[]): string[] => permissions.map(keyOf).toSorted()

/** All permissions for users, user types and lots: those of an administrator limited to one organization. */
const KEEPER = everything.filter(({ func }) => [1, 2, 3, 8].includes(func))

let forecourt: TestApp
let ford: TestOrganization
let admin: Caller
let keeper: Caller
let twin: Caller
const ids = new Map<string, string>()

beforeAll(async () => {
  forecourt = await testApp()
  ford = await testOrganization(forecourt, 'Northgate Ford')
  admin = await forecourt.as('northgate.admin', 'Northgate Ford')
  await addType('Keeper', KEEPER, 'Customer administrator')
  await addType(
    'Lot clerk',
    KEEPER.filter(({ func }) => func === Func.lots.func),
    'Keeper',
  )
  await addType('Lead clerk', [{ func: Func.leads.func, opr: Opr.list }], 'Keeper')
  await addType('Twin clerk', KEEPER, 'Keeper')
  await addType('Head office', KEEPER.slice(0, 1), 'Customer administrator')
  await forecourt.owner.query(`update user_types set reach = 'customer' where name = 'Head office'`)
  for (const [userName, userType] of [
    ['keeper', 'Keeper'],
    ['second.keeper', 'Keeper'],
    ['clerk', 'Lot clerk'],
    ['head', 'Head office'],
    ['dealer', 'Dealer user'],
    ['strong.clerk', 'Lot clerk'],
    ['weak.clerk', 'Lead clerk'],
    ['twin', 'Twin clerk'],
  ] as const) {
    ids.set(userName, await ford.addMember({ userName, userType }))
  }
  // Permission overrides count like the type's grants.
  await forecourt.owner.query(
    `insert into user_permissions (customer_id, user_id, func, opr, is_allowed)
    values ($1, $2, 10, 1, true), ($1, $3, 10, 1, false)`,
    [ford.customerId, ids.get('strong.clerk'), ids.get('weak.clerk')],
  )
  keeper = await forecourt.as('keeper')
  twin = await forecourt.as('twin')
})
afterAll(() => forecourt.close())

async function addType(name: string, grants: readonly Permission[], parent: string): Promise<string> {
  const id = await ford.addUserType(name, parent)
  await forecourt.owner.query(
    `insert into user_type_permissions (customer_id, user_type_id, func, opr)
    select $1, $2, func, opr from unnest($3::int[], $4::int[]) given (func, opr)`,
    [ford.customerId, id, grants.map(({ func }) => func), grants.map(({ opr }) => opr)],
  )
  return id
}

async function statusOf(call: Promise<unknown>): Promise<number> {
  return call.then(
    () => 200,
    (error: unknown) => (error instanceof Refused ? error.status : 500),
  )
}

describe.for([
  ['keeper', 'clerk', null],
  ['keeper', 'second.keeper', null],
  ['keeper', 'weak.clerk', null],
  ['keeper', 'dealer', "They have permissions you don't have: "],
  ['keeper', 'strong.clerk', "They have permissions you don't have: Leads, list (10, 1)."],
  ['keeper', 'head', 'Their user type covers all organizations. Yours covers one.'],
  ['keeper', 'twin', null],
  // The same permissions as the type above.
  ['twin', 'keeper', 'Their user type, Keeper, is neither yours nor below it.'],
  ['admin', 'clerk', null],
  ['admin', 'head', null],
  ['admin', 'strong.clerk', null],
] as const)('%s and %s', ([who, whom, lock]) => {
  const caller = () => ({ admin, keeper, twin })[who]
  const id = () => ids.get(whom) ?? ''

  test('see in the record and in the list whether one can change the other', async () => {
    const { lock: inRecord } = await caller().call(users.get, { id: id() })
    const { results } = await caller().call(users.list, { pageSize: 200 })
    const inList = results.find((user) => user.id === id())?.lock
    expect(inList).toBe(inRecord)
    expect(inRecord === null ? null : inRecord.slice(0, lock?.length)).toBe(lock)
  })

  test('are held to it by every call that changes a user', async () => {
    const user = { id: id() }
    const { permissions } = await admin.call(users.permissions, user)
    const statuses = [
      await statusOf(caller().call(users.update, { user: { ...user, jobTitle: fresh('Title') } })),
      await statusOf(caller().call(users.update, { user, permissions: permissions.slice(1) })),
      await statusOf(caller().call(users.sendPasswordMail, user)),
      // Allowed deletions are tested elsewhere: here the users are needed again.
      ...(lock === null ? [] : [await statusOf(caller().call(users.remove, user))]),
    ]
    await admin.call(users.update, { user, permissions })
    expect(new Set(statuses)).toEqual(new Set([lock === null ? 200 : 403]))
  })
})

test('the same permissions as an administrator give no way into the account of one', async () => {
  await addType('S27 single', everything, 'Customer administrator')
  await forecourt.owner.query(`update user_types set reach = 'customer' where name = 'S27 single'`)
  await ford.addMember({ userName: 'single', userType: 'S27 single' })
  const single = await forecourt.as('single')
  const id = (await findUser(admin, 'northgate.admin')).id
  const refusal = 'Their user type, Customer administrator, is neither yours nor below it.'
  for (const call of [
    () => single.call(users.update, { user: { id, email: 'mine@people.example' } }),
    () => single.call(users.update, { user: { id, isActive: false } }),
    () => single.call(users.sendPasswordMail, { id }),
    () => single.call(users.remove, { id }),
    () => single.call(secondFactor.reset, { id }),
    () => single.call(sessions.endSessionsOfUser, { id }),
    () => single.call(impersonation.impersonate, { userId: id, mode: 'view' }),
  ]) {
    await expect(call()).toRefuse(403, refusal)
  }
  const equal = await ford.addMember({ userName: 'single.twin', userType: 'S27 single' })
  await expect(single.call(users.sendPasswordMail, { id: equal })).resolves.toMatchObject({ id: equal })
  await expect(single.call(impersonation.impersonate, { userId: equal, mode: 'view' })).resolves.toBeDefined()
})

test('a super user can only be changed by super users', async () => {
  const operations = await testOrganization(forecourt, 'Forecourt Operations')
  await operations.addMember({ userName: 'platform.admin', userType: 'Platform administrator' })
  const platformAdmin = await forecourt.as('platform.admin', 'Forecourt Operations')
  const { results } = await platformAdmin.call(users.list, { search: 'robin.hale' })
  expect(results.map(({ userName, lock }) => [userName, lock])).toEqual([
    ['super', 'Only a super user can change a super user.'],
  ])
  const id = results[0]?.id ?? ''
  await expect(platformAdmin.call(users.update, { user: { id, firstName: 'Mine' } })).toRefuse(403)
  await expect(platformAdmin.call(users.remove, { id })).toRefuse(403)
})

const wantedSets = fc.oneof(
  fc.subarray(KEEPER),
  fc.subarray(everything, { maxLength: 12 }),
  fc.tuple(fc.subarray(KEEPER), fc.subarray(everything, { maxLength: 2 })).map((sets) => {
    const all = new Map(sets.flat().map((one) => [keyOf(one), one]))
    return [...all.values()]
  }),
)
const isWithin = (wanted: readonly Permission[]): boolean => {
  const own = new Set(KEEPER.map(keyOf))
  return wanted.every((one) => own.has(keyOf(one)))
}

test('a user gets exactly the given permissions, or none change if the caller lacks one', async () => {
  const id = ids.get('clerk') ?? ''
  const read = async () => sorted((await admin.call(users.permissions, { id })).permissions)
  await fc.assert(
    fc.asyncProperty(wantedSets, async (wanted) => {
      const before = await read()
      const status = await statusOf(keeper.call(users.update, { user: { id }, permissions: wanted }))
      const isSame = before.join() === sorted(wanted).join()
      expect(status).toBe(isWithin(wanted) || isSame ? 200 : 403)
      expect(await read()).toEqual(status === 200 ? sorted(wanted) : before)
    }),
    { numRuns: 40 },
  )
})

test('stores only differences from the type', async () => {
  const id = ids.get('clerk') ?? ''
  const grants = new Set(KEEPER.filter(({ func }) => func === Func.lots.func).map(keyOf))
  await fc.assert(
    fc.asyncProperty(fc.subarray(KEEPER), async (wanted) => {
      const { differences } = await keeper.call(users.update, { user: { id }, permissions: wanted })
      const asked = new Set(wanted.map(keyOf))
      const more = [...asked].filter((key) => !grants.has(key)).length
      const less = [...grants].filter((key) => !asked.has(key)).length
      expect(differences).toBe(more + less)
    }),
    { numRuns: 20 },
  )
})

test('a user type gets exactly the given permissions, or none change if the caller lacks one', async () => {
  const { id } = await keeper.call(userTypes.add, { userType: { name: fresh('Type') } })
  const read = async () => sorted((await admin.call(userTypes.permissions, { id })).permissions)
  await fc.assert(
    fc.asyncProperty(wantedSets, async (wanted) => {
      const before = await read()
      const status = await statusOf(keeper.call(userTypes.update, { userType: { id }, permissions: wanted }))
      expect(status).toBe(isWithin(wanted) ? 200 : 403)
      expect(await read()).toEqual(status === 200 ? sorted(wanted) : before)
    }),
    { numRuns: 40 },
  )
})

test('a new user gets no more permissions than the creator has, by type or by overrides', async () => {
  const user = {
    userName: fresh('new').replace(' ', '.'),
    firstName: 'New',
    lastName: 'Person',
    email: 'new@people.example',
    userTypeId: await ford.userType('Lot clerk'),
    organizationIds: [ford.organizationId],
  }
  await expect(
    keeper.call(users.add, { user, permissions: [{ func: Func.leads.func, opr: Opr.list }] }),
  ).toRefuse(403, "You can't grant permissions you don't have: Leads, list (10, 1).")
  const strongType = fresh('Strong')
  await addType(strongType, [{ func: Func.leads.func, opr: Opr.list }], 'Keeper')
  await expect(
    keeper.call(users.add, { user: { ...user, userTypeId: await ford.userType(strongType) } }),
  ).toRefuse(403, 'Leads, list (10, 1)')
  const { id } = await keeper.call(users.add, { user })
  await expect(
    keeper.call(users.update, { user: { id, userTypeId: await ford.userType(strongType) } }),
  ).toRefuse(403, 'Leads, list (10, 1)')
})

test('users of a customer never get platform functions, whatever is stored', async () => {
  await forecourt.owner.query(
    `insert into user_permissions (customer_id, user_id, func, opr, is_allowed)
    values ($1, $2, 50, 1, true)`,
    [ford.customerId, ids.get('second.keeper')],
  )
  await forecourt.owner.query(`update users set is_super = true where user_name = 'second.keeper'`)
  const second = await forecourt.as('second.keeper')
  const held = await second.call(auth.authFunc, {})
  const { status } = await second.send({ method: 'GET', url: '/api/customers/get-customers' })
  await forecourt.owner.query(`update users set is_super = false where user_name = 'second.keeper'`)
  expect([status, held.permissions.filter(({ func }) => func === 50)]).toEqual([403, []])
})
