import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { auth } from '#contract/identity/auth.ts'
import { users } from '#contract/identity/users/users.ts'
import { addLink, newSecret, type Purpose } from '#server/identity/passwords/password-links.ts'
import { makeCaller, refusalOf, testApp, type Caller, type TestApp } from '#test/app.ts'
import { concurrently } from '#test/harness/concurrently.ts'
import { eventsOf, mailsTo, wordIn } from '#test/factories/mail/mails.ts'
import { fresh, testOrganization, type TestOrganization } from '#test/factories/test-organization.ts'
import { alterSession, forkSession, readStored, sessionIdOf } from '#test/factories/identity/sessions.ts'
import { DEMO_PASSWORD } from '../../../demo/world.ts'

const NEW_PASSWORD = 'AnotherOne8!'

let forecourt: TestApp
let ford: TestOrganization
let admin: Caller
beforeAll(async () => {
  forecourt = await testApp()
  ford = await testOrganization(forecourt, 'Northgate Ford')
  admin = await forecourt.as('northgate.admin', 'Northgate Ford')
})
afterAll(() => forecourt.close())

type TestUser = { id: string; userName: string; email: string }

async function createUser(): Promise<TestUser> {
  const userName = fresh('forgetful').replace(' ', '.')
  const id = await ford.addMember({ userName, userType: 'Dealer user', firstName: 'Flo' })
  return { id, userName, email: `${userName}@people.example` }
}

const linkFor = async (
  { id }: TestUser,
  { minutes = 30, purpose = 'reset' }: { purpose?: Purpose; minutes?: number } = {},
) => {
  const { secret, expiresAt } = newSecret(minutes)
  await addLink(forecourt.identity.iam, {
    customerId: ford.customerId,
    userId: id,
    purpose,
    secret,
    expiresAt,
  })
  return secret
}

const signInAs = ({ userName }: TestUser, password: string) =>
  forecourt.anonymous.call(auth.signIn, { username: userName, password })

const reset = (resetValue: string, password = NEW_PASSWORD) =>
  forecourt.anonymous.call(auth.resetPassword, { resetValue, password })

