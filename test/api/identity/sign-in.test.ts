import { hash } from '@node-rs/argon2'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { auth } from '#contract/identity/auth.ts'
import { DEMO_PASSWORD } from '../../../demo/world.ts'
import { testApp, type TestApp } from '#test/app.ts'
import { concurrently, queued } from '#test/harness/concurrently.ts'
import { mailsTo, wordIn } from '#test/factories/mail/mails.ts'
import { testOrganization } from '#test/factories/test-organization.ts'
import { openBrowser, readClaims } from '#test/factories/identity/sessions.ts'

let forecourt: TestApp
beforeAll(async () => {
  forecourt = await testApp()
})
afterAll(() => forecourt.close())
afterEach(() => forecourt.owner.query('delete from iam.sign_in_failures'))

const WRONG = 'not-the-password'
const right = (username: string) => ({ username, password: DEMO_PASSWORD })
const signIn = (username: string, password = DEMO_PASSWORD) =>
  forecourt.anonymous.call(auth.signIn, { username, password })

async function guess(username: string, password = WRONG): Promise<{ status: number; text: string }> {
  const { status, text } = await forecourt.anonymous.send({
    method: 'POST',
    url: '/api/auth',
    payload: { username, password },
  })
  return { status, text }
}

async function guessTimes(times: number, username: string): Promise<void> {
  for (let time = 0; time < times; time += 1) await guess(username)
}

const endWait = (username: string) =>
  forecourt.owner.query(
    `update iam.sign_in_failures set blocked_until = app_now() - interval '1 s' where kind = 'network' and starts_with(key, $1)`,
    [username],
  )

async function countedOf(kind: string, key?: string): Promise<number> {
  const { rows } = await forecourt.owner.query<{ n: number }>(
    'select coalesce(sum(failures), 0)::int as n from iam.sign_in_failures where kind = $1 and starts_with(key, coalesce($2, key))',
    [kind, key ?? null],
  )
  return rows[0]?.n ?? 0
}

describe('the token', () => {
  test('has exactly the claims of the specification, all text except the times and the generation', async () => {
    const { accessToken, expiresIn, tokenType } = await signIn('northgate.dealer')
    const payload: unknown = JSON.parse(Buffer.from(accessToken.split('.')[1] ?? '', 'base64url').toString())
    const home = await testOrganization(forecourt, 'Northgate Ford')
    expect(payload).toEqual({
      exp: expect.any(Number),
      iat: expect.any(Number),
      gen: 1,
      sid: expect.stringMatching(/^[0-9a-f-]{36}$/),
      isVerified: 'true',
      customerId: home.customerId,
      userId: expect.stringMatching(/^\d+$/),
      userName: 'northgate.dealer',
      impersonateUserId: expect.stringMatching(/^\d+$/),
      impersonateUserName: 'northgate.dealer',
      impersonateUserTypeId: expect.stringMatching(/^\d+$/),
      organizationId: home.organizationId,
      organizationName: 'Northgate Ford',
    })
    expect(tokenType).toBe('Bearer')
    expect(1800 - expiresIn).toBeLessThan(10)
  })

  test('lives 1800 seconds and names its own user as the effective one', async () => {
    const claims = readClaims((await signIn('northgate.dealer')).accessToken)
    expect({ life: claims.exp - claims.iat, effective: claims.impersonateUserId }).toEqual({
      life: 1800,
      effective: claims.userId,
    })
  })

  test.for([
    ['northgate.dealer', 'Northgate Ford'],
    ['harbor.admin', 'Harbor Honda'],
    ['northgate.sustain', ''],
    ['northgate.admin', ''],
    ['super', ''],
  ] as const)('of %s has the organization "%s": set if there is only one', async ([userName, name]) => {
    const claims = readClaims((await signIn(userName)).accessToken)
    expect(claims.organizationName).toBe(name)
    expect(claims.organizationId === '0').toBe(name === '')
  })
})

