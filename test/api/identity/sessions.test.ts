import { afterAll, beforeAll, expect, test } from 'vitest'
import { auth } from '#contract/identity/auth.ts'
import { impersonation } from '#contract/identity/impersonation/impersonation.ts'
import { sessions } from '#contract/identity/sessions/sessions.ts'
import { users } from '#contract/identity/users/users.ts'
import { makeCaller, testApp, type Caller, type TestApp } from '#test/app.ts'
import { eventsOf } from '#test/factories/mail/mails.ts'
import { fresh, testOrganization, type TestOrganization } from '#test/factories/test-organization.ts'
import {
  alterSession,
  type Browser,
  forkSession,
  openBrowser,
  sessionIdOf,
} from '#test/factories/identity/sessions.ts'

let forecourt: TestApp
let ford: TestOrganization
let admin: Caller
beforeAll(async () => {
  forecourt = await testApp()
  ford = await testOrganization(forecourt, 'Northgate Ford')
  admin = await forecourt.as('northgate.admin', 'Northgate Ford')
})
afterAll(() => forecourt.close())

async function createUser(userType = 'Dealer user'): Promise<{ id: string; userName: string }> {
  const userName = fresh('signed.in').replace(' ', '.')
  return { id: await ford.addMember({ userName, userType }), userName }
}

test('users see only their own sessions, most recent first, with device and address', async () => {
  const { userName } = await createUser()
  const first = await forecourt.as(userName)
  const second = await forecourt.as(userName)
  await alterSession(
    forecourt,
    sessionIdOf(second),
    `user_agent = 'Mozilla/5.0 (X11; Linux x86_64; rv:144.0) Gecko/20100101 Firefox/144.0', last_active_at = app_now() - interval '5 min'`,
  )
  const list = await first.call(sessions.own, {})
  expect(list.map(({ id, isCurrent, device }) => ({ id, isCurrent, device }))).toEqual([
    { id: sessionIdOf(first), isCurrent: true, device: 'lightMyRequest' },
    { id: sessionIdOf(second), isCurrent: false, device: 'Firefox on Linux' },
  ])
  expect(list[0]).toMatchObject({ ip: '127.0.0.1', by: null, as: null, isViewOnly: false })
})

test('expired, revoked and idle sessions are not listed, remembered ones are', async () => {
  const { userName } = await createUser()
  const own = await forecourt.as(userName)
  const [over, revoked, idle] = await Promise.all(
    [own, own, own].map((caller) => forkSession(forecourt, caller)),
  )
  const remembered = await openBrowser(forecourt, userName, { isRemember: true })
  const ago = `last_active_at = app_now() - interval '1 hour'`
  await alterSession(forecourt, sessionIdOf(over ?? own), `ends_at = app_now() - interval '1 s'`)
  await alterSession(forecourt, sessionIdOf(revoked ?? own), 'revoked_at = app_now()')
  await alterSession(forecourt, sessionIdOf(idle ?? own), ago)
  await alterSession(forecourt, remembered.sessionId, ago)
  const list = await own.call(sessions.own, {})
  expect(list.map(({ id }) => id)).toEqual([sessionIdOf(own), remembered.sessionId])
})

test('users can end one of their own sessions, but not those of others', async () => {
  const user = await createUser()
  const own = await forecourt.as(user.userName)
  const other = await forecourt.as(user.userName)
  const stranger = await forecourt.as('northgate.dealer')
  await expect(stranger.call(sessions.end, { id: sessionIdOf(other) })).toRefuse(404, 'Session not found.')
  await own.call(sessions.end, { id: sessionIdOf(other) })
  await expect(other.call(auth.me, {})).toRefuse(401)
  await expect(own.call(sessions.end, { id: sessionIdOf(other) })).toRefuse(404)
  await expect(own.call(auth.me, {})).resolves.toBeDefined()
  expect(await eventsOf(forecourt, user)).toContain('ended a session')
})

test('signing out everywhere ends this session too, unless only the others are chosen', async () => {
  const { userName } = await createUser()
  const [own, other, third] = [
    await forecourt.as(userName),
    await forecourt.as(userName),
    await forecourt.as(userName),
  ]
  await own.call(sessions.endAll, { which: 'all', openedBefore: '2020-01-01T00:00:00Z' })
  await expect(other.call(auth.me, {})).resolves.toBeDefined()
  await own.call(sessions.endAll, { which: 'others' })
  await expect(other.call(auth.me, {})).toRefuse(401)
  await expect(third.call(auth.me, {})).toRefuse(401)
  await own.call(sessions.endAll, { which: 'all' })
  await expect(own.call(auth.me, {})).toRefuse(401)
})

