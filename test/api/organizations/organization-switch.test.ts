import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { auth } from '#contract/identity/auth.ts'
import { lots } from '#contract/customers/lots/lots.ts'
import { organizations } from '#contract/organizations/organizations.ts'
import { makeCaller, testApp, type Caller, type TestApp } from '#test/app.ts'
import { testOrganization, type TestOrganization } from '#test/factories/test-organization.ts'
import {
  alterSession,
  forkSession,
  openBrowser,
  readClaims,
  readStored,
  sessionIdOf,
} from '#test/factories/identity/sessions.ts'

const IDLE_LIMIT_SECONDS = 1800 + 20 + 60

let forecourt: TestApp
let ford: TestOrganization
let toyota: TestOrganization
let harbor: TestOrganization
let atFord: Caller
beforeAll(async () => {
  forecourt = await testApp()
  ford = await testOrganization(forecourt, 'Northgate Ford')
  toyota = await testOrganization(forecourt, 'Northgate Toyota')
  harbor = await testOrganization(forecourt, 'Harbor Honda')
  atFord = await forecourt.as('northgate.admin', 'Northgate Ford')
})
afterAll(() => forecourt.close())

const newSession = () => forkSession(forecourt, atFord)
async function switched(caller: Caller, { organizationId }: TestOrganization): Promise<Caller> {
  const { accessToken } = await caller.call(auth.changeOrganization, { organizationId })
  return makeCaller(forecourt.app, accessToken)
}

describe('a switch', () => {
  test('returns a token of the same session for the other organization', async () => {
    const before = await newSession()
    const after = await switched(before, toyota)
    expect(readClaims(after.token)).toMatchObject({
      sid: sessionIdOf(before),
      gen: readClaims(before.token).gen + 1,
      organizationId: toyota.organizationId,
      organizationName: 'Northgate Toyota',
    })
  })

  test('determines the organization of new rows', async () => {
    const after = await switched(await newSession(), toyota)
    await expect(after.call(lots.add, { name: 'There', code: 'THERE' })).resolves.toMatchObject({
      organizationId: toyota.organizationId,
    })
  })

  test('accepts the ID as a number too', async () => {
    const answer = await (
      await newSession()
    ).call(auth.changeOrganization, { organizationId: Number(toyota.organizationId) })
    expect(readClaims(answer.accessToken).organizationId).toBe(toyota.organizationId)
  })

  test('lets platform staff into every customer, as themselves', async () => {
    const staff = await forecourt.as('super', 'Harbor Honda')
    expect(readClaims(staff.token)).toMatchObject({
      userName: 'super',
      customerId: harbor.customerId,
      organizationName: 'Harbor Honda',
    })
  })

  test.for([
    ['an organization of another customer', (): string => harbor.organizationId],
    ['an unknown organization', (): string => '999999999'],
    ['none', (): string => '0'],
  ] as const)('to %s is rejected with 404 and changes nothing', async ([, organizationId]) => {
    const caller = await newSession()
    const attempt = caller.call(auth.changeOrganization, { organizationId: organizationId() })
    await expect(attempt).toRefuse(404, 'Organization not found.')
    await expect(caller.call(auth.keepAlive, { idleMs: 0 })).resolves.toMatchObject({
      organizationId: ford.organizationId,
    })
  })

  test('to an organization of the customer without membership is rejected with 404', async () => {
    const dealer = await forecourt.as('northgate.dealer')
    const { organizationId } = toyota
    await expect(dealer.call(auth.changeOrganization, { organizationId })).toRefuse(
      404,
      'Organization not found.',
    )
  })
})

describe('the token before the switch', () => {
  test('can still read for the grace period, in the new organization', async () => {
    const before = await newSession()
    await switched(before, toyota)
    const list = await before.call(organizations.change, {})
    expect(list.find(({ isCurrent }) => isCurrent)?.name).toBe('Northgate Toyota')
  })

  test('cannot write, so that input for one organization is not saved in another', async () => {
    const before = await newSession()
    await switched(before, toyota)
    await expect(before.call(lots.add, { name: 'Astray', code: 'ASTRAY' })).toRefuse(
      409,
      'You have since switched',
    )
  })

  test('is rejected after the grace period', async () => {
    const before = await newSession()
    await switched(before, toyota)
    await alterSession(forecourt, sessionIdOf(before), `rotated_at = rotated_at - interval '31 s'`)
    await expect(before.call(lots.list, {})).toRefuse(401, 'replaced by a newer one')
  })

  test('can sign out', async () => {
    const before = await newSession()
    const after = await switched(before, toyota)
    await before.call(auth.signOut, {})
    await expect(after.call(lots.list, {})).toRefuse(401)
  })
})

