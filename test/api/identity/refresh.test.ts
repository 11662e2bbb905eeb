import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { auth } from '#contract/identity/auth.ts'
import { lots } from '#contract/customers/lots/lots.ts'
import { makeCaller, testApp, type Caller, type TestApp } from '#test/app.ts'
import {
  accessTokenOf,
  alterSession,
  forkSession,
  openBrowser,
  readClaims,
  readStored,
  sessionIdOf,
  signToken,
  xsrfOf,
} from '#test/factories/identity/sessions.ts'

const URL = '/api/auth/refresh-token'
const LATER = `rotated_at = rotated_at - interval '31 s'`

let forecourt: TestApp
let signedIn: Caller
beforeAll(async () => {
  forecourt = await testApp()
  signedIn = await forecourt.as('northgate.dealer')
})
afterAll(() => forecourt.close())

const newSession = () => forkSession(forecourt, signedIn)
const refresh = (token: string) => forecourt.anonymous.call(auth.refreshToken, token)

/** A refresh as a browser sends it: token in the body, with the cookie. */
const send = (payload: unknown, headers: Record<string, string> = {}) =>
  forecourt.anonymous.send({ method: 'POST', url: URL, payload, headers })

/** The same token as if it had been issued `seconds` ago. Its session's row must be shifted alike. */
async function aged(token: string | null, seconds: number): Promise<string> {
  const claims = readClaims(token)
  return signToken({ ...claims, iat: claims.iat - seconds, exp: claims.exp - seconds })
}

describe('the token is accepted', () => {
  test.for([
    ['as a JSON string', (token: string) => ({ payload: JSON.stringify(token), headers: {} })],
    ['in {token}', (token: string) => ({ payload: { token }, headers: {} })],
    [
      'in {token: stored object}',
      (token: string) => ({ payload: { token: { accessToken: token, more: 1 } }, headers: {} }),
    ],
    [
      'in {token} with other fields',
      (token: string) => ({ payload: { token, isRemember: true }, headers: {} }),
    ],
    [
      'as the stored object',
      (token: string) => ({
        payload: { accessToken: token, expiresIn: 3, tokenType: 'Bearer', user: {} },
        headers: {},
      }),
    ],
    ['as plain text', (token: string) => ({ payload: token, headers: { 'content-type': 'text/plain' } })],
    [
      'as the bearer alone',
      (token: string) => ({ payload: undefined, headers: { authorization: `Bearer ${token}` } }),
    ],
    [
      'as the bearer with an empty object',
      (token: string) => ({ payload: {}, headers: { authorization: `Bearer ${token}` } }),
    ],
    [
      'as the bearer with token: null',
      (token: string) => ({ payload: { token: null }, headers: { authorization: `Bearer ${token}` } }),
    ],
  ] as const)('%s', async ([, shape]) => {
    const { token } = await newSession()
    const { payload, headers } = shape(token ?? '')
    const answer = await send(payload, headers)
    expect({ status: answer.status, gen: readClaims(accessTokenOf(answer.text)).gen }).toEqual({
      status: 200,
      gen: 2,
    })
  })
})

describe('a rotation', () => {
  test('keeps all claims except the times and the generation', async () => {
    const { token } = await newSession()
    const { iat: _iat, exp: _exp, gen: _gen, ...before } = readClaims(token)
    const { iat: _iat2, exp: _exp2, gen, ...after } = readClaims((await refresh(token ?? '')).accessToken)
    expect({ after, gen }).toEqual({ after: before, gen: 2 })
  })

  test('gives the same token an identical successor', async () => {
    const { token } = await newSession()
    const first = await refresh(token ?? '')
    const second = await refresh(token ?? '')
    expect(second.accessToken).toBe(first.accessToken)
  })

  test('happens once for concurrent requests', async () => {
    const caller = await newSession()
    const answers = await Promise.all(Array.from({ length: 20 }, () => refresh(caller.token ?? '')))
    const { generation } = await readStored(forecourt, sessionIdOf(caller))
    expect({ successors: new Set(answers.map(({ accessToken }) => accessToken)).size, generation }).toEqual({
      successors: 1,
      generation: 2,
    })
  })

  test('continues with each successor', async () => {
    let { token } = await newSession()
    for (let time = 0; time < 4; time += 1) token = (await refresh(token ?? '')).accessToken
    expect(readClaims(token).gen).toBe(5)
  })

  test('accepts the older token for 30 seconds, even for writes', async () => {
    const caller = await newSession()
    await refresh(caller.token ?? '')
    const { id } = await caller.call(lots.add, { name: 'On its way', code: 'OIW' })
    await expect(caller.call(lots.get, { id })).resolves.toMatchObject({ name: 'On its way' })
  })

  test('rejects the older token after that', async () => {
    const caller = await newSession()
    await refresh(caller.token ?? '')
    await alterSession(forecourt, sessionIdOf(caller), LATER)
    await expect(caller.call(lots.list, {})).toRefuse(401)
  })

  test('extends a session without a cookie', async () => {
    const caller = await newSession()
    const id = sessionIdOf(caller)
    await alterSession(forecourt, id, `last_active_at = app_now() - interval '1000 s'`)
    await refresh(caller.token ?? '')
    expect((await readStored(forecourt, id)).idle_seconds).toBeLessThan(60)
  })
})

