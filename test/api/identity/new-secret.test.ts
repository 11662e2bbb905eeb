import { afterAll, beforeAll, expect, test } from 'vitest'
import { auth } from '#contract/identity/auth.ts'
import { CLIENT_HEADER } from '#contract/identity/sessions/session.ts'
import { rotateSecret } from '#server/rotate-secret.ts'
import { DEMO_PASSWORD } from '../../../demo/world.ts'
import { testApp, type TestApp } from '#test/app.ts'
import { freshDatabase, type TestDatabase } from '#test/engine/database.ts'
import { signInOn, startSignIn, verifyIn } from '#test/factories/identity/second-factor.ts'
import { readClaims } from '#test/factories/identity/sessions.ts'
import { timeCode } from '#test/factories/identity/time-code.ts'
import { makeHome, NOW, seal, settingsFor } from '#test/factories/installation/backups.ts'
import { TEST_SECRET } from '#test/harness/secrets.ts'

const USER = 'northgate.auditor'
const USER_WITH_AUTHENTICATOR = 'northgate.phone'
const NEW_SECRET = `2:${'n'.repeat(20)}`

let database: TestDatabase
let home: Awaited<ReturnType<typeof makeHome>>
/** The product after the operator changed its secret as documented. */
let forecourt: TestApp
/** What browsers kept from before. */
let before: { token: string | null; browser: string; device: string }

beforeAll(async () => {
  database = await freshDatabase()
  home = await makeHome()
  await seal(database)
  const old = await testApp({}, { database })
  before = {
    token: (await old.as('northgate.dealer')).token,
    browser: (await signIn(old, { from: '203.0.113.5' })).cookie ?? '',
    device: await trustDevice(old),
  }
  await old.close({ keepsDatabase: true })
  await rotateSecret(settingsFor(database, home.home, `${NEW_SECRET},1:${TEST_SECRET}`), {
    now: NOW,
    say: () => {},
  })
  forecourt = await testApp({}, { database, secret: NEW_SECRET })
})
afterAll(async () => {
  await forecourt.close()
  await home.remove()
})

async function signIn(
  { app }: TestApp,
  { from, password = DEMO_PASSWORD, cookie }: { from: string; password?: string; cookie?: string },
) {
  const { statusCode, cookies } = await app.inject({
    method: 'POST',
    url: auth.signIn.path,
    payload: { username: USER, password },
    remoteAddress: from,
    headers: { host: 'localhost', [CLIENT_HEADER]: 'web', ...(cookie !== undefined && { cookie }) },
  })
  const made = cookies.find(({ name }) => name.startsWith('forecourt-browser-'))
  return { status: statusCode, cookie: made === undefined ? null : `${made.name}=${made.value}` }
}

async function trustDevice(product: TestApp): Promise<string> {
  const waiting = await startSignIn(product, USER_WITH_AUTHENTICATOR)
  const { device } = await verifyIn(product, waiting, { otp: await timeCode(), isTrust: true })
  return device ?? ''
}

test('every user has to sign in again', async () => {
  const { status } = await forecourt.anonymous.send({
    method: 'GET',
    url: auth.me.path,
    headers: { authorization: `Bearer ${before.token}` },
  })
  expect(status).toBe(401)
})

test('a known browser stays known, so that strangers cannot lock it out then', async () => {
  for (let attempt = 0; attempt < 6; attempt += 1) {
    await signIn(forecourt, { from: '203.0.113.5', password: 'not-the-password' })
  }
  expect((await signIn(forecourt, { from: '203.0.113.5' })).status).toBe(429)
  expect((await signIn(forecourt, { from: '203.0.113.5', cookie: before.browser })).status).toBe(200)
})

test('a trusted device stays trusted, and the authenticator still gives valid codes', async () => {
  const trusted = await signInOn(forecourt, USER_WITH_AUTHENTICATOR, before.device)
  expect(readClaims(trusted.token).isVerified).toBe('true')
  const waiting = await startSignIn(forecourt, USER_WITH_AUTHENTICATOR)
  expect(readClaims(waiting.token).isVerified).toBe('false')
  const otp = await timeCode({ steps: 1 })
  expect((await verifyIn(forecourt, waiting, { otp })).status).toBe(200)
})
