import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { auth } from '#contract/identity/auth.ts'
import { secondFactor } from '#contract/identity/second-factor/second-factor.ts'
import { CLIENT_HEADER } from '#contract/identity/sessions/session.ts'
import { DEMO_PASSWORD } from '../../../demo/world.ts'
import { testApp, type Caller, type TestApp } from '#test/app.ts'
import { codeIn, idOf, otherThan, startSignIn } from '#test/factories/identity/second-factor.ts'
import { timeCode } from '#test/factories/identity/time-code.ts'
import { mailsTo, wordIn } from '#test/factories/mail/mails.ts'

const EMAIL_USER = 'northgate.desk'
const APP_USER = 'northgate.phone'
const OFFICE = '203.0.113.5'
const STRANGER = '198.51.100.7'

let forecourt: TestApp
beforeAll(async () => {
  forecourt = await testApp()
})
afterAll(() => forecourt.close())
afterEach(async () => {
  await forecourt.owner.query(
    `delete from iam.sign_in_failures; delete from iam.request_counts; delete from iam.mail_codes; delete from iam.known_browsers`,
  )
})

type From = { from: string; cookie?: string }

const inject = (
  caller: Caller,
  { from, cookie }: From,
  call: { method: 'GET' | 'POST'; url: string; payload?: object },
) =>
  forecourt.app.inject({
    ...call,
    remoteAddress: from,
    headers: {
      host: 'localhost',
      authorization: `Bearer ${caller.token ?? ''}`,
      [CLIENT_HEADER]: 'web',
      ...(cookie !== undefined && { cookie }),
    },
  })

async function requestCode(caller: Caller, from: From) {
  const answer = await inject(caller, from, { method: 'GET', url: '/api/auth/send-otp/email' })
  const { message, data } = answer.json<{
    message: string
    data: { sendsLeft: number; waitSeconds: number | null }
  }>()
  return { status: answer.statusCode, message, data, retryAfter: Number(answer.headers['retry-after']) }
}

async function enter(caller: Caller, otp: string, from: From) {
  const answer = await inject(caller, from, { method: 'POST', url: '/api/auth/verify-otp', payload: { otp } })
  const { data } = answer.json<{ data: { fields?: { otp?: string } } | null }>()
  const browser = answer.cookies.find(({ name }) => name.startsWith('forecourt-browser-'))
  return {
    status: answer.statusCode,
    text: answer.body,
    data,
    cookie: browser === undefined ? undefined : `${browser.name}=${browser.value}`,
  }
}

const latestCode = async (): Promise<string> =>
  codeIn((await mailsTo(forecourt, { id: await idOf(forecourt, EMAIL_USER) })).at(-1))

async function useUpSends(caller: Caller, from: From): Promise<void> {
  const statuses: number[] = []
  for (let made = 0; made < 4; made += 1) statuses.push((await requestCode(caller, from)).status)
  expect(statuses).toEqual([200, 200, 200, 429])
}

