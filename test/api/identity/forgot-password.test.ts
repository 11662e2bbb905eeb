import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { auth } from '#contract/identity/auth.ts'
import { users } from '#contract/identity/users/users.ts'
import { testApp, type TestApp } from '#test/app.ts'
import { eventsOf, mailsTo, wordIn, type SeenMail } from '#test/factories/mail/mails.ts'
import { fresh, testOrganization, type TestOrganization } from '#test/factories/test-organization.ts'
import { DEMO_PASSWORD } from '../../../demo/world.ts'

const NEW_PASSWORD = 'AnotherOne8!'

let forecourt: TestApp
let ford: TestOrganization
beforeAll(async () => {
  forecourt = await testApp()
  ford = await testOrganization(forecourt, 'Northgate Ford')
})
afterAll(() => forecourt.close())

type TestUser = { id: string; userName: string; email: string }

async function createUser(): Promise<TestUser> {
  const userName = fresh('forgetful').replace(' ', '.')
  const id = await ford.addMember({ userName, userType: 'Dealer user', firstName: 'Flo' })
  return { id, userName, email: `${userName}@people.example` }
}

const signInAs = ({ userName }: TestUser, password: string) =>
  forecourt.anonymous.call(auth.signIn, { username: userName, password })

const reset = (resetValue: string, password = NEW_PASSWORD) =>
  forecourt.anonymous.call(auth.resetPassword, { resetValue, password })

