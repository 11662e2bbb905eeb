import type { z } from 'zod'
import type { Endpoint } from '#contract/endpoint.ts'
import { CALL_KEY_HEADER, isRepeatable } from '#contract/repeatable-calls.ts'
import { callKey } from './call-keys.ts'
import {
  CLIENT_HEADER,
  VERIFY_OTP_PATH,
  XSRF_COOKIE,
  XSRF_HEADER,
} from '#contract/identity/sessions/session.ts'
import { CallFailure } from './failure.ts'
import { isRecord, parseRecord, readText } from './read-json.ts'

/** What the client needs from the session; the session registers itself, so that neither imports the other. */
export type Credentials = {
  /** Suffix of this installation's cookie names. */
  installId: string
  /** The access token to send; empty for none. */
  bearer: () => string
  /**
   * After a 401: a new token of the same user in the same organization; empty if there is none, and then the call
   * isn't repeated.
   */
  renew: (refused: string) => Promise<string>
  /** After a 403: the permissions may have changed. */
  recheck?: () => void
  /** After a second 401: ends the session. */
  end: () => void
}

let credentials: Credentials = { installId: '', bearer: () => '', renew: async () => '', end: () => {} }

/** Sets the credentials for all calls. */
export function connectClient(to: Credentials): void {
  credentials = to
}

/** How long a sign-in waits for the sign-out of the previous session. */
const SIGN_OUT_TIMEOUT_MS = 3_000
let goodbye: { told: Promise<unknown>; cut: () => void } | null = null

/**
 * Makes the next sign-in wait for the sign-out call: its response clears cookies, which would sign out the next
 * user if it arrived late. `cut` aborts the call, so that its response can't arrive even later.
 */
export function delaySignIn(told: Promise<unknown>, cut: () => void): void {
  const pending = { told, cut }
  goodbye = pending
  void told.finally(() => {
    if (goodbye === pending) goodbye = null
  })
}

async function waitForSignOut(): Promise<void> {
  if (!goodbye) return
  const { told, cut } = goodbye
  let timer: ReturnType<typeof setTimeout> | undefined
  const patience = new Promise((over) => {
    timer = setTimeout(over, SIGN_OUT_TIMEOUT_MS)
  })
  await Promise.race([told, patience])
  clearTimeout(timer)
  cut()
}

type Options = {
  signal?: AbortSignal
  /**
   * Replaces the session's token: for the last call of a session that has already ended, and for people without an account.
   */
  bearer?: string
  /** The browser finishes the request although the page is being closed. At most 64 kB. */
  keepalive?: boolean
}

/**
 * Calls an endpoint: path parameters, query (GET, DELETE) or body (POST) come from `input`. Returns the data,
 * checked against the contract, or throws a CallFailure (an aborted call throws the abort itself).
 */
export function call<I extends z.ZodType, O extends z.ZodType>(
  endpoint: Endpoint<I, O>,
  input: z.input<I>,
  options: Options = {},
): Promise<z.output<O>> {
  return withBearer(endpoint, options, (bearer) => send(endpoint, input, bearer, options))
}

/** Makes a call with the session's token, and after a 401 once more with a renewed one. */
export async function withBearer<T>(
  endpoint: Endpoint,
  options: Options,
  attempt: (bearer: string) => Promise<T>,
): Promise<T> {
  // Sign-in, verification and refresh use cookies. A 401 from them is about the input, not the session.
  const isOpen = endpoint.allow === 'anyone' || endpoint.path === VERIFY_OTP_PATH
  if (isOpen && endpoint.writes && options.bearer === undefined) await waitForSignOut()
  const bearer = options.bearer ?? credentials.bearer()
  let renewed = ''
  try {
    return await attempt(bearer)
  } catch (failure) {
    // A call for one specific session must not be repeated for another.
    if (!isUnauthorized(failure) || isOpen || options.bearer !== undefined) throw failure
    renewed = await credentials.renew(bearer)
    if (renewed === '') throw failure
  }
  try {
    return await attempt(renewed)
  } catch (failure) {
    // Another session may have replaced this one, and its token wasn't rejected.
    if (isUnauthorized(failure) && credentials.bearer() === renewed) credentials.end()
    throw failure
  }
}

