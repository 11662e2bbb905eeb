import { afterAll, beforeAll, expect, test } from 'vitest'
import { auth } from '#contract/identity/auth.ts'
import { secondFactor } from '#contract/identity/second-factor/second-factor.ts'
import { vehicles } from '#contract/vehicles/vehicles/vehicles.ts'
import { makeCaller, testApp, type TestApp } from '#test/app.ts'
import { startSignIn } from '#test/factories/identity/second-factor.ts'
import { readClaims } from '#test/factories/identity/sessions.ts'
import { timeCode } from '#test/factories/identity/time-code.ts'
import { fresh, testOrganization, type TestOrganization } from '#test/factories/test-organization.ts'
import { DEMO_PASSWORD } from '../../../demo/world.ts'

let forecourt: TestApp
let ford: TestOrganization
beforeAll(async () => {
  forecourt = await testApp()
  ford = await testOrganization(forecourt, 'Northgate Ford')
})
afterAll(() => forecourt.close())

/** A user whose type requires a second factor, of a customer whose emails only go to the outbox. */
async function addRequired(): Promise<string> {
  const userName = fresh('required').replaceAll(' ', '.').toLowerCase()
  const id = await ford.addMember({ userName, userType: 'Dealer user' })
  await forecourt.owner.query(
    `update user_types set requires_second_factor = true where (customer_id, id) in (
      select customer_id, user_type_id from users where id = $1)`,
    [id],
  )
  return userName
}

test('a required second factor is set up at the first sign-in, before anything else', async () => {
  const userName = await addRequired()
  const waiting = await startSignIn(forecourt, userName)
  expect(readClaims(waiting.token ?? '').isVerified).toBe('false')
  expect(await waiting.call(secondFactor.getOtpList, {})).toEqual([
    { type: 'setup', label: 'Set up an authenticator app' },
  ])
  // Nothing else is open, and no code is asked for that can't exist.
  await expect(waiting.call(vehicles.list, {})).toRefuse(401)
  await expect(waiting.call(secondFactor.startAuthenticator, { password: DEMO_PASSWORD })).toRefuse(401)
  await expect(waiting.call(secondFactor.verifyOtp, { otp: '000000' })).toRefuse(400)
  await expect(waiting.call(secondFactor.sendOtp, { type: 'email' })).toRefuse(400)
  await expect(waiting.call(secondFactor.finishSetup, { otp: '000000' })).toRefuse(400)

  const { secret, uri } = await waiting.call(secondFactor.beginSetup, {})
  expect(uri).toContain(secret)
  await expect(waiting.call(secondFactor.finishSetup, { otp: '000000' })).toRefuse(400)
  const done = await waiting.call(secondFactor.finishSetup, { otp: await timeCode({ secret }) })
  expect(done.backupCodes).toHaveLength(10)
  expect(readClaims(done.token.accessToken).isVerified).toBe('true')
  const caller = makeCaller(forecourt.app, done.token.accessToken)
  await expect(caller.call(vehicles.list, {})).resolves.toBeDefined()
  await expect(caller.call(secondFactor.beginSetup, {})).toRefuse(409)
  // The former session ended, and the next sign-in asks for a code.
  await expect(waiting.call(secondFactor.beginSetup, {})).toRefuse(401)
  const again = await startSignIn(forecourt, userName)
  expect((await again.call(secondFactor.getOtpList, {})).map(({ type }) => type)).toEqual([
    'authenticator',
    'backup',
  ])
  await expect(again.call(secondFactor.beginSetup, {})).toRefuse(409)
  await expect(again.call(secondFactor.verifyOtp, { otp: done.backupCodes[0] ?? '' })).resolves.toBeDefined()
})

test('someone who is signed in when it becomes required stays so, and sets it up at the next sign-in', async () => {
  const userName = fresh('before').replaceAll(' ', '.').toLowerCase()
  await ford.addMember({ userName, userType: 'Dealer user' })
  const require = (isRequired: boolean) =>
    forecourt.owner.query(
      `update user_types set requires_second_factor = $2 where (customer_id, id) in (
        select customer_id, user_type_id from users where user_name = $1)`,
      [userName, isRequired],
    )
  await require(false)
  const caller = await forecourt.as(userName)
  await require(true)
  await expect(caller.call(auth.me, {})).resolves.toBeDefined()
  const next = await startSignIn(forecourt, userName)
  await expect(next.call(secondFactor.beginSetup, {})).resolves.toBeDefined()
})

test('turning off a required one leads to the set-up at once, and ends the other sessions', async () => {
  const userName = await addRequired()
  const waiting = await startSignIn(forecourt, userName)
  const { secret } = await waiting.call(secondFactor.beginSetup, {})
  const { token, backupCodes } = await waiting.call(secondFactor.finishSetup, {
    otp: await timeCode({ secret }),
  })
  const elsewhere = await startSignIn(forecourt, userName)
  const other = await elsewhere.call(secondFactor.verifyOtp, { otp: backupCodes[0] ?? '' })
  const caller = makeCaller(forecourt.app, token.accessToken)
  expect((await caller.call(secondFactor.own, {})).withoutAuthenticator).toBe('setup')

  const off = await caller.call(secondFactor.removeAuthenticator, { password: DEMO_PASSWORD })
  await expect(caller.call(vehicles.list, {})).toRefuse(401)
  await expect(makeCaller(forecourt.app, other.accessToken).call(auth.me, {})).toRefuse(401)
  const again = makeCaller(forecourt.app, off.token?.accessToken ?? '')
  expect(readClaims(again.token ?? '')).toMatchObject({ isVerified: 'false', organizationId: '0' })
  await expect(again.call(vehicles.list, {})).toRefuse(401)
  const next = await again.call(secondFactor.beginSetup, {})
  const done = await again.call(secondFactor.finishSetup, { otp: await timeCode({ secret: next.secret }) })
  expect(readClaims(done.token.accessToken).isVerified).toBe('true')
})

test('a backup code is asked for instead, if one is left', async () => {
  const userName = await addRequired()
  const waiting = await startSignIn(forecourt, userName)
  const { secret } = await waiting.call(secondFactor.beginSetup, {})
  const { backupCodes } = await waiting.call(secondFactor.finishSetup, { otp: await timeCode({ secret }) })
  // As after emails stopped being sent, for someone who never had an authenticator.
  await forecourt.owner.query(
    `delete from iam.authenticators where user_id = (select id from users where user_name = $1)`,
    [userName],
  )
  const again = await startSignIn(forecourt, userName)
  expect((await again.call(secondFactor.getOtpList, {})).map(({ type }) => type)).toEqual(['backup'])
  await expect(again.call(secondFactor.beginSetup, {})).toRefuse(409)
  await expect(again.call(secondFactor.verifyOtp, { otp: backupCodes[1] ?? '' })).resolves.toBeDefined()
})
