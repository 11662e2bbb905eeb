import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { auth } from '#contract/identity/auth.ts'
import { secondFactor } from '#contract/identity/second-factor/second-factor.ts'
import { outbox } from '#contract/mail/outbox/outbox.ts'
import { organizations } from '#contract/organizations/organizations.ts'
import { clock } from '#server/clock.ts'
import { DEMO_PASSWORD } from '../../../demo/world.ts'
import { makeCaller, refusalOf, testApp, type Caller, type TestApp } from '#test/app.ts'
import { codeIn, idOf, mailedCode, otherThan, startSignIn } from '#test/factories/identity/second-factor.ts'
import { mailsTo } from '#test/factories/mail/mails.ts'
import { testOrganization } from '#test/factories/test-organization.ts'
import {
  alterSession,
  openBrowser,
  readClaims,
  readStored,
  sessionIdOf,
} from '#test/factories/identity/sessions.ts'
import { timeCode } from '#test/factories/identity/time-code.ts'

const EMAIL_USER = 'northgate.desk'
const APP_USER = 'northgate.phone'

let forecourt: TestApp
beforeAll(async () => {
  forecourt = await testApp()
})
afterAll(() => forecourt.close())
afterEach(async () => {
  await forecourt.owner.query(
    `delete from iam.sign_in_failures; delete from iam.request_counts; delete from iam.mail_codes;
    update iam.authenticators set last_step = 0; update iam.backup_codes set used_at = null`,
  )
})

const verify = (caller: Caller, otp: string, more: { isTrust?: boolean; token?: string } = {}) =>
  caller.call(secondFactor.verifyOtp, { otp, ...more })
const refusedOtp = async (call: Promise<unknown>): Promise<string> =>
  (await refusalOf(call)).refusal.fields?.['otp'] ?? ''
const later = (change: string) => forecourt.owner.query(change)
const endWait = () => later(`update iam.sign_in_failures set blocked_until = app_now() - interval '1 s'`)

const typesOf = async (caller: Caller) =>
  (await caller.call(secondFactor.getOtpList, {})).map(({ type }) => type)

test('someone with emailed codes gets backup codes once one worked, and signs in with them while no email is sent', async () => {
  const first = await startSignIn(forecourt, EMAIL_USER)
  expect(await typesOf(first)).toEqual(['email'])
  await expect(first.call(secondFactor.renewBackupCodes, { password: DEMO_PASSWORD })).toRefuse(401)
  const { accessToken } = await verify(first, await mailedCode(forecourt, first, EMAIL_USER))
  const me = makeCaller(forecourt.app, accessToken)
  expect(await me.call(secondFactor.own, {})).toMatchObject({ authenticatorAt: null, backupCodesLeft: 0 })
  const { backupCodes } = await me.call(secondFactor.renewBackupCodes, { password: DEMO_PASSWORD })
  expect(backupCodes).toHaveLength(10)

  // Without asking for an email.
  const second = await startSignIn(forecourt, EMAIL_USER)
  expect(await typesOf(second)).toEqual(['email', 'backup'])
  const [code = '', unused = ''] = backupCodes
  expect(readClaims((await verify(second, code)).accessToken)).toMatchObject({ isVerified: 'true' })
  const third = await startSignIn(forecourt, EMAIL_USER)
  expect(await refusedOtp(verify(third, code))).toBe('This code is incorrect.')
  // The emailed code still works beside them, and new ones replace the others.
  const again = await verify(third, await mailedCode(forecourt, third, EMAIL_USER))
  const renewed = await makeCaller(forecourt.app, again.accessToken).call(secondFactor.renewBackupCodes, {
    password: DEMO_PASSWORD,
  })
  const fourth = await startSignIn(forecourt, EMAIL_USER)
  expect(await refusedOtp(verify(fourth, unused))).toBe('This code is incorrect.')
  await endWait()
  await verify(fourth, renewed.backupCodes[0] ?? '')
  await forecourt.owner.query(`delete from iam.backup_codes b using users u
    where u.customer_id = b.customer_id and u.id = b.user_id and u.user_name = '${EMAIL_USER}'`)
})