async function send<O extends z.ZodType>(
  endpoint: Endpoint<z.ZodType, O>,
  input: unknown,
  bearer: string,
  options: Options,
): Promise<z.output<O>> {
  const sent = address(endpoint, input)
  const key = isRepeatable(endpoint) ? callKey(`${endpoint.method} ${sent.url} ${sent.body ?? ''}`) : null
  const response = await request(endpoint, sent, bearer, { ...options, key: key?.value ?? null })
  const answer = parseRecord(await response.text().catch(() => ''))
  // Otherwise it isn't known whether the call was done, and it may be sent again.
  if (answer !== null && response.status < 500) key?.end()
  if (response.ok && answer?.['status'] === true) {
    const data = endpoint.output.safeParse(answer['data'])
    if (data.success) return data.data
  }
  if (response.status === 403) credentials.recheck?.()
  throw failureOf(response, answer)
}

/** Sends one request, addressed by `address`. Throws if there is no response. */
export function request(
  endpoint: Endpoint,
  { url, body }: ReturnType<typeof address>,
  bearer: string,
  { signal, keepalive = false, key = null }: Options & { key?: string | null },
): Promise<Response> {
  const headers = headersOf(endpoint, bearer)
  if (body !== null) headers.set('content-type', 'application/json')
  if (key !== null) headers.set(CALL_KEY_HEADER, key)
  return fetch(url, { method: endpoint.method, headers, body, signal: signal ?? null, keepalive }).catch(
    (cause: unknown) => {
      if (signal?.aborted) throw cause
      throw notReached(key === null ? '' : ' If you change nothing, it is done only once.')
    },
  )
}

/** There was no response. `more`: another sentence. */
export function notReached(more = ''): CallFailure {
  return new CallFailure({
    kind: 'offline',
    message: `Can't reach Forecourt. Check your connection and try again.${more}`,
  })
}

/** The headers that identify the caller. */
export function headersOf(endpoint: Endpoint, bearer: string): Headers {
  const headers = new Headers({ accept: 'application/json', [CLIENT_HEADER]: 'web' })
  if (bearer !== '') headers.set('authorization', `Bearer ${bearer}`)
  if (endpoint.method !== 'GET') {
    const xsrf = readXsrfToken(document.cookie, credentials.installId)
    if (xsrf !== '') headers.set(XSRF_HEADER, xsrf)
  }
  return headers
}

/** The failure of a response without data: the server's error, or an unreadable response. */
export function failureOf(
  response: Pick<Response, 'ok' | 'status' | 'headers'>,
  answer: Record<string, unknown> | null,
): CallFailure {
  const about = { status: response.status, requestId: response.headers.get('x-request-id') }
  if (answer?.['status'] !== false) {
    return new CallFailure({ kind: response.ok ? 'unreadable' : 'refused', ...about })
  }
  const { current, preview } = answer
  const message = readText(answer, 'message')
  return new CallFailure({
    kind: 'refused',
    ...about,
    ...(message && { message }),
    fields: sentencesOf(answer),
    current,
    preview,
  })
}

function sentencesOf(answer: Record<string, unknown>): Record<string, string> {
  const fields = isRecord(answer['fields']) ? answer['fields'] : {}
  return Object.fromEntries(Object.keys(fields).map((name) => [name, readText(fields, name)]))
}

/** Puts the input into path, query or body; a raw body has other bytes. A body that isn't an object (the stored token as text) is sent as is. */
export function address(endpoint: Endpoint, input: unknown): { url: string; body: string | null } {
  const rest = new Map(
    Object.entries(isRecord(input) ? input : {}).filter(([, value]) => value !== undefined),
  )
  let url = endpoint.path
  for (const [, name = ''] of endpoint.path.matchAll(/\{(\w+)\}/g)) {
    url = url.replace(`{${name}}`, encodeURIComponent(String(rest.get(name))))
    rest.delete(name)
  }
  if (endpoint.method === 'POST' && endpoint.kind !== 'raw') {
    return { url, body: JSON.stringify(isRecord(input) ? Object.fromEntries(rest) : input) }
  }
  const query = new URLSearchParams([...rest].map(([name, value]) => [name, String(value)])).toString()
  return { url: query === '' ? url : `${url}?${query}`, body: null }
}

/** The XSRF value from the cookies: this installation's own, or the plain name. */
export function readXsrfToken(cookies: string, installId: string): string {
  const values = new Map(
    cookies.split('; ').map((cookie) => {
      const [name = '', ...value] = cookie.split('=')
      return [name, value.join('=')]
    }),
  )
  return decodeURIComponent(values.get(`${XSRF_COOKIE}-${installId}`) ?? values.get(XSRF_COOKIE) ?? '')
}

function isUnauthorized(failure: unknown): boolean {
  return failure instanceof CallFailure && failure.status === 401
}
