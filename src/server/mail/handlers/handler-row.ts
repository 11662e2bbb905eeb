import { createHmac, timingSafeEqual } from 'node:crypto'
import { isLoopbackHost } from '#server/environment.ts'
import type { SealedColumn } from '#server/installation/sealed-columns.ts'
import { openPostmark } from '#server/outside/postmark.ts'
import { openNamedSmtp, type MailTransport, type Sender } from '#server/outside/smtp.ts'
import type { Secrets } from '#server/secrets.ts'

/** An email handler as the table has it, as far as it sends. */
export type HandlerRow = {
  customerId: string
  id: string
  kind: 'postmark' | 'smtp' | 'outbox'
  fromName: string | null
  fromEmail: string
  replyTo: string | null
  smtpHost: string | null
  smtpPort: number | null
  smtpSecurity: 'tls' | 'starttls' | 'none'
  smtpUser: string | null
  postmarkStream: string | null
  secretSealed: string | null
  isPlatform: boolean
}

export const handlerColumns = [
  'customerId',
  'id',
  'kind',
  'fromName',
  'fromEmail',
  'replyTo',
  'smtpHost',
  'smtpPort',
  'smtpSecurity',
  'smtpUser',
  'postmarkStream',
  'secretSealed',
] as const

type SmtpServer = Pick<HandlerRow, 'customerId' | 'smtpHost' | 'smtpUser'> & {
  kind: string
  smtpPort: number | string | null
  smtpSecurity: string
}

/**
 * What a secret is sealed for: the very server and user it was given for. Whoever points the handler elsewhere gets no
 * password sent there that they do not know themselves.
 */
export function secretContext(place: SmtpServer): string {
  const { customerId, kind, smtpHost, smtpPort, smtpSecurity, smtpUser } = place
  const where = kind === 'smtp' ? `${smtpSecurity}/${smtpHost}:${smtpPort}/${smtpUser}` : ''
  return `email_handlers.secret_sealed/${customerId}/${kind}/${where}`
}

/** Where the passwords are, for a new secret. */
export const sealedHandlers: SealedColumn = {
  table: 'public.email_handlers',
  column: 'secret_sealed',
  contextColumns: ['customer_id', 'kind', 'smtp_host', 'smtp_port', 'smtp_security', 'smtp_user'],
  context: (row) =>
    secretContext({
      customerId: row.customer_id ?? '',
      kind: row.kind ?? '',
      smtpHost: row.smtp_host ?? null,
      smtpPort: row.smtp_port ?? null,
      smtpSecurity: row.smtp_security ?? '',
      smtpUser: row.smtp_user ?? null,
    }),
}

export type Ways = {
  secrets: Secrets
  postmarkUrl: string
  /** Customers may name mail servers on private networks, too: `FORECOURT_PRIVATE_ADDRESSES`. */
  allowsPrivate: boolean
}

/** Whether the host that a handler names must be on the public Internet. The platform's own staff may name any. */
export function isGuarded({ allowsPrivate }: Pick<Ways, 'allowsPrivate'>, isPlatform: boolean): boolean {
  return !allowsPrivate && !isPlatform
}

/** How a handler sends; null where it keeps mails. One whose secret does not open says so for each mail. */
export function openHandler(handler: HandlerRow, ways: Ways): MailTransport | null {
  const { kind, smtpHost, smtpPort, smtpUser } = handler
  if (kind === 'outbox') return null
  const sender: Sender = { name: handler.fromName, email: handler.fromEmail, replyTo: handler.replyTo }
  const secret = openSecret(handler, ways.secrets)
  if (secret === UNOPENED)
    return refuseAll('The password of this email handler cannot be opened. Give it anew.')
  if (kind === 'postmark') {
    if (secret === null) return refuseAll('This email handler has no server token.')
    return openPostmark({ url: ways.postmarkUrl, token: secret, stream: handler.postmarkStream, sender })
  }
  if (smtpHost === null || smtpPort === null) return refuseAll('This email handler names no server.')
  return openNamedSmtp({
    host: smtpHost,
    port: smtpPort,
    security: handler.smtpSecurity,
    login: smtpUser !== null && secret !== null ? { user: smtpUser, password: secret } : null,
    sender,
    isGuarded: isGuarded(ways, handler.isPlatform),
  })
}

/** A password goes over an unprotected connection to this machine alone. */
export function isInTheOpen(handler: {
  kind: string
  host: string | null
  security: string
  userName: string | null
}): boolean {
  const { kind, host, security, userName } = handler
  return kind === 'smtp' && security === 'none' && userName !== null && !isLoopbackHost(host ?? '')
}

const UNOPENED = Symbol('unopened')

function openSecret(handler: HandlerRow, secrets: Secrets): string | null | typeof UNOPENED {
  if (handler.secretSealed === null) return null
  try {
    return secrets.open(handler.secretSealed, secretContext(handler))
  } catch {
    return UNOPENED
  }
}

function refuseAll(reason: string): MailTransport {
  return { send: () => Promise.resolve({ kind: 'unreachable', reason }) }
}

const PURPOSE = 'mail events'

/** Where a provider tells of the mails of a handler: nobody guesses it, and nothing of it is kept. */
export function eventsKey(secrets: Secrets, { customerId, id }: { customerId: string; id: string }): string {
  return `${customerId}-${id}-${sign(secrets.deriveKey(PURPOSE), customerId, id)}`
}

/** Which handler a key is of; null when it is none of ours. */
export function readEventsKey(secrets: Secrets, key: string): { customerId: string; id: string } | null {
  const [, customerId = '', id = '', given = ''] = /^(\d+)-(\d+)-([\w-]{43})$/.exec(key) ?? []
  const isOurs = secrets
    .deriveKeys(PURPOSE)
    .some((own) =>
      timingSafeEqual(Buffer.from(sign(own, customerId, id)), Buffer.from(given.padEnd(43).slice(0, 43))),
    )
  return isOurs ? { customerId, id } : null
}

function sign(key: Buffer, customerId: string, id: string): string {
  return createHmac('sha256', key).update(`${customerId}/${id}`).digest('base64url')
}