describe('who may sign in', () => {
  test.for([
    ['luis.ortega@northgate.example', 'by email'],
    ['  Northgate.DEALER ', 'with surrounding spaces and a different case'],
    ['LUIS.Ortega@Northgate.example', 'by email in a different case'],
  ])('%j signs in, %s', async ([username = '']) => {
    expect(readClaims((await signIn(username)).accessToken).userName).toBe('northgate.dealer')
  })

  test('an email address shared by two users signs in neither', async () => {
    const { addMember } = await testOrganization(forecourt, 'Northgate Ford')
    await addMember({ userName: 'twin', userType: 'Dealer user' })
    await forecourt.owner.query(
      `update users set email = 'wei.zhang@northgate.example' where user_name = 'twin'`,
    )
    expect((await guess('wei.zhang@northgate.example', DEMO_PASSWORD)).status).toBe(401)
    await expect(signIn('northgate.auditor')).resolves.toMatchObject({ tokenType: 'Bearer' })
  })

  test("a user name equal to another user's email address does not block that user", async () => {
    const { addMember } = await testOrganization(forecourt, 'Harbor Honda')
    await addMember({ userName: 'shared@people.example', userType: 'Dealer user' })
    await addMember({ userName: 'later', userType: 'Dealer user' })
    await forecourt.owner.query(`update users set email = 'shared@people.example' where user_name = 'later'`)
    const claims = readClaims((await signIn('shared@people.example')).accessToken)
    expect(claims.userName).toBe('shared@people.example')
  })

  test.for([
    [
      'a deactivated user',
      `update users set is_active = false where user_name = 'harbor.dealer'`,
      'Your access was deactivated.',
    ],
    [
      'a user of a suspended customer',
      `update customers set status = 'suspended' where name like 'Harbor%'`,
      "Your company's access is suspended.",
    ],
  ] as const)(
    '%s loses access at once, and reads why after the right password only',
    async ([, change, why]) => {
      const dealer = await forecourt.as('harbor.dealer')
      await forecourt.owner.query(change)
      const again = await guess('harbor.dealer', DEMO_PASSWORD)
      const [wrong, unknown] = [await guess('harbor.dealer'), await guess('nobody.here')]
      const running = await dealer.send({ method: 'GET', url: '/api/auth/auth-func' })
      const refreshed = await dealer.send({ method: 'POST', url: '/api/auth/refresh-token' })
      await forecourt.owner.query(`update users set is_active = true`)
      await forecourt.owner.query(`update customers set status = 'active'`)
      expect([again.status, running.status, refreshed.status]).toEqual([401, 401, 401])
      expect(again.text).toContain(why)
      const words = ({ text }: { text: string }) => text.replace(/"requestId":"[^"]*"/, '')
      expect(words(wrong)).toBe(words(unknown))
    },
  )
})

describe('changes during a sign-in', () => {
  let made = 0
  const join = async () => {
    const { addMember } = await testOrganization(forecourt, 'Harbor Honda')
    const userName = `racer.${(made += 1)}`
    return { userName, id: await addMember({ userName, userType: 'Dealer user' }) }
  }
  /** The correct password was compared, and its failures are being cleared. */
  const heldAt = (userName: string) =>
    `select from iam.sign_in_failures where kind = 'network' and starts_with(key, '${userName}') for update`

  test.for([
    ['the customer is suspended', `update customers set status = 'suspended' where name like 'Harbor%'`],
    ['the user is deactivated', `update users set is_active = false where user_name like 'racer.%'`],
  ] as const)('%s: no session is opened, now or later', async ([, change]) => {
    const { userName, id } = await join()
    await guess(userName)
    const [outcome] = await concurrently(forecourt.owner, `${heldAt(userName)}; ${change}`, [
      () => signIn(userName),
    ])
    await forecourt.owner.query(`update users set is_active = true; update customers set status = 'active'`)
    const { rowCount } = await forecourt.owner.query('select from iam.sessions where user_id = $1', [id])
    expect([outcome?.status, rowCount]).toEqual(['rejected', 0])
  })

  test('a password set with an emailed link: the old one opens no session', async () => {
    const { userName, id } = await join()
    await guess(userName)
    await forecourt.anonymous.call(auth.forgotPassword, { userName })
    const resetValue = wordIn((await mailsTo(forecourt, { id }))[0])
    const [signedIn, reset] = await queued(forecourt.owner, heldAt(userName), [
      () => signIn(userName),
      () => forecourt.anonymous.call(auth.resetPassword, { resetValue, password: 'Changed77!' }),
    ])
    expect([signedIn?.status, reset?.status]).toEqual(['rejected', 'fulfilled'])
  })

  test('a password change in progress: the sign-in waits for it', async () => {
    const { userName, id } = await join()
    const [outcome] = await concurrently(
      forecourt.owner,
      `update iam.credentials set password_hash = 'another' where user_id = ${id}`,
      [() => signIn(userName)],
    )
    expect(outcome?.status).toBe('rejected')
  })

  test('rehashing the old password does not undo a password change', async () => {
    const { userName, id } = await join()
    const me = await forecourt.as(userName)
    const weak = await hash(DEMO_PASSWORD, { memoryCost: 8192, timeCost: 1, parallelism: 1 })
    await forecourt.owner.query('update iam.credentials set password_hash = $1 where user_id = $2', [
      weak,
      id,
    ])
    const changing = { oldPassword: DEMO_PASSWORD, newPassword: 'Changed77!' }
    const outcomes = await queued(
      forecourt.owner,
      `select from iam.credentials where user_id = ${id} for update`,
      [() => me.call(auth.changePassword, changing), () => signIn(userName)],
    )
    expect(outcomes.map(({ status }) => status)).toEqual(['fulfilled', 'rejected'])
    await expect(signIn(userName)).toRefuse(401)
    await expect(signIn(userName, 'Changed77!')).resolves.toBeDefined()
  })

  test('a hash with weaker settings is renewed', async () => {
    const { userName, id } = await join()
    const weak = await hash(DEMO_PASSWORD, { memoryCost: 8192, timeCost: 1, parallelism: 1 })
    await forecourt.owner.query('update iam.credentials set password_hash = $1 where user_id = $2', [
      weak,
      id,
    ])
    await signIn(userName)
    const { rows } = await forecourt.owner.query<{ hash: string }>(
      'select password_hash as hash from iam.credentials where user_id = $1',
      [id],
    )
    expect(forecourt.identity.passwords.isOutdated(rows[0]?.hash ?? '')).toBe(false)
    await expect(signIn(userName)).resolves.toBeDefined()
  })
})

