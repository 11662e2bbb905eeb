import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { userTypes } from '#contract/identity/user-types/user-types.ts'
import { can, Func, Opr, type Permission } from '#contract/permissions.ts'
import { refusalOf, testApp, type Caller, type TestApp } from '#test/app.ts'
import { concurrently } from '#test/harness/concurrently.ts'
import { addAllRightsHere } from '#test/factories/identity/all-rights.ts'
import { fresh, testOrganization, type TestOrganization } from '#test/factories/test-organization.ts'
import { alterSession, forkSession, sessionIdOf } from '#test/factories/identity/sessions.ts'

let forecourt: TestApp
let ford: TestOrganization
let admin: Caller
let staff: Caller
/** Has all permissions, but only in Northgate Ford. Their type is at the top level, next to the administrator's. */
let keeper: Caller
beforeAll(async () => {
  forecourt = await testApp()
  ford = await testOrganization(forecourt, 'Northgate Ford')
  admin = await forecourt.as('northgate.admin', 'Northgate Ford')
  staff = await forecourt.as('super', 'Northgate Ford')
  await ford.addMember({ userName: 'keeper', userType: await addAllRightsHere(ford) })
  keeper = await forecourt.as('keeper')
})
afterAll(() => forecourt.close())

const seeLots = [can(Func.lots, Opr.list), can(Func.lots, Opr.read)]

async function addType(caller: Caller, parentId?: string, permissions: Permission[] = []) {
  return caller.call(userTypes.add, {
    userType: { name: fresh('Type'), ...(parentId === undefined ? {} : { parentId }) },
    permissions,
  })
}

describe('the tree', () => {
  test("starts with an administrator's own type, parents before children", async () => {
    const parent = await addType(admin)
    const child = await addType(admin, parent.id)
    const tree = await admin.call(userTypes.forParent, {})
    const depths = new Map(tree.map(({ id, depth }) => [id, depth]))
    expect(tree[0]).toMatchObject({ name: 'Customer administrator', parentId: null, depth: 0 })
    expect([depths.get(parent.id), depths.get(child.id)]).toEqual([1, 2])
    const places = tree.map(({ id }) => id)
    expect(places.indexOf(parent.id)).toBeLessThan(places.indexOf(child.id))
    expect(tree.map(({ name }) => name)).not.toContain('Everything here')
  })

  test('is the whole tree for platform staff in a customer', async () => {
    const names = (await staff.call(userTypes.forParent, {})).map(({ name }) => name)
    expect(names).toEqual(expect.arrayContaining(['Customer administrator', 'Everything here', 'Auditor']))
    expect(names).not.toContain('Support agent')
  })

  test('is the own type and its descendants for everyone else', async () => {
    const tree = await keeper.call(userTypes.forParent, {})
    expect(tree.map(({ name, depth }) => [name, depth])).toEqual([['Everything here', 0]])
  })

  test('starts with the super user on the platform', async () => {
    const root = await forecourt.as('super', 'Forecourt Operations')
    const tree = await root.call(userTypes.forParent, {})
    expect(tree.map(({ name, depth }) => [name, depth])).toEqual([
      ['Super user', 0],
      ['Platform administrator', 1],
      ['Support agent', 2],
    ])
  })
})

describe('the list', () => {
  test('has every type of the customer with its parent, users and number of permissions', async () => {
    const { id } = await addType(admin, undefined, seeLots)
    await forecourt.owner.query('update user_types set name = $2 where id = $1', [id, 'Lot watcher'])
    await ford.addMember({ userName: fresh('watcher').replace(' ', '.'), userType: 'Lot watcher' })
    const { results } = await admin.call(userTypes.list, { search: 'lot watch' })
    expect(results).toEqual([
      expect.objectContaining({
        id,
        parentName: 'Customer administrator',
        reach: 'organization',
        people: 1,
        permissions: 2,
        lock: null,
      }),
    ])
  })

  test.for(['name', '-name', 'parentId', 'reach', '-people', 'updatedAt'])('sorts by %s', async (sort) => {
    const all = await admin.call(userTypes.list, { sort, pageSize: 200 })
    const second = await admin.call(userTypes.list, { sort, pageSize: 2, page: 2 })
    expect(second.results).toEqual(all.results.slice(2, 4))
  })

  test('explains why a type is locked', async () => {
    const locks = async (caller: Caller) => {
      const { results } = await caller.call(userTypes.list, { pageSize: 200 })
      return new Map(results.map(({ name, lock }) => [name, lock]))
    }
    const [own, keepers] = [await locks(admin), await locks(keeper)]
    expect(own.get('Customer administrator')).toContain('your own user type')
    expect(own.get('Dealer user')).toBeNull()
    expect(own.get('Everything here')).toContain("isn't below your own")
    expect(keepers.get('Dealer user')).toContain("isn't below your own")
  })
})