describe('a user with a second factor', () => {
  test.for([EMAIL_USER, APP_USER])(
    '%s gets an unverified token without an organization',
    async (userName) => {
      const claims = readClaims((await startSignIn(forecourt, userName)).token)
      expect(claims).toMatchObject({ isVerified: 'false', organizationId: '0', organizationName: '' })
    },
  )

  test('is not revealed by a wrong password', async () => {
    const names = [EMAIL_USER, APP_USER, 'northgate.auditor', 'nobody.at.all']
    const answers = await Promise.all(
      names.map((username) =>
        forecourt.anonymous.send({
          method: 'POST',
          url: '/api/auth',
          payload: { username, password: 'not-the-password' },
        }),
      ),
    )
    expect(new Set(answers.map(({ status, text }) => `${status} ${text}`)).size).toBe(1)
  })

  test('can only verify before it, with an empty menu and no permissions', async () => {
    const waiting = await startSignIn(forecourt, APP_USER)
    expect(await waiting.call(auth.authFunc, {})).toEqual({ isSuper: false, permissions: [] })
    expect(await waiting.call(auth.menu, {})).toEqual([])
    await expect(waiting.call(organizations.change, {})).toRefuse(401, 'Finish signing in first.')
    await expect(waiting.call(secondFactor.own, {})).toRefuse(401, 'Finish signing in first.')
    await expect(waiting.call(secondFactor.removeAuthenticator, { password: DEMO_PASSWORD })).toRefuse(401)
  })

  test('stays unverified after a refresh, for at most an hour', async () => {
    const waiting = await startSignIn(forecourt, APP_USER)
    const next = await waiting.call(auth.refreshToken, { token: waiting.token })
    expect(readClaims(next.accessToken).isVerified).toBe('false')
    const { rows } = await forecourt.owner.query<{ minutes: number }>(
      `select round(extract(epoch from ends_at - app_now()) / 60)::int as minutes from iam.sessions where id = $1`,
      [sessionIdOf(waiting)],
    )
    expect(rows[0]?.minutes).toBe(60)
  })

  test('counts as signed in only after it', async () => {
    const seen = async () => {
      const { rows } = await forecourt.owner.query<{ at: Date | null }>(
        'select max(last_sign_in_at) as at from user_access where user_id = $1',
        [await idOf(forecourt, APP_USER)],
      )
      return rows[0]?.at ?? null
    }
    const before = await seen()
    const waiting = await startSignIn(forecourt, APP_USER)
    expect(await seen()).toEqual(before)
    await verify(waiting, await timeCode())
    expect(await seen()).not.toEqual(before)
  })

  test('gets a list of channels with a masked address', async () => {
    const list = async (userName: string) =>
      (await startSignIn(forecourt, userName)).call(secondFactor.getOtpList, {})
    expect(await list(EMAIL_USER)).toEqual([{ type: 'email', label: 'Email to n•••@n•••.example' }])
    expect(await list(APP_USER)).toEqual([
      { type: 'authenticator', label: 'Authenticator app' },
      { type: 'backup', label: 'Backup code' },
    ])
    const verified = await forecourt.as('northgate.dealer')
    expect(await verified.call(secondFactor.getOtpList, {})).toEqual([])
  })

  test('cannot send a code through an unavailable channel', async () => {
    const waiting = await startSignIn(forecourt, APP_USER)
    const { status, refusal } = await refusalOf(waiting.call(secondFactor.sendOtp, { type: 'email' }))
    expect([status, refusal.fields]).toEqual([
      400,
      { type: "This verification method isn't available to you." },
    ])
    expect(await waiting.call(secondFactor.sendOtp, { type: 'authenticator' })).toMatchObject({
      isSent: false,
    })
  })
})

