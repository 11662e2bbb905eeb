import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import type { Claims, Token } from '#contract/identity/sessions/session.ts'
import { lots } from '#contract/customers/lots/lots.ts'
import { auth } from '#contract/identity/auth.ts'
import { call, connectClient } from '#web/api/client.ts'
import { drafts } from './drafts.ts'
import { Session, type SessionEvent } from './session.ts'
import { KEYS, storeToken } from './store.ts'
import { makeToken } from './token.fixture.ts'

type Sent = { path: string; bearer: string; answer: (status: number, data?: unknown) => void }

const REFRESH = auth.refreshToken.path
const SIGN_OUT = auth.signOut.path
const WRITE = lots.add.path
const FORD = { organizationId: '7' }
const TOYOTA = { organizationId: '8', organizationName: 'Northgate Toyota' }
const OTHER_PERSON = { userId: '11', impersonateUserId: '11' }

let session: Session
let sent: Sent[]
let events: SessionEvent[]
let storage: ReturnType<typeof makeStorage>
let tell: (key: string) => void

/** Like the browser's: what is stored shows among the own keys. */
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
/** The calls to a path that the server has got so far; waits for the first of them. */
async function callsTo(path: string, count = 1): Promise<Sent[]> {
  await vi.waitFor(() => expect(bearersOf(path).length).toBeGreaterThanOrEqual(count), PATIENCE)
  return sent.filter((one) => one.path === path)
}

function bearersOf(path: string): string[] {
  return sent.filter((one) => one.path === path).map((one) => one.bearer)
}

async function answerNext(path: string, status: number, data: unknown = null): Promise<void> {
  const last = (await callsTo(path)).at(-1)
  last?.answer(status, data)
}

/** Lets everything happen that can happen without another answer: turns are counted, as time passes without any. */
const settle = async () => {
  for (let turn = 0; turn < 100; turn += 1) await new Promise((done) => setTimeout(done, 0))
}

/** A write that is refused because its token is over; says with which status it ended. */
async function write(): Promise<{ status: Promise<unknown> }> {
  const status = call(lots.add, { code: 'A', name: 'B' }).then(
    () => 200,
    (failure: unknown) => failure,
  )
  await answerNext(WRITE, 401)
  return { status }
}

