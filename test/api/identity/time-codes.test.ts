import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { secondFactor } from '#contract/identity/second-factor/second-factor.ts'
import { clock } from '#server/clock.ts'
import { DEMO_AUTHENTICATOR } from '../../../demo/demo-authenticator.ts'
import { Refused, refusalOf, testApp, type Caller, type TestApp } from '#test/app.ts'
import { idOf, startSignIn } from '#test/factories/identity/second-factor.ts'
import { eventsOf } from '#test/factories/mail/mails.ts'
import { timeCode } from '#test/factories/identity/time-code.ts'

const PHONE = 'northgate.phone'
const EMAIL_USER = 'northgate.desk'
const NOTED = 'signed in with a backup code'

let forecourt: TestApp
beforeAll(async () => {
  forecourt = await testApp()
})
afterAll(() => forecourt.close())
afterEach(async () => {
  await forecourt.owner.query(
    `delete from iam.sign_in_failures; update iam.authenticators set last_step = 0;
    update iam.backup_codes set used_at = null`,
  )
})

const verify = (caller: Caller, otp: string) => caller.call(secondFactor.verifyOtp, { otp })
const refusedOtp = async (call: Promise<unknown>): Promise<string> =>
  (await refusalOf(call)).refusal.fields?.['otp'] ?? ''
const later = (change: string) => forecourt.owner.query(change)

describe('an authenticator', () => {
  beforeEach(() => {
    // The middle of the next step, so that none ends during a test.
    clock.set(new Date((Math.floor(clock.now() / 30_000) + 1) * 30_000 + 15_000))
  })

  test.for([
    [-2, false],
    [-1, true],
    [0, true],
    [1, true],
    [2, false],
  ] as const)('%i steps from now: %s', async ([steps, isRight]) => {
    const waiting = await startSignIn(forecourt, PHONE)
    const outcome = await verify(waiting, await timeCode({ steps })).then(
      () => true,
      (error: unknown) => (error instanceof Refused ? error.refusal.fields?.['otp'] : error),
    )
    expect(outcome).toBe(isRight ? true : 'This code is incorrect.')
  })

  test('accepts each code once, and no earlier code afterward', async () => {
    const code = await timeCode()
    await verify(await startSignIn(forecourt, PHONE), code)
    const again = await startSignIn(forecourt, PHONE)
    expect(await refusedOtp(verify(again, code))).toBe('This code was already used. Wait for the next one.')
    expect(await refusedOtp(verify(again, await timeCode({ steps: -1 })))).toContain('already used')
    await expect(verify(again, await timeCode({ steps: 1 }))).resolves.toBeDefined()
  })

  test('accepts a code from only one of two concurrent sessions', async () => {
    const sessions = [await startSignIn(forecourt, PHONE), await startSignIn(forecourt, PHONE)]
    const code = await timeCode()
    const outcomes = await Promise.allSettled(sessions.map((session) => verify(session, code)))
    expect(outcomes.map(({ status }) => status).toSorted()).toEqual(['fulfilled', 'rejected'])
  })

  test('reports a secret sealed with a lost key, while backup codes still work', async () => {
    const { rows } = await forecourt.owner.query<{ sealed: string }>(
      'select secret_sealed as sealed from iam.authenticators',
    )
    await later(`update iam.authenticators set secret_sealed = '7.AAAA.AAAA'`)
    const waiting = await startSignIn(forecourt, PHONE)
    const message = await refusedOtp(verify(waiting, '000000'))
    await forecourt.owner.query('update iam.authenticators set secret_sealed = $1', [rows[0]?.sealed])
    expect(message).toContain("can't be verified")
    await expect(verify(waiting, 'DEMO-CCCC-4444')).resolves.toBeDefined()
  })

  test('stores its secret only sealed', async () => {
    const { rows } = await forecourt.owner.query<{ kept: string }>(
      'select a::text as kept from iam.authenticators a union all select l::text from audit_log l',
    )
    expect(rows.filter(({ kept }) => kept.includes(DEMO_AUTHENTICATOR.secret))).toEqual([])
  })
})

describe('a backup code', () => {
  test('verifies once, in any notation, and is logged', async () => {
    const id = await idOf(forecourt, PHONE)
    const before = (await eventsOf(forecourt, { id })).length
    const [first, second] = [await startSignIn(forecourt, PHONE), await startSignIn(forecourt, PHONE)]
    await expect(verify(first, ' demo aaaa-2222 ')).resolves.toBeDefined()
    expect(await refusedOtp(verify(second, 'DEMO-AAAA-2222'))).toBe('This code is incorrect.')
    await expect(verify(second, 'DEMOBBBB3333')).resolves.toBeDefined()
    expect((await eventsOf(forecourt, { id })).slice(before)).toEqual([NOTED, NOTED])
  })

  test('does not work for another user', async () => {
    const waiting = await startSignIn(forecourt, EMAIL_USER)
    expect(await refusedOtp(verify(waiting, 'DEMO-CCCC-4444'))).toBe('This code is incorrect.')
  })

  test('is offered as long as one is left', async () => {
    await later(`update iam.backup_codes set used_at = app_now()`)
    const waiting = await startSignIn(forecourt, PHONE)
    expect((await waiting.call(secondFactor.getOtpList, {})).map(({ type }) => type)).toEqual([
      'authenticator',
    ])
  })
})