describe('the right code', () => {
  test('returns a verified token of a new session, and ends the waiting one', async () => {
    const waiting = await startSignIn(forecourt, APP_USER)
    const token = await verify(waiting, await timeCode(), { token: waiting.token ?? '' })
    const claims = readClaims(token.accessToken)
    expect(claims).toMatchObject({ isVerified: 'true', organizationName: 'Northgate Ford', gen: 1 })
    expect(claims.sid).not.toBe(sessionIdOf(waiting))
    await expect(waiting.call(auth.authFunc, {})).toRefuse(401)
    expect(await readStored(forecourt, sessionIdOf(waiting))).toMatchObject({ revoke_reason: 'verified' })
  })

  test.for([
    [false, 1],
    [true, 14],
  ] as const)('keeps the cookie of the browser: remembered %s, %i days', async ([isRemember, days]) => {
    const browser = await openBrowser(forecourt, APP_USER, { isRemember })
    const answer = await browser.caller.send({
      method: 'POST',
      url: '/api/auth/verify-otp',
      payload: { otp: await timeCode() },
      headers: { cookie: browser.cookie },
    })
    const [session] = answer.cookies.filter(({ name }) => name.startsWith('forecourt-session-'))
    expect(browser.cookie).not.toContain(session?.value ?? 'nothing')
    const { rows } = await forecourt.owner.query<{ hours: number }>(
      `select round(extract(epoch from ends_at - app_now()) / 3600)::int as hours from iam.sessions
      where id = $1 and cookie_hash is not null`,
      [session?.value.split('.')[0]],
    )
    expect(rows[0]?.hours).toBe(days * 24)
  })

  test('verifies only once when sent twice at once', async () => {
    const waiting = await startSignIn(forecourt, APP_USER)
    const [code, next] = [await timeCode(), await timeCode({ steps: 1 })]
    const outcomes = await Promise.allSettled([verify(waiting, code), verify(waiting, next)])
    expect(outcomes.filter(({ status }) => status === 'fulfilled')).toHaveLength(1)
  })

  test('is rejected for a verified session', async () => {
    const dealer = await forecourt.as('northgate.dealer')
    expect(await refusedOtp(verify(dealer, '000000'))).toBe("You're already signed in.")
  })

  test('is rejected with the token of another user', async () => {
    const waiting = await startSignIn(forecourt, APP_USER)
    const { token } = await forecourt.as('northgate.dealer')
    const { status, refusal } = await refusalOf(verify(waiting, await timeCode(), { token: token ?? '' }))
    expect([status, Object.keys(refusal.fields ?? {})]).toEqual([400, ['token']])
  })
})

