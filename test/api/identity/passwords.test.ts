import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { auth } from '#contract/identity/auth.ts'
import { users } from '#contract/identity/users/users.ts'
import { addLink, type Purpose } from '#server/identity/passwords/password-links.ts'
import { refusalOf, testApp, type Caller, type TestApp } from '#test/app.ts'
import { concurrently } from '#test/harness/concurrently.ts'
import { eventsOf, mailsTo, wordIn } from '#test/factories/mail/mails.ts'
import { fresh, placeOf, type Place } from '#test/factories/places.ts'
import { alterSession, forkSession, readStored, sessionIdOf } from '#test/factories/identity/sessions.ts'
import { DEMO_PASSWORD } from '../../../demo/world.ts'

const NEW_PASSWORD = 'AnotherOne8!'

let forecourt: TestApp
let ford: Place
let admin: Caller
beforeAll(async () => {
  forecourt = await testApp()
  ford = await placeOf(forecourt, 'Northgate Ford')
  admin = await forecourt.as('northgate.admin', 'Northgate Ford')
})
afterAll(() => forecourt.close())

type Person = { id: string; userName: string; email: string }

async function createUser(): Promise<Person> {
  const userName = fresh('forgetful').replace(' ', '.')
  const id = await ford.addMember({ userName, userType: 'Dealer user', firstName: 'Flo' })
  return { id, userName, email: `${userName}@people.example` }
}

const linkFor = async ({ id }: Person, more: { purpose?: Purpose; minutes?: number } = {}) =>
  (
    await addLink(forecourt.identity.iam, {
      customerId: ford.customerId,
      userId: id,
      purpose: 'reset',
      minutes: 30,
      ...more,
    })
  ).word

const signInAs = ({ userName }: Person, password: string) =>
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

  test('that is none of ours is refused', async () => {
    expect(await bothWays('x'.repeat(43))).toEqual(
      twice('This link is not one of ours. Was it copied whole?'),
    )
  })

  test('that was used is refused', async () => {
    const person = await createUser()
    const word = await linkFor(person)
    await reset(word)
    expect(await bothWays(word)).toEqual(twice('This link was used already. Sign in, or ask for a new one.'))
    await expect(signInAs(person, NEW_PASSWORD)).resolves.toBeDefined()
    expect(await eventsOf(forecourt, person)).toContain('was refused a link that is used')
  })

  test('used twice at once sets one password', async () => {
    const person = await createUser()
    const word = await linkFor(person)
    const passwords = ['FirstOfAll1!', 'SecondOfAll2!']
    const outcomes = await concurrently(
      forecourt.owner,
      'select from iam.password_links for update',
      passwords.map((password) => () => reset(word, password)),
    )
    expect(outcomes.map(({ status }) => status).toSorted()).toEqual(['fulfilled', 'rejected'])
    const winner = passwords[outcomes.findIndex(({ status }) => status === 'fulfilled')] ?? ''
    await expect(signInAs(person, winner)).resolves.toBeDefined()
  })

  test('that a newer mail replaced is refused, the newer one is not', async () => {
    const person = await createUser()
    const [older, newer] = [await linkFor(person), await linkFor(person)]
    expect(await bothWays(older)).toEqual(
      twice('A newer mail replaced this link. Use the link of the latest one.'),
    )
    await expect(reset(newer)).resolves.toBeNull()
  })

  const tooOld = twice('This link is too old. Ask for a new one.')
  test.for([
    ['is over', async (person: Person) => linkFor(person, { minutes: 0 })],
    [
      'is of somebody who was switched off',
      async (person: Person) => {
        const word = await linkFor(person)
        await forecourt.owner.query('update users set is_active = false where id = $1', [person.id])
        return word
      },
    ],
    [
      'was mailed before the password was changed',
      async (person: Person) => {
        const word = await linkFor(person)
        const session = await forecourt.as(person.userName)
        await session.call(auth.changePassword, { oldPassword: DEMO_PASSWORD, newPassword: NEW_PASSWORD })
        return word
      },
    ],
    [
      'went to an address that was changed',
      async (person: Person) => {
        const word = await linkFor(person)
        await admin.call(users.update, { user: { id: person.id, email: 'right@people.example' } })
        return word
      },
    ],
    [
      'was for a user name that was changed',
      async (person: Person) => {
        const word = await linkFor(person)
        await admin.call(users.update, { user: { id: person.id, userName: `${person.userName}.new` } })
        return word
      },
    ],
  ] as const)('that %s is refused', async ([, make]) => {
    expect(await bothWays(await make(await createUser()))).toEqual(tooOld)
  })

  test('of a customer that was suspended is refused', async () => {
    const harbor = await placeOf(forecourt, 'Harbor Honda')
    const word = await harbor.addPasswordLink()
    await forecourt.owner.query(`update customers set status = 'suspended' where id = $1`, [
      harbor.customerId,
    ])
    const refusals = await bothWays(word)
    await forecourt.owner.query(`update customers set status = 'active' where id = $1`, [harbor.customerId])
    expect(refusals).toEqual(tooOld)
  })

  test('does not take a password that breaks the rule, and stays usable', async () => {
    const word = await linkFor(await createUser())
    await expect(reset(word, 'too short')).toRefuse(400, 'Password must contain')
    await expect(reset(word)).resolves.toBeNull()
  })

  test('lets somebody in who waits after wrong passwords', async () => {
    const person = await createUser()
    for (let n = 0; n < 6; n += 1) await expect(signInAs(person, 'wrong')).toRefuse(401)
    await expect(signInAs(person, DEMO_PASSWORD)).toRefuse(401)
    await reset(await linkFor(person))
    await expect(signInAs(person, NEW_PASSWORD)).resolves.toBeDefined()
  })

  test('is kept as a hash alone, and its mail sealed', async () => {
    const person = await createUser()
    await forecourt.anonymous.call(auth.forgotPassword, { userName: person.userName })
    const word = wordIn((await mailsTo(forecourt, person))[0])
    const { rows } = await forecourt.owner.query<{ all: string }>(
      `select concat((select string_agg(l::text, ' ') from iam.password_links l),
        (select string_agg(m::text, ' ') from outbox_mails m), (select string_agg(a::text, ' ') from audit_log a)) as all`,
    )
    expect([word.length, rows[0]?.all.includes(word)]).toEqual([43, false])
  })

  test('that invites lives three days, a new password’s half an hour', async () => {
    const person = await createUser()
    const invited = await ford.createUser()
    for (const id of [person.id, invited]) await admin.call(users.sendPasswordMail, { id })
    const { rows } = await forecourt.owner.query<{ purpose: string; minutes: number }>(
      `select purpose, (extract(epoch from expires_at - created_at) / 60)::int as minutes
      from iam.password_links where user_id = any($1) order by purpose`,
      [[person.id, invited]],
    )
    expect(rows).toEqual([
      { purpose: 'first', minutes: 72 * 60 },
      { purpose: 'reset', minutes: 30 },
    ])
  })
})

