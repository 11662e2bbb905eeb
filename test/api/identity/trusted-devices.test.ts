import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import { auth } from '#contract/identity/auth.ts'
import { secondFactor } from '#contract/identity/second-factor/second-factor.ts'
import { DEMO_PASSWORD } from '../../../demo/world.ts'
import { testApp, type Caller, type TestApp } from '#test/app.ts'
import { mailedCode, signInOn, startSignIn, verifyIn } from '#test/factories/identity/second-factor.ts'
import { readClaims } from '#test/factories/identity/sessions.ts'
import { timeCode } from '#test/factories/identity/time-code.ts'

const EMAIL_USER = 'northgate.desk'
const APP_USER = 'northgate.phone'

let forecourt: TestApp
beforeAll(async () => {
  forecourt = await testApp()
})
afterAll(() => forecourt.close())
afterEach(() =>
  forecourt.owner.query(
    `delete from iam.sign_in_failures; delete from iam.trusted_devices; delete from iam.request_counts;
    delete from iam.mail_codes; update iam.authenticators set last_step = 0`,
  ),
)

/** Verifies with the authenticator and trusts the device. */
async function trust(cookie?: string): Promise<{ device: string; caller: Caller; setCookies: string[] }> {
  const waiting = await startSignIn(forecourt, APP_USER)
  const otp = await timeCode()
  const { device, caller, setCookies } = await verifyIn(forecourt, waiting, {
    otp,
    isTrust: true,
    ...(cookie !== undefined && { cookie }),
  })
  if (device === null || caller === null) throw new Error('The device was not trusted.')
  return { device, caller, setCookies }
}

const isVerified = ({ token }: Caller): string => readClaims(token).isVerified
const verifiedOn = async (device: string, userName = APP_USER) =>
  isVerified(await signInOn(forecourt, userName, device))

test('a trusted device skips the second factor; its cookie is HttpOnly and lasts 30 days', async () => {
  const { device, setCookies } = await trust()
  expect(setCookies.filter((line) => line.startsWith('forecourt-device-test='))).toEqual([
    expect.stringMatching(
      /^forecourt-device-test=[\w-]{43}; Max-Age=2592000; Path=\/api; HttpOnly; SameSite=Strict$/,
    ),
  ])
  expect(await verifiedOn(device)).toBe('true')
  const { rows } = await forecourt.owner.query<{ kept: string }>(
    'select d::text as kept from iam.trusted_devices d',
  )
  expect(rows[0]?.kept).not.toContain(device.split('=')[1])
})

test('without isTrust no device is trusted', async () => {
  const waiting = await startSignIn(forecourt, APP_USER)
  expect((await verifyIn(forecourt, waiting, { otp: await timeCode() })).device).toBeNull()
})

test('a wrong code trusts no device', async () => {
  const waiting = await startSignIn(forecourt, APP_USER)
  expect(await verifyIn(forecourt, waiting, { otp: '000000', isTrust: true })).toMatchObject({
    status: 400,
    device: null,
  })
})

test('another device needs the second factor, as does another user on this one', async () => {
  const { device } = await trust()
  expect(await verifiedOn(`forecourt-device-test=${'A'.repeat(43)}`)).toBe('false')
  expect(await verifiedOn(device, EMAIL_USER)).toBe('false')
})

test('a trusted device still needs the password', async () => {
  const { device } = await trust()
  const { status } = await forecourt.anonymous.send({
    method: 'POST',
    url: '/api/auth',
    payload: { username: APP_USER, password: 'not-the-password' },
    headers: { cookie: device },
  })
  expect(status).toBe(401)
})

test('trust ends after 30 days', async () => {
  const { device } = await trust()
  await forecourt.owner.query(
    `update iam.trusted_devices set expires_at = expires_at - interval '29 days 23 hours'`,
  )
  expect(await verifiedOn(device)).toBe('true')
  await forecourt.owner.query(`update iam.trusted_devices set expires_at = expires_at - interval '1 hour'`)
  expect(await verifiedOn(device)).toBe('false')
})

test('it is listed as this device, and only its user can remove it', async () => {
  const { device, caller } = await trust()
  const [own] = (await caller.call(secondFactor.own, {})).devices
  expect(own).toMatchObject({ isThis: false, ip: '127.0.0.1' })
  const { text } = await caller.send({
    method: 'GET',
    url: '/api/auth/second-factor',
    headers: { cookie: device },
  })
  expect(text).toContain('"isThis":true')
  const stranger = await forecourt.as('northgate.dealer')
  await expect(stranger.call(secondFactor.forgetDevice, { id: own?.id ?? '' })).toRefuse(404)
  expect(await verifiedOn(device)).toBe('true')
  await caller.call(secondFactor.forgetDevice, { id: own?.id ?? '' })
  expect(await verifiedOn(device)).toBe('false')
  expect((await caller.call(secondFactor.own, {})).devices).toEqual([])
})

test('two users trust one device independently', async () => {
  const first = await trust()
  const waiting = await startSignIn(forecourt, EMAIL_USER)
  const otp = await mailedCode(forecourt, waiting, EMAIL_USER)
  const second = await verifyIn(forecourt, waiting, { otp, isTrust: true, cookie: first.device })
  const both = await Promise.all([APP_USER, EMAIL_USER].map((name) => verifiedOn(second.device ?? '', name)))
  expect(both).toEqual(['true', 'true'])
  expect(await verifiedOn(first.device)).toBe('false')
})

test('a planted cookie is worthless after the device is trusted', async () => {
  const planted = `forecourt-device-test=${'B'.repeat(43)}`
  const { device } = await trust(planted)
  expect([await verifiedOn(planted), await verifiedOn(device)]).toEqual(['false', 'true'])
})

test('a new password ends earlier trust', async () => {
  const { device, caller } = await trust()
  const [before, after] = [DEMO_PASSWORD, 'AnotherOne8!']
  await caller.call(auth.changePassword, { oldPassword: before, newPassword: after })
  await caller.call(auth.changePassword, { oldPassword: after, newPassword: before })
  expect(await verifiedOn(device)).toBe('false')
})