describe('guessing', () => {
  test('a wrong password and an unknown user get the identical response, also while they have to wait', async () => {
    const wrong = await guess('northgate.auditor')
    const unknown = await guess('nobody.at.all')
    expect(wrong.status).toBe(401)
    expect(unknown).toEqual(wrong)
    await guessTimes(4, 'northgate.auditor')
    await guessTimes(4, 'nobody.at.all')
    const [waiting, unknownWaits] = [
      await guess('northgate.auditor', DEMO_PASSWORD),
      await guess('nobody.at.all'),
    ]
    expect(waiting.status).toBe(429)
    expect(waiting.text).toMatch(
      /Too many failed sign-ins with this user name\. Wait \d+ seconds? and try again\./,
    )
    const plain = (text: string) => text.replace(/\d+ seconds?/, '')
    expect([unknownWaits.status, plain(unknownWaits.text)]).toEqual([429, plain(waiting.text)])
  })

  test('who has to wait under one name does not learn under which others the account is known', async () => {
    await guessTimes(5, 'northgate.dealer')
    const [own, unknown] = [
      await guess('luis.ortega@northgate.example', DEMO_PASSWORD),
      await guess('no.one@x.example'),
    ]
    expect(own).toEqual(unknown)
    expect(own.status).toBe(401)
  })

  test('four wrong passwords do not block the account', async () => {
    await guessTimes(4, 'northgate.dealer')
    await expect(signIn('northgate.dealer')).resolves.toMatchObject({ tokenType: 'Bearer' })
  })

  test('after five, the right password is rejected until the wait is over, and then clears the failures', async () => {
    await guessTimes(5, 'northgate.dealer')
    await expect(signIn('northgate.dealer')).toRefuse(429, 'Wait')
    await endWait('northgate.dealer')
    await signIn('northgate.dealer')
    expect(await countedOf('network', 'northgate.dealer')).toBe(0)
  })

  test('the wait starts at 30 seconds, doubles and stops at 15 minutes', async () => {
    const waits: number[] = []
    for (let failure = 1; failure <= 11; failure += 1) {
      await guess('wait.for.me')
      const { rows } = await forecourt.owner.query<{ seconds: number | null }>(
        `select round(extract(epoch from blocked_until - last_at))::int as seconds from iam.sign_in_failures where kind = 'network'`,
      )
      waits.push(rows[0]?.seconds ?? 0)
      await endWait('wait.for.me')
    }
    expect(waits).toEqual([0, 0, 0, 0, 30, 60, 120, 240, 480, 900, 900])
  })

  test('failures older than twelve hours no longer count', async () => {
    await guessTimes(5, 'northgate.dealer')
    await forecourt.owner.query(
      `update iam.sign_in_failures set last_at = last_at - interval '13 hours', blocked_until = blocked_until - interval '13 hours'`,
    )
    await guess('northgate.dealer')
    expect(await countedOf('network', 'northgate.dealer')).toBe(1)
  })

  test('of a hundred guesses at once only a few are compared and counted, and then they wait', async () => {
    await Promise.all(Array.from({ length: 100 }, () => guess('northgate.auditor')))
    expect(await countedOf('address')).toBeLessThan(20)
    await expect(signIn('northgate.auditor')).toRefuse(429)
  })

  test('concurrent guesses cannot outrun the wait: the right one after thirty wrong ones is rejected', async () => {
    const passwords = [...Array.from({ length: 30 }, () => WRONG), DEMO_PASSWORD]
    const answers = await Promise.all(passwords.map((password) => guess('northgate.auditor', password)))
    expect(answers.at(-1)?.status).toBe(429)
  })
})

