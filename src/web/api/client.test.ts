import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { DEFAULT_FAILURE } from '#contract/answer.ts'
import { lots } from '#contract/customers/lots/lots.ts'
import { auth } from '#contract/identity/auth.ts'
import { call, connectClient, readXsrfToken } from './client.ts'
import { CallFailure } from './failure.ts'

const token = { accessToken: 'a.b.c', expiresIn: 1800, tokenType: 'Bearer' }
let answers: Response[]
let sent: { url: string; init: RequestInit }[]
/** The browser's storage. */
const kept = new Map<string, string>()

function answer(data: unknown): Response {
  return Response.json({ status: true, data, message: null })
}

function refuse(status: number, body: object = {}): Response {
  const refusal = { status: false, data: null, message: 'No.', ...body }
  return Response.json(refusal, { status, headers: { 'x-request-id': 'r-1' } })
}

function lastSent() {
  const request = sent.at(-1)
  if (!request) throw new Error('Nothing was sent.')
  return { ...request, headers: new Headers(request.init.headers) }
}

beforeEach(() => {
  answers = []
  sent = []
  vi.stubGlobal('localStorage', {
    getItem: (name: string) => kept.get(name) ?? null,
    setItem: (name: string, value: string) => kept.set(name, value),
  })
  vi.stubGlobal('document', { cookie: 'theme=dark; XSRF-TOKEN=plain; XSRF-TOKEN-i1=mine' })
  vi.stubGlobal('fetch', async (url: string, init: RequestInit) => {
    sent.push({ url, init })
    const next = answers.shift()
    if (!next) throw new TypeError('Failed to fetch')
    return next
  })
  connectClient({ installId: 'i1', bearer: () => 'held', renew: async () => '', end: () => {} })
})
afterEach(() => vi.unstubAllGlobals())

describe('requests', () => {
  test('a read sends its input as query, the bearer token, and no XSRF header', async () => {
    answers = [answer({ filteredRows: 0, totalRows: 0, results: [] })]
    await call(lots.list, { page: 2, search: 'north & south', sort: undefined })
    const { url, headers } = lastSent()
    expect(url).toBe('/api/customers/get-lots?page=2&search=north+%26+south')
    expect(headers.get('authorization')).toBe('Bearer held')
    expect(headers.get('x-forecourt-client')).toBe('web')
    expect(headers.has('x-xsrf-token')).toBe(false)
  })

  test('a path parameter is filled in and not sent twice', async () => {
    answers = [answer(null)]
    await call(lots.remove, { id: '7' })
    expect(lastSent().url).toBe('/api/customers/delete-lot/7')
    expect(lastSent().headers.get('x-xsrf-token')).toBe('mine')
  })

  test('a write whose answer is lost has the same key when it is sent again, and another one once it was answered', async () => {
    const key = () => lastSent().headers.get('idempotency-key')
    await expect(call(lots.remove, { id: '8' })).rejects.toThrow('it is done only once.')
    const lost = key()
    expect(lost).toMatch(/^[\da-f]{32}$/)
    answers = [refuse(503), new Response('<html>', { status: 200 })]
    await expect(call(lots.remove, { id: '8' })).rejects.toThrow(CallFailure)
    expect(key()).toBe(lost)
    await expect(call(lots.remove, { id: '8' })).rejects.toThrow(CallFailure)
    expect(key()).toBe(lost)
    answers = [answer(null), answer(null), answer(null)]
    await call(lots.remove, { id: '9' })
    expect(key()).not.toBe(lost)
    // Also after a reload, and without the text of the call.
    expect(kept.get('unanswered-calls')).toContain(lost)
    expect(kept.get('unanswered-calls')).not.toContain('delete-lot')
    await call(lots.remove, { id: '8' })
    expect(key()).toBe(lost)
    expect(kept.get('unanswered-calls')).toBe('{}')
    await call(lots.remove, { id: '8' })
    expect(key()).not.toBe(lost)
  })

  test('a write sends its input as JSON; the stored token may be plain text', async () => {
    answers = [answer(token)]
    await expect(call(auth.refreshToken, 'a.b.c')).resolves.toEqual(token)
    expect(lastSent().init).toMatchObject({ method: 'POST', body: '"a.b.c"' })
  })

  test('the XSRF value falls back to the plain cookie', () => {
    expect(readXsrfToken('XSRF-TOKEN=a%3D', 'i1')).toBe('a=')
    expect(readXsrfToken('', 'i1')).toBe('')
  })
})

describe('failures', () => {
  test('a rejection includes message, fields, current row and request ID', async () => {
    answers = [refuse(409, { fields: { code: 'Taken.' }, current: { id: '7' } })]
    const failure = await call(lots.add, { code: 'A', name: 'B' }).catch((thrown: unknown) => thrown)
    expect(failure).toBeInstanceOf(CallFailure)
    expect(failure).toMatchObject({
      kind: 'refused',
      status: 409,
      message: 'No.',
      fields: { code: 'Taken.' },
      current: { id: '7' },
      requestId: 'r-1',
    })
  })

  test('an unreadable response gets the default message', async () => {
    answers = [new Response('<h1>Bad gateway</h1>', { status: 502 }), answer({ rows: 'none' }), answer(null)]
    const expected = { message: DEFAULT_FAILURE }
    await expect(call(lots.list, {})).rejects.toMatchObject({ ...expected, kind: 'refused', status: 502 })
    await expect(call(lots.list, {})).rejects.toMatchObject({ ...expected, kind: 'unreadable' })
    await expect(call(lots.list, {})).rejects.toMatchObject({ ...expected, kind: 'unreadable' })
  })

  test('an unreachable server has its own failure kind', async () => {
    await expect(call(lots.list, {})).rejects.toMatchObject({ kind: 'offline', status: 0 })
  })
})

describe('a 401', () => {
  test('triggers one refresh and one retry', async () => {
    let bearer = 'old'
    const renew = vi.fn(async () => {
      bearer = 'new'
      return bearer
    })
    connectClient({ installId: '', bearer: () => bearer, renew, end: () => {} })
    answers = [refuse(401), answer([])]
    await expect(call(auth.menu, {})).resolves.toEqual([])
    expect(renew).toHaveBeenCalledExactlyOnceWith('old')
    expect(lastSent().headers.get('authorization')).toBe('Bearer new')
  })

  test('after the refresh ends the session', async () => {
    const end = vi.fn()
    connectClient({ installId: '', bearer: () => 'x', renew: async () => 'x', end })
    answers = [refuse(401), refuse(401)]
    await expect(call(auth.menu, {})).rejects.toMatchObject({ status: 401 })
    expect(end).toHaveBeenCalledOnce()
  })

  test('for a call with its own bearer token is never retried with another one', async () => {
    const renew = vi.fn(async () => 'next')
    connectClient({ installId: '', bearer: () => 'next', renew, end: () => {} })
    answers = [refuse(401), answer([])]
    await expect(call(auth.menu, {}, { bearer: 'gone' })).rejects.toMatchObject({ status: 401 })
    expect(renew).not.toHaveBeenCalled()
    expect(sent).toHaveLength(1)
    expect(lastSent().headers.get('authorization')).toBe('Bearer gone')
  })

  test('during sign-in never affects the session', async () => {
    const renew = vi.fn(async () => 'new')
    connectClient({ installId: '', bearer: () => '', renew, end: () => {} })
    answers = [refuse(401)]
    await expect(call(auth.signIn, { username: 'a', password: 'b' })).rejects.toMatchObject({ status: 401 })
    expect(renew).not.toHaveBeenCalled()
  })
})
