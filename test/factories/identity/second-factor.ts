import { auth } from '#contract/identity/auth.ts'
import { secondFactor } from '#contract/identity/second-factor/second-factor.ts'
import { DEMO_PASSWORD } from '../../../demo/world.ts'
import { makeCaller, type Caller, type TestApp } from '#test/app.ts'
import { mailsTo, type SeenMail } from '#test/factories/mail/mails.ts'
import { accessTokenOf } from './sessions.ts'
import { timeCode } from './time-code.ts'

/** A session after the password, waiting for the second factor. */
export async function startSignIn(
  { app, anonymous }: TestApp,
  userName: string,
  password = DEMO_PASSWORD,
): Promise<Caller> {
  const { accessToken } = await anonymous.call(auth.signIn, { username: userName, password })
  return makeCaller(app, accessToken)
}

/** Sets up the authenticator that a new administrator needs where no emails are sent. @returns them, signed in */
export async function setUpFactor({ app }: Pick<TestApp, 'app'>, waiting: Caller): Promise<Caller> {
  const { secret } = await waiting.call(secondFactor.beginSetup, {})
  const { token } = await waiting.call(secondFactor.finishSetup, { otp: await timeCode({ secret }) })
  return makeCaller(app, token.accessToken)
}

export async function idOf({ owner }: TestApp, userName: string): Promise<string> {
  const { rows } = await owner.query<{ id: string }>('select id from users where user_name = $1', [userName])
  return rows[0]?.id ?? ''
}

/** The six-digit code in an email. */
export const codeIn = (mail: SeenMail | undefined): string => /^\d{6}$/m.exec(mail?.text ?? '')?.[0] ?? ''

/** Requests a code and reads it from the email. */
export async function mailedCode(forecourt: TestApp, caller: Caller, userName: string): Promise<string> {
  await caller.call(secondFactor.sendOtp, { type: 'email' })
  const mails = await mailsTo(forecourt, { id: await idOf(forecourt, userName) })
  return codeIn(mails.at(-1))
}

/** A different, wrong code. */
export const otherThan = (code: string): string => String((Number(code) + 1) % 1_000_000).padStart(6, '0')

/** Verifies as a browser does, with cookies. Returns the status and the cookies set. */
export async function verifyIn(
  forecourt: TestApp,
  waiting: Caller,
  { otp, isTrust, cookie }: { otp: string; isTrust?: boolean; cookie?: string },
) {
  const answer = await waiting.send({
    method: 'POST',
    url: '/api/auth/verify-otp',
    payload: { otp, isTrust },
    headers: cookie === undefined ? {} : { cookie },
  })
  const device = answer.cookies.find(({ name }) => name.startsWith('forecourt-device-'))
  return {
    status: answer.status,
    setCookies: [answer.headers['set-cookie']].flat().map(String),
    device: device === undefined ? null : `${device.name}=${device.value}`,
    caller: answer.status === 200 ? makeCaller(forecourt.app, accessTokenOf(answer.text)) : null,
  }
}

/** Signs in on a device with this cookie. */
export async function signInOn(
  { app, anonymous }: TestApp,
  userName: string,
  cookie: string,
): Promise<Caller> {
  const { text } = await anonymous.send({
    method: 'POST',
    url: '/api/auth',
    payload: { username: userName, password: DEMO_PASSWORD },
    headers: { cookie },
  })
  return makeCaller(app, accessTokenOf(text))
}
