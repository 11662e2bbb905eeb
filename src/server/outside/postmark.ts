import { z } from 'zod'
import { automaticHeaders, type MailTransport, type Outcome, type OutgoingMail, type Sender } from './smtp.ts'

const WHOLE_MS = 30_000
/** What Postmark says of the mail itself ("API error codes"): not of the token, the sender or the account. */
const OF_THE_MAIL = new Set([300, 406, 409, 411, 1109])

const Reply = z.looseObject({ ErrorCode: z.number(), Message: z.string(), MessageID: z.string().optional() })

export type PostmarkServer = {
  /** Where its API is: another one in tests alone. */
  url: string
  token: string
  /** Null: its `outbound`. */
  stream: string | null
  sender: Sender
}

/**
 * Sends by Postmark's HTTP API. What it says of the token, the sender, the account or its own state would hit every
 * other mail as well and counts as out of reach. Links are never rewritten: one may open an account.
 */
export function openPostmark(
  { url, token, stream, sender }: PostmarkServer,
  { wholeMs = WHOLE_MS } = {},
): MailTransport {
  return {
    async send(mail) {
      try {
        const response = await fetch(new URL('/email', url), {
          method: 'POST',
          redirect: 'error',
          headers: {
            accept: 'application/json',
            'content-type': 'application/json',
            'x-postmark-server-token': token,
          },
          body: JSON.stringify(bodyOf(mail, sender, stream)),
          signal: AbortSignal.timeout(wholeMs),
        })
        const reply = Reply.safeParse(await response.json().catch(() => null))
        return outcomeOf(response.status, reply.success ? reply.data : null)
      } catch (error) {
        return { kind: 'unreachable', reason: `Postmark was not reached: ${reasonOf(error)}` }
      }
    },
  }
}

function bodyOf(mail: OutgoingMail, sender: Sender, stream: string | null): Record<string, unknown> {
  return {
    From: addressOf(sender.name, sender.email),
    To: addressOf(mail.toName, mail.toEmail),
    ...(sender.replyTo !== null && { ReplyTo: sender.replyTo }),
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
    Headers: Object.entries(automaticHeaders(mail, sender.replyTo ?? sender.email)).map(([Name, Value]) => ({
      Name,
      Value,
    })),
    Metadata: { mail: mail.key },
  }
}

/** Nobody's name breaks out of its quotes, nor begins another address. */
function addressOf(name: string | null, email: string): string {
  const plain = (name ?? '').replace(/[\p{Cc}"\\<>]/gu, ' ').trim()
  return plain === '' ? email : `"${plain}" <${email}>`
}

function outcomeOf(status: number, reply: z.infer<typeof Reply> | null): Outcome {
  if (status === 200 && reply?.ErrorCode === 0) {
    return { kind: 'sent', ...(reply.MessageID !== undefined && { messageId: reply.MessageID }) }
  }
  const said = reply ? `${reply.ErrorCode}: ${reply.Message}` : `status ${status}, and nothing else`
  const reason = `Postmark said ${said}`.replace(/\s+/g, ' ').slice(0, 300)
  return {
    kind: status === 422 && OF_THE_MAIL.has(reply?.ErrorCode ?? 0) ? 'refused' : 'unreachable',
    reason,
  }
}

function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error)
  if (error.name === 'TimeoutError') return 'it did not answer in time.'
  const cause = error.cause instanceof Error ? error.cause.message : error.message
  return cause.replace(/\s+/g, ' ').slice(0, 200)
}