describe('adding', () => {
  test("puts a type without a parent below the caller's own, or below the customer's first for platform staff", async () => {
    const added = [await addType(admin), await addType(staff)]
    expect(added.map(({ parentName }) => parentName)).toEqual([
      'Customer administrator',
      'Customer administrator',
    ])
    expect((await addType(keeper)).parentName).toBe('Everything here')
  })

  test('rejects the top level and unrelated types as parents, on the field', async () => {
    const foreign = await ford.userType('Everything here')
    for (const parentId of [null, foreign]) {
      const call = admin.call(userTypes.add, { userType: { name: fresh('Type'), parentId } })
      const { status, refusal } = await refusalOf(call)
      expect([status, refusal.fields]).toEqual([
        400,
        { 'userType.parentId': 'Choose your own user type or one below it.' },
      ])
    }
  })

  test('rejects a duplicate name on the field', async () => {
    const call = admin.call(userTypes.add, { userType: { name: 'AUDITOR' } })
    const { status, refusal } = await refusalOf(call)
    expect([status, Object.keys(refusal.fields ?? {})]).toEqual([409, ['userType.name']])
  })

  test('rejects access to all organizations for callers limited to one', async () => {
    const call = (caller: Caller) =>
      caller.call(userTypes.add, { userType: { name: fresh('Type'), reach: 'customer' } })
    await expect(call(keeper)).toRefuse(400, 'userType.reach')
    await expect(call(admin)).resolves.toMatchObject({ reach: 'customer' })
  })

  test('rejects platform functions in a customer, even for platform staff', async () => {
    for (const caller of [admin, staff]) {
      const call = caller.call(userTypes.add, {
        userType: { name: fresh('Type') },
        permissions: [can(Func.customers, Opr.list)],
      })
      await expect(call).toRefuse(400, 'Only platform staff')
    }
  })
})

describe('changing', () => {
  test('grants exactly the given set and returns it', async () => {
    const { id } = await addType(admin, undefined, seeLots)
    const wanted = [can(Func.lots, Opr.read), can(Func.lots, Opr.export)]
    const changed = await admin.call(userTypes.update, { userType: { id }, permissions: wanted })
    const { permissions } = await admin.call(userTypes.permissions, { id })
    expect([changed.permissions, permissions]).toEqual([2, wanted])
  })

  test('rejects a stale edit with the current type', async () => {
    const { id, version } = await addType(admin)
    const first = await admin.call(userTypes.update, { userType: { id, version }, permissions: seeLots })
    const { status, refusal } = await refusalOf(
      admin.call(userTypes.update, { userType: { id, version }, permissions: [] }),
    )
    expect([status, refusal.current, first.version]).toEqual([409, first, version + 1])
  })

  test('accepts the whole response back without changing anything', async () => {
    const type = await addType(admin, undefined, seeLots)
    const again = await admin.call(userTypes.update, {
      userType: type,
      permissions: await admin.call(userTypes.permissions, { id: type.id }),
    })
    expect(again).toEqual(type)
  })

  test('requires administer to change permissions', async () => {
    const { id } = await addType(admin)
    const clerkType = fresh('Clerk')
    const clerkTypeId = await ford.addUserType(clerkType)
    await forecourt.owner.query(
      `insert into user_type_permissions (customer_id, user_type_id, func, opr)
      select $1, $2, func, opr from (values (1, 1), (3, 1), (3, 2), (3, 3), (3, 4)) given (func, opr)`,
      [ford.customerId, clerkTypeId],
    )
    await forecourt.owner.query('update user_types set parent_id = $1 where id = $2', [clerkTypeId, id])
    const userName = fresh('clerk').replace(' ', '.')
    await ford.addMember({ userName, userType: clerkType })
    const clerk = await forecourt.as(userName)
    await clerk.call(userTypes.update, { userType: { id, name: fresh('Type') }, permissions: [] })
    await expect(
      clerk.call(userTypes.update, { userType: { id }, permissions: [can(Func.dashboard, Opr.list)] }),
    ).toRefuse(403, 'User types, administer (3, 8)')
    await forecourt.owner.query(`update user_types set reach = 'customer' where id = $1`, [clerkTypeId])
    await expect(clerk.call(userTypes.update, { userType: { id, reach: 'customer' } })).toRefuse(
      403,
      'User types, administer (3, 8)',
    )
    await expect(
      clerk.call(userTypes.add, { userType: { name: fresh('Type'), reach: 'customer' } }),
    ).toRefuse(403, 'User types, administer (3, 8)')
    await expect(
      clerk.call(userTypes.update, { userType: { id, reach: 'organization' } }),
    ).resolves.toBeDefined()
  })

  test('is rejected while impersonating, as is adding', async () => {
    const { id } = await addType(admin)
    const impersonated = await forkSession(forecourt, admin)
    const { rows } = await forecourt.owner.query<{ id: string }>(
      `select id from users where user_name = 'northgate.sustain'`,
    )
    await alterSession(forecourt, sessionIdOf(impersonated), `user_id = ${rows[0]?.id}`)
    const name = fresh('Type')
    await expect(impersonated.call(userTypes.update, { userType: { id, name } })).toRefuse(
      403,
      'while impersonating a user',
    )
    await expect(addType(impersonated)).toRefuse(403, 'while impersonating a user')
  })

  test('rejects moving a type below itself or its descendants', async () => {
    const parent = await addType(admin)
    const child = await addType(admin, parent.id)
    for (const parentId of [parent.id, child.id]) {
      await expect(admin.call(userTypes.update, { userType: { id: parent.id, parentId } })).toRefuse(
        400,
        "A user type can't be below itself.",
      )
    }
  })

  test('rejects one of two concurrent moves that would form a cycle', async () => {
    const [one, other] = [await addType(admin), await addType(admin)]
    const outcomes = await concurrently(forecourt.owner, 'select from user_types for update', [
      () => admin.call(userTypes.update, { userType: { id: one.id, parentId: other.id } }),
      () => admin.call(userTypes.update, { userType: { id: other.id, parentId: one.id } }),
    ])
    expect(outcomes.map(({ status }) => status).toSorted()).toEqual(['fulfilled', 'rejected'])
  })

  test('takes effect with the next request of the users of the type', async () => {
    const name = fresh('Type')
    const id = await ford.addUserType(name)
    const userName = fresh('member').replace(' ', '.')
    await ford.addMember({ userName, userType: name })
    const member = await forecourt.as(userName)
    await expect(member.call(userTypes.list, {})).toRefuse(403)
    await admin.call(userTypes.update, { userType: { id }, permissions: [can(Func.userTypes, Opr.list)] })
    await expect(member.call(userTypes.list, {})).resolves.toBeDefined()
  })
})