describe('an address that fails too often', () => {
  let strict: TestApp
  beforeAll(async () => {
    strict = await testApp({ FORECOURT_SIGNIN_FAILURES_PER_MINUTE: '3' })
  })
  afterAll(() => strict.close())
  afterEach(() => strict.owner.query('delete from iam.sign_in_failures'))

  const attempt = (payload: object, remoteAddress = '192.0.2.1') =>
    strict.app.inject({ method: 'POST', url: '/api/auth', payload, remoteAddress })

  test('gets 429 with the seconds to wait, even with the right password', async () => {
    for (const name of ['a', 'b', 'c']) await attempt({ username: name, password: WRONG })
    const answer = await attempt(right('northgate.dealer'))
    expect(answer.statusCode).toBe(429)
    expect(Number(answer.headers['retry-after'])).toBeGreaterThan(0)
    expect(Number(answer.headers['retry-after'])).toBeLessThanOrEqual(60)
  })

  test('does not block another address', async () => {
    for (const name of ['a', 'b', 'c', 'd']) await attempt({ username: name, password: WRONG })
    expect((await attempt(right('northgate.dealer'), '192.0.2.2')).statusCode).toBe(200)
  })

  test('may try again a minute later', async () => {
    for (const name of ['a', 'b', 'c', 'd']) await attempt({ username: name, password: WRONG })
    await strict.owner.query(
      `update iam.sign_in_failures set window_started_at = window_started_at - interval '61 s'`,
    )
    expect((await attempt(right('northgate.dealer'))).statusCode).toBe(200)
  })

  test('does not count successful sign-ins', async () => {
    const answers: number[] = []
    for (let time = 0; time < 5; time += 1)
      answers.push((await attempt(right('northgate.dealer'))).statusCode)
    expect(answers).toEqual([200, 200, 200, 200, 200])
  })
})

describe('the cookies of our own web client', () => {
  test('are HttpOnly for the calls, plus a readable one under two names', async () => {
    const { setCookies, xsrf } = await openBrowser(forecourt, 'northgate.dealer')
    expect(setCookies.map((line) => line.replace(/=[^;]{20,}/, '=…'))).toEqual([
      'forecourt-browser-test=…; Max-Age=31536000; Path=/api; HttpOnly; SameSite=Strict',
      'forecourt-session-test=…; Path=/api; HttpOnly; SameSite=Strict',
      'XSRF-TOKEN=…; Path=/; SameSite=Strict',
      'XSRF-TOKEN-test=…; Path=/; SameSite=Strict',
    ])
    expect(setCookies.filter((line) => line.includes(xsrf))).toHaveLength(2)
  })

  test('last fourteen days for a remembered session', async () => {
    const { setCookies } = await openBrowser(forecourt, 'northgate.dealer', { isRemember: true })
    const ofSession = setCookies.filter((line) => !line.startsWith('forecourt-browser-'))
    expect(ofSession).toHaveLength(3)
    expect(ofSession.every((line) => line.includes(`Max-Age=${14 * 86_400};`))).toBe(true)
  })

  test('are not sent to other programs', async () => {
    const answer = await forecourt.anonymous.send({
      method: 'POST',
      url: '/api/auth',
      payload: right('northgate.dealer'),
    })
    expect(answer.cookies).toEqual([])
  })

  test('are Secure only if the public URL is https', async () => {
    const secure = await testApp({ PUBLIC_URL: 'https://backoffice.example.com', FORECOURT_DEMO: '1' })
    const { setCookies } = await openBrowser(secure, 'northgate.dealer')
    await secure.close()
    expect(setCookies.every((line) => line.includes('; Secure'))).toBe(true)
  })
})

test.for([
  [{ HOST: '0.0.0.0' }, 401],
  [{ PUBLIC_URL: 'https://backoffice.example.com' }, 401],
  [{ HOST: '0.0.0.0', FORECOURT_DEMO: '0' }, 401],
  [{ HOST: '0.0.0.0', FORECOURT_DEMO: '1' }, 200],
  [{ PUBLIC_URL: 'http://localhost:8080' }, 200],
] as const)('with %j a demo sign-in gets %i', async ([environment, status]) => {
  const open = await testApp(environment)
  const payload = right('northgate.dealer')
  const answer = await open.anonymous.send({ method: 'POST', url: '/api/auth', payload })
  await open.close()
  expect(answer.status).toBe(status)
})
