import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import type { Claims, Token } from '#contract/identity/sessions/session.ts'
import { lots } from '#contract/customers/lots/lots.ts'
import { auth } from '#contract/identity/auth.ts'
import { call, connectClient } from '#web/api/client.ts'
import { drafts } from './drafts.ts'
import { Session, type SessionEvent } from './session.ts'
import { KEYS, storeToken } from './store.ts'
import { makeToken } from './token.fixture.ts'

type SentRequest = {
  path: string
  bearer: string
  answer: (status: number, data?: unknown, message?: string | null) => void
}

const REFRESH = auth.refreshToken.path
const SIGN_OUT = auth.signOut.path
const WRITE = lots.add.path
const FORD = { organizationId: '7' }
const TOYOTA = { organizationId: '8', organizationName: 'Northgate Toyota' }
const NOWHERE = { organizationId: '0', organizationName: '' }
const OTHER_USER = { userId: '11', impersonateUserId: '11' }

let session: Session
let sent: SentRequest[]
let events: SessionEvent[]
let storage: ReturnType<typeof makeStorage>
let tell: (key: string) => void

/** Like the browser's storage: stored items are own keys. */
function makeStorage() {
  const methods = {
    getItem: (key: string) => entries[key] ?? null,
    setItem: (key: string, value: string) => void (entries[key] = value),
    removeItem: (key: string) => void delete entries[key],
  }
  const entries: Record<string, string> = Object.create(methods)
  return entries
}

function token(claims: Partial<Claims>): Token {
  return { accessToken: makeToken(claims), expiresIn: 1800, tokenType: 'Bearer' }
}

const PATIENCE = { timeout: 10_000 }
/** The calls to a path so far; waits for the first of them. */
async function callsTo(path: string, count = 1): Promise<SentRequest[]> {
  await vi.waitFor(() => expect(bearersOf(path).length).toBeGreaterThanOrEqual(count), PATIENCE)
  return sent.filter((one) => one.path === path)
}

function bearersOf(path: string): string[] {
  return sent.filter((one) => one.path === path).map((one) => one.bearer)
}

async function answerNext(
  path: string,
  status: number,
  data: unknown = null,
  message: string | null = null,
): Promise<void> {
  const last = (await callsTo(path)).at(-1)
  last?.answer(status, data, message)
}

/** Lets everything settle that can without another response. Turns are counted, as time may pass without any. */
const settle = async () => {
  for (let turn = 0; turn < 100; turn += 1) await new Promise((done) => setTimeout(done, 0))
}

/** A write that is rejected because its token has expired. Returns the promise of its final status. */
async function write(): Promise<{ status: Promise<unknown> }> {
  const status = call(lots.add, { code: 'A', name: 'B' }).then(
    () => 200,
    (failure: unknown) => failure,
  )
  await answerNext(WRITE, 401)
  return { status }
}

function begin(claims: Partial<Claims> = FORD): Token {
  const begun = token(claims)
  session.begin(begun, { isRemember: false })
  return begun
}

beforeEach(() => {
  sent = []
  events = []
  storage = makeStorage()
  const listeners = new Map<string, (event: { key: string }) => void>()
  vi.stubGlobal('localStorage', storage)
  vi.stubGlobal('navigator', {})
  vi.stubGlobal('document', { cookie: '', addEventListener: () => {}, removeEventListener: () => {} })
  vi.stubGlobal('window', {
    addEventListener: (kind: string, on: (event: { key: string }) => void) => listeners.set(kind, on),
  })
  vi.stubGlobal('fetch', (path: string, init: RequestInit) => {
    const bearer = new Headers(init.headers).get('authorization')?.replace('Bearer ', '') ?? ''
    return new Promise<Response>((done) => {
      const answer = (status: number, data: unknown = null, message: string | null = null) =>
        done(Response.json({ status: status === 200, data, message }, { status }))
      sent.push({ path, bearer, answer })
    })
  })
  session = new Session({ idleSeconds: 1800, warningSeconds: 20 })
  session.listen((event) => events.push(event))
  tell = (key) => listeners.get('storage')?.({ key })
  connectClient({
    installId: '',
    bearer: () => session.accessToken,
    renew: session.renew,
    recheck: session.recheck,
    end: session.expire,
  })
})
afterEach(async () => {
  session.expire()
  for (const one of sent) one.answer(503)
  await settle()
  vi.useRealTimers()
  vi.unstubAllGlobals()
})