describe('deleting', () => {
  test('is rejected while users have the type or types are below it, with their numbers', async () => {
    const name = fresh('Type')
    const id = await ford.addUserType(name)
    await ford.addMember({ userName: fresh('one').replace(' ', '.'), userType: name })
    await ford.addUserType(fresh('Below'), name)
    await expect(admin.call(userTypes.remove, { id })).toRefuse(
      409,
      `${name} is in use: 1 user has it, and 1 user type is below it. Move them to another user type first.`,
    )
  })

  test('deletes the type and its permissions', async () => {
    const { id } = await addType(admin, undefined, seeLots)
    await admin.call(userTypes.remove, { id })
    await expect(admin.call(userTypes.get, { id })).toRefuse(404, 'User type not found.')
    const { rowCount } = await forecourt.owner.query(
      'select from user_type_permissions where user_type_id = $1',
      [id],
    )
    expect(rowCount).toBe(0)
  })

  test("rejects the caller's own type", async () => {
    const id = await ford.userType('Customer administrator')
    await expect(admin.call(userTypes.remove, { id })).toRefuse(403, 'your own user type')
  })
})

describe('a new function', () => {
  /** Every customer's user types were created with the functions up to this one. */
  const LAST_OF_FIRST_VERSION = 50
  const MIGRATIONS = join(import.meta.dirname, '../../../migrations')

  test('is granted by a migration, or no one at the existing customers could use or grant it', async () => {
    const texts = await Promise.all(
      (await readdir(MIGRATIONS)).map((name) => readFile(join(MIGRATIONS, name), 'utf8')),
    )
    const granted = texts.flatMap((text) =>
      [...text.matchAll(/^call grant_(?:function|operation)\((\d+),/gm)].map(([, func]) => Number(func)),
    )
    const added = Object.values(Func).flatMap(({ func }): number[] =>
      func > LAST_OF_FIRST_VERSION ? [func] : [],
    )
    const isAdded = (func: number) => func > LAST_OF_FIRST_VERSION
    expect([...new Set(granted.filter(isAdded))].toSorted((one, other) => one - other)).toEqual(added)
  })

  test('is held by the user types and users who hold the operations of a similar one', async () => {
    const type = await addType(admin, undefined, seeLots)
    const without = await addType(admin, undefined, [can(Func.dashboard, Opr.list)])
    const userId = await ford.addMember({ userName: fresh('differs').replace(' ', '.'), userType: 'Auditor' })
    const { owner } = forecourt
    await owner.query('begin')
    await owner.query(
      'insert into user_permissions (customer_id, user_id, func, opr, is_allowed) values ($1, $2, 8, 1, false)',
      [ford.customerId, userId],
    )
    await owner.query('call grant_function(98, same_as => 8)')
    await owner.query(`call grant_function(99, same_as => 8, operations => '{1}')`)
    const { rows: ofTypes } = await owner.query(
      `select user_type_id as id, func, opr from user_type_permissions
      where func > 97 and user_type_id = any($1) order by func, opr`,
      [[type.id, without.id]],
    )
    const { rows: ofUser } = await owner.query(
      'select func, opr, is_allowed from user_permissions where func > 97 and user_id = $1 order by func',
      [userId],
    )
    await owner.query('rollback')
    const { id } = type
    expect(ofTypes).toEqual([
      { id, func: 98, opr: 1 },
      { id, func: 98, opr: 2 },
      { id, func: 99, opr: 1 },
    ])
    expect(ofUser).toEqual([
      { func: 98, opr: 1, is_allowed: false },
      { func: 99, opr: 1, is_allowed: false },
    ])
  })
})
