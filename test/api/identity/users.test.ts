import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { users } from '#contract/identity/users/users.ts'
import { outbox } from '#contract/mail/outbox/outbox.ts'
import { can, Func, Opr } from '#contract/permissions.ts'
import { clock } from '#server/clock.ts'
import { refusalOf, testApp, type Caller, type TestApp } from '#test/app.ts'
import { findUser } from '#test/factories/identity/find-user.ts'
import { addAllRightsHere } from '#test/factories/identity/all-rights.ts'
import { fresh, testOrganization, type TestOrganization } from '#test/factories/test-organization.ts'
import { alterSession, forkSession, sessionIdOf } from '#test/factories/identity/sessions.ts'

let forecourt: TestApp
let ford: TestOrganization
let toyota: TestOrganization
let harbor: TestOrganization
let admin: Caller
beforeAll(async () => {
  forecourt = await testApp()
  ford = await testOrganization(forecourt, 'Northgate Ford')
  toyota = await testOrganization(forecourt, 'Northgate Toyota')
  harbor = await testOrganization(forecourt, 'Harbor Honda')
  admin = await forecourt.as('northgate.admin', 'Northgate Ford')
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

describe('the list', () => {
  test('shows each user with type, organizations, status, overrides and last sign-in', async () => {
    const person = await newUserRow({ organizationIds: [toyota.organizationId, ford.organizationId] })
    const grants = await admin.call(users.permissions, { id: (await findUser(admin, 'northgate.dealer')).id })
    const added = await admin.call(users.add, {
      user: person,
      permissions: [...grants.permissions.slice(1), can(Func.users, Opr.list)],
    })
    expect(await findUser(admin, person.userName)).toEqual(added)
    expect(added).toMatchObject({
      userName: person.userName,
      userTypeName: 'Dealer user',
      organizations: [
        { id: ford.organizationId, name: 'Northgate Ford' },
        { id: toyota.organizationId, name: 'Northgate Toyota' },
      ],
      state: 'invited',
      differences: 2,
      lastSignInAt: null,
      passwordMailAt: null,
      lock: null,
      isSuper: false,
    })
  })

  test('shows who is active and when they last signed in', async () => {
    await forecourt.as('northgate.dealer')
    const { lastSignInAt, state } = await findUser(admin, 'northgate.dealer')
    expect({ state, isFresh: clock.now() - Date.parse(lastSignInAt ?? '') < 20_000 }).toEqual({
      state: 'active',
      isFresh: true,
    })
  })

  test('filters by type, organization and status, and searches name, user name, email, job title and type', async () => {
    const person = await newUserRow({ organizationIds: [toyota.organizationId], isActive: false })
    await admin.call(users.add, { user: { ...person, jobTitle: 'Zeppelin_captain' } })
    const namesBy = async (
      query: Parameters<typeof admin.call<typeof users.list.input, typeof users.list.output>>[1],
    ) => (await admin.call(users.list, { pageSize: 200, ...query })).results.map(({ userName }) => userName)
    const byEach = await Promise.all([
      namesBy({ search: 'zeppelin_captain' }),
      namesBy({
        search: 'nia okoro',
        filter: `${toyota.organizationId} in organizationIds && state == "off"`,
      }),
      namesBy({ search: person.email.toUpperCase() }),
      namesBy({ search: 'Dealer user', filter: `userTypeId == ${person.userTypeId} && state == "off"` }),
    ])
    for (const names of byEach) expect(names).toContain(person.userName)
    expect(await namesBy({ search: person.userName, filter: 'state == "active"' })).toEqual([])
    expect(
      await namesBy({ search: person.userName, filter: `${ford.organizationId} in organizationIds` }),
    ).toEqual([])
    expect(await namesBy({ search: 'zeppelin%captain' })).toEqual([])
  })

  test.for(['name', '-name', 'userName', 'email', 'userTypeId', '-state', '-lastSignInAt', 'updatedAt'])(
    'sorts by %s, and pages do not overlap',
    async (sort) => {
      const all = await admin.call(users.list, { sort, pageSize: 200 })
      const pages = [
        await admin.call(users.list, { sort, pageSize: 3, page: 1 }),
        await admin.call(users.list, { sort, pageSize: 3, page: 2 }),
      ]
      expect(pages.flatMap(({ results }) => results)).toEqual(all.results.slice(0, 6))
      expect(all.totalRows).toBe(all.results.length)
    },
  )
})

describe('adding', () => {
  test('creates a user who signs in with the emailed link, in the given organization', async () => {
    const person = await newUserRow()
    const added = await admin.call(users.add, { user: person, sendsPasswordMail: true })
    expect(added.passwordMailAt).not.toBeNull()
    const { rows } = await forecourt.owner.query<{ n: number }>(
      'select count(*)::int as n from outbox_mails where user_id = $1',
      [added.id],
    )
    expect(rows).toEqual([{ n: 1 }])
  })

  test('rejects a user name in use, even in another customer, on its field', async () => {
    const refusal = await refusalOf(
      admin.call(users.add, { user: { ...(await newUserRow()), userName: 'HARBOR.admin' } }),
    )
    expect([refusal.status, refusal.refusal.fields]).toEqual([
      409,
      { 'user.userName': 'This user name is already in use.' },
    ])
  })

  test.for([
    ['no organization', () => Promise.resolve([]), 'Choose at least one organization.'],
    [
      "another customer's",
      () => Promise.resolve([harbor.organizationId]),
      'Choose one of your organizations.',
    ],
  ] as const)('rejects %s as organizations', async ([, ids, sentence]) => {
    const user = await newUserRow({ organizationIds: [...(await ids())] })
    const refusal = await refusalOf(admin.call(users.add, { user }))
    expect([refusal.status, refusal.refusal.fields]).toEqual([400, { 'user.organizationIds': sentence }])
  })

  test('rejects a user type of another customer', async () => {
    const user = await newUserRow({ userTypeId: await harbor.userType('Dealer user') })
    const { status, refusal } = await refusalOf(admin.call(users.add, { user }))
    expect([status, refusal.fields]).toEqual([
      400,
      { 'user.userTypeId': 'Choose your own user type or one below it.' },
    ])
  })

  test('by platform staff in a customer creates a user of that customer', async () => {
    const staff = await forecourt.as('super', 'Northgate Ford')
    const { id } = await staff.call(users.add, { user: await newUserRow() })
    await expect(admin.call(users.get, { id })).resolves.toMatchObject({ id, updatedBy: 'Robin Hale' })
  })

  test('allows super users to be added only by super users, and only on the platform', async () => {
    const user = { ...(await newUserRow()), isSuper: true }
    await expect(admin.call(users.add, { user })).toRefuse(403, 'Only a super user')
    const staff = await forecourt.as('super', 'Northgate Ford')
    await expect(staff.call(users.add, { user })).toRefuse(403, 'platform')
  })

  test("rejects a user name that is another user's email address, even in another customer", async () => {
    const taken = { ...(await newUserRow()), userName: 'Priya.Raman@northgate.example' }
    const elsewhere = await forecourt.as('harbor.admin')
    const place = {
      userTypeId: await harbor.userType('Dealer user'),
      organizationIds: [harbor.organizationId],
    }
    for (const call of [
      () => admin.call(users.add, { user: taken }),
      () => elsewhere.call(users.add, { user: { ...taken, ...place } }),
    ]) {
      const { status, refusal } = await refusalOf(call())
      expect([status, refusal.fields]).toEqual([
        409,
        { 'user.userName': 'This user name is already in use.' },
      ])
    }
    const own = { ...(await newUserRow()), userName: 'own.address@people.example' }
    await expect(admin.call(users.add, { user: { ...own, email: own.userName } })).resolves.toMatchObject({
      userName: own.userName,
    })
  })

  test('is rejected while impersonating, before anything is written', async () => {
    const impersonated = await forkSession(forecourt, admin)
    const { id } = await findUser(admin, 'northgate.sustain')
    await alterSession(forecourt, sessionIdOf(impersonated), `user_id = ${id}`)
    const user = await newUserRow()
    await expect(impersonated.call(users.add, { user, sendsPasswordMail: true })).toRefuse(
      403,
      'while impersonating a user',
    )
    expect((await admin.call(users.list, { search: user.userName })).filteredRows).toBe(0)
  })

  test('rejects emailing a deactivated user', async () => {
    const user = await newUserRow({ isActive: false })
    await expect(admin.call(users.add, { user, sendsPasswordMail: true })).toRefuse(400, 'deactivated user')
  })
})

describe('a caller limited to one organization', () => {
  let keeper: Caller
  beforeAll(async () => {
    const userType = await addAllRightsHere(ford)
    await ford.addMember({ userName: 'ford.keeper', userType })
    // With SQL: the administrator has fewer permissions than the keeper's type grants.
    await forecourt.owner.query(
      `update user_types t set parent_id = above.id from user_types above
      where t.customer_id = $1 and t.name = $2 and above.customer_id = $1 and above.name = 'Customer administrator'`,
      [ford.customerId, userType],
    )
    await ford.insert(
      `insert into user_types (customer_id, name, parent_id)
      select customer_id, 'Below the keeper', id from user_types where customer_id = $1 and name = $2 returning id`,
      [ford.customerId, userType],
    )
    keeper = await forecourt.as('ford.keeper')
  })
  const below = async () => ({ ...(await newUserRow()), userTypeId: await ford.userType('Below the keeper') })

  test('adds users to that organization, given or not', async () => {
    const [named, unnamed] = [await below(), { ...(await below()), organizationIds: [] }]
    for (const user of [named, unnamed]) {
      const { organizations } = await keeper.call(users.add, { user })
      expect(organizations).toEqual([{ id: ford.organizationId, name: 'Northgate Ford' }])
    }
  })

  test('cannot add users to a sister organization', async () => {
    const user = { ...(await below()), organizationIds: [toyota.organizationId] }
    await expect(keeper.call(users.add, { user })).toRefuse(400, 'Choose one of your organizations.')
  })

  test('sees only the own organization of a user who also belongs to another', async () => {
    const user = await newUserRow({
      userTypeId: await ford.userType('Participant'),
      organizationIds: [ford.organizationId, toyota.organizationId],
    })
    const { id } = await admin.call(users.add, { user })
    const seen = await keeper.call(users.get, { id })
    expect(seen.organizations.map(({ name }) => name)).toEqual(['Northgate Ford'])
  })

  test('cannot change a user who also belongs to another organization', async () => {
    const user = await newUserRow({
      userTypeId: await ford.userType('Below the keeper'),
      organizationIds: [ford.organizationId, toyota.organizationId],
    })
    const { id } = await admin.call(users.add, { user })
    const lock = "They also belong to an organization you can't access."
    await admin.call(users.sendPasswordMail, { id })
    const { rows } = await forecourt.owner.query<{ id: string }>(
      'update outbox_mails set organization_id = $1 where user_id = $2 returning id',
      [ford.organizationId, id],
    )
    const calls = [
      () => keeper.call(users.update, { user: { id, email: 'keeper@people.example' } }),
      () => keeper.call(users.sendPasswordMail, { id }),
      () => keeper.call(outbox.reveal, { id: rows[0]?.id ?? '' }),
      () => keeper.call(users.remove, { id }),
    ]
    for (const call of calls) await expect(call()).toRefuse(403, lock)
    expect((await keeper.call(users.get, { id })).lock).toBe(lock)
    expect((await findUser(keeper, user.userName)).lock).toBe(lock)
    await expect(admin.call(users.get, { id })).resolves.toMatchObject({ lock: null })
    await admin.call(users.update, { user: { id, organizationIds: [ford.organizationId] } })
    await expect(keeper.call(users.get, { id })).resolves.toMatchObject({ lock: null })
  })

  test('cannot see users of a sister organization', async () => {
    const { id } = await admin.call(users.add, {
      user: await newUserRow({ organizationIds: [toyota.organizationId] }),
    })
    await expect(keeper.call(users.get, { id })).toRefuse(404, 'User not found.')
  })
})
