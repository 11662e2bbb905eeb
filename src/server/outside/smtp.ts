import { isIP } from 'node:net'
import { clock } from '#server/clock.ts'
import { isLoopbackHost } from '#server/environment.ts'
import { findPublicAddress, MAIL_PORTS } from './public-address.ts'

/** A mail on its way to the mail server. `key` stays the same when it is sent again: receivers know it for one mail. */
export type OutgoingMail = {
  key: string
  toName: string
  toEmail: string
  subject: string
  text: string
  html?: string | undefined
  /** It comes again until its reader does something. */
  isReminder?: boolean
  /** Go along with the HTML, which names each as `cid:` and its id. */
  pictures?: readonly AttachedPicture[]
}

/**
 * Headers that every email of the product has: no answering machine replies to it (RFC 3834), and who gets reminders is
 * told where to end them (RFC 2369).
 * @param answersTo the address that its answers go to.
 */
export function automaticHeaders(
  { isReminder = false }: OutgoingMail,
  answersTo: string,
): Record<string, string> {
  const end = `<mailto:${answersTo}?subject=${encodeURIComponent('No more reminders')}>`
  return { 'Auto-Submitted': 'auto-generated', ...(isReminder && { 'List-Unsubscribe': end }) }
}

export type AttachedPicture = { id: string; name: string; type: string; bytes: Buffer }

/** Whom mails come from. */
export type Sender = { name: string | null; email: string; replyTo: string | null }

/**
 * What became of a mail: taken, under the number the other side gave it; refused for good; refused for now; or the
 * server could not be spoken to, which would happen to every other mail as well.
 */
export type Outcome =
  | { kind: 'sent'; messageId?: string }
  | { kind: 'refused' | 'later' | 'unreachable'; reason: string }

export type MailTransport = { send: (mail: OutgoingMail) => Promise<Outcome> }

// A mail server that hangs or answers byte by byte must not hold up the others.
const STEP_MS = 10_000
const WHOLE_MS = 30_000

type Times = {
  /** After so long a mail is given up for now, whatever the server does. */
  wholeMs?: number
  stepMs?: number
}

/** The mail server of FORECOURT_SMTP_URL. A password travels over TLS alone, except on this machine. */
export function openSmtp({ url, from }: { url: string; from: string }, times: Times = {}): MailTransport {
  const { hostname, port, protocol, username, password } = new URL(url)
  const isSecure = protocol === 'smtps:'
  const isHere = isLoopbackHost(hostname)
  const [, domain = 'forecourt.invalid'] = /@([^@>\s]+)>?\s*$/.exec(from) ?? []
  return sendBy(
    async () => ({
      host: hostname.replace(/^\[|\]$/g, ''),
      port: port === '' ? defaultPort(isSecure) : Number(port),
      secure: isSecure,
      // A relay on this machine mostly has a certificate of its own making.
      ignoreTLS: isHere,
      requireTLS: !isHere && !isSecure && username !== '',
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
  /** Nobody we trust named the host: it must be on the public Internet, and listen where mail servers do. */
  isGuarded: boolean
}

/** A mail server that a customer named. The name is looked up for each mail, and the address found is the one used. */
export function openNamedSmtp(server: SmtpServer, times: Times = {}): MailTransport {
  const { host, port, security, login, sender, isGuarded } = server
  const name = host.replace(/^\[|\]$/g, '')
  return sendBy(
    async () => {
      if (isGuarded && !MAIL_PORTS.some((one) => one === port)) {
        throw new Error(`Port ${port} may not be used for mail. Use ${MAIL_PORTS.join(', ')}.`)
      }
      return {
        host: isGuarded ? await findPublicAddress(host, times.stepMs ?? STEP_MS) : name,
        port,
        secure: security === 'tls',
        ignoreTLS: security === 'none',
        requireTLS: security === 'starttls',
        // The certificate is the name's, whatever address it led to.
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
  /** Ends the mails' numbers. */
  domain: string
}

function sendBy(
  connect: () => Promise<Connection>,
  { from, replyTo, domain }: Envelope,
  { wholeMs = WHOLE_MS, stepMs = STEP_MS }: Times,
): MailTransport {
  return {
    async send(mail) {
      const { key, toName, toEmail, subject, text, html, pictures = [] } = mail
      try {
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
          from,
          ...(replyTo !== undefined && { replyTo }),
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
          headers: automaticHeaders(mail, replyTo ?? addressIn(from)),
          signal: AbortSignal.timeout(wholeMs),
        })
        return { kind: 'sent' }
      } catch (error) {
        return { kind: kindOf(error), reason: reasonOf(error) }
      }
    },
  }
}

/** The address alone of `Forecourt <noreply@example.com>`. */
function addressIn(from: Envelope['from']): string {
  return typeof from === 'string' ? (/([^<\s]+@[^>\s]+)>?\s*$/.exec(from)?.[1] ?? from) : from.address
}

function defaultPort(isSecure: boolean): number {
  return isSecure ? 465 : 587
}

/** Only an answer to the mail itself speaks of the mail: 5xx for good, 4xx for now (RFC 5321, section 4.2.1). */
function kindOf(error: unknown): 'refused' | 'later' | 'unreachable' {
  const code = fieldOf(error, 'code')
  const answer = Number(fieldOf(error, 'responseCode'))
  if (code === 'EENVELOPE' && Number.isNaN(answer)) return 'refused'
  if ((code !== 'EENVELOPE' && code !== 'EMESSAGE') || Number.isNaN(answer)) return 'unreachable'
  return answer >= 500 ? 'refused' : 'later'
}

function reasonOf(error: unknown): string {
  const text = fieldOf(error, 'response') || (error instanceof Error ? error.message : String(error))
  return text.replace(/\s+/g, ' ').trim().slice(0, 300)
}

function fieldOf(error: unknown, name: string): string {
  const value: unknown = typeof error === 'object' && error !== null ? Reflect.get(error, name) : undefined
  return typeof value === 'string' || typeof value === 'number' ? String(value) : ''
}
