import { createHmac, timingSafeEqual } from 'node:crypto'
import { isLoopbackHost } from '#server/environment.ts'
import type { SealedColumn } from '#server/installation/sealed-columns.ts'
import { openPostmark } from '#server/outside/postmark.ts'
import { openNamedSmtp, type MailTransport, type Sender } from '#server/outside/smtp.ts'
import type { Secrets } from '#server/secrets.ts'

/** The columns of an email handler needed for sending. */
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
 * Binds a sealed secret to the server and user it was entered for, so that nobody can point the handler at another server
 * to receive a password they don't know.
 */
export function secretContext(place: SmtpServer): string {
  const { customerId, kind, smtpHost, smtpPort, smtpSecurity, smtpUser } = place
  const where = kind === 'smtp' ? `${smtpSecurity}/${smtpHost}:${smtpPort}/${smtpUser}` : ''
  return `email_handlers.secret_sealed/${customerId}/${kind}/${where}`
}

/** The password column, for rotating the installation's secret. */
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

export type TransportOptions = {
  secrets: Secrets
  postmarkUrl: string
  /** Allows mail servers on private networks: `FORECOURT_PRIVATE_ADDRESSES`. */
  allowsPrivate: boolean
}

/** Whether a handler's host must be on the public Internet. Platform staff can use any host. */
export function isGuarded(
  { allowsPrivate }: Pick<TransportOptions, 'allowsPrivate'>,
  isPlatform: boolean,
): boolean {
  return !allowsPrivate && !isPlatform
}

/** The transport of a handler; null for outbox only. If the secret can't be decrypted, every send fails with that reason. */
export function openHandler(handler: HandlerRow, options: TransportOptions): MailTransport | null {
  const { kind, smtpHost, smtpPort, smtpUser } = handler
  if (kind === 'outbox') return null
  const sender: Sender = { name: handler.fromName, email: handler.fromEmail, replyTo: handler.replyTo }
  const secret = openSecret(handler, options.secrets)
  if (secret === UNREADABLE)
    return failAlways("The password of this email handler can't be decrypted. Enter it again.")
  if (kind === 'postmark') {
    if (secret === null) return failAlways('This email handler has no server token.')
    return openPostmark({ url: options.postmarkUrl, token: secret, stream: handler.postmarkStream, sender })
  }
  if (smtpHost === null || smtpPort === null) return failAlways('This email handler has no server.')
  return openNamedSmtp({
    host: smtpHost,
    port: smtpPort,
    security: handler.smtpSecurity,
    login: smtpUser !== null && secret !== null ? { user: smtpUser, password: secret } : null,
    sender,
    isGuarded: isGuarded(options, handler.isPlatform),
  })
}

/** Whether a password would be sent unencrypted to another machine. */
export function exposesPassword(handler: {
  kind: string
  host: string | null
  security: string
  userName: string | null
}): boolean {
  const { kind, host, security, userName } = handler
  return kind === 'smtp' && security === 'none' && userName !== null && !isLoopbackHost(host ?? '')
}

const UNREADABLE = Symbol('unreadable')

function openSecret(handler: HandlerRow, secrets: Secrets): string | null | typeof UNREADABLE {
  if (handler.secretSealed === null) return null
  try {
    return secrets.open(handler.secretSealed, secretContext(handler))
  } catch {
    return UNREADABLE
  }
}

function failAlways(reason: string): MailTransport {
  return { send: () => Promise.resolve({ kind: 'unreachable', reason }) }
}

const PURPOSE = 'mail events'

/** The unguessable key in a handler's webhook URL. Derived, so it isn't stored. */
export function eventsKey(secrets: Secrets, { customerId, id }: { customerId: string; id: string }): string {
  return `${customerId}-${id}-${sign(secrets.deriveKey(PURPOSE), customerId, id)}`
}

/** The handler of a webhook key; null if the key is invalid. */
export function readEventsKey(secrets: Secrets, key: string): { customerId: string; id: string } | null {
  const [, customerId = '', id = '', signature = ''] = /^(\d+)-(\d+)-([\w-]{43})$/.exec(key) ?? []
  const isOurs = secrets
    .deriveKeys(PURPOSE)
    .some((own) =>
      timingSafeEqual(Buffer.from(sign(own, customerId, id)), Buffer.from(signature.padEnd(43).slice(0, 43))),
    )
  return isOurs ? { customerId, id } : null
}

function sign(key: Buffer, customerId: string, id: string): string {
  return createHmac('sha256', key).update(`${customerId}/${id}`).digest('base64url')
}