describe('a write rejected with 401', () => {
  test('is retried with the successor of its token', async () => {
    const first = begin()
    const { status } = await write()
    const second = token({ ...FORD, gen: 2 })
    await answerNext(REFRESH, 200, second)
    await callsTo(WRITE, 2)
    await answerNext(WRITE, 200, { id: '1' })
    await status
    expect(bearersOf(WRITE)).toEqual([first.accessToken, second.accessToken])
    expect(events).toEqual([])
  })

  test.for([
    ['organization', TOYOTA],
    ['user', OTHER_USER],
  ] as const)('is not retried with the token of another %s from another tab', async ([, claims]) => {
    const first = begin()
    const theirs = storeToken(token(claims))
    const { status } = await write()
    expect(await status).toMatchObject({ status: 401 })
    await settle()
    expect(bearersOf(WRITE)).toEqual([first.accessToken])
    expect(session.accessToken).toBe(theirs.accessToken)
    expect(session.view().claims).toMatchObject(claims)
    expect(events).toEqual([{ kind: 'switched' }])
  })

  test('is not retried with a successor for another organization', async () => {
    const first = begin()
    storage[KEYS.permissions] = JSON.stringify({ isSuper: true, permissions: [] })
    const { status } = await write()
    await answerNext(REFRESH, 200, token(TOYOTA))
    expect(await status).toMatchObject({ status: 401 })
    expect(bearersOf(WRITE)).toEqual([first.accessToken])
    expect(session.view()).toMatchObject({ claims: TOYOTA, permissions: null })
    expect(events).toEqual([{ kind: 'switched' }])
  })

  test('is not retried after a switch in this tab', async () => {
    const first = begin()
    const writing = call(lots.add, { code: 'A', name: 'B' }).catch((failure: unknown) => failure)
    await callsTo(WRITE)
    session.switchOrganization(token(TOYOTA))
    await answerNext(WRITE, 401)
    expect(await writing).toMatchObject({ status: 401 })
    expect(bearersOf(WRITE)).toEqual([first.accessToken])
    expect(session.view().claims).toMatchObject(TOYOTA)
  })

  test('twice does not end a session that started in between', async () => {
    begin()
    const { status } = await write()
    await answerNext(REFRESH, 200, token({ ...FORD, gen: 2 }))
    await callsTo(WRITE, 2)
    session.switchOrganization(token(TOYOTA))
    await answerNext(WRITE, 401)
    expect(await status).toMatchObject({ status: 401 })
    expect(session.view().claims).toMatchObject(TOYOTA)
  })
})

