import { isIP } from 'node:net'
import { clock } from '#server/clock.ts'
import { isLoopbackHost } from '#server/environment.ts'
import { Failure } from '#server/http/failure.ts'
import { findPublicAddress, MAIL_PORTS } from './public-address.ts'
import { requireOutgoing } from './restored-copy.ts'

/** An email to send. `key` is the same on each retry, so that recipients recognize duplicates. */
export type OutgoingMail = {
  key: string
  toName: string
  toEmail: string
  subject: string
  text: string
  html?: string | undefined
  /** It repeats until the recipient acts. */
  isReminder?: boolean
  /** A person wrote it, under this name; answers go to `replyTo`. Null or left out: as the sender says. */
  isPersonal?: boolean
  fromName?: string | null
  replyTo?: string | null
  /** The Message-ID of the email it answers, without angle brackets. */
  inReplyTo?: string | null
  /** Opens a page with a button, and unsubscribes on POST (RFC 8058). */
  unsubscribeUrl?: string | null
  /** Embedded in the HTML, which refers to each by `cid:` and its ID. */
  pictures?: readonly AttachedPicture[]
}

/**
 * Headers of an email: auto-responders don't reply to one that the product wrote (RFC 3834), reminders have an unsubscribe
 * address (RFC 2369), newsletters one that needs one click (RFC 8058), and an answer belongs to the conversation of the email it answers (RFC 5322, section 3.6.4).
 * @param replyTo the reply address.
 */
export function extraHeaders(
  { isReminder = false, isPersonal = false, inReplyTo, unsubscribeUrl }: OutgoingMail,
  replyTo: string,
): Record<string, string> {
  const unsubscribe = `<mailto:${replyTo}?subject=${encodeURIComponent('No more reminders')}>`
  return {
    ...(!isPersonal && { 'Auto-Submitted': 'auto-generated' }),
    ...(isReminder && { 'List-Unsubscribe': unsubscribe }),
    ...(unsubscribeUrl != null && {
      'List-Unsubscribe': `<${unsubscribeUrl}>`,
      'List-Unsubscribe-Post': 'List-Unsubscribe=One-Click',
    }),
    ...(inReplyTo != null && { 'In-Reply-To': `<${inReplyTo}>`, References: `<${inReplyTo}>` }),
  }
}

/** The Message-ID of an email, without angle brackets: the same on each attempt. */
export function messageIdOf({ key }: { key: string }, fromEmail: string): string {
  return `${key}@${fromEmail.slice(fromEmail.lastIndexOf('@') + 1)}`
}

export type AttachedPicture = { id: string; name: string; type: string; bytes: Buffer }

/** The sender of emails. */
export type Sender = { name: string | null; email: string; replyTo: string | null }

/**
 * The result of sending an email: accepted, with the provider's message ID; rejected permanently; rejected temporarily; or
 * the server is unreachable, which would affect every other email too.
 */
export type Outcome =
  | { kind: 'sent'; messageId?: string }
  | { kind: 'refused' | 'later'; reason: string; before?: 'suppressed' | 'expired' | 'unreadable' }
  /** `mayHaveArrived`: the connection ended while the server had the email or was about to. */
  | { kind: 'unreachable'; reason: string; mayHaveArrived?: boolean }

export type MailTransport = { send: (mail: OutgoingMail) => Promise<Outcome> }

// A mail server that hangs or responds byte by byte must not delay the others.
const STEP_MS = 10_000
const TOTAL_MS = 30_000

type Times = {
  /** The total time limit for one attempt. */
  totalMs?: number
  stepMs?: number
}

/** The mail server in FORECOURT_SMTP_URL. Passwords are sent over TLS only, except on this machine. */
export function openSmtp({ url, from }: { url: string; from: string }, times: Times = {}): MailTransport {
  const { hostname, port, protocol, username, password } = new URL(url)
  const isSecure = protocol === 'smtps:'
  const isLocal = isLoopbackHost(hostname)
  const [, domain = 'forecourt.invalid'] = /@([^@>\s]+)>?\s*$/.exec(from) ?? []
  return sendBy(
    async () => ({
      host: hostname.replace(/^\[|\]$/g, ''),
      port: port === '' ? defaultPort(isSecure) : Number(port),
      secure: isSecure,
      // A relay on this machine usually has a self-signed certificate.
      ignoreTLS: isLocal,
      requireTLS: !isLocal && !isSecure && username !== '',
      ...(username !== '' && {
        auth: { user: decodeURIComponent(username), pass: decodeURIComponent(password) },
      }),
    }),
    { from, domain },
    times,
  )
}

export type SmtpServer = {
  host: string
  port: number
  security: 'tls' | 'starttls' | 'none'
  login: { user: string; password: string } | null
  sender: Sender
  /** The host is from an untrusted source: it must be on the public internet and use a mail server port. */
  isGuarded: boolean
}