describe('a link', () => {
  const bothWays = async (resetValue: string): Promise<unknown[]> => {
    const refusals = [
      await refusalOf(forecourt.anonymous.call(auth.checkReset, { resetValue })),
      await refusalOf(reset(resetValue)),
    ]
    return refusals.map(({ status, refusal }) => [status, refusal.fields])
  }
  const twice = (sentence: string) => [
    [400, { resetValue: sentence }],
    [400, { resetValue: sentence }],
  ]

  test('that is unknown is rejected', async () => {
    expect(await bothWays('x'.repeat(43))).toEqual(
      twice("This link isn't valid. Make sure you copied the whole link."),
    )
  })

  test('that was used is rejected', async () => {
    const user = await createUser()
    const secret = await linkFor(user)
    await reset(secret)
    expect(await bothWays(secret)).toEqual(
      twice('This link was already used. Sign in, or request a new one.'),
    )
    await expect(signInAs(user, NEW_PASSWORD)).resolves.toBeDefined()
    expect(await eventsOf(forecourt, user)).toContainEqual(
      expect.stringMatching(/^tried to use a link of .+ that was used$/),
    )
  })

  test('used twice at once sets one password', async () => {
    const user = await createUser()
    const secret = await linkFor(user)
    const passwords = ['FirstOfAll1!', 'SecondOfAll2!']
    const outcomes = await concurrently(
      forecourt.owner,
      'select from iam.password_links for update',
      passwords.map((password) => () => reset(secret, password)),
    )
    expect(outcomes.map(({ status }) => status).toSorted()).toEqual(['fulfilled', 'rejected'])
    const winner = passwords[outcomes.findIndex(({ status }) => status === 'fulfilled')] ?? ''
    await expect(signInAs(user, winner)).resolves.toBeDefined()
  })

  test('that was replaced by a newer email is rejected, the newer one is not', async () => {
    const user = await createUser()
    const [older, newer] = [await linkFor(user), await linkFor(user)]
    expect(await bothWays(older)).toEqual(
      twice('A newer email replaced this link. Use the link in the latest email.'),
    )
    await expect(reset(newer)).resolves.toBeNull()
  })

  const expired = twice('This link has expired. Request a new one.')
  test.for([
    ['is expired', async (user: TestUser) => linkFor(user, { minutes: 0 })],
    [
      'was emailed before the password was changed',
      async (user: TestUser) => {
        const secret = await linkFor(user)
        const session = await forecourt.as(user.userName)
        await session.call(auth.changePassword, { oldPassword: DEMO_PASSWORD, newPassword: NEW_PASSWORD })
        return secret
      },
    ],
    [
      'went to an address that was changed',
      async (user: TestUser) => {
        const secret = await linkFor(user)
        await admin.call(users.update, { user: { id: user.id, email: 'right@people.example' } })
        return secret
      },
    ],
    [
      'was for a user name that was changed',
      async (user: TestUser) => {
        const secret = await linkFor(user)
        await admin.call(users.update, { user: { id: user.id, userName: `${user.userName}.new` } })
        return secret
      },
    ],
  ] as const)('that %s is rejected', async ([, make]) => {
    expect(await bothWays(await make(await createUser()))).toEqual(expired)
  })

  const closed = twice(
    "Your access is closed at the moment, so this link doesn't work. Contact your administrator.",
  )
  test('of a deactivated user is rejected with the reason, and works again once they are active', async () => {
    const user = await createUser()
    const secret = await linkFor(user)
    const setActive = (isActive: boolean) =>
      forecourt.owner.query('update users set is_active = $2 where id = $1', [user.id, isActive])
    await setActive(false)
    expect(await bothWays(secret)).toEqual(closed)
    await setActive(true)
    await expect(reset(secret)).resolves.toBeNull()
  })

  test('of a suspended customer is rejected', async () => {
    const harbor = await testOrganization(forecourt, 'Harbor Honda')
    const secret = await harbor.addPasswordLink()
    await forecourt.owner.query(`update customers set status = 'suspended' where id = $1`, [
      harbor.customerId,
    ])
    const refusals = await bothWays(secret)
    await forecourt.owner.query(`update customers set status = 'active' where id = $1`, [harbor.customerId])
    expect(refusals).toEqual(closed)
  })

  test('rejects a password that breaks the rule, and stays usable', async () => {
    const secret = await linkFor(await createUser())
    await expect(reset(secret, 'too short')).toRefuse(400, 'Password must contain')
    await expect(reset(secret)).resolves.toBeNull()
  })

  test('works while the account is blocked after wrong passwords', async () => {
    const user = await createUser()
    for (let n = 0; n < 5; n += 1) await expect(signInAs(user, 'wrong')).toRefuse(401)
    await expect(signInAs(user, DEMO_PASSWORD)).toRefuse(429)
    await reset(await linkFor(user))
    await expect(signInAs(user, NEW_PASSWORD)).resolves.toBeDefined()
  })

  test('is stored only as a hash, and its email is sealed', async () => {
    const user = await createUser()
    await forecourt.anonymous.call(auth.forgotPassword, { userName: user.userName })
    const secret = wordIn((await mailsTo(forecourt, user))[0])
    const { rows } = await forecourt.owner.query<{ all: string }>(
      `select concat((select string_agg(l::text, ' ') from iam.password_links l),
        (select string_agg(m::text, ' ') from outbox_mails m), (select string_agg(a::text, ' ') from audit_log a)) as all`,
    )
    expect([secret.length, rows[0]?.all.includes(secret)]).toEqual([43, false])
  })

  test('lives three days for an invitation, half an hour for a reset', async () => {
    const user = await createUser()
    const invited = await ford.createUser()
    for (const id of [user.id, invited]) await admin.call(users.sendPasswordMail, { id })
    const { rows } = await forecourt.owner.query<{ purpose: string; minutes: number }>(
      `select purpose, (extract(epoch from expires_at - created_at) / 60)::int as minutes
      from iam.password_links where user_id = any($1) order by purpose`,
      [[user.id, invited]],
    )
    expect(rows).toEqual([
      { purpose: 'first', minutes: 72 * 60 },
      { purpose: 'reset', minutes: 30 },
    ])
  })
})

describe('an invitation', () => {
  test('lets an invited user set a password and sign in', async () => {
    const id = await ford.createUser()
    const mailed = await admin.call(users.sendPasswordMail, { id })
    expect([mailed.state, mailed.passwordMailAt === null]).toEqual(['invited', false])
    const [mail] = await mailsTo(forecourt, { id })
    const resetValue = wordIn(mail)
    await expect(forecourt.anonymous.call(auth.checkReset, { resetValue })).resolves.toMatchObject({
      purpose: 'first',
    })
    await reset(resetValue)
    const { state, userName } = await admin.call(users.get, { id })
    expect(state).toBe('active')
    await forecourt.anonymous.call(auth.signIn, { username: userName, password: NEW_PASSWORD })
  })

  test('is rejected for a deactivated user', async () => {
    const id = await ford.createUser()
    await admin.call(users.update, { user: { id, isActive: false } })
    await expect(admin.call(users.sendPasswordMail, { id })).toRefuse(409, "can't sign in")
  })
})