describe('the token in the payload', () => {
  const change = (caller: Caller, token: unknown) =>
    caller.send({
      method: 'POST',
      url: auth.changeOrganization.path,
      payload: { organizationId: toyota.organizationId, token },
    })

  test.for([
    ['the string', (token: string) => token],
    ['the stored object', (token: string) => ({ accessToken: token, expiresIn: 1, more: true })],
    ['null', () => null],
  ] as const)('can be the own token: %s', async ([, shape]) => {
    const caller = await newSession()
    expect((await change(caller, shape(caller.token ?? ''))).status).toBe(200)
  })

  test.for([
    ['of another session', async (): Promise<unknown> => (await newSession()).token],
    ['not a token', (): unknown => 'not-a-token'],
    ['made up, in a stored object', (): unknown => ({ accessToken: 'x' })],
  ] as const)('is rejected on its field when it is %s', async ([, token]) => {
    const answer = await change(await newSession(), await token())
    expect(answer.status).toBe(400)
    expect(answer.text).toContain(`"fields":{"token":"This token doesn't belong to your session."}`)
  })
})

describe('keep-alive', () => {
  const AGO = `last_active_at = app_now() - interval '1000 s'`

  test('extends the session of a browser', async () => {
    const { caller, cookie, sessionId } = await openBrowser(forecourt, 'northgate.dealer')
    await alterSession(forecourt, sessionId, AGO)
    await caller.send({
      method: 'POST',
      url: auth.keepAlive.path,
      payload: { idleMs: 0 },
      headers: { cookie },
    })
    expect((await readStored(forecourt, sessionId)).idle_seconds).toBeLessThan(60)
  })

  test('uses the reported idle time, and never moves the last activity back', async () => {
    const { caller, cookie, sessionId } = await openBrowser(forecourt, 'northgate.dealer')
    await alterSession(forecourt, sessionId, AGO)
    const idle: number[] = []
    for (const idleMs of [500_000, 900_000]) {
      await caller.send({
        method: 'POST',
        url: auth.keepAlive.path,
        payload: { idleMs },
        headers: { cookie },
      })
      idle.push(Math.round((await readStored(forecourt, sessionId)).idle_seconds / 100))
    }
    expect(idle).toEqual([5, 5])
  })

  test('does not extend a session that uses only a bearer token', async () => {
    const caller = await newSession()
    await alterSession(forecourt, sessionIdOf(caller), AGO)
    await caller.call(auth.keepAlive, { idleMs: 0 })
    expect((await readStored(forecourt, sessionIdOf(caller))).idle_seconds).toBeGreaterThanOrEqual(1000)
  })

  test('returns the server time and the session limits', async () => {
    const caller = await newSession()
    const state = await caller.call(auth.keepAlive, { idleMs: 0 })
    const [now, idleEnd, end] = [state.serverTime, state.idleEndsAt, state.endsAt].map(Date.parse)
    expect([now, idleEnd, end].toSorted((a = 0, b = 0) => a - b)).toEqual([now, idleEnd, end])
    expect(state).toMatchObject({
      organizationId: ford.organizationId,
      permissionsVersion: expect.stringMatching(/^\d+$/),
    })
  })
})

describe('the end of a session', () => {
  test('signing out ends the session, clears its cookies, and keeps the other sessions of the user', async () => {
    const { caller, cookie } = await openBrowser(forecourt, 'northgate.dealer')
    const other = await forecourt.as('northgate.dealer')
    const answer = await caller.send({ method: 'POST', url: auth.signOut.path, headers: { cookie } })
    const dropped = answer.cookies.map(({ name, value }) => `${name}=${value}`)
    const after = await caller.send({ method: 'GET', url: lots.list.path, headers: { cookie } })
    expect({ status: answer.status, dropped, after: after.status }).toEqual({
      status: 200,
      dropped: ['forecourt-session-test=', 'XSRF-TOKEN=', 'XSRF-TOKEN-test='],
      after: 401,
    })
    await expect(other.call(auth.authFunc, {})).resolves.toMatchObject({ isSuper: false })
  })

  test.for([
    ['revoked', `revoked_at = app_now()`],
    ['expired', `ends_at = app_now()`],
    ['idle', `last_active_at = app_now() - interval '${IDLE_LIMIT_SECONDS + 1} s'`],
  ] as const)('a session that is %s is rejected and cannot be refreshed', async ([, change]) => {
    const caller = await newSession()
    await alterSession(forecourt, sessionIdOf(caller), change)
    await expect(caller.call(auth.authFunc, {})).toRefuse(401)
    await expect(caller.call(auth.refreshToken, caller.token ?? '')).toRefuse(401)
  })

  test('a session just below the idle limit is still valid', async () => {
    const caller = await newSession()
    await alterSession(
      forecourt,
      sessionIdOf(caller),
      `last_active_at = app_now() - interval '${IDLE_LIMIT_SECONDS - 10} s'`,
    )
    await expect(caller.call(auth.authFunc, {})).resolves.toMatchObject({ isSuper: false })
  })

  test('an idle session is revoked by the next request, with the reason', async () => {
    const caller = await newSession()
    const id = sessionIdOf(caller)
    await alterSession(forecourt, id, `last_active_at = app_now() - interval '${IDLE_LIMIT_SECONDS + 1} s'`)
    await expect(caller.call(auth.authFunc, {})).toRefuse(401, 'because of inactivity')
    expect(await readStored(forecourt, id)).toMatchObject({ revoked: true, revoke_reason: 'idle' })
  })
})
