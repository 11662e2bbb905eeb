import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { customers } from '#contract/customers/customers/customers.ts'
import { lots } from '#contract/customers/lots/lots.ts'
import { auth } from '#contract/identity/auth.ts'
import { impersonation } from '#contract/identity/impersonation/impersonation.ts'
import { clock } from '#server/clock.ts'
import { readMember } from '#server/identity/index.ts'
import { testApp, type Caller, type TestApp } from '#test/app.ts'
import { testOrganization, type TestOrganization } from '#test/factories/test-organization.ts'
import { alterSession, forkSession, readClaims, sessionIdOf } from '#test/factories/identity/sessions.ts'
import { impersonationsOf } from '#test/factories/identity/impersonations.ts'

let forecourt: TestApp
let ford: TestOrganization
let toyota: TestOrganization
let impersonations: ReturnType<typeof impersonationsOf>
/** Signed in to the platform's own customer, as support staff are. */
let staff: Caller
let admin: Caller
beforeAll(async () => {
  forecourt = await testApp()
  impersonations = impersonationsOf(forecourt)
  ford = await testOrganization(forecourt, 'Northgate Ford')
  toyota = await testOrganization(forecourt, 'Northgate Toyota')
  await impersonations.addTester(ford, {
    userName: 'broad.helper',
    reach: 'customer',
    rights: [
      [4, 7],
      [8, 1],
    ],
  })
  await impersonations.addTester(ford, {
    userName: 'helper',
    below: 'broad.helper',
    rights: [
      [4, 7],
      [8, 1],
      [8, 2],
    ],
  })
  await impersonations.addTester(ford, { userName: 'near.dealer', below: 'helper', rights: [[8, 1]] })
  await impersonations.addTester(ford, {
    userName: 'far.reaching',
    below: 'broad.helper',
    rights: [[8, 1]],
    reach: 'customer',
  })
  await impersonations.addTester(toyota, {
    userName: 'sister.person',
    below: 'broad.helper',
    rights: [[8, 1]],
  })
  await impersonations.addTester(ford, {
    userName: 'stronger',
    below: 'helper',
    rights: [
      [8, 1],
      [8, 5],
    ],
  })
  staff = await forecourt.as('super', 'Forecourt Operations')
  admin = await forecourt.as('northgate.admin', 'Northgate Ford')
})
afterAll(() => forecourt.close())

const fork = (caller: Caller) => forkSession(forecourt, caller)

describe('a super user', () => {
  test('impersonates a user of any customer, with the specified payload, logged under both names', async () => {
    const own = await fork(staff)
    const impersonated = await impersonations.impersonate(own, 'northgate.dealer')
    const claims = readClaims(impersonated.token)
    expect(claims).toMatchObject({
      sid: sessionIdOf(own),
      gen: readClaims(own.token).gen + 1,
      userId: await impersonations.idOf('super'),
      userName: 'super',
      impersonateUserId: await impersonations.idOf('northgate.dealer'),
      impersonateUserName: 'northgate.dealer',
      impersonateUserTypeId: await ford.userType('Dealer user'),
      customerId: ford.customerId,
      organizationName: 'Northgate Ford',
    })
    const held = await impersonated.call(auth.authFunc, {})
    expect(held.isSuper).toBe(false)
    expect(held).toEqual(await (await forecourt.as('northgate.dealer')).call(auth.authFunc, {}))
    const me = await impersonated.call(auth.me, {})
    expect(me).toMatchObject({ fullName: 'Robin Hale', impersonateFullName: 'Luis Ortega' })
    expect(me.impersonation?.isViewOnly).toBe(false)
    const minutes = (Date.parse(me.impersonation?.endsAt ?? '') - clock.now()) / 60_000
    expect(Math.round(minutes)).toBe(60)

    const lot = await impersonated.call(lots.add, { name: 'Under two names', code: 'UTN' })
    const { rows } = await forecourt.owner.query(
      `select actor_user_id::text, actor_name, effective_user_id::text, effective_name from audit_log
      where table_name = 'lots' and row_id = $1`,
      [lot.id],
    )
    expect(rows).toEqual([
      {
        actor_user_id: await impersonations.idOf('super'),
        actor_name: 'Robin Hale',
        effective_user_id: await impersonations.idOf('northgate.dealer'),
        effective_name: 'Luis Ortega',
      },
    ])
  })

  test.for([
    ['userId', { userId: null }],
    ['token', { token: null }],
  ] as const)('switches back with %s null, to the previous organization', async ([, payload]) => {
    const own = await fork(staff)
    const impersonated = await impersonations.impersonate(own, 'northgate.dealer')
    const back = await impersonations.switchBack(impersonated, payload)
    expect(readClaims(back.token)).toMatchObject({
      sid: sessionIdOf(own),
      gen: readClaims(own.token).gen + 2,
      impersonateUserId: await impersonations.idOf('super'),
      organizationName: 'Forecourt Operations',
    })
    expect(await back.call(auth.authFunc, {})).toMatchObject({ isSuper: true })
    expect((await back.call(auth.me, {})).impersonation).toBeNull()
    await expect(back.call(customers.list, {})).resolves.toBeDefined()
  })

  test('must choose an organization if the user has several and the current one is not among them', async () => {
    const impersonated = await impersonations.impersonate(await fork(staff), 'northgate.admin')
    expect(readClaims(impersonated.token).organizationId).toBe('0')
    const { accessToken } = await impersonated.call(auth.changeOrganization, {
      organizationId: toyota.organizationId,
    })
    expect(readClaims(accessToken)).toMatchObject({
      organizationName: 'Northgate Toyota',
      impersonateUserName: 'northgate.admin',
    })
  })

  test('stays in the current organization if the user belongs to it', async () => {
    const atFord = await forecourt.as('super', 'Northgate Ford')
    const impersonated = await impersonations.impersonate(atFord, 'northgate.admin')
    expect(readClaims(impersonated.token).organizationName).toBe('Northgate Ford')
  })

  test.for([
    ['super', 403, 'This is your own account.'],
    ['second.super', 403, "Super users can't be impersonated."],
    ['owen.price', 403, "can't sign in"],
  ] as const)('cannot impersonate %s', async ([userName, status, sentence]) => {
    const platform = await testOrganization(forecourt, 'Forecourt Operations')
    if (userName === 'second.super') {
      const id = await platform.addMember({ userName, userType: 'Super user' })
      await forecourt.owner.query('update users set is_super = true where id = $1', [id])
    }
    if (userName === 'owen.price') {
      await forecourt.owner.query('update users set is_active = false where id = $1', [
        await impersonations.idOf(userName),
      ])
    }
    await expect(impersonations.impersonate(await fork(staff), userName)).toRefuse(status, sentence)
  })

  test('cannot impersonate a user of a suspended customer, or an unknown user', async () => {
    const lakeside = await impersonations.idOf('lakeside.admin')
    await forecourt.owner.query(
      `update customers set status = 'suspended' where id = (select customer_id from users where id = $1)`,
      [lakeside],
    )
    await expect(impersonations.impersonate(await fork(staff), 'lakeside.admin')).toRefuse(
      403,
      "can't sign in",
    )
    await expect(staff.call(impersonation.impersonate, { userId: '999999999', token: staff.token })).toRefuse(
      404,
      'User not found.',
    )
  })

  test('cannot start a second impersonation', async () => {
    const impersonated = await impersonations.impersonate(await fork(staff), 'northgate.dealer')
    await expect(impersonations.impersonate(impersonated, 'northgate.auditor')).toRefuse(409, 'already')
  })

  test('can start only one impersonation at a time', async () => {
    const own = await fork(staff)
    const starts = await Promise.allSettled([
      impersonations.impersonate(own, 'northgate.dealer'),
      impersonations.impersonate(own, 'northgate.auditor'),
    ])
    expect(starts.filter(({ status }) => status === 'fulfilled')).toHaveLength(1)
  })
})

