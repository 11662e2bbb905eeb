import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { auth } from '#contract/identity/auth.ts'
import { CLIENT_HEADER } from '#contract/identity/sessions/session.ts'
import { sweepSessions } from '#server/identity/sessions/sweep.ts'
import { DEMO_PASSWORD } from '../../../demo/world.ts'
import { testApp, type TestApp } from '#test/app.ts'

const USER = 'northgate.auditor'
const COLLEAGUE = 'northgate.dealer'
const OFFICE = '203.0.113.5'
const PER_MINUTE = 20

let forecourt: TestApp
beforeAll(async () => {
  forecourt = await testApp({ FORECOURT_SIGNIN_FAILURES_PER_MINUTE: String(PER_MINUTE) })
})
afterAll(() => forecourt.close())
afterEach(() => forecourt.owner.query('delete from iam.sign_in_failures; delete from iam.known_browsers'))

type Attempt = {
  username?: string
  password?: string
  cookie?: string | null
  from?: string
  isWeb?: boolean
}

/** Signs in as a browser does. Returns the status and the cookie by which the browser is known from then on. */
async function signIn({ username = USER, password, cookie = null, from = OFFICE, isWeb = true }: Attempt) {
  const { statusCode, cookies, headers } = await forecourt.app.inject({
    method: 'POST',
    url: '/api/auth',
    payload: { username, password: password ?? DEMO_PASSWORD },
    remoteAddress: from,
    headers: {
      host: 'localhost',
      ...(isWeb && { [CLIENT_HEADER]: 'web' }),
      ...(cookie !== null && { cookie }),
    },
  })
  const made = cookies.find(({ name }) => name === 'forecourt-browser-test')
  return {
    status: statusCode,
    cookie: made === undefined ? null : `${made.name}=${made.value}`,
    line: [headers['set-cookie']].flat().find((text) => text?.startsWith('forecourt-browser-')),
  }
}

async function knownTo(username = USER, cookie: string | null = null): Promise<string> {
  const answer = await signIn({ username, cookie })
  if (answer.cookie === null) throw new Error(`${username} did not sign in: ${answer.status}.`)
  return answer.cookie
}

/** Sends wrong passwords, one after another. */
async function fail(times: number, attempt: Attempt): Promise<number[]> {
  const statuses: number[] = []
  for (let made = 0; made < times; made += 1)
    statuses.push((await signIn({ ...attempt, password: 'not-the-password' })).status)
  return statuses
}

/** What a hundred wrong passwords from ten networks lead to. */
const blockAccount = (username = USER) =>
  forecourt.owner.query(
    `insert into iam.sign_in_failures (kind, key, failures, blocked_until)
     values ('account', $1, 100, app_now() + interval '30 seconds')
     on conflict (kind, key) do update set blocked_until = excluded.blocked_until`,
    [username],
  )

async function pass(seconds: number): Promise<void> {
  await forecourt.owner.query(
    `update iam.known_browsers set last_failure_at = last_failure_at - $1 * interval '1 second',
      blocked_until = blocked_until - $1 * interval '1 second', last_used_at = last_used_at - $1 * interval '1 second'`,
    [seconds],
  )
}

test('a browser gets an HttpOnly cookie for a year, of which only a hash is stored', async () => {
  const { line, cookie } = await signIn({})
  expect(line).toMatch(
    /^forecourt-browser-test=[\w-]{43}; Max-Age=31536000; Path=\/api; HttpOnly; SameSite=Strict$/,
  )
  const { rows } = await forecourt.owner.query<{ kept: string }>(
    'select b::text as kept from iam.known_browsers b',
  )
  expect(rows).toHaveLength(1)
  expect(rows[0]?.kept).not.toContain(cookie?.split('=')[1])
})

test('a program that is not a browser gets none', async () => {
  expect(await signIn({ isWeb: false })).toEqual({ status: 200, cookie: null, line: undefined })
})

