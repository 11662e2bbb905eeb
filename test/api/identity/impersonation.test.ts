import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { customers } from '#contract/customers/customers/customers.ts'
import { lots } from '#contract/customers/lots/lots.ts'
import { auth } from '#contract/identity/auth.ts'
import { impersonation } from '#contract/identity/impersonation/impersonation.ts'
import { clock } from '#server/clock.ts'
import { readMember } from '#server/identity/index.ts'
import { testApp, type Caller, type TestApp } from '#test/app.ts'
import { placeOf, type Place } from '#test/factories/places.ts'
import { alterSession, forkSession, readClaims, sessionIdOf } from '#test/factories/identity/sessions.ts'
import { skinsOf } from '#test/factories/identity/impersonations.ts'

let forecourt: TestApp
let ford: Place
let toyota: Place
let skins: ReturnType<typeof skinsOf>
/** In the platform's own customer, as whoever staffs the phone is. */
let staff: Caller
let admin: Caller
beforeAll(async () => {
  forecourt = await testApp()
  skins = skinsOf(forecourt)
  ford = await placeOf(forecourt, 'Northgate Ford')
  toyota = await placeOf(forecourt, 'Northgate Toyota')
  await skins.addTester(ford, { userName: 'near.dealer', rights: [[8, 1]] })
  await skins.addTester(ford, { userName: 'far.reaching', rights: [[8, 1]], reach: 'customer' })
  await skins.addTester(toyota, { userName: 'sister.person', rights: [[8, 1]] })
  await skins.addTester(ford, {
    userName: 'stronger',
    rights: [
      [8, 1],
      [8, 5],
    ],
  })
  await skins.addTester(ford, {
    userName: 'helper',
    rights: [
      [4, 7],
      [8, 1],
      [8, 2],
    ],
  })
  await skins.addTester(ford, {
    userName: 'broad.helper',
    reach: 'customer',
    rights: [
      [4, 7],
      [8, 1],
    ],
  })
  staff = await forecourt.as('super', 'Forecourt Operations')
  admin = await forecourt.as('northgate.admin', 'Northgate Ford')
})
afterAll(() => forecourt.close())

const fork = (caller: Caller) => forkSession(forecourt, caller)

describe('a super user', () => {
  test('works as a person of any customer with the specified payload alone, under both names', async () => {
    const own = await fork(staff)
    const skin = await skins.become(own, 'northgate.dealer')
    const claims = readClaims(skin.token)
    expect(claims).toMatchObject({
      sid: sessionIdOf(own),
      gen: readClaims(own.token).gen + 1,
      userId: await skins.idOf('super'),
      userName: 'super',
      impersonateUserId: await skins.idOf('northgate.dealer'),
      impersonateUserName: 'northgate.dealer',
      impersonateUserTypeId: await ford.userType('Dealer user'),
      customerId: ford.customerId,
      organizationName: 'Northgate Ford',
    })
    const held = await skin.call(auth.authFunc, {})
    expect(held.isSuper).toBe(false)
    expect(held).toEqual(await (await forecourt.as('northgate.dealer')).call(auth.authFunc, {}))
    const me = await skin.call(auth.me, {})
    expect(me).toMatchObject({ fullName: 'Robin Hale', impersonateFullName: 'Luis Ortega' })
    expect(me.impersonation?.isLookOnly).toBe(false)
    const minutes = (Date.parse(me.impersonation?.endsAt ?? '') - clock.now()) / 60_000
    expect(Math.round(minutes)).toBe(60)

    const lot = await skin.call(lots.add, { name: 'Under two names', code: 'UTN' })
    const { rows } = await forecourt.owner.query(
      `select actor_user_id::text, actor_name, effective_user_id::text, effective_name from audit_log
      where table_name = 'lots' and row_id = $1`,
      [lot.id],
    )
    expect(rows).toEqual([
      {
        actor_user_id: await skins.idOf('super'),
        actor_name: 'Robin Hale',
        effective_user_id: await skins.idOf('northgate.dealer'),
        effective_name: 'Luis Ortega',
      },
    ])
  })

  test.for([
    ['userId', { userId: null }],
    ['token', { token: null }],
  ] as const)('goes back by %s null, to where they were', async ([, payload]) => {
    const own = await fork(staff)
    const skin = await skins.become(own, 'northgate.dealer')
    const back = await skins.goBack(skin, payload)
    expect(readClaims(back.token)).toMatchObject({
      sid: sessionIdOf(own),
      gen: readClaims(own.token).gen + 2,
      impersonateUserId: await skins.idOf('super'),
      organizationName: 'Forecourt Operations',
    })
    expect(await back.call(auth.authFunc, {})).toMatchObject({ isSuper: true })
    expect((await back.call(auth.me, {})).impersonation).toBeNull()
    await expect(back.call(customers.list, {})).resolves.toBeDefined()
  })

  test('chooses an organization where the person has several and the own is none of them', async () => {
    const skin = await skins.become(await fork(staff), 'northgate.admin')
    expect(readClaims(skin.token).organizationId).toBe('0')
    const { accessToken } = await skin.call(auth.changeOrganization, {
      organizationId: toyota.organizationId,
    })
    expect(readClaims(accessToken)).toMatchObject({
      organizationName: 'Northgate Toyota',
      impersonateUserName: 'northgate.admin',
    })
  })

  test('stays where they are when the person works there, too', async () => {
    const atFord = await forecourt.as('super', 'Northgate Ford')
    const skin = await skins.become(atFord, 'northgate.admin')
    expect(readClaims(skin.token).organizationName).toBe('Northgate Ford')
  })

  test.for([
    ['super', 403, 'This is your own account.'],
    ['second.super', 403, 'Nobody acts as a super user.'],
    ['owen.price', 403, 'may not sign in'],
  ] as const)('does not become %s', async ([userName, status, sentence]) => {
    const platform = await placeOf(forecourt, 'Forecourt Operations')
    if (userName === 'second.super') {
      const id = await platform.addMember({ userName, userType: 'Super user' })
      await forecourt.owner.query('update users set is_super = true where id = $1', [id])
    }
    if (userName === 'owen.price') {
      await forecourt.owner.query('update users set is_active = false where id = $1', [
        await skins.idOf(userName),
      ])
    }
    await expect(skins.become(await fork(staff), userName)).toRefuse(status, sentence)
  })

  test('does not become somebody of a suspended customer, or nobody', async () => {
    const lakeside = await skins.idOf('lakeside.admin')
    await forecourt.owner.query(
      `update customers set status = 'suspended' where id = (select customer_id from users where id = $1)`,
      [lakeside],
    )
    await expect(skins.become(await fork(staff), 'lakeside.admin')).toRefuse(403, 'may not sign in')
    await expect(staff.call(impersonation.impersonate, { userId: '999999999', token: staff.token })).toRefuse(
      404,
      'Person not found.',
    )
  })

  test('does not go from one skin into another', async () => {
    const skin = await skins.become(await fork(staff), 'northgate.dealer')
    await expect(skins.become(skin, 'northgate.auditor')).toRefuse(409, 'already')
  })

  test('two starts at once: one counts', async () => {
    const own = await fork(staff)
    const starts = await Promise.allSettled([
      skins.become(own, 'northgate.dealer'),
      skins.become(own, 'northgate.auditor'),
    ])
    expect(starts.filter(({ status }) => status === 'fulfilled')).toHaveLength(1)
  })
})

