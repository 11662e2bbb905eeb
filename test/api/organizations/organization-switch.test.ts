import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { auth } from '#contract/identity/auth.ts'
import { lots } from '#contract/customers/lots/lots.ts'
import { organizations } from '#contract/organizations/organizations.ts'
import { makeCaller, testApp, type Caller, type TestApp } from '#test/app.ts'
import { placeOf, type Place } from '#test/factories/places.ts'
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
let ford: Place
let toyota: Place
let harbor: Place
let atFord: Caller
beforeAll(async () => {
  forecourt = await testApp()
  ford = await placeOf(forecourt, 'Northgate Ford')
  toyota = await placeOf(forecourt, 'Northgate Toyota')
  harbor = await placeOf(forecourt, 'Harbor Honda')
  atFord = await forecourt.as('northgate.admin', 'Northgate Ford')
})
afterAll(() => forecourt.close())

const newSession = () => forkSession(forecourt, atFord)
async function switched(caller: Caller, { organizationId }: Place): Promise<Caller> {
  const { accessToken } = await caller.call(auth.changeOrganization, { organizationId })
  return makeCaller(forecourt.app, accessToken)
}

describe('a switch', () => {
  test('answers a token of the same session in the other organization', async () => {
    const before = await newSession()
    const after = await switched(before, toyota)
    expect(readClaims(after.token)).toMatchObject({
      sid: sessionIdOf(before),
      gen: readClaims(before.token).gen + 1,
      organizationId: toyota.organizationId,
      organizationName: 'Northgate Toyota',
    })
  })

  test('decides where new rows go', async () => {
    const after = await switched(await newSession(), toyota)
    await expect(after.call(lots.add, { name: 'There', code: 'THERE' })).resolves.toMatchObject({
      organizationId: toyota.organizationId,
    })
  })

  test('takes the number as a number too', async () => {
    const answer = await (
      await newSession()
    ).call(auth.changeOrganization, { organizationId: Number(toyota.organizationId) })
    expect(readClaims(answer.accessToken).organizationId).toBe(toyota.organizationId)
  })

  test('lets platform staff into every customer, as themselves', async () => {
    const helper = await forecourt.as('super', 'Harbor Honda')
    expect(readClaims(helper.token)).toMatchObject({
      userName: 'super',
      customerId: harbor.customerId,
      organizationName: 'Harbor Honda',
    })
  })

  test.for([
    ['an organization of another customer', (): string => harbor.organizationId],
    ['an unknown organization', (): string => '999999999'],
    ['none', (): string => '0'],
  ] as const)('to %s is refused with 404 and moves nothing', async ([, organizationId]) => {
    const caller = await newSession()
    const attempt = caller.call(auth.changeOrganization, { organizationId: organizationId() })
    await expect(attempt).toRefuse(404, 'Organization not found.')
    await expect(caller.call(auth.keepAlive, { idleMs: 0 })).resolves.toMatchObject({
      organizationId: ford.organizationId,
    })
  })

  test('to a sister organization one does not belong to is refused with 404', async () => {
    const dealer = await forecourt.as('northgate.dealer')
    const { organizationId } = toyota
    await expect(dealer.call(auth.changeOrganization, { organizationId })).toRefuse(
      404,
      'Organization not found.',
    )
  })
})

describe('the token before the switch', () => {
  test('still reads for a moment, and what it reads is of the new organization', async () => {
    const before = await newSession()
    await switched(before, toyota)
    const list = await before.call(organizations.change, {})
    expect(list.find(({ isCurrent }) => isCurrent)?.name).toBe('Northgate Toyota')
  })

  test('may not write: what was typed for one organization must not land in another', async () => {
    const before = await newSession()
    await switched(before, toyota)
    await expect(before.call(lots.add, { name: 'Astray', code: 'ASTRAY' })).toRefuse(409, 'You switched')
  })

  test('is out after the grace', async () => {
    const before = await newSession()
    await switched(before, toyota)
    await alterSession(forecourt, sessionIdOf(before), `rotated_at = rotated_at - interval '31 s'`)
    await expect(before.call(lots.list, {})).toRefuse(401, 'replaced by a newer one')
  })

  test('may sign out', async () => {
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
  ] as const)('may be one’s own: %s', async ([, shape]) => {
    const caller = await newSession()
    expect((await change(caller, shape(caller.token ?? ''))).status).toBe(200)
  })

  test.for([
    ['of another session', async (): Promise<unknown> => (await newSession()).token],
    ['of nobody', (): unknown => 'not-a-token'],
    ['made up, in a stored object', (): unknown => ({ accessToken: 'x' })],
  ] as const)('is refused on its field when it is %s', async ([, token]) => {
    const answer = await change(await newSession(), await token())
    expect(answer.status).toBe(400)
    expect(answer.text).toContain('"fields":{"token":"This token does not belong to your session."}')
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

  test('believes how long the person was away, and never moves activity back', async () => {
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

  test('does not extend a session that lives on its bearer alone', async () => {
    const caller = await newSession()
    await alterSession(forecourt, sessionIdOf(caller), AGO)
    await caller.call(auth.keepAlive, { idleMs: 0 })
    expect((await readStored(forecourt, sessionIdOf(caller))).idle_seconds).toBeGreaterThanOrEqual(1000)
  })

  test('says what the server counts with', async () => {
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
  test('signing out ends it at once, drops the cookies, and leaves the person’s other sessions alone', async () => {
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
    ['over', `ends_at = app_now()`],
    ['idle', `last_active_at = app_now() - interval '${IDLE_LIMIT_SECONDS + 1} s'`],
  ] as const)('a session that is %s lets nobody in and gives no successor', async ([, change]) => {
    const caller = await newSession()
    await alterSession(forecourt, sessionIdOf(caller), change)
    await expect(caller.call(auth.authFunc, {})).toRefuse(401)
    await expect(caller.call(auth.refreshToken, caller.token ?? '')).toRefuse(401)
  })

  test('a session that is nearly idle is still there', async () => {
    const caller = await newSession()
    await alterSession(
      forecourt,
      sessionIdOf(caller),
      `last_active_at = app_now() - interval '${IDLE_LIMIT_SECONDS - 10} s'`,
    )
    await expect(caller.call(auth.authFunc, {})).resolves.toMatchObject({ isSuper: false })
  })

  test('an idle session is revoked by the request that finds it, and says why', async () => {
    const caller = await newSession()
    const id = sessionIdOf(caller)
    await alterSession(forecourt, id, `last_active_at = app_now() - interval '${IDLE_LIMIT_SECONDS + 1} s'`)
    await expect(caller.call(auth.authFunc, {})).toRefuse(401, 'without activity')
    expect(await readStored(forecourt, id)).toMatchObject({ revoked: true, revoke_reason: 'idle' })
  })
})
