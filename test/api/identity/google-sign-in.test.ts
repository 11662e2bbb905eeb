import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { z } from 'zod'
import type { Endpoint } from '#contract/endpoint.ts'
import { auth } from '#contract/identity/auth.ts'
import { google } from '#contract/identity/sign-in/google.ts'
import type { Token } from '#contract/identity/sessions/session.ts'
import { clock } from '#server/clock.ts'
import { readSecrets } from '#server/secrets.ts'
import { makeNonces } from '#server/identity/sign-in/google-nonces.ts'
import { refusalOf, testApp, type TestApp } from '#test/app.ts'
import {
  CLIENT_ID,
  startFakeGoogleServer,
  type FakeGoogleServer,
  type OtherClaims,
} from '#test/fakes/google.ts'
import { testOrganization } from '#test/factories/test-organization.ts'

const LUIS = 'luis.ortega@northgate.example'
const INVALID_TOKEN = "Google sign-in didn't work."
const NO_USER = "This Google account isn't linked to a user."

let googleServer: FakeGoogleServer
let forecourt: TestApp
beforeAll(async () => {
  googleServer = await startFakeGoogleServer()
  forecourt = await testApp({ ...googleServer.environment, FORECOURT_DEMO: '1' })
})
afterAll(async () => {
  await forecourt.close()
  await googleServer.close()
})

const begin = () => forecourt.anonymous.call(google.begin, {})
const signIn = (accessToken: string): Promise<Token> =>
  forecourt.anonymous.call(google.signIn, { expiresIn: 0, accessToken })
const claimsIn = (token: string): Record<string, unknown> =>
  JSON.parse(Buffer.from(token.split('.')[1] ?? '', 'base64url').toString())

async function signInWith(claims: OtherClaims): Promise<Token> {
  const { nonce } = await begin()
  return signIn(await googleServer.token(nonce, claims))
}

const HarborAnswer = z.object({
  data: z.looseObject({ nonce: z.string().default(''), accessToken: z.string().default('') }).nullable(),
  message: z.string().nullable(),
})

/** A call on Harbor's domain. */
async function atHarbor(endpoint: Endpoint, payload?: object) {
  const { method, path: url } = endpoint
  const answer = await forecourt.anonymous.send({
    method,
    url,
    payload,
    headers: { host: 'office.harbor.localhost' },
  })
  const body = HarborAnswer.parse(JSON.parse(answer.text))
  return { status: answer.status, ...body }
}