describe('emailed codes', () => {
  test(
    'wait until the first has expired, say so, and the latest works meanwhile',
    { tags: 'release' },
    async () => {
      const owner = await startSignIn(forecourt, EMAIL_USER)
      const here = { from: OFFICE }
      await requestCode(owner, here)
      await requestCode(owner, here)
      expect((await requestCode(owner, here)).data).toMatchObject({ sendsLeft: 0, waitSeconds: 600 })
      const refused = await requestCode(owner, here)
      expect(refused.message).toBe(
        'We emailed 3 codes in 10 minutes. Use the latest code, or request a new one in 10 minutes.',
      )
      expect(refused.retryAfter).toBe(600)
      expect((await enter(owner, await latestCode(), here)).status).toBe(200)
      // A correct code proves who asked.
      expect((await requestCode(await startSignIn(forecourt, EMAIL_USER), here)).status).toBe(200)
    },
  )

  test('say when a new one can be requested once the latest was used up', { tags: 'release' }, async () => {
    const owner = await startSignIn(forecourt, EMAIL_USER)
    await useUpSends(owner, { from: OFFICE })
    const wrong = otherThan(await latestCode())
    const answers: string[] = []
    for (let made = 0; made < 5; made += 1) answers.push((await enter(owner, wrong, { from: OFFICE })).text)
    expect(answers.at(-1)).toContain('This code is no longer valid. You can request a new one in 10 minutes.')
    expect((await requestCode(owner, { from: OFFICE })).message).toBe(
      'We emailed 3 codes in 10 minutes. Request a new one in 10 minutes.',
    )
    await forecourt.owner.query(
      `update iam.request_counts set window_started_at = window_started_at - interval '601 seconds'`,
    )
    expect((await requestCode(owner, { from: OFFICE })).status).toBe(200)
  })

  test('are sent and accepted here, whatever someone elsewhere does who knows the password', async () => {
    const stranger = await startSignIn(forecourt, EMAIL_USER)
    await useUpSends(stranger, { from: STRANGER })
    for (let made = 0; made < 7; made += 1) await enter(stranger, '000000', { from: STRANGER })
    const owner = await startSignIn(forecourt, EMAIL_USER)
    expect((await requestCode(owner, { from: OFFICE })).status).toBe(200)
    expect((await enter(owner, await latestCode(), { from: OFFICE })).status).toBe(200)
  })

  test(
    'of a browser on which the user signed in before are not used up from any number of networks',
    { tags: 'release' },
    async () => {
      const first = await startSignIn(forecourt, EMAIL_USER)
      await requestCode(first, { from: OFFICE })
      const { cookie } = await enter(first, await latestCode(), { from: OFFICE })
      expect(cookie).toBeDefined()
      const known = { from: OFFICE, cookie: cookie ?? '' }
      const owner = await startSignIn(forecourt, EMAIL_USER)
      expect((await requestCode(owner, known)).status).toBe(200)
      const code = await latestCode()

      const statuses: number[] = []
      for (let made = 0; made < 33; made += 1) {
        const from = { from: `198.51.${made % 11}.7` }
        const stranger = await startSignIn(forecourt, EMAIL_USER)
        statuses.push((await requestCode(stranger, from)).status)
        await enter(stranger, '000000', from)
      }
      // Together, others get as many emails as ten networks.
      expect(statuses.filter((status) => status === 200)).toHaveLength(29)
      const another = await requestCode(owner, { from: '192.0.2.9' })
      expect(another.message).toBe(
        'Too many codes were requested for this account. Resetting your password ends this wait. Request a new one in 10 minutes.',
      )
      expect((await requestCode(owner, known)).status).toBe(200)
      expect((await enter(owner, code, known)).status).toBe(200)
    },
  )
})

describe('the waits end', () => {
  test('with a password set by an emailed link', async () => {
    const owner = await startSignIn(forecourt, EMAIL_USER)
    await useUpSends(owner, { from: OFFICE })
    for (let made = 0; made < 6; made += 1) await enter(owner, '000000', { from: OFFICE })
    expect((await enter(owner, '000000', { from: OFFICE })).status).toBe(429)
    await forecourt.anonymous.call(auth.forgotPassword, { userName: EMAIL_USER })
    const mail = (await mailsTo(forecourt, { id: await idOf(forecourt, EMAIL_USER) })).at(-1)
    const resetValue = wordIn(mail)
    await forecourt.anonymous.call(auth.resetPassword, { resetValue, password: DEMO_PASSWORD })
    const again = await startSignIn(forecourt, EMAIL_USER)
    expect((await requestCode(again, { from: OFFICE })).status).toBe(200)
    expect((await enter(again, await latestCode(), { from: OFFICE })).status).toBe(200)
  })

  test('when an administrator resets the second factor, and the user is told', async () => {
    const id = await idOf(forecourt, EMAIL_USER)
    const owner = await startSignIn(forecourt, EMAIL_USER)
    await useUpSends(owner, { from: OFFICE })
    const admin = await forecourt.as('northgate.admin', 'Northgate Ford')
    await admin.call(secondFactor.reset, { id })
    const [mail] = (await mailsTo(forecourt, { id })).slice(-1)
    expect(mail?.text).toContain('Your second factor was reset')
    expect((await requestCode(owner, { from: OFFICE })).status).toBe(200)
  })
})

test(
  'codes of an authenticator are entered here, whatever someone elsewhere guesses',
  { tags: 'release' },
  async () => {
    const stranger = await startSignIn(forecourt, APP_USER)
    for (let made = 0; made < 7; made += 1) await enter(stranger, '000000', { from: STRANGER })
    expect((await enter(stranger, await timeCode(), { from: STRANGER })).status).toBe(429)
    const owner = await startSignIn(forecourt, APP_USER)
    expect((await enter(owner, await timeCode(), { from: OFFICE })).status).toBe(200)
  },
)