/** A customer's mail server. Its name is resolved for each email, and exactly that address is used. */
export function openNamedSmtp(server: SmtpServer, times: Times = {}): MailTransport {
  const { host, port, security, login, sender, isGuarded } = server
  const name = host.replace(/^\[|\]$/g, '')
  return sendBy(
    async () => {
      if (isGuarded && !MAIL_PORTS.some((one) => one === port)) {
        throw new Error(`Port ${port} can't be used for email. Use one of ${MAIL_PORTS.join(', ')}.`)
      }
      return {
        host: isGuarded ? await findPublicAddress(host, times.stepMs ?? STEP_MS) : name,
        port,
        secure: security === 'tls',
        ignoreTLS: security === 'none',
        requireTLS: security === 'starttls',
        // The certificate must match the name, whatever its address.
        ...(isIP(name) === 0 && { tls: { servername: name } }),
        ...(login && { auth: { user: login.user, pass: login.password } }),
      }
    },
    {
      from: sender.name === null ? sender.email : { name: sender.name, address: sender.email },
      replyTo: sender.replyTo ?? undefined,
      domain: sender.email.slice(sender.email.lastIndexOf('@') + 1),
    },
    times,
  )
}

type Connection = {
  host: string
  port: number
  secure: boolean
  ignoreTLS: boolean
  requireTLS: boolean
  tls?: { servername: string }
  auth?: { user: string; pass: string }
}
type Envelope = {
  from: string | { name: string; address: string }
  replyTo?: string | undefined
  /** The domain in the message IDs. */
  domain: string
}

function sendBy(
  connect: () => Promise<Connection>,
  { from, replyTo, domain }: Envelope,
  { totalMs = TOTAL_MS, stepMs = STEP_MS }: Times,
): MailTransport {
  return {
    async send(mail) {
      const { key, toName, toEmail, subject, text, html, pictures = [] } = mail
      const answerTo = mail.replyTo ?? replyTo
      try {
        await requireOutgoing()
        const { createTransport } = await import('nodemailer')
        const transport = createTransport({
          ...(await connect()),
          dnsTimeout: stepMs,
          connectionTimeout: stepMs,
          greetingTimeout: stepMs,
          socketTimeout: stepMs,
          socketCloseTimeout: 1_000,
          disableFileAccess: true,
          disableUrlAccess: true,
        })
        await transport.sendMail({
          from: mail.fromName == null ? from : { name: mail.fromName, address: addressIn(from) },
          ...(answerTo !== undefined && { replyTo: answerTo }),
          to: { name: toName, address: toEmail },
          subject,
          date: clock.date(),
          text,
          ...(html !== undefined && { html }),
          attachments: pictures.map(({ id, name, type, bytes }) => ({
            cid: id,
            filename: name,
            contentType: type,
            contentDisposition: 'inline' as const,
            content: bytes,
          })),
          messageId: `<${key}@${domain}>`,
          headers: extraHeaders(mail, answerTo ?? addressIn(from)),
          signal: AbortSignal.timeout(totalMs),
        })
        return { kind: 'sent' }
      } catch (error) {
        const kind = kindOf(error)
        const reason = reasonOf(error)
        return kind === 'unreachable'
          ? { kind, reason, mayHaveArrived: mayHaveArrived(error) }
          : { kind, reason }
      }
    },
  }
}

/** The address in `Forecourt <noreply@example.com>`. */
function addressIn(from: Envelope['from']): string {
  return typeof from === 'string' ? (/([^<\s]+@[^>\s]+)>?\s*$/.exec(from)?.[1] ?? from) : from.address
}

function defaultPort(isSecure: boolean): number {
  return isSecure ? 465 : 587
}

/** Only a response to the email itself counts as a rejection: 5xx permanent, 4xx temporary (RFC 5321, section 4.2.1). */
function kindOf(error: unknown): 'refused' | 'later' | 'unreachable' {
  const code = fieldOf(error, 'code')
  const answer = Number(fieldOf(error, 'responseCode'))
  if (code === 'EENVELOPE' && Number.isNaN(answer)) return 'refused'
  if ((code !== 'EENVELOPE' && code !== 'EMESSAGE') || Number.isNaN(answer)) return 'unreachable'
  return answer >= 500 ? 'refused' : 'later'
}

/** Not before a connection was made, nor if the server answered that it won't take emails. */
function mayHaveArrived(error: unknown): boolean {
  if (error instanceof Failure) return false
  const before = ['EDNS', 'EAUTH', 'ETLS', 'ENOAUTH', 'EENVELOPE'].includes(fieldOf(error, 'code'))
  const isConnecting = ['connect', 'getaddrinfo'].includes(fieldOf(error, 'syscall'))
  return !before && !isConnecting && fieldOf(error, 'responseCode') === ''
}

function reasonOf(error: unknown): string {
  const text = fieldOf(error, 'response') || (error instanceof Error ? error.message : String(error))
  return text.replace(/\s+/g, ' ').trim().slice(0, 300)
}

function fieldOf(error: unknown, name: string): string {
  const value: unknown = typeof error === 'object' && error !== null ? Reflect.get(error, name) : undefined
  return typeof value === 'string' || typeof value === 'number' ? String(value) : ''
}
