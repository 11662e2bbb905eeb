import { execFile } from 'node:child_process'
import { resolve } from 'node:path'
import { promisify } from 'node:util'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { auth } from '#contract/identity/auth.ts'
import { secondFactor } from '#contract/identity/second-factor/second-factor.ts'
import { resetOnServer } from '#server/admin-reset.ts'
import { testApp, type TestApp } from '#test/app.ts'
import { makeHome, settingsFor } from '#test/factories/installation/backups.ts'
import { freshDatabase, type TestDatabase } from '#test/engine/database.ts'
import { idOf, startSignIn, verifyIn } from '#test/factories/identity/second-factor.ts'
import { eventsOf } from '#test/factories/mail/mails.ts'
import { readClaims } from '#test/factories/identity/sessions.ts'
import { timeCode } from '#test/factories/identity/time-code.ts'
import { urlOf } from '#test/harness/whole-database.ts'
import { TEST_SECRET } from '#test/harness/secrets.ts'

const NEW_PASSWORD = 'Regained7!'
const command = resolve(import.meta.dirname, '../../../src/server/admin-reset-command.ts')

let database: TestDatabase
let forecourt: TestApp
let home = ''
let remove: () => Promise<void>
beforeAll(async () => {
  database = await freshDatabase()
  forecourt = await testApp({}, { database })
  const made = await makeHome()
  home = made.home
  remove = made.remove
})
afterAll(async () => {
  await forecourt.close()
  await remove()
})

const reset = (userName: string, removesFactors = false) =>
  resetOnServer(settingsFor(database, home), { userName, removesFactors, say: () => {} })
const run = (...args: string[]) =>
  promisify(execFile)(process.execPath, [command, ...args], {
    env: {
      ...process.env,
      FORECOURT_HOME: home,
      DATABASE_URL: urlOf(database.login),
      DATABASE_OWNER_URL: urlOf(database.connection),
      FORECOURT_SECRET: TEST_SECRET,
      PUBLIC_URL: 'http://localhost:9000',
    },
  })
const setPassword = (secret: string) =>
  forecourt.anonymous.call(auth.resetPassword, { resetValue: secret, password: NEW_PASSWORD })
const signIn = (username: string, password: string) =>
  forecourt.anonymous.call(auth.signIn, { username, password })

test('the printed link lets the last super user in once, ends earlier sessions, and is logged', async () => {
  const before = await forecourt.as('super')
  for (let guess = 0; guess < 6; guess += 1) await signIn('super', 'wrong').catch(() => null)
  const { stdout } = await run('super')
  const [, secret = ''] = /^http:\/\/localhost:9000\/auth\/reset-password#(\S+)$/m.exec(stdout) ?? []
  await expect(before.call(auth.me, {})).toRefuse(401)
  await setPassword(secret)
  await expect(setPassword(secret)).toRefuse(400, 'already used')
  const { accessToken } = await signIn('super', NEW_PASSWORD)
  expect(readClaims(accessToken)).toMatchObject({ userName: 'super', isVerified: 'true' })
  const events = await eventsOf(forecourt, { id: await idOf(forecourt, 'super') })
  expect(events).toContain('had their access reset on the server')
})

test('a newer link replaces one that was printed before', async () => {
  const older = await reset('northgate.dealer')
  await reset('NORTHGATE.Dealer')
  await expect(setPassword(older.secret)).toRefuse(400, 'newer')
})

test('the second factor and trusted devices are removed only with the option', async () => {
  const trusted = await verifyIn(forecourt, await startSignIn(forecourt, 'northgate.phone'), {
    otp: await timeCode(),
    isTrust: true,
  })
  expect(trusted.device).not.toBeNull()
  const first = await reset('northgate.phone')
  await setPassword(first.secret)
  const waiting = await signIn('northgate.phone', NEW_PASSWORD)
  expect(readClaims(waiting.accessToken).isVerified).toBe('false')

  const second = await reset('northgate.phone', true)
  expect(second.hadAuthenticator).toBe(true)
  await setPassword(second.secret)
  const caller = await startSignIn(forecourt, 'northgate.phone', NEW_PASSWORD)
  expect(readClaims(caller.token).isVerified).toBe('true')
  expect(await caller.call(secondFactor.own, {})).toMatchObject({
    authenticatorAt: null,
    backupCodesLeft: 0,
    devices: [],
  })
})

test('in a restored copy, the code that is not emailed is printed on the server', async () => {
  const user = 'northgate.desk'
  await expect(run('--code', user)).rejects.toThrow('has no sign-in code')
  await forecourt.owner.query(
    "insert into iam.installation (install_id, key_check_sealed) values ('test', 'x') on conflict do nothing",
  )
  await forecourt.owner.query('update iam.installation set restored_at = app_now()')
  const waiting = await startSignIn(forecourt, user)
  const sent = await waiting.call(secondFactor.sendOtp, { type: 'email' })
  expect(sent).toMatchObject({ isSent: false, failure: expect.stringContaining('restored copy') })
  const { stdout } = await run('--code', user)
  const [, otp = ''] = / with the code (\d{6}) until /.exec(stdout) ?? []
  expect((await verifyIn(forecourt, waiting, { otp })).status).toBe(200)
  expect(await eventsOf(forecourt, { id: await idOf(forecourt, user) })).toContain(
    'had their sign-in code shown on the server',
  )
})

test.for([
  [
    ['nobody.at.all'],
    'There is no user with the user name nobody.at.all. Enter the user name, not the email address. Nothing was changed.',
  ],
  [[], 'Enter one user name: npm run admin:reset -- robin.hale'],
  [['super', 'support'], 'Enter one user name: npm run admin:reset -- robin.hale'],
  [['super', '--all'], 'Unknown option --all. Options: --second-factor, --code.'],
] as const)('%j is rejected with a message, and no link is printed', async ([args, sentence]) => {
  const ended = await run(...args).then(
    () => null,
    (error: unknown) => error,
  )
  expect(ended).toMatchObject({ code: 1, stdout: '', stderr: `${sentence}\n` })
})

test('no link for a deactivated user, a suspended customer, or a demo user when demo sign-in is off', async () => {
  const change = (text: string) => forecourt.owner.query(text)
  await change(`update users set is_active = false where user_name = 'harbor.dealer'`)
  await expect(reset('harbor.dealer')).rejects.toThrow('is deactivated')
  await change(`update users set is_active = true where user_name = 'harbor.dealer'`)
  await change(`update customers set status = 'suspended' where name like 'Harbor%'`)
  await expect(reset('harbor.dealer')).rejects.toThrow('is suspended')
  await change(`update customers set status = 'active' where name like 'Harbor%'`)
  const shut = { ...settingsFor(database, home), demo: false }
  const call = resetOnServer(shut, { userName: 'harbor.dealer', removesFactors: false, say: () => {} })
  await expect(call).rejects.toThrow('is a demo user')
  const { rows } = await forecourt.owner.query(
    `select from iam.password_links l join users u on u.id = l.user_id where u.user_name = 'harbor.dealer'`,
  )
  expect(rows).toEqual([])
})
