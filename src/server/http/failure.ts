import { DEFAULT_FAILURE } from '#contract/answer.ts'

/** An expected error: an HTTP status, a message for the user, and a message for each invalid field. */
export class Failure extends Error {
  readonly status: number
  readonly fields: Record<string, string> | undefined
  readonly current: unknown
  readonly preview: unknown
  readonly retryAfterSeconds: number | undefined

  constructor(
    status: number,
    message: string,
    more: {
      fields?: Record<string, string>
      current?: unknown
      preview?: unknown
      retryAfterSeconds?: number
    } = {},
  ) {
    super(message)
    this.status = status
    this.fields = more.fields
    this.current = more.current
    this.preview = more.preview
    this.retryAfterSeconds = more.retryAfterSeconds
  }
}

/** For bodies with another content type. */
export const NOT_JSON = 'Send JSON, with Content-Type: application/json.'

export const unauthenticated = (message = 'Sign in to continue.') => new Failure(401, message)
export const forbidden = (message: string) => new Failure(403, message)
/** `thing` is its name on the screen: "Lot". Another tenant's row gets the same answer. */
export const notFound = (thing: string) => new Failure(404, `${thing} not found.`)
/** For a selection whose rows are all gone or belong to another tenant. `many` is their name on the screen: "lots". */
export const noneFound = (many: string) => new Failure(404, `None of the selected ${many} exist anymore.`)
export const refused = (message: string, fields?: Record<string, string>) =>
  new Failure(400, message, fields ? { fields } : {})
export const conflict = (message: string, fields?: Record<string, string>) =>
  new Failure(409, message, fields ? { fields } : {})
/** Someone else saved first: the response includes the current row. `isMany`: "These settings". */
export const stale = (thing: string, current: unknown, { isMany = false } = {}) =>
  new Failure(
    409,
    `${thing} ${isMany ? 'were' : 'was'} changed by someone else in the meantime. Reload ${isMany ? 'them' : 'it'}, or compare and save again.`,
    { current },
  )
/** The caller has not confirmed what a call changes: the response includes it. */
export const unconfirmed = (message: string, preview: unknown) => new Failure(409, message, { preview })
export const tooMany = (message: string, retryAfterSeconds: number, fields?: Record<string, string>) =>
  new Failure(429, message, { retryAfterSeconds, ...(fields && { fields }) })
/** The database does not answer. Neither a bug nor the caller's fault. */
export const unavailable = () => new Failure(503, DEFAULT_FAILURE, { retryAfterSeconds: 5 })
/** The disk or the storage account for files is full. */
export const storageFull = () =>
  new Failure(
    507,
    'File storage is full, so nothing was saved. Ask the administrator of this installation to free up space.',
  )

/** The HTTP status of a web server error, or 0 if it has none. */
export function statusOf(error: unknown): number {
  return typeof error === 'object' && error !== null && 'statusCode' in error ? Number(error.statusCode) : 0
}