describe('a forgotten password', () => {
  test('is replaced with the emailed link, which ends every session', async () => {
    const user = await createUser()
    const session = await forecourt.as(user.userName)
    await forecourt.anonymous.call(auth.forgotPassword, { userName: user.userName.toUpperCase() })
    const [mail] = await mailsTo(forecourt, user)
    expect(mail?.toEmail).toBe(user.email)
    const resetValue = wordIn(mail)
    await expect(forecourt.anonymous.call(auth.checkReset, { resetValue })).resolves.toEqual({
      userName: user.userName,
      firstName: 'Flo',
      purpose: 'reset',
    })
    await reset(resetValue)
    await expect(session.call(auth.me, {})).toRefuse(401)
    await expect(signInAs(user, DEMO_PASSWORD)).toRefuse(401)
    await expect(signInAs(user, NEW_PASSWORD)).resolves.toBeDefined()
    expect(await eventsOf(forecourt, user)).toEqual([
      expect.stringMatching(/^requested a password email for Flo /),
      'set a password with an emailed link',
    ])
  })

  test.for([
    ['only the email address', ({ email }: TestUser) => ({ email: ` ${email.toUpperCase()} ` }), 1],
    ['both', ({ email, userName }: TestUser) => ({ email, userName }), 1],
    [
      'the email address of another user',
      ({ userName }: TestUser) => ({ userName, email: 'ana@harbor.example' }),
      0,
    ],
    ['an empty name and the email address', ({ email }: TestUser) => ({ email, userName: '' }), 1],
    ['a null name and the email address', ({ email }: TestUser) => ({ email, userName: null }), 1],
    ['the email address as the user name', ({ email }: TestUser) => ({ userName: email }), 0],
  ] as const)('requested with %s', async ([, named, mails]) => {
    const user = await createUser()
    await forecourt.anonymous.call(auth.forgotPassword, named(user))
    expect(await mailsTo(forecourt, user)).toHaveLength(mails)
  })

  test('is emailed to at most five users with the address, or to one with the user name too', async () => {
    const people: TestUser[] = []
    while (people.length < 6) people.push(await createUser())
    const [one = { id: '', userName: '', email: '' }] = people
    await forecourt.owner.query('update users set email = $1 where id = any($2)', [
      one.email,
      people.map(({ id }) => id),
    ])
    await forecourt.anonymous.call(auth.forgotPassword, { email: one.email })
    const mailsToAll = async () => {
      const all: SeenMail[][] = []
      for (const user of people) all.push(await mailsTo(forecourt, user))
      return all
    }
    const mails = await mailsToAll()
    expect(mails.map(({ length }) => length).toSorted((a, b) => a - b)).toEqual([0, 1, 1, 1, 1, 1])
    const named = people.filter(({ userName }, n) => mails[n]?.[0]?.text.includes(userName))
    expect(named).toHaveLength(5)
    await forecourt.anonymous.call(auth.forgotPassword, { email: one.email, userName: one.userName })
    const after = await mailsToAll()
    expect(after.flat().length - mails.flat().length).toBe(1)
  })

  test('does not invalidate an invitation; using one of the two links ends the other', async () => {
    const admin = await forecourt.as('northgate.admin', 'Northgate Ford')
    for (const used of [0, 1]) {
      const id = await ford.createUser()
      const { userName } = await admin.call(users.sendPasswordMail, { id })
      await forecourt.anonymous.call(auth.forgotPassword, { userName })
      const words = (await mailsTo(forecourt, { id })).map((mail) => wordIn(mail))
      for (const resetValue of words) {
        await expect(forecourt.anonymous.call(auth.checkReset, { resetValue })).resolves.toBeDefined()
      }
      await reset(words[used] ?? '')
      for (const resetValue of words) {
        await expect(forecourt.anonymous.call(auth.checkReset, { resetValue })).toRefuse(400)
      }
    }
  })

  test('requested again, or sent by an administrator, invalidates the earlier link', async () => {
    const admin = await forecourt.as('northgate.admin', 'Northgate Ford')
    const id = await ford.createUser()
    const { userName } = await admin.call(users.sendPasswordMail, { id })
    await forecourt.anonymous.call(auth.forgotPassword, { userName })
    await forecourt.anonymous.call(auth.forgotPassword, { userName })
    await admin.call(users.sendPasswordMail, { id })
    const words = (await mailsTo(forecourt, { id })).map((mail) => wordIn(mail))
    const open = await Promise.all(
      words.map((resetValue) =>
        forecourt.anonymous.call(auth.checkReset, { resetValue }).then(
          () => true,
          () => false,
        ),
      ),
    )
    expect(open).toEqual([false, false, false, true])
  })

  test('gets the same response after an internal error, which is reported', async () => {
    const user = await createUser()
    const { identity } = forecourt
    const [put, onError] = [identity.outbox.put, identity.onError]
    const reported: unknown[] = []
    identity.outbox.put = () => Promise.reject(new Error('no room'))
    identity.onError = (error) => reported.push(error)
    const answer = forecourt.anonymous.call(auth.forgotPassword, { userName: user.userName })
    await expect(answer).resolves.toBeNull()
    identity.outbox.put = put
    identity.onError = onError
    expect(reported).toEqual([new Error('no room')])
  })

  test('is rejected without a name or address', async () => {
    await expect(forecourt.anonymous.call(auth.forgotPassword, { email: ' ', userName: null })).toRefuse(
      400,
      'Enter your email address or user name.',
    )
  })

  test('gets the same response in the same time whether the account exists or not', async () => {
    const user = await createUser()
    const ask = async (userName: string) => {
      const startedAt = performance.now()
      const { status, text, headers } = await forecourt.anonymous.send({
        method: 'POST',
        url: '/api/auth/forgot-password',
        payload: { userName },
      })
      return { status, text, names: Object.keys(headers).toSorted(), ms: performance.now() - startedAt }
    }
    const [known, unknown] = [await ask(user.userName), await ask('nobody.at.all')]
    expect({ ...known, ms: 0 }).toEqual({ ...unknown, ms: 0 })
    for (const { ms } of [known, unknown]) expect(ms).toBeGreaterThan(245)
    expect(await mailsTo(forecourt, user)).toHaveLength(1)
  })

  test('leaves no trace of an unknown name except the count of the address', async () => {
    const { rows: before } = await forecourt.owner.query('select from outbox_mails')
    await forecourt.anonymous.call(auth.forgotPassword, { userName: 'no.trace', email: 'no@trace.example' })
    const { rows: after } = await forecourt.owner.query('select from outbox_mails')
    const { rows: counts } = await forecourt.owner.query<{ kind: string; key: string }>(
      `select kind, key from iam.request_counts where key like '%trace%'`,
    )
    expect([after.length - before.length, counts]).toEqual([0, []])
  })

  test('sends at most three emails an hour to an account, even for concurrent requests', async () => {
    const user = await createUser()
    const ask = () => forecourt.anonymous.call(auth.forgotPassword, { userName: user.userName })
    await Promise.all([ask(), ask(), ask(), ask(), ask()])
    expect(await mailsTo(forecourt, user)).toHaveLength(3)
    await forecourt.owner.query(
      `update iam.request_counts set window_started_at = app_now() - interval '61 minutes' where key like $1`,
      [`%/${user.id}`],
    )
    await ask()
    expect(await mailsTo(forecourt, user)).toHaveLength(4)
  })

  test('is not emailed to users who cannot sign in', async () => {
    const user = await createUser()
    await forecourt.owner.query('update users set is_active = false where id = $1', [user.id])
    await forecourt.anonymous.call(auth.forgotPassword, { userName: user.userName })
    expect(await mailsTo(forecourt, user)).toEqual([])
  })

  test('of a demo user is emailed only if demo sign-in is on', async () => {
    const ask = (host: string) =>
      forecourt.anonymous.send({
        method: 'POST',
        url: '/api/auth/forgot-password',
        payload: { userName: 'harbor.dealer' },
        headers: { host },
      })
    const { rows } = await forecourt.owner.query<{ id: string }>(
      `select id from users where user_name = 'harbor.dealer'`,
    )
    const [user = { id: '' }] = rows
    await ask('cars.example.com')
    expect(await mailsTo(forecourt, user)).toHaveLength(0)
    await ask('localhost')
    expect(await mailsTo(forecourt, user)).toHaveLength(1)
  })

  test('the link never uses the host of the request', async () => {
    const user = await createUser()
    await forecourt.anonymous.send({
      method: 'POST',
      url: '/api/auth/forgot-password',
      payload: { userName: user.userName },
      headers: { host: 'evil.example', 'x-forwarded-host': 'evil.example' },
    })
    const [mail] = await mailsTo(forecourt, user)
    expect(mail?.text).toMatch(/\nhttp:\/\/127\.0\.0\.1:8080\/auth\/reset-password#[\w-]{43}\n/)
    expect(mail?.text).not.toContain('evil')
  })
})

describe('with limits per address', () => {
  let strict: TestApp
  beforeAll(async () => {
    strict = await testApp({ FORECOURT_SIGNIN_FAILURES_PER_MINUTE: '3' })
  })
  afterAll(() => strict.close())

  test('the fourth email request in a minute is rejected', async () => {
    const ask = () => strict.anonymous.call(auth.forgotPassword, { userName: 'nobody' })
    await Promise.all([ask(), ask(), ask()])
    await expect(ask()).toRefuse(429, 'Too many requests from this address.')
  })

  test('link secrets cannot be guessed in bulk', async () => {
    const guess = () => strict.anonymous.call(auth.checkReset, { resetValue: fresh('word') })
    for (let n = 0; n < 3; n += 1) await expect(guess()).toRefuse(400)
    await expect(guess()).toRefuse(429)
  })
})
