import { createTransport } from 'nodemailer'
import { isLoopbackHost } from '#server/environment.ts'

/** A mail on its way to the mail server. `key` stays the same when it is sent again: receivers know it for one mail. */
export type OutgoingMail = { key: string; toName: string; toEmail: string; subject: string; text: string }

/**
 * What became of a mail: taken; refused for good; refused for now; or the server could not be spoken to, which would
 * happen to every other mail as well.
 */
export type Outcome = { kind: 'sent' } | { kind: 'refused' | 'later' | 'unreachable'; reason: string }

export type MailTransport = { send: (mail: OutgoingMail) => Promise<Outcome> }

// A mail server that hangs or answers byte by byte must not hold up the others.
const STEP_MS = 10_000
const WHOLE_MS = 30_000

/**
 * The mail server of FORECOURT_SMTP_URL. A password travels over TLS alone, except on this machine.
 * @param wholeMs after which a mail is given up for now, whatever the server does.
 */
export function openSmtp(
  { url, from }: { url: string; from: string },
  { wholeMs = WHOLE_MS, stepMs = STEP_MS } = {},
): MailTransport {
  const { hostname, port, protocol, username, password } = new URL(url)
  const isSecure = protocol === 'smtps:'
  const isHere = isLoopbackHost(hostname)
  const transport = createTransport({
    host: hostname.replace(/^\[|\]$/g, ''),
    port: port === '' ? defaultPort(isSecure) : Number(port),
    secure: isSecure,
    // A relay on this machine mostly has a certificate of its own making.
    ignoreTLS: isHere,
    requireTLS: !isHere && !isSecure && username !== '',
    ...(username !== '' && {
      auth: { user: decodeURIComponent(username), pass: decodeURIComponent(password) },
    }),
    dnsTimeout: stepMs,
    connectionTimeout: stepMs,
    greetingTimeout: stepMs,
    socketTimeout: stepMs,
    socketCloseTimeout: 1_000,
    disableFileAccess: true,
    disableUrlAccess: true,
  })
  const [, domain = 'forecourt.invalid'] = /@([^@>\s]+)>?\s*$/.exec(from) ?? []
  return {
    async send({ key, toName, toEmail, subject, text }) {
      try {
        await transport.sendMail({
          from,
          to: { name: toName, address: toEmail },
          subject,
          text,
          messageId: `<${key}@${domain}>`,
          signal: AbortSignal.timeout(wholeMs),
        })
        return { kind: 'sent' }
      } catch (error) {
        return { kind: kindOf(error), reason: reasonOf(error) }
      }
    },
  }
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