describe('the own password', () => {
  test('is changed with the old one: this session stays, the others end', async () => {
    const user = await createUser()
    const here = await forecourt.as(user.userName)
    const elsewhere = await forecourt.as(user.userName)
    await here.call(auth.changePassword, { oldPassword: DEMO_PASSWORD, newPassword: NEW_PASSWORD })
    await expect(here.call(auth.me, {})).resolves.toBeDefined()
    await expect(elsewhere.call(auth.me, {})).toRefuse(401)
    expect((await readStored(forecourt, sessionIdOf(elsewhere))).revoke_reason).toBe('password changed')
    await expect(signInAs(user, DEMO_PASSWORD)).toRefuse(401)
    await expect(signInAs(user, NEW_PASSWORD)).resolves.toBeDefined()
    expect(await eventsOf(forecourt, user)).toEqual(['changed their password'])
  })

  test('is changed once by changes that are sent at the same time', async () => {
    const user = await createUser()
    await reset(await linkFor(user))
    const me = makeCaller(forecourt.app, (await signInAs(user, NEW_PASSWORD)).accessToken)
    const chosen = ['FirstOne7!', 'SecondOne7!', 'ThirdOne7!']
    const outcomes = await concurrently(
      forecourt.owner,
      'select from iam.credentials for update',
      chosen.map(
        (newPassword) => () => me.call(auth.changePassword, { oldPassword: NEW_PASSWORD, newPassword }),
      ),
    )
    expect(outcomes.map(({ status }) => status).toSorted()).toEqual(['fulfilled', 'rejected', 'rejected'])
    const winner = chosen[outcomes.findIndex(({ status }) => status === 'fulfilled')] ?? ''
    await expect(signInAs(user, winner)).resolves.toBeDefined()
    await expect(
      me.call(auth.changePassword, { oldPassword: NEW_PASSWORD, newPassword: 'FourthOne7!' }),
    ).toRefuse(400, 'Old Password is incorrect.')
  })

  test('stays with a wrong old one, which is reported on its field and counts as a failed sign-in', async () => {
    const user = await createUser()
    const session = await forecourt.as(user.userName)
    const change = (oldPassword: string) =>
      session.call(auth.changePassword, { oldPassword, newPassword: NEW_PASSWORD })
    const { status, refusal } = await refusalOf(change('wrong'))
    // The dialog shows the message (specification, section 8), and the field the same sentence.
    expect([status, refusal.message, refusal.fields]).toEqual([
      400,
      'Old Password is incorrect.',
      { oldPassword: 'Old Password is incorrect.' },
    ])
    const same = await refusalOf(
      session.call(auth.changePassword, { oldPassword: DEMO_PASSWORD, newPassword: DEMO_PASSWORD }),
    )
    expect(same).toMatchObject({
      status: 400,
      refusal: { fields: { newPassword: 'This is your current password. Choose another one.' } },
    })
    for (let n = 0; n < 4; n += 1) await expect(change('wrong')).toRefuse(400, 'Old Password is incorrect.')
    // The network now waits here and at sign-in, even with the right password.
    const waiting = await refusalOf(change(DEMO_PASSWORD))
    expect(waiting).toMatchObject({
      status: 429,
      refusal: {
        fields: { oldPassword: expect.stringMatching(/^Too many incorrect attempts\. Wait \d+ seconds/) },
      },
    })
    await expect(signInAs(user, DEMO_PASSWORD)).toRefuse(429)
    await expect(session.call(auth.me, {})).resolves.toBeDefined()
  })

  test('can be changed without an organization', async () => {
    const user = await createUser()
    await forecourt.owner.query('delete from memberships where user_id = $1', [user.id])
    const session = await forecourt.as(user.userName)
    await expect(
      session.call(auth.changePassword, { oldPassword: DEMO_PASSWORD, newPassword: NEW_PASSWORD }),
    ).resolves.toBeNull()
  })

  test('cannot be changed while impersonating', async () => {
    const user = await createUser()
    const session = await forkSession(forecourt, await forecourt.as('northgate.dealer'))
    await alterSession(
      forecourt,
      sessionIdOf(session),
      `effective_user_id = ${user.id}, rotated_at = app_now()`,
    )
    await expect(
      session.call(auth.changePassword, { oldPassword: DEMO_PASSWORD, newPassword: NEW_PASSWORD }),
    ).toRefuse(403, 'while impersonating a user')
  })
})

describe('the own appearance', () => {
  const chosen = {
    scheme: 'dark',
    layout: 'horizontal',
    headerColor: 'ink',
    direction: 'rtl',
    isMenuFixed: false,
    isHeaderFixed: false,
    isBoxed: true,
    isMenuCollapsed: true,
  } as const

  test('is null until chosen, then stored for the user in every session', async () => {
    const user = await createUser()
    const session = await forecourt.as(user.userName)
    expect((await session.call(auth.me, {})).appearance).toBeNull()
    await expect(session.call(auth.saveAppearance, chosen)).resolves.toEqual(chosen)
    await session.call(auth.saveAppearance, { ...chosen, scheme: 'light' })
    const again = await forecourt.as(user.userName)
    expect((await again.call(auth.me, {})).appearance).toEqual({ ...chosen, scheme: 'light' })
  })

  test('unknown to this version is read as null', async () => {
    const user = await createUser()
    await forecourt.owner.query(
      `insert into iam.appearances (customer_id, user_id, appearance) values ($1, $2, '{"scheme": "sepia"}')`,
      [ford.customerId, user.id],
    )
    const session = await forecourt.as(user.userName)
    expect((await session.call(auth.me, {})).appearance).toBeNull()
  })
})
