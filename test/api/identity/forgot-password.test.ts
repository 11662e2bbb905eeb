import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { auth } from '#contract/identity/auth.ts'
import { users } from '#contract/identity/users/users.ts'
import { testApp, type TestApp } from '#test/app.ts'
import { eventsOf, mailsTo, wordIn, type SeenMail } from '#test/factories/mail/mails.ts'
import { fresh, placeOf, type Place } from '#test/factories/places.ts'
import { DEMO_PASSWORD } from '../../../demo/world.ts'

const NEW_PASSWORD = 'AnotherOne8!'

let forecourt: TestApp
let ford: Place
beforeAll(async () => {
  forecourt = await testApp()
  ford = await placeOf(forecourt, 'Northgate Ford')
})
afterAll(() => forecourt.close())

type Person = { id: string; userName: string; email: string }

async function createUser(): Promise<Person> {
  const userName = fresh('forgetful').replace(' ', '.')
  const id = await ford.addMember({ userName, userType: 'Dealer user', firstName: 'Flo' })
  return { id, userName, email: `${userName}@people.example` }
}

const signInAs = ({ userName }: Person, password: string) =>
  forecourt.anonymous.call(auth.signIn, { username: userName, password })

const reset = (resetValue: string, password = NEW_PASSWORD) =>
  forecourt.anonymous.call(auth.resetPassword, { resetValue, password })

