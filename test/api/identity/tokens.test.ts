import { createHmac, generateKeyPairSync } from 'node:crypto'
import { SignJWT } from 'jose'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { Refusal } from '#contract/answer.ts'
import type { Claims } from '#contract/identity/sessions/session.ts'
import { clock } from '#server/clock.ts'
import { readSecrets } from '#server/secrets.ts'
import { testApp, type Caller, type TestApp } from '#test/app.ts'
import { secrets } from '#test/harness/secrets.ts'
import { readClaims } from '#test/factories/identity/sessions.ts'

const key = secrets.deriveKey('token')
const { privateKey, publicKey } = generateKeyPairSync('rsa', { modulusLength: 2048 })
const base64 = (value: unknown) => Buffer.from(JSON.stringify(value)).toString('base64url')

let forecourt: TestApp
let dealer: Caller
let claims: Claims
beforeAll(async () => {
  forecourt = await testApp()
  dealer = await forecourt.as('northgate.dealer')
  claims = readClaims(dealer.token)
})
afterAll(() => forecourt.close())

type Payload = Record<string, unknown>
const sign = (payload: Payload, alg = 'HS256', withKey: Parameters<SignJWT['sign']>[0] = key) =>
  new SignJWT(payload).setProtectedHeader({ alg, typ: 'JWT' }).sign(withKey)
const byHand = (header: object, payload: Payload, withKey: Buffer | string) => {
  const head = `${base64(header)}.${base64(payload)}`
  return `${head}.${createHmac('sha256', withKey).update(head).digest('base64url')}`
}
/** Another last character that decodes to the same bytes: 43 characters have two bits more than 32 bytes. */
const respell = (signed: string) => {
  const bytes = Buffer.from(signed.slice(-43), 'base64url')
  const last = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_'
    .split('')
    .find(
      (letter) =>
        !signed.endsWith(letter) && Buffer.from(signed.slice(-43, -1) + letter, 'base64url').equals(bytes),
    )
  return `${signed.slice(0, -1)}${last}`
}
/** The claims without one of them, or with a different value for it. */
const without = (name: string) =>
  Object.fromEntries(Object.entries(claims).filter(([claim]) => claim !== name))
const changed = (change: Payload) => sign({ ...claims, ...change })

async function callWith(token: string): Promise<{ status: number; text: string }> {
  const { status, text } = await forecourt.anonymous.send({
    method: 'GET',
    url: '/api/auth/auth-func',
    headers: { authorization: `Bearer ${token}` },
  })
  return { status, text }
}

test('accepts a token signed here with the claims of a session, so that the rejections below are meaningful', async () => {
  expect((await callWith(await sign({ ...claims }))).status).toBe(200)
})