describe('a late refresh response', () => {
  const LATE = [
    ['a successor', 200, token({ ...FORD, gen: 2 })],
    ['a refusal', 401, null],
  ] as const

  test.for(LATE)('does not undo a sign-out in this tab: %s', async ([, status, data]) => {
    begin()
    void session.renew(session.accessToken)
    await callsTo(REFRESH)
    void session.logout()
    await answerNext(REFRESH, status, data)
    await settle()
    expect(session.accessToken).toBe('')
    expect(Object.keys(storage)).toEqual([])
    expect(events).toEqual([{ kind: 'ended', isAsked: true }])
  })

  test.for(LATE)('does not undo a sign-out in another tab before its event arrives: %s', async (late) => {
    const [, status, data] = late
    begin()
    void session.renew(session.accessToken)
    await callsTo(REFRESH)
    for (const key of Object.keys(storage)) delete storage[key]
    await answerNext(REFRESH, status, data)
    await settle()
    tell(KEYS.token)
    expect(session.accessToken).toBe('')
    expect(Object.keys(storage)).toEqual([])
    expect(events).toEqual([{ kind: 'ended', isAsked: false }])
  })

  test.for(LATE)('does not undo a switch in this tab: %s', async ([, status, data]) => {
    begin()
    void session.renew(session.accessToken)
    await callsTo(REFRESH)
    const switched = token(TOYOTA)
    session.switchOrganization(switched)
    await answerNext(REFRESH, status, data)
    await settle()
    expect(session.accessToken).toBe(switched.accessToken)
    expect(storage[KEYS.token]).toContain(switched.accessToken)
    expect(events).toEqual([])
  })

  test.for(LATE)('does not undo a switch in another tab before its event arrives: %s', async (late) => {
    const [, status, data] = late
    begin()
    void session.renew(session.accessToken)
    await callsTo(REFRESH)
    const theirs = storeToken(token(TOYOTA))
    await answerNext(REFRESH, status, data)
    await settle()
    tell(KEYS.token)
    expect(session.accessToken).toBe(theirs.accessToken)
    expect(storage[KEYS.token]).toContain(theirs.accessToken)
    expect(events).toEqual([{ kind: 'switched' }])
  })

  test('does not restore a remembered session that was signed out during start', async () => {
    storage[KEYS.isRemember] = 'true'
    const started = session.start()
    await callsTo(REFRESH)
    delete storage[KEYS.isRemember]
    await answerNext(REFRESH, 200, token(FORD))
    expect(await started).toBeNull()
    expect(session.view().claims).toBeNull()
    expect(Object.keys(storage)).toEqual([])
  })
})

test('a remembered session starts with the response and emits no switch event', async () => {
  storage[KEYS.isRemember] = 'true'
  storeToken(token({ ...FORD, exp: 1 }))
  const started = session.start()
  await answerNext(REFRESH, 200, token(TOYOTA))
  await started
  expect(session.view().claims).toMatchObject(TOYOTA)
  expect(events).toEqual([])
})

test('start signs in a verified user at once, then fetches permissions and stores the refreshed token', async () => {
  storeToken(token(FORD))
  await session.start()
  expect(session.view()).toMatchObject({ claims: FORD, permissions: null })
  const rights = { isSuper: false, permissions: [{ func: 8, opr: 1 }] }
  await answerNext(auth.authFunc.path, 200, rights)
  const next = token({ ...FORD, gen: 2 })
  await answerNext(REFRESH, 200, next)
  await vi.waitFor(() => expect(storage[KEYS.token]).toContain(next.accessToken), PATIENCE)
  expect(session.view().permissions).toEqual(rights)
})

describe('permissions that were changed', () => {
  const RIGHTS = { isSuper: false, permissions: [{ func: 8, opr: 1 }] }
  const MORE = { isSuper: false, permissions: [{ func: 2, opr: 1 }] }
  const startSession = async () => {
    storeToken(token(FORD))
    await session.start()
    await answerNext(auth.authFunc.path, 200, RIGHTS)
    await vi.waitFor(() => expect(session.view().permissions).toEqual(RIGHTS), PATIENCE)
  }

  test('before the first keepalive are read after it', async () => {
    await startSession()
    await answerNext(auth.keepAlive.path, 200, {
      serverTime: '2026-11-18T15:00:00Z',
      idleEndsAt: '2026-11-18T15:30:00Z',
      endsAt: '2026-11-19T15:00:00Z',
      organizationId: '7',
      permissionsVersion: '2',
    })
    const calls = await callsTo(auth.authFunc.path, 2)
    calls.at(-1)?.answer(200, MORE)
    await vi.waitFor(() => expect(session.view().permissions).toEqual(MORE), PATIENCE)
  })

  test('are read after a call was refused, and stay the same object if they are the same', async () => {
    await startSession()
    const before = session.view().permissions
    const refused = call(lots.list, {}).catch(() => null)
    await answerNext(lots.list.path, 403)
    await refused
    const calls = await callsTo(auth.authFunc.path, 2)
    calls.at(-1)?.answer(200, RIGHTS)
    await settle()
    expect(session.view().permissions).toBe(before)
  })
})

