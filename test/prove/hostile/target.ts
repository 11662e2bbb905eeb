import type { Session } from '../calling.ts'

type Answer = Readonly<{ status: number; text: string; retryAfter: string | undefined }>
type Sending = Readonly<{
  method: string
  body?: string | Buffer
  headers?: Readonly<Record<string, string>>
  isSignedIn?: boolean
}>

/** What an attacker knows and reaches, and what came back. */
export type Target = Readonly<{
  /** The address of one of the processes. */
  place: () => string
  /** The attacker's own session, at one of the processes. */
  session: () => Session
  /** IDs of rows of the other customer. */
  foreignIds: readonly string[]
  mailPath: string
  photoPaths: readonly string[]
  note: (what: string, answer: Answer) => void
  /** Calls the API. The call is given up after half a minute. */
  call: (what: string, url: string, sending: Sending) => Promise<void>
}>

/** Every answer, by its kind: how often each status came, and what must not have happened. */
export type AnswerLog = { statuses: Map<string, Map<number, number>>; wrong: Set<string> }

type TargetPlaces = Pick<Target, 'place' | 'foreignIds' | 'mailPath' | 'photoPaths'> &
  Readonly<{
    token: () => string
    /** A word that only the other customer's data has. */
    canary: RegExp
    /** No attack goes on after it. */
    over: AbortSignal
  }>

const CALL_MS = 30_000
/** The disk is full, on purpose. */
const FULL = 507

/** Makes the target, which notes 5xx answers that don't say when to come back, and answers that show the other customer. */
export function makeTarget({ token, canary, over, ...given }: TargetPlaces): Target & { seen: AnswerLog } {
  const seen: AnswerLog = { statuses: new Map(), wrong: new Set() }
  function note(what: string, { status, text, retryAfter }: Answer): void {
    const counts = seen.statuses.get(what) ?? new Map<number, number>()
    seen.statuses.set(what, counts.set(status, (counts.get(status) ?? 0) + 1))
    const isUnexpected = status >= 500 && status !== FULL && (status !== 503 || retryAfter === undefined)
    if (isUnexpected) seen.wrong.add(`${what}: ${status} ${text.slice(0, 200)}`)
    if (canary.test(text)) seen.wrong.add(`${what}: shows the other customer`)
  }
  return {
    ...given,
    seen,
    note,
    session: () => ({ product: { address: given.place() }, token: token() }),
    async call(what, url, { method, body, headers = {}, isSignedIn = true }) {
      const signal = AbortSignal.any([over, AbortSignal.timeout(CALL_MS)])
      try {
        const response = await fetch(`${given.place()}${url}`, {
          method,
          signal,
          headers: {
            'content-type': 'application/json',
            ...(isSignedIn && { authorization: `Bearer ${token()}` }),
            ...headers,
          },
          ...(body !== undefined && { body: typeof body === 'string' ? body : new Uint8Array(body) }),
        })
        const text = await response.text()
        note(what, {
          status: response.status,
          text,
          retryAfter: response.headers.get('retry-after') ?? undefined,
        })
      } catch {
        note(what, { status: 0, text: '', retryAfter: undefined })
      }
    },
  }
}