describe('an older token after the grace period', () => {
  test('gets the current successor if its session is not bound to a cookie', async () => {
    const caller = await newSession()
    const successor = await refresh(caller.token ?? '')
    await alterSession(forecourt, sessionIdOf(caller), LATER)
    await expect(refresh(caller.token ?? '')).resolves.toMatchObject({ accessToken: successor.accessToken })
  })

  test("gets it too with its session's cookie", async () => {
    const { token, cookie, sessionId } = await openBrowser(forecourt, 'northgate.dealer')
    const successor = accessTokenOf((await send(JSON.stringify(token), { cookie })).text)
    await alterSession(forecourt, sessionId, LATER)
    expect(accessTokenOf((await send(JSON.stringify(token), { cookie })).text)).toBe(successor)
  })

  test.for([
    ['no cookie', async () => ({})],
    [
      'the cookie of another session',
      async () => ({ cookie: (await openBrowser(forecourt, 'northgate.dealer')).cookie }),
    ],
    ['a made-up cookie', async () => ({ cookie: 'forecourt-session-test=made-up' })],
  ] as const)('ends a bound session if sent with %s, and that is logged', async ([, headers]) => {
    const { token, cookie, sessionId } = await openBrowser(forecourt, 'northgate.dealer')
    await send(JSON.stringify(token), { cookie })
    await alterSession(forecourt, sessionId, LATER)
    const answer = await send(JSON.stringify(token), await headers())
    const { rows } = await forecourt.owner.query<{ actor_name: string; operation: string }>(
      'select actor_name, operation from audit_log where row_id = $1',
      [sessionId],
    )
    expect({
      status: answer.status,
      revoked: (await readStored(forecourt, sessionId)).revoked,
      rows,
    }).toEqual({
      status: 401,
      revoked: true,
      rows: [{ actor_name: 'Luis Ortega', operation: 'event' }],
    })
  })

  test('within the grace period, a missing cookie is rejected but ends nothing', async () => {
    const { token, cookie, sessionId } = await openBrowser(forecourt, 'northgate.dealer')
    await send(JSON.stringify(token), { cookie })
    const answer = await send(JSON.stringify(token))
    expect({ status: answer.status, revoked: (await readStored(forecourt, sessionId)).revoked }).toEqual({
      status: 401,
      revoked: false,
    })
  })
})

describe('an expired token', () => {
  const HOUR = 3600
  const OLD = ['issued_at', 'rotated_at', 'last_active_at']
    .map((name) => `${name} = ${name} - interval '1 hour'`)
    .join(', ')

  test('is rejected without a cookie', async () => {
    const caller = await newSession()
    await alterSession(forecourt, sessionIdOf(caller), OLD)
    await expect(refresh(await aged(caller.token, HOUR))).toRefuse(401)
  })

  test.for([
    { isRemember: true, withCookie: true, status: 200 },
    { isRemember: true, withCookie: false, status: 401 },
    { isRemember: false, withCookie: true, status: 401 },
  ])(
    'returns $status to a browser (remembered: $isRemember, cookie: $withCookie)',
    async ({ isRemember, withCookie, status }) => {
      const { token, cookie, sessionId } = await openBrowser(forecourt, 'northgate.dealer', { isRemember })
      await alterSession(forecourt, sessionId, OLD)
      const answer = await send(JSON.stringify(await aged(token, HOUR)), withCookie ? { cookie } : {})
      expect(answer.status).toBe(status)
    },
  )

  test('of a remembered session cannot be refreshed after fourteen days', async () => {
    const { token, cookie, sessionId } = await openBrowser(forecourt, 'northgate.dealer', {
      isRemember: true,
    })
    await alterSession(forecourt, sessionId, `${OLD}, ends_at = ends_at - interval '14 days 1 s'`)
    expect((await send(JSON.stringify(await aged(token, HOUR)), { cookie })).status).toBe(401)
  })
})

describe('the cookie alone', () => {
  test.for([
    ['is accepted with the XSRF header', (xsrf: string) => ({ 'x-xsrf-token': xsrf }), 200],
    ['is rejected without the header', () => ({}), 403],
    ['is rejected with the header of another session', () => ({ 'x-xsrf-token': xsrfOf('0') }), 403],
    ['is rejected with an empty header', () => ({ 'x-xsrf-token': '' }), 403],
  ] as const)('%s', async ([, header, status]) => {
    const { cookie, xsrf } = await openBrowser(forecourt, 'northgate.dealer')
    expect((await send(undefined, { cookie, ...header(xsrf) })).status).toBe(status)
  })

  test('with a wrong secret is rejected even with the right header', async () => {
    const { sessionId, xsrf } = await openBrowser(forecourt, 'northgate.dealer')
    const cookie = `forecourt-session-test=${sessionId}.made-up`
    expect((await send(undefined, { cookie, 'x-xsrf-token': xsrf })).status).toBe(401)
  })
})

test('a valid bearer token never needs the XSRF header', async () => {
  const { caller, cookie } = await openBrowser(forecourt, 'northgate.dealer')
  const payload = { name: 'No header', code: 'NOH' }
  const answer = await caller.send({ method: 'POST', url: lots.add.path, payload, headers: { cookie } })
  expect(answer.status).toBe(200)
})

test.for([
  ['nothing at all', undefined, 401],
  ['an empty string', '""', 401],
  ['no token', '"not-a-token"', 401],
  ['a number', '5', 400],
  ['a list', '[]', 400],
  ['a number for a token', '{"token":5}', 401],
] as const)(
  '%s in the body gets a proper response, never a server error: %s',
  async ([, payload, status]) => {
    expect((await send(payload)).status).toBe(status)
  },
)

test('a token of a generation that was never issued is rejected', async () => {
  const { token } = await newSession()
  await expect(refresh(await signToken({ ...readClaims(token), gen: 7 }))).toRefuse(401)
})

test("a bound session's token is useless without its cookie", async () => {
  const { token } = await openBrowser(forecourt, 'northgate.dealer')
  await expect(makeCaller(forecourt.app, token).call(lots.list, {})).toRefuse(401)
})
