import { z } from 'zod'
import { codeOf } from '#server/error-code.ts'
import { Failure } from '#server/http/failure.ts'
import { requireOutgoing } from './restored-copy.ts'
import {
  extraHeaders,
  messageIdOf,
  type MailTransport,
  type Outcome,
  type OutgoingMail,
  type Sender,
} from './smtp.ts'

const TIMEOUT_MS = 30_000
/** Postmark's "API error codes" about the email itself, not about the token, the sender or the account. */
const EMAIL_ERRORS = new Set([300, 406, 409, 411, 1109])

const Reply = z.looseObject({ ErrorCode: z.number(), Message: z.string(), MessageID: z.string().optional() })

export type PostmarkServer = {
  /** The API URL. It differs only in tests. */
  url: string
  token: string
  /** Null: the default stream `outbound`. */
  stream: string | null
  sender: Sender
}

/**
 * Sends through Postmark's HTTP API. Errors about the token, the sender, the account or Postmark itself would affect every
 * other email too, so they count as unreachable. Link tracking is off, because a link may give access to an account.
 */
export function openPostmark(
  { url, token, stream, sender }: PostmarkServer,
  { timeoutMs = TIMEOUT_MS } = {},
): MailTransport {
  return {
    async send(mail) {
      try {
        await requireOutgoing()
        const response = await fetch(new URL('/email', url), {
          method: 'POST',
          redirect: 'error',
          headers: {
            accept: 'application/json',
            'content-type': 'application/json',
            'x-postmark-server-token': token,
          },
          body: JSON.stringify(bodyOf(mail, sender, stream)),
          signal: AbortSignal.timeout(timeoutMs),
        })
        const reply = Reply.safeParse(await response.json().catch(() => null))
        return outcomeOf(response.status, reply.success ? reply.data : null)
      } catch (error) {
        if (error instanceof Failure) return { kind: 'unreachable', reason: error.message }
        const isConnecting = ['ECONNREFUSED', 'ENOTFOUND', 'EAI_AGAIN'].includes(causeOf(error))
        return {
          kind: 'unreachable',
          reason: `Could not reach Postmark: ${reasonOf(error)}`,
          mayHaveArrived: !isConnecting,
        }
      }
    },
  }
}

function bodyOf(mail: OutgoingMail, sender: Sender, stream: string | null): Record<string, unknown> {
  const replyTo = mail.replyTo ?? sender.replyTo
  const headers = {
    ...extraHeaders(mail, replyTo ?? sender.email),
    // Otherwise Postmark replaces the Message-ID, and answers could not be recognized by it.
    ...(mail.isPersonal === true && {
      'X-PM-KeepID': 'true',
      'Message-ID': `<${messageIdOf(mail, sender.email)}>`,
    }),
  }
  return {
    From: addressOf(mail.fromName ?? sender.name, sender.email),
    To: addressOf(mail.toName, mail.toEmail),
    ...(replyTo !== null && { ReplyTo: replyTo }),
    Subject: mail.subject,
    TextBody: mail.text,
    ...(mail.html !== undefined && { HtmlBody: mail.html }),
    ...(mail.pictures !== undefined &&
      mail.pictures.length > 0 && {
        Attachments: mail.pictures.map(({ id, name, type, bytes }) => ({
          Name: name,
          Content: bytes.toString('base64'),
          ContentType: type,
          ContentID: `cid:${id}`,
        })),
      }),
    MessageStream: stream ?? 'outbound',
    TrackLinks: 'None',
    Headers: Object.entries(headers).map(([Name, Value]) => ({ Name, Value })),
    Metadata: { mail: mail.key },
  }
}

/** Quotes the name so that it cannot break out of the quotes or start another address. */
function addressOf(name: string | null, email: string): string {
  const plain = (name ?? '').replace(/[\p{Cc}"\\<>]/gu, ' ').trim()
  return plain === '' ? email : `"${plain}" <${email}>`
}

function outcomeOf(status: number, reply: z.infer<typeof Reply> | null): Outcome {
  if (status === 200 && reply?.ErrorCode === 0) {
    return { kind: 'sent', ...(reply.MessageID !== undefined && { messageId: reply.MessageID }) }
  }
  const error = reply ? `error ${reply.ErrorCode}: ${reply.Message}` : `status ${status}`
  const reason = `Postmark returned ${error}`.replace(/\s+/g, ' ').slice(0, 300)
  return {
    kind: status === 422 && EMAIL_ERRORS.has(reply?.ErrorCode ?? 0) ? 'refused' : 'unreachable',
    reason,
  }
}

/** The code of what stopped a request. */
function causeOf(error: unknown): string {
  const cause: unknown = error instanceof Error ? error.cause : null
  return codeOf(cause)
}

function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error)
  if (error.name === 'TimeoutError') return 'it did not respond in time.'
  const cause = error.cause instanceof Error ? error.cause.message : error.message
  return cause.replace(/\s+/g, ' ').slice(0, 200)
}