describe('a known browser', () => {
  test('can sign in while others have blocked the account', async () => {
    const cookie = await knownTo()
    await blockAccount()
    expect((await signIn({ from: '198.51.100.9' })).status).toBe(429)
    expect((await signIn({ cookie })).status).toBe(200)
  })

  test('can sign in while its address is blocked', async () => {
    const cookie = await knownTo()
    for (let one = 0; one < PER_MINUTE; one += 1) await fail(1, { username: `nobody.${one}` })
    expect((await signIn({})).status).toBe(429)
    expect((await signIn({ cookie })).status).toBe(200)
  })

  test(
    'can request a password email while its address is blocked, up to a limit of its own',
    { tags: 'release' },
    async () => {
      const request = async (cookie: string | null): Promise<number> =>
        (
          await forecourt.app.inject({
            method: 'POST',
            url: auth.forgotPassword.path,
            payload: { userName: 'nobody.at.all' },
            remoteAddress: OFFICE,
            headers: { host: 'localhost', ...(cookie !== null && { cookie }) },
          })
        ).statusCode
      const cookie = await knownTo()
      const ofStranger = await Promise.all(Array.from({ length: PER_MINUTE + 1 }, () => request(null)))
      expect(ofStranger.filter((status) => status === 429)).toHaveLength(1)
      const made = `${cookie.split('=')[0]}=${'x'.repeat(43)}`
      expect([await request(null), await request(made), await request(cookie)]).toEqual([429, 429, 200])
      const ofBrowser = await Promise.all(Array.from({ length: PER_MINUTE }, () => request(cookie)))
      expect(ofBrowser.filter((status) => status === 429)).toHaveLength(1)
    },
  )

  test('waits after five failures of its own, as an account does, without blocking others', async () => {
    const cookie = await knownTo()
    expect(await fail(5, { cookie })).toEqual([401, 401, 401, 401, 401])
    expect((await signIn({ cookie })).status).toBe(429)
    expect((await signIn({ from: '198.51.100.9' })).status).toBe(200)
    await pass(31)
    expect((await signIn({ cookie })).status).toBe(200)
  })

  test(
    'doubles the wait after each further failure; attempts during a wait change nothing',
    { tags: 'release' },
    async () => {
      const cookie = await knownTo()
      await fail(5, { cookie })
      await pass(31)
      await fail(3, { cookie })
      await pass(31)
      expect((await signIn({ cookie })).status).toBe(429)
      await pass(30)
      expect((await signIn({ cookie })).status).toBe(200)
    },
  )

  test('clears its failures after a success, and after twelve hours', async () => {
    const first = await knownTo()
    await fail(4, { cookie: first })
    const second = await knownTo(USER, first)
    expect(await fail(4, { cookie: second })).toEqual([401, 401, 401, 401])
    await pass(12 * 3_600 + 1)
    await fail(4, { cookie: second })
    expect((await signIn({ cookie: second })).status).toBe(200)
  })

  test('has failures that do not count for the account or the address', { tags: 'release' }, async () => {
    const cookie = await knownTo()
    await fail(8, { cookie })
    const { rows } = await forecourt.owner.query('select * from iam.sign_in_failures')
    expect(rows).toEqual([])
  })

  test('is known only for users who signed in on it', async () => {
    const cookie = await knownTo(COLLEAGUE)
    await fail(6, {})
    expect((await signIn({ cookie })).status).toBe(429)
    await forecourt.owner.query('delete from iam.sign_in_failures')
    const both = await knownTo(USER, cookie)
    await blockAccount()
    await blockAccount(COLLEAGUE)
    expect((await signIn({ username: COLLEAGUE, cookie: both })).status).toBe(200)
  })

  test('gets a new secret at each sign-in, which invalidates the previous one', async () => {
    const planted = await knownTo()
    await knownTo(USER, planted)
    await blockAccount()
    expect((await signIn({ cookie: planted })).status).toBe(429)
  })

  test('is forgotten and deleted after a year without a sign-in', async () => {
    const cookie = await knownTo()
    await pass(366 * 86_400)
    await blockAccount()
    expect((await signIn({ cookie })).status).toBe(429)
    await sweepSessions(forecourt.identity.iam)
    expect((await forecourt.owner.query('select from iam.known_browsers')).rowCount).toBe(0)
  })

  test('is one of at most fifty per user', async () => {
    const first = await knownTo()
    for (let one = 0; one < 50; one += 1) await knownTo()
    const { rowCount } = await forecourt.owner.query('select from iam.known_browsers')
    await blockAccount()
    expect([rowCount, (await signIn({ cookie: first })).status]).toEqual([50, 429])
  })

  test('can change the password while others have blocked the account', async () => {
    const cookie = await knownTo()
    const person = await forecourt.as(USER)
    await blockAccount()
    const change = (password: string, headers: Record<string, string>) =>
      person.send({
        method: 'POST',
        url: auth.changePassword.path,
        payload: { oldPassword: password, newPassword: 'Another4711!' },
        headers,
      })
    expect((await change(DEMO_PASSWORD, {})).text).toContain('Too many incorrect attempts')
    expect((await change('not-the-password', { cookie })).text).toContain('Old Password is incorrect.')
    expect((await change(DEMO_PASSWORD, { cookie })).status).toBe(200)
  })
})