describe('a user with (4, 7)', () => {
  test.for([
    ['helper', 'near.dealer', 200, ''],
    ['helper', 'stronger', 403, 'Lots, delete (8, 5)'],
    ['helper', 'far.reaching', 403, 'covers all organizations'],
    ['helper', 'northgate.admin', 403, 'covers all organizations'],
    ['helper', 'sister.person', 404, 'User not found.'],
    ['helper', 'harbor.dealer', 404, 'User not found.'],
    ['helper', 'super', 404, 'User not found.'],
    ['helper', 'helper', 403, 'your own account'],
    ['broad.helper', 'sister.person', 200, ''],
    ['broad.helper', 'far.reaching', 200, ''],
    ['broad.helper', 'stronger', 403, 'Lots, delete (8, 5)'],
    ['broad.helper', 'harbor.dealer', 404, 'User not found.'],
    ['near.dealer', 'northgate.dealer', 403, 'Impersonation, execute (4, 7)'],
    ['near.dealer', 'harbor.dealer', 403, 'Impersonation, execute (4, 7)'],
  ] as const)('%s impersonates %s: %s', async ([who, whom, status, sentence]) => {
    const caller = await forecourt.as(who)
    await expect(impersonations.impersonate(caller, whom)).toRefuse(status, sentence)
  })

  test('cannot impersonate a user who also belongs to an inaccessible organization', async () => {
    const id = await impersonations.idOf('near.dealer')
    const caller = await forecourt.as('helper')
    const place = [ford.customerId, id, toyota.organizationId]
    await forecourt.owner.query(
      'insert into memberships (customer_id, user_id, organization_id) values ($1, $2, $3)',
      place,
    )
    await expect(impersonations.impersonate(caller, 'near.dealer')).toRefuse(
      403,
      "an organization you can't access",
    )
    await forecourt.owner.query(
      'delete from memberships where customer_id = $1 and user_id = $2 and organization_id = $3',
      place,
    )
  })

  test('an administrator can impersonate a dealer user of the same customer', async () => {
    const impersonated = await impersonations.impersonate(await fork(admin), 'northgate.dealer')
    expect(readClaims(impersonated.token).impersonateUserName).toBe('northgate.dealer')
  })
})

test('requires a verified session with an organization', async () => {
  const halfway = await fork(staff)
  await alterSession(forecourt, sessionIdOf(halfway), 'is_verified = false')
  await expect(impersonations.impersonate(halfway, 'northgate.dealer')).toRefuse(401)
  const nowhere = await fork(staff)
  await alterSession(forecourt, sessionIdOf(nowhere), 'organization_id = null')
  await expect(impersonations.impersonate(nowhere, 'northgate.dealer')).toRefuse(403)
})

test('background work stops when impersonation is no longer allowed', async () => {
  const { customerId, organizationId } = ford
  const of = {
    customerId,
    organizationId,
    actorCustomerId: customerId,
    actorUserId: await impersonations.idOf('helper'),
    effectiveCustomerId: customerId,
    effectiveUserId: await impersonations.idOf('near.dealer'),
  }
  expect(await readMember(forecourt.identity, of)).toMatchObject({
    effectiveUserId: await impersonations.idOf('near.dealer'),
  })
  expect(
    await readMember(forecourt.identity, { ...of, effectiveUserId: await impersonations.idOf('stronger') }),
  ).toMatch(/can no longer impersonate .*\.$/)
})