describe('a forgotten password', () => {
  test('is set by the mailed link: the old one is none any more, and every session has ended', async () => {
    const person = await createUser()
    const session = await forecourt.as(person.userName)
    await forecourt.anonymous.call(auth.forgotPassword, { userName: person.userName.toUpperCase() })
    const [mail] = await mailsTo(forecourt, person)
    expect(mail?.toEmail).toBe(person.email)
    const resetValue = wordIn(mail)
    await expect(forecourt.anonymous.call(auth.checkReset, { resetValue })).resolves.toEqual({
      userName: person.userName,
      firstName: 'Flo',
      purpose: 'reset',
    })
    await reset(resetValue)
    await expect(session.call(auth.me, {})).toRefuse(401)
    await expect(signInAs(person, DEMO_PASSWORD)).toRefuse(401)
    await expect(signInAs(person, NEW_PASSWORD)).resolves.toBeDefined()
    expect(await eventsOf(forecourt, person)).toEqual([
      'asked for a password mail',
      'set a password by a mailed link',
    ])
  })

  test.for([
    ['the e-mail alone', ({ email }: Person) => ({ email: ` ${email.toUpperCase()} ` }), 1],
    ['both', ({ email, userName }: Person) => ({ email, userName }), 1],
    ['one of both with another’s', ({ userName }: Person) => ({ userName, email: 'ana@harbor.example' }), 0],
    ['an empty name and the e-mail', ({ email }: Person) => ({ email, userName: '' }), 1],
    ['a null name and the e-mail', ({ email }: Person) => ({ email, userName: null }), 1],
    ['the e-mail as a name', ({ email }: Person) => ({ userName: email }), 0],
  ] as const)('named by %s', async ([, named, mails]) => {
    const person = await createUser()
    await forecourt.anonymous.call(auth.forgotPassword, named(person))
    expect(await mailsTo(forecourt, person)).toHaveLength(mails)
  })

  test('is mailed to everybody who has the e-mail, at most five, and both words name one', async () => {
    const people: Person[] = []
    while (people.length < 6) people.push(await createUser())
    const [one = { id: '', userName: '', email: '' }] = people
    await forecourt.owner.query('update users set email = $1 where id = any($2)', [
      one.email,
      people.map(({ id }) => id),
    ])
    await forecourt.anonymous.call(auth.forgotPassword, { email: one.email })
    const mailsToAll = async () => {
      const all: SeenMail[][] = []
      for (const person of people) all.push(await mailsTo(forecourt, person))
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

  test('asked for by anybody leaves the link of an invitation: using one of the two ends the other', async () => {
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

  test('asked for twice, or mailed anew by somebody who keeps users, ends the older one', async () => {
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

  test('that goes wrong inside is answered as ever, and reported', async () => {
    const person = await createUser()
    const { identity } = forecourt
    const [put, onError] = [identity.outbox.put, identity.onError]
    const reported: unknown[] = []
    identity.outbox.put = () => Promise.reject(new Error('no room'))
    identity.onError = (error) => reported.push(error)
    const answer = forecourt.anonymous.call(auth.forgotPassword, { userName: person.userName })
    await expect(answer).resolves.toBeNull()
    identity.outbox.put = put
    identity.onError = onError
    expect(reported).toEqual([new Error('no room')])
  })

  test('without any name is refused', async () => {
    await expect(forecourt.anonymous.call(auth.forgotPassword, { email: ' ', userName: null })).toRefuse(
      400,
      'Fill in your e-mail address or your user name.',
    )
  })

  test('is answered the same, and as late, whether there is such an account or not', async () => {
    const person = await createUser()
    const ask = async (userName: string) => {
      const startedAt = performance.now()
      const { status, text, headers } = await forecourt.anonymous.send({
        method: 'POST',
        url: '/api/auth/forgot-password',
        payload: { userName },
      })
      return { status, text, names: Object.keys(headers).toSorted(), ms: performance.now() - startedAt }
    }
    const [known, unknown] = [await ask(person.userName), await ask('nobody.at.all')]
    expect({ ...known, ms: 0 }).toEqual({ ...unknown, ms: 0 })
    for (const { ms } of [known, unknown]) expect(ms).toBeGreaterThan(245)
    expect(await mailsTo(forecourt, person)).toHaveLength(1)
  })

  test('leaves no trace of a name that nobody has, but the count of the address', async () => {
    const { rows: before } = await forecourt.owner.query('select from outbox_mails')
    await forecourt.anonymous.call(auth.forgotPassword, { userName: 'no.trace', email: 'no@trace.example' })
    const { rows: after } = await forecourt.owner.query('select from outbox_mails')
    const { rows: counts } = await forecourt.owner.query<{ kind: string; key: string }>(
      `select kind, key from iam.request_counts where key like '%trace%'`,
    )
    expect([after.length - before.length, counts]).toEqual([0, []])
  })

  test('sends at most three mails an hour to an account, asked for all at once, too', async () => {
    const person = await createUser()
    const ask = () => forecourt.anonymous.call(auth.forgotPassword, { userName: person.userName })
    await Promise.all([ask(), ask(), ask(), ask(), ask()])
    expect(await mailsTo(forecourt, person)).toHaveLength(3)
    await forecourt.owner.query(
      `update iam.request_counts set window_started_at = app_now() - interval '61 minutes' where key like $1`,
      [`%/${person.id}`],
    )
    await ask()
    expect(await mailsTo(forecourt, person)).toHaveLength(4)
  })

  test('is mailed to nobody who may not sign in', async () => {
    const person = await createUser()
    await forecourt.owner.query('update users set is_active = false where id = $1', [person.id])
    await forecourt.anonymous.call(auth.forgotPassword, { userName: person.userName })
    expect(await mailsTo(forecourt, person)).toEqual([])
  })

  test('of a demo person is mailed only where the demo is open', async () => {
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
    const [person = { id: '' }] = rows
    await ask('cars.example.com')
    expect(await mailsTo(forecourt, person)).toHaveLength(0)
    await ask('localhost')
    expect(await mailsTo(forecourt, person)).toHaveLength(1)
  })

  test('the link never leads to the host of the request', async () => {
    const person = await createUser()
    await forecourt.anonymous.send({
      method: 'POST',
      url: '/api/auth/forgot-password',
      payload: { userName: person.userName },
      headers: { host: 'evil.example', 'x-forwarded-host': 'evil.example' },
    })
    const [mail] = await mailsTo(forecourt, person)
    expect(mail?.text).toMatch(/\nhttp:\/\/127\.0\.0\.1:8080\/auth\/reset-password#[\w-]{43}\n/)
    expect(mail?.text).not.toContain('evil')
  })
})

describe('where addresses are limited', () => {
  let strict: TestApp
  beforeAll(async () => {
    strict = await testApp({ FORECOURT_SIGNIN_FAILURES_PER_MINUTE: '3' })
  })
  afterAll(() => strict.close())

  test('the fourth request of a minute for a mail waits', async () => {
    const ask = () => strict.anonymous.call(auth.forgotPassword, { userName: 'nobody' })
    await Promise.all([ask(), ask(), ask()])
    await expect(ask()).toRefuse(429, 'Too many requests from this address.')
  })

  test('words of links are not guessed in bulk', async () => {
    const guess = () => strict.anonymous.call(auth.checkReset, { resetValue: fresh('word') })
    for (let n = 0; n < 3; n += 1) await expect(guess()).toRefuse(400)
    await expect(guess()).toRefuse(429)
  })
})
