import { DEFAULT_FAILURE } from '#contract/answer.ts'

/** An expected refusal: a status, a sentence for the person at the screen, and what was wrong with which field. */
export class Failure extends Error {
  readonly status: number
  readonly fields: Record<string, string> | undefined
  readonly current: unknown
  readonly retryAfterSeconds: number | undefined

  constructor(
    status: number,
    message: string,
    more: { fields?: Record<string, string>; current?: unknown; retryAfterSeconds?: number } = {},
  ) {
    super(message)
    this.status = status
    this.fields = more.fields
    this.current = more.current
    this.retryAfterSeconds = more.retryAfterSeconds
  }
}

/** For bodies of another type. */
export const NOT_JSON = 'Send JSON, with Content-Type: application/json.'

export const unauthenticated = (message = 'Sign in to continue.') => new Failure(401, message)
export const forbidden = (message: string) => new Failure(403, message)
/** `thing` as the person calls it: "Lot". Another tenant's row answers the same. */
export const notFound = (thing: string) => new Failure(404, `${thing} not found.`)
/** Of many chosen rows: gone, or another tenant's. `many` as people call them: "lots". */
export const noneThere = (many: string) => new Failure(404, `None of the chosen ${many} is there any more.`)
export const refused = (message: string, fields?: Record<string, string>) =>
  new Failure(400, message, fields ? { fields } : {})
export const conflict = (message: string, fields?: Record<string, string>) =>
  new Failure(409, message, fields ? { fields } : {})
/** Somebody else saved in between: the answer carries the row as it is now. */
export const stale = (thing: string, current: unknown) =>
  new Failure(409, `${thing} was changed by someone else meanwhile. Reload it, or compare and save again.`, {
    current,
  })
export const tooMany = (message: string, retryAfterSeconds: number) =>
  new Failure(429, message, { retryAfterSeconds })
/** The database does not answer: not a bug and not the caller's fault. */
export const unavailable = () => new Failure(503, DEFAULT_FAILURE, { retryAfterSeconds: 5 })
/** The disk or the account that keeps files is full. */
export const noRoom = () =>
  new Failure(
    507,
    'There is no room left where files are kept, so nothing of this was kept. Whoever runs this installation can make room.',
  )

/** The status that an error of the web server carries; 0 where it has none. */
export function statusOf(error: unknown): number {
  return typeof error === 'object' && error !== null && 'statusCode' in error ? Number(error.statusCode) : 0
}