const forged: Record<string, () => Promise<string> | string> = {
  'alg none without a signature': () => `${base64({ alg: 'none', typ: 'JWT' })}.${base64(claims)}.`,
  'alg none with the right signature': () => byHand({ alg: 'none' }, claims, key),
  'alg None in a different case': () => `${base64({ alg: 'None' })}.${base64(claims)}.`,
  'alg missing': () => byHand({ typ: 'JWT' }, claims, key),
  'alg RS256 with an own key': () => sign(claims, 'RS256', privateKey),
  'alg HS256 with a public key': () =>
    byHand({ alg: 'HS256' }, claims, publicKey.export({ type: 'spki', format: 'pem' }).toString()),
  'alg HS512 with the right key': () => sign(claims, 'HS512', Buffer.concat([key, key])),
  'alg HS384 with the right key': () => sign(claims, 'HS384', Buffer.concat([key, key])),
  'a key in its own header': () =>
    byHand({ alg: 'HS256', jwk: { kty: 'oct', k: base64('mine') } }, claims, Buffer.from('mine')),
  'a key file in its own header': () => byHand({ alg: 'HS256', kid: '../../dev/null' }, claims, ''),
  'an unknown critical header': () => byHand({ alg: 'HS256', crit: ['x'], x: 1 }, claims, key),
  "another installation's key": () =>
    sign(claims, 'HS256', readSecrets('another-secret-of-someone').deriveKey('token')),
  'the key of another purpose': () => sign(claims, 'HS256', secrets.deriveKey('xsrf')),
  'a truncated signature': () => String(dealer.token).slice(0, -2),
  'a changed payload': () => {
    const [head, , signature] = String(dealer.token).split('.')
    return [head, base64({ ...claims, userName: 'super' }), signature].join('.')
  },
  'two parts': () => String(dealer.token).split('.').slice(0, 2).join('.'),
  'four parts': () => `${dealer.token}.again`,
  'five parts': () => 'a.b.c.d.e',
  'only dots': () => '..',
  'invalid base64': () => '!!!.???.***',
  'a payload that is not JSON': () => `${base64({ alg: 'HS256' })}.bm90IGpzb24.x`,
  'a payload that is a list': () => `${base64({ alg: 'HS256' })}.${base64([1])}.x`,
  'ten kilobytes': () => 'a'.repeat(10_000),
  // Other spellings of the token that was issued: they decode to the same bytes.
  'padding after its signature': () => `${dealer.token}=`,
  'stray bits in its last character': () => respell(String(dealer.token)),
  'padding in its payload': () => String(dealer.token).replace(/\.(?=[^.]*$)/, '=.'),
  'whitespace in its signature': () =>
    `${String(dealer.token).slice(0, -4)}\t${String(dealer.token).slice(-4)}`,
  'the characters + and / of plain base64': async () => {
    // Signed here, and respelled as a whole.
    let token = ''
    for (let at = 0; !/[-_][^.]*$/.test(token); at++) token = await changed({ iat: claims.iat + at })
    return token.replaceAll('-', '+').replaceAll('_', '/')
  },
  'an expiry in the past': () => changed({ exp: claims.iat - 1 }),
  'an expiry of now': () => changed({ exp: Math.floor(clock.now() / 1000) }),
  'an expiry that is text': () => changed({ exp: '9999999999' }),
  'no expiry': () => sign(without('exp')),
  'a future generation': () => changed({ gen: claims.gen + 1 }),
  'a generation that was never issued': () => changed({ gen: -1 }),
  'a generation that is text': () => changed({ gen: '1' }),
  'half a generation': () => changed({ gen: 1.5 }),
  'an unknown session': () => changed({ sid: '00000000-0000-4000-8000-000000000000' }),
  'a session that is not a UUID': () => changed({ sid: 'session-1' }),
  'SQL for a session': () => changed({ sid: `' or 1=1; drop table iam.sessions; --` }),
  'a null character in the session': () => changed({ sid: '\u0000' }),
  'an empty session': () => changed({ sid: '' }),
  'a session that is a number': () => changed({ sid: 1 }),
  'no session': () => sign(without('sid')),
  'no user': () => sign(without('userId')),
  'a user that is a number': () => changed({ userId: 1 }),
  'isVerified as a boolean': () => changed({ isVerified: true }),
  'another value for isVerified': () => changed({ isVerified: 'yes' }),
}

test.for(Object.keys(forged))('rejects a token with %s with the standard 401 response', async (name) => {
  const answer = await callWith((await forged[name]?.()) ?? '')
  expect({ status: answer.status, refusal: Refusal.safeParse(JSON.parse(answer.text)).success }).toEqual({
    status: 401,
    refusal: true,
  })
})

test.for(Object.keys(forged))('does not refresh a token with %s', async (name) => {
  const token = (await forged[name]?.()) ?? ''
  const { status, text } = await forecourt.anonymous.send({
    method: 'POST',
    url: '/api/auth/refresh-token',
    payload: { token },
  })
  expect({ status, refusal: Refusal.safeParse(JSON.parse(text)).success }).toEqual({
    status: 401,
    refusal: true,
  })
})

// A token names a session and a generation. Its other claims are only for display and never trusted.
test('changed claims, even when signed with the key, give only the access of the session row', async () => {
  const token = await changed({
    customerId: '1',
    organizationId: '1',
    userName: 'super',
    impersonateUserTypeId: '1',
  })
  const { text } = await callWith(token)
  expect(text).toContain('"isSuper":false')
})

test.for([
  ['a huge one of 100 kB', (): string => `Bearer ${'a'.repeat(100_000)}`],
  ['letters outside ASCII', (): string => 'Bearer tök€n'],
  ['no token', (): string => 'Bearer'],
  ['an empty token', (): string => 'Bearer '],
  [
    'another scheme',
    (): string => `Basic ${Buffer.from('northgate.dealer:DemoForecourt7!').toString('base64')}`,
  ],
  ['two tokens', (): string => `Bearer ${dealer.token} ${dealer.token}`],
  ['a token without its scheme', (): string => String(dealer.token)],
  ['a token in quotes', (): string => `Bearer "${dealer.token}"`],
] as const)('rejects an Authorization header with %s with 401', async ([, header]) => {
  const answer = await forecourt.anonymous.send({
    method: 'GET',
    url: '/api/auth/auth-func',
    headers: { authorization: header() },
  })
  expect({ status: answer.status, refusal: Refusal.parse(JSON.parse(answer.text)).status }).toEqual({
    status: 401,
    refusal: false,
  })
})

test('ignores a token in the URL', async () => {
  const url = `/api/auth/auth-func?access_token=${dealer.token}&token=${dealer.token}`
  expect((await forecourt.anonymous.send({ method: 'GET', url })).status).toBe(401)
})