describe('whoever holds (4, 7)', () => {
  test.for([
    ['helper', 'near.dealer', 200, ''],
    ['helper', 'stronger', 403, 'Lots, delete (8, 5)'],
    ['helper', 'far.reaching', 403, 'reaches the whole customer'],
    ['helper', 'northgate.admin', 403, 'reaches the whole customer'],
    ['helper', 'sister.person', 404, 'Person not found.'],
    ['helper', 'harbor.dealer', 404, 'Person not found.'],
    ['helper', 'super', 404, 'Person not found.'],
    ['helper', 'helper', 403, 'your own account'],
    ['broad.helper', 'sister.person', 200, ''],
    ['broad.helper', 'far.reaching', 200, ''],
    ['broad.helper', 'stronger', 403, 'Lots, delete (8, 5)'],
    ['broad.helper', 'harbor.dealer', 404, 'Person not found.'],
    ['near.dealer', 'northgate.dealer', 403, 'Impersonation, execute (4, 7)'],
    ['near.dealer', 'harbor.dealer', 403, 'Impersonation, execute (4, 7)'],
  ] as const)('%s becomes %s: %s', async ([who, whom, status, sentence]) => {
    const caller = await forecourt.as(who)
    await expect(skins.become(caller, whom)).toRefuse(status, sentence)
  })

  test('does not become somebody who also works out of their reach', async () => {
    const id = await skins.idOf('near.dealer')
    const caller = await forecourt.as('helper')
    const place = [ford.customerId, id, toyota.organizationId]
    await forecourt.owner.query(
      'insert into memberships (customer_id, user_id, organization_id) values ($1, $2, $3)',
      place,
    )
    await expect(skins.become(caller, 'near.dealer')).toRefuse(403, 'out of your reach')
    await forecourt.owner.query(
      'delete from memberships where customer_id = $1 and user_id = $2 and organization_id = $3',
      place,
    )
  })

  test('an administrator of a customer, who holds all of it, becomes its dealer', async () => {
    const skin = await skins.become(await fork(admin), 'northgate.dealer')
    expect(readClaims(skin.token).impersonateUserName).toBe('northgate.dealer')
  })
})

test('somebody unverified and somebody without an organization start nothing', async () => {
  const halfway = await fork(staff)
  await alterSession(forecourt, sessionIdOf(halfway), 'is_verified = false')
  await expect(skins.become(halfway, 'northgate.dealer')).toRefuse(401)
  const nowhere = await fork(staff)
  await alterSession(forecourt, sessionIdOf(nowhere), 'organization_id = null')
  await expect(skins.become(nowhere, 'northgate.dealer')).toRefuse(403)
})

test('work that goes on without its person stops when they may not act as the other any more', async () => {
  const { customerId, organizationId } = ford
  const of = {
    customerId,
    organizationId,
    actorCustomerId: customerId,
    actorUserId: await skins.idOf('helper'),
    effectiveCustomerId: customerId,
    effectiveUserId: await skins.idOf('near.dealer'),
  }
  expect(await readMember(forecourt.identity, of)).toMatchObject({
    effectiveUserId: await skins.idOf('near.dealer'),
  })
  expect(
    await readMember(forecourt.identity, { ...of, effectiveUserId: await skins.idOf('stronger') }),
  ).toMatch(/may not act as .* any more\.$/)
})