describe('a Google token', () => {
  test('signs in its user like a password does', async () => {
    const { url, nonce } = await begin()
    const asked = new URL(url).searchParams
    expect(Object.fromEntries(asked)).toEqual({
      client_id: CLIENT_ID,
      response_type: 'id_token',
      scope: 'openid email',
      nonce,
    })
    const token = await signIn(await googleServer.token(nonce))
    const usual = await forecourt.as('northgate.dealer')
    const { userId, organizationId, organizationName, isVerified } = claimsIn(usual.token ?? '')
    expect(claimsIn(token.accessToken)).toMatchObject({
      userName: 'northgate.dealer',
      userId,
      organizationId,
      organizationName,
      isVerified,
    })
  })

  test('signs in regardless of the case of the address, and without `expiresIn`', async () => {
    const { nonce } = await begin()
    const accessToken = await googleServer.token(nonce, { email: LUIS.toUpperCase() })
    const token = await forecourt.anonymous.call(google.signIn, { accessToken })
    expect(claimsIn(token.accessToken)).toMatchObject({ userName: 'northgate.dealer' })
  })

  test('works once, as does its nonce', async () => {
    const { nonce } = await begin()
    const token = await googleServer.token(nonce)
    await signIn(token)
    await expect(signIn(token)).toRefuse(401, INVALID_TOKEN)
    await expect(signIn(await googleServer.token(nonce, { sub: '2' }))).toRefuse(401, INVALID_TOKEN)
  })

  const now = () => Math.floor(clock.now() / 1000)
  test.for([
    ['for another application', () => ({ aud: 'someone-else.apps.example' })],
    ['for several applications, issued to another', () => ({ aud: [CLIENT_ID, 'x'], azp: 'x' })],
    ['from another provider', () => ({ iss: 'https://elsewhere.example' })],
    ['that is expired', () => ({ iat: now() - 400, exp: now() - 60 })],
    ['that is old', () => ({ iat: now() - 3_600 })],
    ['from tomorrow', () => ({ iat: now() + 86_400, exp: now() + 90_000 })],
    ['that never expires', () => ({ exp: undefined })],
    ['without a nonce', () => ({ nonce: undefined })],
    ['with a forged nonce', () => ({ nonce: 'AAAAAAAAAAAAAAAAAAAAAA.99999999999.AAAA' })],
    ['with an unverified address', () => ({ email_verified: false })],
    ['with a text value for email_verified', () => ({ email_verified: 'true' })],
    ['with an address not managed by Google', () => ({ hd: undefined })],
    ['without an address', () => ({ email: undefined })],
  ] as const)('%s is rejected', async ([, claims]) => {
    await expect(signInWith(claims())).toRefuse(401, INVALID_TOKEN)
  })

  test('is rejected if its nonce is spelled differently', async () => {
    const { nonce } = await begin()
    await expect(signIn(await googleServer.token(nonce, { nonce: `${nonce}=` }))).toRefuse(401, INVALID_TOKEN)
    await expect(signIn(await googleServer.token(nonce, { nonce: `${nonce}\t` }))).toRefuse(
      401,
      INVALID_TOKEN,
    )
  })

  test('is rejected if unsigned, or signed by a stranger or with the public key', async () => {
    for (const make of [
      googleServer.withUnknownKey,
      googleServer.signedWithPublicKey,
      async (nonce: string) => googleServer.unsigned(nonce),
    ]) {
      const { nonce } = await begin()
      await expect(signIn(await make(nonce))).toRefuse(401, INVALID_TOKEN)
      // That didn't use up its nonce.
      await expect(signIn(await googleServer.token(nonce))).resolves.toMatchObject({ tokenType: 'Bearer' })
    }
  })

  test.for(['x', 'a.b.c', '..', `${'A'.repeat(8_000)}.A.A`])('%s is rejected as malformed', async (text) => {
    await expect(signIn(text)).toRefuse(401, INVALID_TOKEN)
  })

  test('is rejected with a changed nonce', async () => {
    const { nonce } = await begin()
    const [random, ends, signature] = nonce.split('.')
    await expect(signInWith({ nonce: `${random}.${Number(ends) + 1}.${signature}` })).toRefuse(
      401,
      INVALID_TOKEN,
    )
    await expect(signInWith({ nonce: `${nonce}.x` })).toRefuse(401, INVALID_TOKEN)
  })
})

describe('the user', () => {
  test('must exist: none is created', async () => {
    const count = () => forecourt.owner.query<{ n: number }>('select count(*)::int as n from users')
    const before = await count()
    await expect(signInWith({ email: 'stranger@gmail.com', hd: undefined })).toRefuse(401, NO_USER)
    expect((await count()).rows).toEqual(before.rows)
  })

  test('must be active, have a password, and have a unique address', async () => {
    await expect(signInWith({ email: 'owen.price@northgate.example' })).toRefuse(401, NO_USER)
    await expect(signInWith({ email: 'mara.okafor@northgate.example' })).toRefuse(401, NO_USER)
    await expect(signInWith({ email: 'ruth.abara@lakeside.example' })).toRefuse(401, NO_USER)
    const ford = await testOrganization(forecourt, 'Northgate Ford')
    const harbor = await testOrganization(forecourt, 'Harbor Honda')
    for (const [place, userName] of [
      [ford, 'googleServer.one'],
      [harbor, 'googleServer.two'],
    ] as const) {
      await place.addMember({ userName, userType: 'Dealer user' })
      await forecourt.owner.query(
        `update users set email = 'googleServer@people.example' where user_name = $1`,
        [userName],
      )
    }
    await expect(signInWith({ email: 'googleServer@people.example' })).toRefuse(401, NO_USER)
  })

  test("must, on a customer's domain, belong to that customer and use a nonce of that domain", async () => {
    const begun = await atHarbor(google.begin)
    const login = (accessToken: string) => atHarbor(google.signIn, { expiresIn: 0, accessToken })
    const ana = await login(
      await googleServer.token(begun.data?.nonce ?? '', { email: 'ana.souza@harbor.example' }),
    )
    expect(claimsIn(ana.data?.accessToken ?? '')).toMatchObject({ userName: 'harbor.admin' })
    const again = await atHarbor(google.begin)
    expect(await login(await googleServer.token(again.data?.nonce ?? ''))).toMatchObject({
      status: 401,
      message: expect.stringContaining(NO_USER),
    })
    const { nonce } = await begin()
    expect(await login(await googleServer.token(nonce, { email: 'ana.souza@harbor.example' }))).toMatchObject(
      {
        status: 401,
        message: expect.stringContaining(INVALID_TOKEN),
      },
    )
  })

  test('is no demo user if demo sign-in is off', async () => {
    const shut = await testApp({ ...googleServer.environment, FORECOURT_DEMO: '0' })
    try {
      const { nonce } = await shut.anonymous.call(google.begin, {})
      const accessToken = await googleServer.token(nonce)
      await expect(shut.anonymous.call(google.signIn, { accessToken })).toRefuse(401, NO_USER)
    } finally {
      await shut.close()
    }
  })
})