describe('an organization that was taken away', () => {
  const NONE = { isSuper: false, permissions: [] }
  const stateIn = (organizationId: string) => ({
    serverTime: '2026-11-18T15:00:00Z',
    idleEndsAt: '2026-11-18T15:30:00Z',
    endsAt: '2026-11-19T15:00:00Z',
    organizationId,
    permissionsVersion: '2',
  })

  test.for([
    ['0', true],
    ['7', false],
  ] as const)('is told apart from missing permissions: %s', async ([organizationId, isRemoved]) => {
    begin()
    await answerNext(auth.authFunc.path, 200, NONE)
    for (const one of await callsTo(auth.keepAlive.path, 2)) one.answer(200, stateIn(organizationId))
    await vi.waitFor(() => expect(session.view().permissions).toEqual(NONE), PATIENCE)
    expect(session.view().isRemoved).toBe(isRemoved)
  })

  test('is named when the token has no organization any longer', async () => {
    storeToken(token(FORD))
    await session.start()
    await answerNext(REFRESH, 200, token({ ...FORD, ...NOWHERE, gen: 2 }))
    await vi.waitFor(() => expect(events).toEqual([{ kind: 'switched', lost: 'Northgate Ford' }]), PATIENCE)
  })
})

test('start signs out if the refresh is rejected, and stores nothing', async () => {
  storeToken(token(FORD))
  await session.start()
  await answerNext(REFRESH, 401)
  await settle()
  expect([session.accessToken, ...Object.keys(storage)]).toEqual([''])
})

describe('a session ended elsewhere', () => {
  const draft = Symbol('draft')
  beforeEach(() => void drafts.set(draft, () => {}))
  afterEach(() => void drafts.delete(draft))

  /** A write that is rejected, with its refresh. */
  async function interrupted(claims: Partial<Claims> = FORD) {
    begin(claims)
    const { status } = await write()
    await answerNext(REFRESH, 401)
    await settle()
    return { status }
  }

  test('waits if there are unsaved changes, and retries the write when the same user signs in again', async () => {
    const { status } = await interrupted()
    expect(session.view()).toMatchObject({ isInterrupted: true, claims: FORD })
    const next = token({ ...FORD, sid: 's2' })
    session.resume(next)
    await callsTo(WRITE, 2)
    await answerNext(WRITE, 200, { id: '1' })
    await status
    expect(bearersOf(WRITE).at(-1)).toBe(next.accessToken)
    expect([session.view().isInterrupted, events]).toEqual([false, []])
  })

  test.for([
    ['another user', { ...FORD, ...OTHER_USER }, {}],
    ['the same user in another organization', TOYOTA, {}],
    ['the same user without the organization', NOWHERE, { lost: 'Northgate Ford' }],
  ] as const)('discards the changes for %s', async ([, claims, more]) => {
    const { status } = await interrupted()
    session.resume(token({ ...claims, sid: 's2' }))
    await expect(status).resolves.toMatchObject({ status: 401 })
    expect(bearersOf(WRITE)).toHaveLength(1)
    expect([session.view().isInterrupted, events]).toEqual([false, [{ kind: 'switched', ...more }]])
  })

  test('ends while impersonating', async () => {
    await interrupted({ ...FORD, impersonateUserId: '99' })
    expect(events).toEqual([{ kind: 'ended', isAsked: false }])
  })

  test('ends if there are no unsaved changes', async () => {
    drafts.delete(draft)
    await interrupted()
    expect(events).toEqual([{ kind: 'ended', isAsked: false }])
  })

  test('says why, if the server does', async () => {
    drafts.delete(draft)
    begin()
    await write()
    await answerNext(REFRESH, 401, null, 'An administrator ended your session.')
    await settle()
    expect(events).toEqual([{ kind: 'ended', isAsked: false, why: 'An administrator ended your session.' }])
  })

  test('ends when the user leaves', async () => {
    const { status } = await interrupted()
    session.expire()
    await expect(status).resolves.toMatchObject({ status: 401 })
    expect(events).toEqual([{ kind: 'ended', isAsked: false }])
  })

  test('follows another tab: an outside end interrupts, a requested sign-out ends the session', async () => {
    begin()
    tell(KEYS.ended)
    delete storage[KEYS.token]
    tell(KEYS.token)
    expect(session.view().isInterrupted).toBe(true)
    session.resume(token({ ...FORD, sid: 's2' }))
    delete storage[KEYS.token]
    tell(KEYS.token)
    expect(events).toEqual([{ kind: 'ended', isAsked: false }])
  })
})