test('an administrator sees the sessions of a user and can end one or all', async () => {
  const user = await createUser()
  const [one, two] = [await forecourt.as(user.userName), await forecourt.as(user.userName)]
  const list = await admin.call(sessions.ofPerson, { id: user.id })
  expect(list.map(({ id }) => id).toSorted()).toEqual([sessionIdOf(one), sessionIdOf(two)].toSorted())
  expect(list.some(({ isCurrent }) => isCurrent)).toBe(false)
  await admin.call(sessions.endOfUser, { id: user.id, sessionId: sessionIdOf(one) })
  await expect(one.call(auth.me, {})).toRefuse(401)
  await expect(two.call(auth.me, {})).resolves.toBeDefined()
  await admin.call(sessions.endSessionsOfUser, { id: user.id })
  await expect(two.call(auth.me, {})).toRefuse(401)
  expect(await eventsOf(forecourt, user)).toEqual([
    expect.stringMatching(/^ended a session of \S+ \S+/),
    expect.stringMatching(/^signed out \S+ \S+.* everywhere$/),
  ])
})

test('the browser of a session that was ended is told why, and no one without its cookie', async () => {
  const user = await createUser()
  const renew = (browser: Browser, cookie = browser.cookie) =>
    forecourt.anonymous.send({
      method: 'POST',
      url: auth.refreshToken.path,
      payload: { token: browser.token },
      headers: { cookie },
    })
  const one = await openBrowser(forecourt, user.userName)
  await admin.call(sessions.endSessionsOfUser, { id: user.id })
  expect((await renew(one)).text).toContain('An administrator ended your session.')
  const two = await openBrowser(forecourt, user.userName)
  await admin.call(users.update, { user: { id: user.id, isActive: false } })
  expect((await renew(two)).text).toContain('Your access was deactivated.')
  expect((await renew(two, '')).text).toContain('Your session has ended. Sign in again.')
})

test('a session can only be ended under the user it belongs to', async () => {
  const user = await createUser()
  const other = await forecourt.as('northgate.dealer')
  await expect(admin.call(sessions.endOfUser, { id: user.id, sessionId: sessionIdOf(other) })).toRefuse(
    404,
    'Session not found.',
  )
})

test('sessions of others require function 41, and cannot be ended for a user with more permissions', async () => {
  const user = await createUser()
  const dealer = await forecourt.as('northgate.dealer')
  await expect(dealer.call(sessions.ofPerson, { id: user.id })).toRefuse(403, '(41, 1)')
  await expect(dealer.call(sessions.endSessionsOfUser, { id: user.id })).toRefuse(403, '(41, 5)')
  const userType = await ford.addUserType()
  await forecourt.owner.query(
    `insert into user_type_permissions (customer_id, user_type_id, func, opr)
    select $1, $2, 41, opr from unnest('{1,5}'::int[]) opr`,
    [ford.customerId, userType],
  )
  const helper = await createUser()
  await forecourt.owner.query('update users set user_type_id = $2 where id = $1', [helper.id, userType])
  const keeper = await forecourt.as(helper.userName)
  await expect(keeper.call(sessions.ofPerson, { id: user.id })).resolves.toBeDefined()
  await expect(keeper.call(sessions.endSessionsOfUser, { id: user.id })).toRefuse(
    403,
    "They have permissions you don't have",
  )
})

test('an impersonation is listed for the user by name only, and they can end it', async () => {
  const user = await createUser()
  const staff = await forecourt.as('super', 'Northgate Ford')
  const { accessToken } = await staff.call(impersonation.impersonate, { userId: user.id, mode: 'view' })
  const impersonated = makeCaller(forecourt.app, accessToken)
  const own = await forecourt.as(user.userName)
  const seen = (await own.call(sessions.own, {})).find(({ by }) => by !== null)
  expect(seen).toMatchObject({ by: 'Robin Hale', device: null, ip: null, isViewOnly: true, isCurrent: false })
  await own.call(sessions.end, { id: seen?.id ?? '' })
  await expect(impersonated.call(auth.me, {})).toRefuse(401)
})

test('sessions cannot be listed or ended while impersonating', async () => {
  const staff = await forecourt.as('super', 'Northgate Ford')
  const user = await createUser('Customer administrator')
  const { accessToken } = await staff.call(impersonation.impersonate, { userId: user.id })
  const impersonated = makeCaller(forecourt.app, accessToken)
  const REFUSAL = "You can't do this while impersonating a user."
  await expect(impersonated.call(sessions.own, {})).toRefuse(403, REFUSAL)
  await expect(impersonated.call(sessions.endAll, { which: 'all' })).toRefuse(403, REFUSAL)
  await expect(impersonated.call(sessions.endSessionsOfUser, { id: user.id })).toRefuse(403, REFUSAL)
})