describe('an emailed code', () => {
  test('has six digits, is masked in the outbox, and expires after ten minutes', async () => {
    const waiting = await startSignIn(forecourt, EMAIL_USER)
    const sent = await waiting.call(secondFactor.sendOtp, { type: 'email' })
    expect(Math.round((Date.parse(sent.validUntil ?? '') - clock.now()) / 60_000)).toBe(10)
    const mail = (await mailsTo(forecourt, { id: await idOf(forecourt, EMAIL_USER) })).at(-1)
    const code = codeIn(mail)
    expect(mail).toMatchObject({
      toEmail: 'nia.castell@northgate.example',
      subject: 'Your sign-in code for Forecourt',
    })
    const admin = await forecourt.as('northgate.admin', 'Northgate Ford')
    const covered = await admin.call(outbox.get, { id: mail?.id ?? '' })
    expect([covered.hasSecret, covered.text.includes(code)]).toEqual([true, false])
    expect((await admin.call(outbox.reveal, { id: mail?.id ?? '' })).text).toContain(code)
    const { rows } = await forecourt.owner.query<{ kept: string }>(
      `select c::text as kept from iam.mail_codes c union all select m::text from outbox_mails m where m.id = $1`,
      [mail?.id],
    )
    expect(rows.filter(({ kept }) => kept.includes(code))).toEqual([])

    await later(`update iam.mail_codes set expires_at = expires_at - interval '601 s'`)
    expect(await refusedOtp(verify(waiting, code))).toBe('This code is no longer valid. Request a new one.')
  })

  test('verifies once', async () => {
    const [first, second] = [
      await startSignIn(forecourt, EMAIL_USER),
      await startSignIn(forecourt, EMAIL_USER),
    ]
    const code = await mailedCode(forecourt, first, EMAIL_USER)
    expect(readClaims((await verify(first, code)).accessToken).isVerified).toBe('true')
    expect(await refusedOtp(verify(second, code))).toContain('no longer valid')
  })

  test('is emailed again while it is valid, up to three times in ten minutes', async () => {
    const waiting = await startSignIn(forecourt, EMAIL_USER)
    const codes: string[] = []
    for (let time = 0; time < 3; time += 1) codes.push(await mailedCode(forecourt, waiting, EMAIL_USER))
    expect(new Set(codes).size).toBe(1)
    const { status } = await refusalOf(waiting.call(secondFactor.sendOtp, { type: 'email' }))
    expect(status).toBe(429)
    await later(`update iam.request_counts set window_started_at = window_started_at - interval '11 minutes'`)
    await expect(waiting.call(secondFactor.sendOtp, { type: 'email' })).resolves.toMatchObject({
      sendsLeft: 2,
    })
  })

  test('is invalid after five wrong attempts, and a new one is emailed then', async () => {
    const waiting = await startSignIn(forecourt, EMAIL_USER)
    const code = await mailedCode(forecourt, waiting, EMAIL_USER)
    const message: string[] = []
    for (let time = 0; time < 5; time += 1) message.push(await refusedOtp(verify(waiting, otherThan(code))))
    expect(message.slice(0, 4)).toEqual(Array(4).fill('This code is incorrect.'))
    expect(message[4]).toBe('This code is no longer valid. Request a new one.')
    const tooMany = await refusalOf(verify(waiting, code))
    expect(tooMany.status).toBe(429)
    // At the field, too.
    expect(tooMany.refusal.fields?.['otp']).toMatch(/^Too many incorrect codes\. Wait \d+ seconds/)
    await endWait()
    expect(await refusedOtp(verify(waiting, code))).toContain('no longer valid')
    await endWait()
    const next = await mailedCode(forecourt, waiting, EMAIL_USER)
    expect(next).not.toBe(code)
    await expect(verify(waiting, next)).resolves.toBeDefined()
  })

  test('is invalid after the address changes', async () => {
    const waiting = await startSignIn(forecourt, EMAIL_USER)
    const code = await mailedCode(forecourt, waiting, EMAIL_USER)
    await later(`update users set email = 'elsewhere@northgate.example' where user_name = '${EMAIL_USER}'`)
    const message = await refusedOtp(verify(waiting, code))
    await later(`update users set email = 'nia.castell@northgate.example' where user_name = '${EMAIL_USER}'`)
    expect(message).toContain('no longer valid')
  })

  test('works only for its user', async () => {
    const { addMember } = await testOrganization(forecourt, 'Northgate Ford')
    await addMember({ userName: 'second.desk', userType: 'Lead desk' })
    await later(`update users set is_demo = true where user_name = 'second.desk'`)
    const [one, other] = [
      await startSignIn(forecourt, EMAIL_USER),
      await startSignIn(forecourt, 'second.desk'),
    ]
    const code = await mailedCode(forecourt, one, EMAIL_USER)
    await mailedCode(forecourt, other, 'second.desk')
    expect(await refusedOtp(verify(other, code))).toBe('This code is incorrect.')
  })

  test('is asked for only if emails are sent; otherwise an authenticator is set up', async () => {
    const { addMember } = await testOrganization(forecourt, 'Northgate Ford')
    await addMember({ userName: 'no.mail', userType: 'Lead desk' })
    const ways = async () => typesOf(await startSignIn(forecourt, 'no.mail'))
    expect(await ways()).toEqual(['setup'])
    await later(
      `insert into email_handlers (customer_id, name, kind, from_email, smtp_host, smtp_port, is_default)
      select customer_id, 'Sends', 'smtp', 'us@people.example', 'mail.example', 25, true from users where user_name = 'no.mail'`,
    )
    const asked = await ways()
    await later(`delete from email_handlers where name = 'Sends'`)
    expect(asked).toEqual(['email'])
  })

  test('is not asked of a user without an address, who sets up an authenticator', async () => {
    await later(`update users set email = '' where user_name = '${EMAIL_USER}'`)
    const ways = await typesOf(await startSignIn(forecourt, EMAIL_USER))
    await later(`update users set email = 'nia.castell@northgate.example' where user_name = '${EMAIL_USER}'`)
    expect(ways).toEqual(['setup'])
  })
})