describe('a switch in another tab', () => {
  const draft = Symbol('draft')
  beforeEach(() => void drafts.set(draft, () => {}))
  afterEach(() => void drafts.delete(draft))

  function switchElsewhere() {
    begin(FORD)
    const theirs = storeToken(token({ ...FORD, ...TOYOTA }))
    tell(KEYS.token)
    return theirs
  }

  test('waits for a decision while there are unsaved changes', () => {
    const theirs = switchElsewhere()
    expect(session.view()).toMatchObject({ switchedTo: 'Northgate Toyota', claims: FORD })
    expect([session.accessToken === theirs.accessToken, events]).toEqual([false, []])
    session.followSwitch()
    expect(session.view()).toMatchObject({ switchedTo: null, claims: TOYOTA })
    expect(events).toEqual([{ kind: 'switched' }])
  })

  test('is taken back with a token of the organization before', async () => {
    switchElsewhere()
    const returning = session.returnToOrganization()
    await answerNext(auth.changeOrganization.path, 200, token({ ...FORD, sid: 's2' }))
    await returning
    expect(session.view()).toMatchObject({ switchedTo: null, claims: FORD })
    expect([events, drafts.size]).toEqual([[], 1])
  })

  test('of another user does not wait', () => {
    begin(FORD)
    storeToken(token({ ...FORD, ...OTHER_USER }))
    tell(KEYS.token)
    expect(events).toEqual([{ kind: 'switched' }])
  })
})

describe('the sign-out call', () => {
  const signIn = () => call(auth.signIn, { username: 'a', password: 'b' })

  test('is not retried with the next session after a 401', async () => {
    const first = begin()
    const leaving = session.logout()
    await callsTo(SIGN_OUT)
    // The same user signs in again in another tab. Any other call would be retried with this token.
    const next = storeToken(token({ ...FORD, sid: 's2' }))
    tell(KEYS.token)
    await answerNext(SIGN_OUT, 401)
    await settle()
    expect(bearersOf(SIGN_OUT)).toEqual([first.accessToken])
    expect(bearersOf(REFRESH)).toEqual([])
    expect(session.accessToken).toBe(next.accessToken)
    await leaving
  })

  test('is sent at the idle timeout, and signing in waits for its response', async () => {
    vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] })
    const first = begin()
    storage[KEYS.activity] = '1'
    vi.advanceTimersByTime(1_000)
    expect(events).toEqual([{ kind: 'ended', isAsked: false }])
    const signingIn = signIn()
    await callsTo(SIGN_OUT)
    await settle()
    expect(bearersOf(SIGN_OUT)).toEqual([first.accessToken])
    expect(bearersOf(auth.signIn.path)).toEqual([])
    await answerNext(SIGN_OUT, 200)
    await answerNext(auth.signIn.path, 200, token(OTHER_USER))
    expect(await signingIn).toEqual(token(OTHER_USER))
  })

  test('is aborted after delaying sign-in for 3 seconds without a response', async () => {
    begin()
    const cut = vi.spyOn(AbortController.prototype, 'abort')
    void session.logout()
    await callsTo(SIGN_OUT)
    cut.mockClear()
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
    const signingIn = signIn().catch(() => null)
    await vi.advanceTimersByTimeAsync(2_900)
    expect(bearersOf(auth.signIn.path)).toEqual([])
    expect(cut).not.toHaveBeenCalled()
    await vi.advanceTimersByTimeAsync(200)
    expect(bearersOf(auth.signIn.path)).toHaveLength(1)
    expect(cut).toHaveBeenCalledOnce()
    vi.useRealTimers()
    cut.mockRestore()
    await answerNext(auth.signIn.path, 503)
    await signingIn
  })
})
