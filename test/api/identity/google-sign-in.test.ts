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
import { placeOf } from '#test/factories/places.ts'

const LUIS = 'luis.ortega@northgate.example'
const NO_TOKEN = 'Google did not sign you in here.'
const NOBODY = 'Nobody here signs in with this Google account.'

let twin: FakeGoogleServer
let forecourt: TestApp
beforeAll(async () => {
  twin = await startFakeGoogleServer()
  forecourt = await testApp({ ...twin.environment, FORECOURT_DEMO: '1' })
})
afterAll(async () => {
  await forecourt.close()
  await twin.close()
})

const begin = () => forecourt.anonymous.call(google.begin, {})
const signIn = (accessToken: string): Promise<Token> =>
  forecourt.anonymous.call(google.signIn, { expiresIn: 0, accessToken })
const claimsIn = (token: string): Record<string, unknown> =>
  JSON.parse(Buffer.from(token.split('.')[1] ?? '', 'base64url').toString())

async function signInWith(claims: OtherClaims): Promise<Token> {
  const { nonce } = await begin()
  return signIn(await twin.token(nonce, claims))
}

const HarborAnswer = z.object({
  data: z.looseObject({ nonce: z.string().default(''), accessToken: z.string().default('') }).nullable(),
  message: z.string().nullable(),
})

/** A call under the domain of Harbor. */
async function atHarbor(endpoint: Endpoint, payload?: object) {
  const { method, path: url } = endpoint
  const answer = await forecourt.anonymous.send({
    method,
    url,
    payload,
    headers: { host: 'harbor.localhost' },
  })
  const body = HarborAnswer.parse(JSON.parse(answer.text))
  return { status: answer.status, ...body }
}

