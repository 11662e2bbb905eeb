import { DEFAULT_FAILURE } from '#contract/answer.ts'

/** `refused`: the server said no. `offline`: it was not reached. `unreadable`: what came back is no answer. */
export type FailureKind = 'refused' | 'offline' | 'unreadable'

type Details = {
  kind: FailureKind
  status?: number
  message?: string
  fields?: Record<string, string> | undefined
  current?: unknown
  requestId?: string | null
}

/** The one way a call fails. `message` is a sentence for the person at the screen. */
export class CallFailure extends Error {
  readonly kind: FailureKind
  /** The HTTP status, 0 when no answer came. */
  readonly status: number
  /** A sentence for each field that was wrong. */
  readonly fields: Readonly<Record<string, string>>
  /** With 409: the row as it is now. */
  readonly current: unknown
  /** Names the request in the server's log. */
  readonly requestId: string | null

  constructor({
    kind,
    status = 0,
    message = DEFAULT_FAILURE,
    fields = {},
    current,
    requestId = null,
  }: Details) {
    super(message)
    this.name = 'CallFailure'
    this.kind = kind
    this.status = status
    this.fields = fields
    this.current = current
    this.requestId = requestId
  }
}
