import { DEFAULT_FAILURE } from '#contract/answer.ts'

/** `refused`: rejected by the server. `offline`: no response. `unreadable`: the response isn't valid. */
export type FailureKind = 'refused' | 'offline' | 'unreadable'

type Details = {
  kind: FailureKind
  status?: number
  message?: string
  fields?: Record<string, string> | undefined
  current?: unknown
  preview?: unknown
  requestId?: string | null
}

/** The error that every failed call throws. `message` is a sentence for the user. */
export class CallFailure extends Error {
  readonly kind: FailureKind
  /** The HTTP status, 0 without a response. */
  readonly status: number
  /** An error message for each invalid field. */
  readonly fields: Readonly<Record<string, string>>
  /** For a 409: the current row. */
  readonly current: unknown
  /** For a 409: what the call would change, if it waits for a confirmation of that. */
  readonly preview: unknown
  /** Identifies the request in the server's log. */
  readonly requestId: string | null

  constructor({
    kind,
    status = 0,
    message = DEFAULT_FAILURE,
    fields = {},
    current,
    preview,
    requestId = null,
  }: Details) {
    super(message)
    this.name = 'CallFailure'
    this.kind = kind
    this.status = status
    this.fields = fields
    this.current = current
    this.preview = preview
    this.requestId = requestId
  }
}