describe('wrong codes', () => {
  test('wait 30 seconds after five, then double up to 15 minutes', async () => {
    const waiting = await startSignIn(forecourt, APP_USER)
    const waits: number[] = []
    for (let failure = 1; failure <= 11; failure += 1) {
      await refusedOtp(verify(waiting, '000000'))
      const { rows } = await forecourt.owner.query<{ seconds: number | null }>(
        `select round(extract(epoch from blocked_until - last_at))::int as seconds from iam.sign_in_failures
        where kind = 'factor network'`,
      )
      waits.push(rows[0]?.seconds ?? 0)
      await endWait()
    }
    expect(waits).toEqual([0, 0, 0, 0, 30, 60, 120, 240, 480, 900, 900])
  })

  test('are rejected on the field, and the waiting session continues', async () => {
    const waiting = await startSignIn(forecourt, APP_USER)
    const { status, refusal } = await refusalOf(verify(waiting, '000000'))
    expect([status, refusal.fields]).toEqual([400, { otp: 'This code is incorrect.' }])
    await expect(waiting.call(secondFactor.getOtpList, {})).resolves.toHaveLength(2)
    await expect(verify(waiting, await timeCode())).resolves.toBeDefined()
  })

  test('are not forgiven by the right password', async () => {
    for (let time = 0; time < 5; time += 1) {
      await refusedOtp(verify(await startSignIn(forecourt, APP_USER), '000000'))
    }
    const waiting = await startSignIn(forecourt, APP_USER)
    expect(await refusedOtp(verify(waiting, await timeCode()))).toContain('Wait')
  })

  test('are forgiven by the right code', async () => {
    const waiting = await startSignIn(forecourt, APP_USER)
    for (let time = 0; time < 4; time += 1) await refusedOtp(verify(waiting, '000000'))
    await verify(waiting, await timeCode())
    const again = await startSignIn(forecourt, APP_USER)
    for (let time = 0; time < 4; time += 1) await refusedOtp(verify(again, '000000'))
    await expect(verify(again, await timeCode({ steps: 1 }))).resolves.toBeDefined()
  })

  test('cannot outrun the wait when sent concurrently: the right one after thirty is rejected', async () => {
    const waiting = await startSignIn(forecourt, APP_USER)
    const codes = [...Array.from({ length: 30 }, () => '000000'), await timeCode()]
    const outcomes = await Promise.allSettled(codes.map((code) => verify(waiting, code)))
    expect(outcomes.at(-1)?.status).toBe('rejected')
    const { rows } = await forecourt.owner.query<{ failures: number }>(
      `select failures from iam.sign_in_failures where kind = 'factor network'`,
    )
    expect(rows[0]?.failures).toBe(5)
  })

  test('also count for the address', async () => {
    const strict = await testApp({ FORECOURT_SIGNIN_FAILURES_PER_MINUTE: '3' })
    const waiting = await startSignIn(strict, APP_USER)
    for (let time = 0; time < 3; time += 1) await refusedOtp(verify(waiting, '000000'))
    const { status } = await refusalOf(verify(waiting, await timeCode()))
    await strict.close()
    expect(status).toBe(429)
  })

  test.for([
    '',
    '12345',
    '1234567',
    'abcdef',
    '１２３４５６',
    '12345é',
    '0x1F4B',
    '-12345',
    '\u0000',
    '9'.repeat(65),
  ])('%j is not a code', async (otp) => {
    const waiting = await startSignIn(forecourt, APP_USER)
    expect((await refusalOf(verify(waiting, otp))).status).toBe(400)
  })
})

test('resetting the second factor ends a sign-in that waits for it', async () => {
  const waiting = await startSignIn(forecourt, EMAIL_USER)
  await later(`update user_types set requires_second_factor = false where name = 'Lead desk'`)
  const message = await refusedOtp(verify(waiting, '000000'))
  await later(`update user_types set requires_second_factor = true where name = 'Lead desk'`)
  expect(message).toBe('This sign-in has expired. Sign in again.')
})

test('deactivating a waiting user ends the session', async () => {
  const waiting = await startSignIn(forecourt, APP_USER)
  await later(`update users set is_active = false where user_name = '${APP_USER}'`)
  const outcome = refusalOf(verify(waiting, await timeCode()))
  const { status } = await outcome
  await later(`update users set is_active = true where user_name = '${APP_USER}'`)
  expect(status).toBe(401)
})

test('a waiting session ends after an hour', async () => {
  const waiting = await startSignIn(forecourt, APP_USER)
  await alterSession(forecourt, sessionIdOf(waiting), `ends_at = app_now() - interval '1 s'`)
  await expect(verify(waiting, await timeCode())).toRefuse(401)
})
