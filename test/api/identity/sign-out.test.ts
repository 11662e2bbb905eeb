import { afterAll, beforeAll, expect, test } from 'vitest'
import { auth } from '#contract/identity/auth.ts'
import { clock } from '#server/clock.ts'
import { testApp, type TestApp } from '#test/app.ts'
import { openBrowser, readClaims, readStored, signToken } from '#test/factories/identity/sessions.ts'

let forecourt: TestApp
beforeAll(async () => {
  forecourt = await testApp()
})
afterAll(() => forecourt.close())

const signOut = { method: 'POST', url: auth.signOut.path, payload: {} } as const
const past = Math.floor(clock.now() / 1000) - 10

test('an expired token still ends its remembered session, so that the cookie cannot revive it', async () => {
  const { token, cookie, sessionId } = await openBrowser(forecourt, 'northgate.dealer', { isRemember: true })
  const expired = await signToken({ ...readClaims(token), exp: past })
  const headers = { cookie, authorization: `Bearer ${expired}` }
  const answer = await forecourt.anonymous.send({ ...signOut, headers })
  expect(answer.status).toBe(200)
  expect(answer.cookies.every(({ value }) => value === '')).toBe(true)
  expect(await readStored(forecourt, sessionId)).toMatchObject({ revoked: true, revoke_reason: 'signed out' })
})

test('a bound session is not ended by its token alone', async () => {
  const { token, sessionId } = await openBrowser(forecourt, 'northgate.dealer')
  await forecourt.anonymous.send({ ...signOut, headers: { authorization: `Bearer ${token}` } })
  expect(await readStored(forecourt, sessionId)).toMatchObject({ revoked: false })
})

test('the cookie alone ends its session only together with the XSRF header', async () => {
  const { cookie, xsrf, sessionId } = await openBrowser(forecourt, 'northgate.dealer')
  await forecourt.anonymous.send({ ...signOut, headers: { cookie } })
  expect(await readStored(forecourt, sessionId)).toMatchObject({ revoked: false })
  await forecourt.anonymous.send({ ...signOut, headers: { cookie, 'x-xsrf-token': xsrf } })
  expect(await readStored(forecourt, sessionId)).toMatchObject({ revoked: true })
})

test('signing out without a session succeeds', async () => {
  expect(await forecourt.anonymous.call(auth.signOut, {})).toBeNull()
})