describe('an invitation', () => {
  test('makes an invited person an active one who signs in', async () => {
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

  test('is refused for somebody who may not sign in', async () => {
    const id = await ford.createUser()
    await admin.call(users.update, { user: { id, isActive: false } })
    await expect(admin.call(users.sendPasswordMail, { id })).toRefuse(409, 'may not sign in')
  })
})

describe('the own password', () => {
  test('is changed with the old one: this session stays, the others end', async () => {
    const person = await createUser()
    const here = await forecourt.as(person.userName)
    const elsewhere = await forecourt.as(person.userName)
    await here.call(auth.changePassword, { oldPassword: DEMO_PASSWORD, newPassword: NEW_PASSWORD })
    await expect(here.call(auth.me, {})).resolves.toBeDefined()
    await expect(elsewhere.call(auth.me, {})).toRefuse(401)
    expect((await readStored(forecourt, sessionIdOf(elsewhere))).revoke_reason).toBe('password changed')
    await expect(signInAs(person, DEMO_PASSWORD)).toRefuse(401)
    await expect(signInAs(person, NEW_PASSWORD)).resolves.toBeDefined()
    expect(await eventsOf(forecourt, person)).toEqual(['changed their password'])
  })

  test('stays with a wrong old one, which is told on its field and counts like a wrong sign-in', async () => {
    const person = await createUser()
    const session = await forecourt.as(person.userName)
    const change = (oldPassword: string) =>
      session.call(auth.changePassword, { oldPassword, newPassword: NEW_PASSWORD })
    const { status, refusal } = await refusalOf(change('wrong'))
    expect([status, refusal.fields]).toEqual([400, { oldPassword: 'Old Password is not right.' }])
    for (let n = 0; n < 4; n += 1) await expect(change('wrong')).toRefuse(400, 'Old Password is not right.')
    // The account waits now, here and at the sign-in page, for the right password, too.
    await expect(change(DEMO_PASSWORD)).toRefuse(400, 'wait a little')
    await expect(signInAs(person, DEMO_PASSWORD)).toRefuse(401)
    await expect(session.call(auth.me, {})).resolves.toBeDefined()
  })

  test('is changed by somebody without an organization, too', async () => {
    const person = await createUser()
    await forecourt.owner.query('delete from memberships where user_id = $1', [person.id])
    const session = await forecourt.as(person.userName)
    await expect(
      session.call(auth.changePassword, { oldPassword: DEMO_PASSWORD, newPassword: NEW_PASSWORD }),
    ).resolves.toBeNull()
  })

  test('is not changed in somebody else’s skin', async () => {
    const person = await createUser()
    const session = await forkSession(forecourt, await forecourt.as('northgate.dealer'))
    await alterSession(
      forecourt,
      sessionIdOf(session),
      `effective_user_id = ${person.id}, rotated_at = app_now()`,
    )
    await expect(
      session.call(auth.changePassword, { oldPassword: DEMO_PASSWORD, newPassword: NEW_PASSWORD }),
    ).toRefuse(403, 'acting as somebody else')
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

  test('is nothing until chosen, and then kept for the person, in every session', async () => {
    const person = await createUser()
    const session = await forecourt.as(person.userName)
    expect((await session.call(auth.me, {})).appearance).toBeNull()
    await expect(session.call(auth.saveAppearance, chosen)).resolves.toEqual(chosen)
    await session.call(auth.saveAppearance, { ...chosen, scheme: 'light' })
    const again = await forecourt.as(person.userName)
    expect((await again.call(auth.me, {})).appearance).toEqual({ ...chosen, scheme: 'light' })
  })

  test('that this version does not know counts as none', async () => {
    const person = await createUser()
    await forecourt.owner.query(
      `insert into iam.appearances (customer_id, user_id, appearance) values ($1, $2, '{"scheme": "sepia"}')`,
      [ford.customerId, person.id],
    )
    const session = await forecourt.as(person.userName)
    expect((await session.call(auth.me, {})).appearance).toBeNull()
  })
})