function begin(claims: Partial<Claims> = FORD): Token {
  const held = token(claims)
  session.begin(held, { isRemember: false })
  return held
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
      const answer = (status: number, data: unknown = null) =>
        done(Response.json({ status: status === 200, data, message: null }, { status }))
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

describe('a write refused with 401', () => {
  test('is sent again with the successor of its token', async () => {
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
    ['person', OTHER_PERSON],
  ] as const)('is not sent with the token of another %s that another tab stored', async ([, claims]) => {
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

  test('is not sent with a successor of another organization', async () => {
    const first = begin()
    storage[KEYS.permissions] = JSON.stringify({ isSuper: true, permissions: [] })
    const { status } = await write()
    await answerNext(REFRESH, 200, token(TOYOTA))
    expect(await status).toMatchObject({ status: 401 })
    expect(bearersOf(WRITE)).toEqual([first.accessToken])
    expect(session.view()).toMatchObject({ claims: TOYOTA, permissions: null })
    expect(events).toEqual([{ kind: 'switched' }])
  })

  test('is not sent after this tab itself has switched meanwhile', async () => {
    const first = begin()
    const writing = call(lots.add, { code: 'A', name: 'B' }).catch((failure: unknown) => failure)
    await callsTo(WRITE)
    session.switchOrganization(token(TOYOTA))
    await answerNext(WRITE, 401)
    expect(await writing).toMatchObject({ status: 401 })
    expect(bearersOf(WRITE)).toEqual([first.accessToken])
    expect(session.view().claims).toMatchObject(TOYOTA)
  })

  test('twice does not end the session that has come in between', async () => {
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

describe('a refresh answer that comes late', () => {
  const LATE = [
    ['a successor', 200, token({ ...FORD, gen: 2 })],
    ['a refusal', 401, null],
  ] as const

  test.for(LATE)('does not undo a sign-out here: %s', async ([, status, data]) => {
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

  test.for(LATE)('does not undo a sign-out in another tab, of which no word came yet: %s', async (late) => {
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

  test.for(LATE)('does not undo a switch here: %s', async ([, status, data]) => {
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

  test.for(LATE)('does not undo a switch in another tab, of which no word came yet: %s', async (late) => {
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

  test('does not bring back a remembered session that was signed out while it started', async () => {
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

test('a remembered session starts with the answer, and tells nobody that it switched', async () => {
  storage[KEYS.isRemember] = 'true'
  storeToken(token({ ...FORD, exp: 1 }))
  const started = session.start()
  await answerNext(REFRESH, 200, token(TOYOTA))
  await started
  expect(session.view().claims).toMatchObject(TOYOTA)
  expect(events).toEqual([])
})

test('a verified person is in at once at the start; then rights are fetched and the refreshed token is stored', async () => {
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

test('a refresh that is refused at the start stores nothing and signs out', async () => {
  storeToken(token(FORD))
  await session.start()
  await answerNext(REFRESH, 401)
  await settle()
  expect([session.accessToken, ...Object.keys(storage)]).toEqual([''])
})

describe('a session that is ended elsewhere', () => {
  const draft = Symbol('draft')
  beforeEach(() => void drafts.add(draft))
  afterEach(() => void drafts.delete(draft))

  /** A write that is refused, and so is its refresh. */
  async function interrupted(claims: Partial<Claims> = FORD) {
    begin(claims)
    const { status } = await write()
    await answerNext(REFRESH, 401)
    await settle()
    return { status }
  }

  test('waits over unsaved changes; the same person goes on, and what was refused is sent again', async () => {
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
    ['somebody else', { ...FORD, ...OTHER_PERSON }],
    ['the same person in another organization', TOYOTA],
    ['the same person in no organization', { organizationId: '0', organizationName: '' }],
  ] as const)('gives nothing of it to %s', async ([, claims]) => {
    const { status } = await interrupted()
    session.resume(token({ ...claims, sid: 's2' }))
    await expect(status).resolves.toMatchObject({ status: 401 })
    expect(bearersOf(WRITE)).toHaveLength(1)
    expect([session.view().isInterrupted, events]).toEqual([false, [{ kind: 'switched' }]])
  })

  test('ends in somebody’s skin', async () => {
    await interrupted({ ...FORD, impersonateUserId: '99' })
    expect(events).toEqual([{ kind: 'ended', isAsked: false }])
  })

  test('ends where there is nothing to lose', async () => {
    drafts.delete(draft)
    await interrupted()
    expect(events).toEqual([{ kind: 'ended', isAsked: false }])
  })

  test('ends when its person leaves', async () => {
    const { status } = await interrupted()
    session.expire()
    await expect(status).resolves.toMatchObject({ status: 401 })
    expect(events).toEqual([{ kind: 'ended', isAsked: false }])
  })

  test('is told of by another tab; a sign-out that somebody asked for ends this one, too', async () => {
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

describe('the goodbye', () => {
  const signIn = () => call(auth.signIn, { username: 'a', password: 'b' })

  test('refused with 401 is not repeated in the name of the next session', async () => {
    const first = begin()
    const leaving = session.logout()
    await callsTo(SIGN_OUT)
    // The same person signs in again in another tab: a token that any other call would be repeated with.
    const next = storeToken(token({ ...FORD, sid: 's2' }))
    tell(KEYS.token)
    await answerNext(SIGN_OUT, 401)
    await settle()
    expect(bearersOf(SIGN_OUT)).toEqual([first.accessToken])
    expect(bearersOf(REFRESH)).toEqual([])
    expect(session.accessToken).toBe(next.accessToken)
    await leaving
  })

  test('is said at the idle time-out, and signing in waits for its answer', async () => {
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
    await answerNext(auth.signIn.path, 200, token(OTHER_PERSON))
    expect(await signingIn).toEqual(token(OTHER_PERSON))
  })

  test('that gets no answer holds up signing in for 3 seconds and is then given up', async () => {
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