describe('a token of Google', () => {
  test('signs its person in, with everything that a password brings', async () => {
    const { url, nonce } = await begin()
    const asked = new URL(url).searchParams
    expect(Object.fromEntries(asked)).toEqual({
      client_id: CLIENT_ID,
      response_type: 'id_token',
      scope: 'openid email',
      nonce,
    })
    const token = await signIn(await twin.token(nonce))
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

  test('signs in whatever the letters of the address, and without the payload’s zero', async () => {
    const { nonce } = await begin()
    const accessToken = await twin.token(nonce, { email: LUIS.toUpperCase() })
    const token = await forecourt.anonymous.call(google.signIn, { accessToken })
    expect(claimsIn(token.accessToken)).toMatchObject({ userName: 'northgate.dealer' })
  })

  test('is of use once, and so is the word it holds', async () => {
    const { nonce } = await begin()
    const token = await twin.token(nonce)
    await signIn(token)
    await expect(signIn(token)).toRefuse(401, NO_TOKEN)
    await expect(signIn(await twin.token(nonce, { sub: '2' }))).toRefuse(401, NO_TOKEN)
  })

  const now = () => Math.floor(clock.now() / 1000)
  test.for([
    ['of another application', () => ({ aud: 'someone-else.apps.example' })],
    ['of several applications, made for another', () => ({ aud: [CLIENT_ID, 'x'], azp: 'x' })],
    ['of another provider', () => ({ iss: 'https://elsewhere.example' })],
    ['that is over', () => ({ iat: now() - 400, exp: now() - 60 })],
    ['that is old', () => ({ iat: now() - 3_600 })],
    ['of tomorrow', () => ({ iat: now() + 86_400, exp: now() + 90_000 })],
    ['that never ends', () => ({ exp: undefined })],
    ['without a word of ours', () => ({ nonce: undefined })],
    ['with a word of its own', () => ({ nonce: 'AAAAAAAAAAAAAAAAAAAAAA.99999999999.AAAA' })],
    ['whose address nobody checked', () => ({ email_verified: false })],
    ['that says so as text', () => ({ email_verified: 'true' })],
    ['whose address Google does not keep', () => ({ hd: undefined })],
    ['without an address', () => ({ email: undefined })],
  ] as const)('%s signs nobody in', async ([, claims]) => {
    await expect(signInWith(claims())).toRefuse(401, NO_TOKEN)
  })

  test('that is not signed, by a stranger, or by the public key signs nobody in', async () => {
    for (const make of [twin.stranger, twin.confused, async (nonce: string) => twin.unsigned(nonce)]) {
      const { nonce } = await begin()
      await expect(signIn(await make(nonce))).toRefuse(401, NO_TOKEN)
      // Its word was not used up by it.
      await expect(signIn(await twin.token(nonce))).resolves.toMatchObject({ tokenType: 'Bearer' })
    }
  })

  test.for(['x', 'a.b.c', '..', `${'A'.repeat(8_000)}.A.A`])('%s is none', async (text) => {
    await expect(signIn(text)).toRefuse(401, NO_TOKEN)
  })

  test('of a changed word signs nobody in', async () => {
    const { nonce } = await begin()
    const [random, ends, signature] = nonce.split('.')
    await expect(signInWith({ nonce: `${random}.${Number(ends) + 1}.${signature}` })).toRefuse(401, NO_TOKEN)
    await expect(signInWith({ nonce: `${nonce}.x` })).toRefuse(401, NO_TOKEN)
  })
})

describe('who is signed in', () => {
  test('is nobody whom the product does not know: no person is made', async () => {
    const count = () => forecourt.owner.query<{ n: number }>('select count(*)::int as n from users')
    const before = await count()
    await expect(signInWith({ email: 'stranger@gmail.com', hd: undefined })).toRefuse(401, NOBODY)
    expect((await count()).rows).toEqual(before.rows)
  })

  test('is nobody who is switched off, never set a password, or shares the address', async () => {
    await expect(signInWith({ email: 'owen.price@northgate.example' })).toRefuse(401, NOBODY)
    await expect(signInWith({ email: 'mara.okafor@northgate.example' })).toRefuse(401, NOBODY)
    await expect(signInWith({ email: 'ruth.abara@lakeside.example' })).toRefuse(401, NOBODY)
    const ford = await placeOf(forecourt, 'Northgate Ford')
    const harbor = await placeOf(forecourt, 'Harbor Honda')
    for (const [place, userName] of [
      [ford, 'twin.one'],
      [harbor, 'twin.two'],
    ] as const) {
      await place.addMember({ userName, userType: 'Dealer user' })
      await forecourt.owner.query(`update users set email = 'twin@people.example' where user_name = $1`, [
        userName,
      ])
    }
    await expect(signInWith({ email: 'twin@people.example' })).toRefuse(401, NOBODY)
  })

  test('is, under the domain of a customer, one of its people, by a word of that domain', async () => {
    const begun = await atHarbor(google.begin)
    const login = (accessToken: string) => atHarbor(google.signIn, { expiresIn: 0, accessToken })
    const ana = await login(await twin.token(begun.data?.nonce ?? '', { email: 'ana.souza@harbor.example' }))
    expect(claimsIn(ana.data?.accessToken ?? '')).toMatchObject({ userName: 'harbor.admin' })
    const again = await atHarbor(google.begin)
    expect(await login(await twin.token(again.data?.nonce ?? ''))).toMatchObject({
      status: 401,
      message: expect.stringContaining(NOBODY),
    })
    const { nonce } = await begin()
    expect(await login(await twin.token(nonce, { email: 'ana.souza@harbor.example' }))).toMatchObject({
      status: 401,
      message: expect.stringContaining(NO_TOKEN),
    })
  })

  test('is no demo person where the demo is shut', async () => {
    const shut = await testApp({ ...twin.environment, FORECOURT_DEMO: '0' })
    try {
      const { nonce } = await shut.anonymous.call(google.begin, {})
      const accessToken = await twin.token(nonce)
      await expect(shut.anonymous.call(google.signIn, { accessToken })).toRefuse(401, NOBODY)
    } finally {
      await shut.close()
    }
  })
})

test('a refusal leaves the session of whoever asked as it was', async () => {
  const dealer = await forecourt.as('northgate.dealer')
  await expect(dealer.call(google.signIn, { accessToken: 'x' })).toRefuse(401)
  await expect(dealer.call(auth.me, {})).resolves.toMatchObject({ fullName: 'Luis Ortega' })
})

test('wrong tokens count as failed sign-ins of their address', async () => {
  const strict = await testApp({ ...twin.environment, FORECOURT_SIGNIN_FAILURES_PER_MINUTE: '3' })
  try {
    const attempt = () => strict.anonymous.call(google.signIn, { accessToken: 'x' })
    for (let failure = 0; failure < 3; failure += 1) await expect(attempt()).toRefuse(401)
    const refusal = await refusalOf(attempt())
    expect(refusal.status).toBe(429)
  } finally {
    await strict.close()
  }
})

test('the provider’s keys are asked for once', async () => {
  const before = twin.asked()
  await signInWith({})
  await signInWith({})
  expect(twin.asked()).toBe(before)
})

test('where the provider is away it is said so, and the word stays of use', async () => {
  const away = await testApp({
    ...twin.environment,
    FORECOURT_DEMO: '1',
    FORECOURT_GOOGLE_KEYS_URL: 'http://127.0.0.1:9/keys',
  })
  try {
    const { nonce } = await away.anonymous.call(google.begin, {})
    const accessToken = await twin.token(nonce)
    await expect(away.anonymous.call(google.signIn, { accessToken })).toRefuse(503, 'Google does not answer')
    const { rows } = await away.owner.query('select from iam.used_nonces')
    expect(rows).toEqual([])
  } finally {
    await away.close()
  }
})

test('where it is not set up there is nothing', async () => {
  const without = await testApp()
  try {
    await expect(without.anonymous.call(google.begin, {})).toRefuse(404)
    await expect(without.anonymous.call(google.signIn, { accessToken: 'x' })).toRefuse(404)
  } finally {
    await without.close()
  }
})

test('a word is over after ten minutes, and outlives a new secret', async () => {
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