test("a rejection leaves the caller's session unchanged", async () => {
  const dealer = await forecourt.as('northgate.dealer')
  await expect(dealer.call(google.signIn, { accessToken: 'x' })).toRefuse(401)
  await expect(dealer.call(auth.me, {})).resolves.toMatchObject({ fullName: 'Luis Ortega' })
})

test('wrong tokens count as failed sign-ins of the address', async () => {
  const strict = await testApp({ ...googleServer.environment, FORECOURT_SIGNIN_FAILURES_PER_MINUTE: '3' })
  try {
    const attempt = () => strict.anonymous.call(google.signIn, { accessToken: 'x' })
    for (let failure = 0; failure < 3; failure += 1) await expect(attempt()).toRefuse(401)
    const refusal = await refusalOf(attempt())
    expect(refusal.status).toBe(429)
  } finally {
    await strict.close()
  }
})

test("the provider's keys are fetched once", async () => {
  const before = googleServer.keyRequests()
  await signInWith({})
  await signInWith({})
  expect(googleServer.keyRequests()).toBe(before)
})

test('reports an unreachable provider, and the nonce stays valid', async () => {
  const away = await testApp({
    ...googleServer.environment,
    FORECOURT_DEMO: '1',
    FORECOURT_GOOGLE_KEYS_URL: 'http://127.0.0.1:9/keys',
  })
  try {
    const { nonce } = await away.anonymous.call(google.begin, {})
    const accessToken = await googleServer.token(nonce)
    await expect(away.anonymous.call(google.signIn, { accessToken })).toRefuse(
      503,
      'Google is not responding',
    )
    const { rows } = await away.owner.query('select from iam.used_nonces')
    expect(rows).toEqual([])
  } finally {
    await away.close()
  }
})

test('returns 404 if Google sign-in is not set up', async () => {
  const without = await testApp()
  try {
    await expect(without.anonymous.call(google.begin, {})).toRefuse(404)
    await expect(without.anonymous.call(google.signIn, { accessToken: 'x' })).toRefuse(404)
  } finally {
    await without.close()
  }
})

test('a nonce expires after ten minutes, and survives a new installation secret', async () => {
  const { iam } = forecourt.identity
  let now = clock.now()
  const older = readSecrets('1:an-older-secret-of-this-test')
  const newer = readSecrets('2:a-newer-secret-of-this-test,1:an-older-secret-of-this-test')
  const [before, after] = [older, newer].map((secrets) => makeNonces(iam, secrets, () => now))
  const [late, kept] = [before?.issue('a') ?? '', before?.issue('a') ?? '']
  expect(await after?.use(kept, 'b')).toBe(false)
  expect(await after?.use(kept, 'a')).toBe(true)
  expect(await after?.use(kept, 'a')).toBe(false)
  now += 601_000
  expect(await after?.use(late, 'a')).toBe(false)
})
