import { fieldSentences } from '#contract/field-sentences.ts'
import { type EmailHandler, NewEmailHandler } from '#contract/mail/handlers/handlers.ts'
import type { Labels } from '#web/ui/record/differences.ts'
import { showValue } from '#web/ui/record/show-record-value.ts'

export const KIND_NAMES: Record<EmailHandler['kind'], string> = {
  postmark: 'Postmark',
  smtp: 'Mail server (SMTP)',
  outbox: 'Nothing: kept in the outbox',
}
export const SECURITY_NAMES: Record<EmailHandler['security'], string> = {
  starttls: 'STARTTLS (mostly port 587)',
  tls: 'TLS (mostly port 465)',
  none: 'None',
}

/** What the form holds: text wherever a person types, empty for "not given". `secret` is only ever a new one. */
export type HandlerValues = {
  name: string
  kind: EmailHandler['kind']
  fromName: string
  fromEmail: string
  replyTo: string
  host: string
  port: string
  security: EmailHandler['security']
  userName: string
  stream: string
  secret: string
  isDefault: boolean
}

/** How fields are called, in the order of the form. */
export const FIELD_NAMES: Labels<HandlerValues> = {
  name: 'Name',
  kind: 'Sends by',
  fromName: 'Sender',
  fromEmail: 'From',
  replyTo: 'Answers go to',
  host: 'Server',
  port: 'Port',
  security: 'Connection',
  userName: 'User',
  stream: 'Message stream',
  secret: 'Password',
  isDefault: 'Default',
}

export const BLANK: HandlerValues = {
  name: '',
  kind: 'smtp',
  fromName: '',
  fromEmail: '',
  replyTo: '',
  host: '',
  port: '587',
  security: 'starttls',
  userName: '',
  stream: '',
  secret: '',
  isDefault: false,
}

export function toValues(handler: EmailHandler): HandlerValues {
  const { name, kind, fromEmail, security, isDefault } = handler
  return {
    name,
    kind,
    fromEmail,
    security,
    isDefault,
    fromName: handler.fromName ?? '',
    replyTo: handler.replyTo ?? '',
    host: handler.host ?? '',
    port: handler.port === null ? '587' : String(handler.port),
    userName: handler.userName ?? '',
    stream: handler.stream ?? '',
    secret: '',
  }
}

/** As the contract takes it: what belongs to another kind is left out, and so is a secret that nobody typed. */
export function toInput({ host, port, userName, stream, secret, ...values }: HandlerValues) {
  const isSmtp = values.kind === 'smtp'
  return {
    ...values,
    host: isSmtp ? host : null,
    port: isSmtp && port.trim() !== '' ? Number(port) : null,
    userName: isSmtp ? userName : null,
    stream: values.kind === 'postmark' ? stream : null,
    ...(secret !== '' && { secret }),
  }
}

/** A sentence for each field that is wrong; the contract's own. */
export function checkHandler(values: HandlerValues): Record<string, string> {
  const { error } = NewEmailHandler.safeParse({ emailHandler: toInput(values) })
  return error ? fieldSentences(error) : {}
}

/** A field as words, for the comparison. Never the secret. */
export function showField(name: string, values: HandlerValues): string {
  if (name === 'kind') return KIND_NAMES[values.kind]
  if (name === 'security') return SECURITY_NAMES[values.security]
  if (name === 'secret') return values.secret === '' ? 'As it is' : 'A new one'
  return showValue({ ...values }[name])
}
