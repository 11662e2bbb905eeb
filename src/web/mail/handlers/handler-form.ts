import { unlessBlank } from '#contract/parsing/typed-number.ts'
import { fieldSentences } from '#contract/field-sentences.ts'
import { EmailHandler, NewEmailHandler } from '#contract/mail/handlers/handlers.ts'
import type { Labels } from '#web/ui/record/differences.ts'
import { showValue } from '#web/ui/record/show-record-value.ts'

export const KIND_NAMES: Record<EmailHandler['kind'], string> = {
  postmark: 'Postmark',
  smtp: 'SMTP server',
  outbox: 'Outbox only',
}
export const SECURITY_NAMES: Record<EmailHandler['security'], string> = {
  starttls: 'STARTTLS (usually port 587)',
  tls: 'TLS (usually port 465)',
  none: 'None',
}

/** Form values: text for every input, empty for none. `secret` is only ever a new one. */
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

/** Field labels, in form order. */
const FIELD_NAMES: Labels<HandlerValues> = {
  name: 'Name',
  kind: 'Delivery method',
  fromName: 'Sender name',
  fromEmail: 'From',
  replyTo: 'Reply-to',
  host: 'Server',
  port: 'Port',
  security: 'Connection',
  userName: 'User name',
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

/** The contract's input, without fields of other kinds and without an empty secret. */
export function toInput({ host, port, userName, stream, secret, ...values }: HandlerValues) {
  const isSmtp = values.kind === 'smtp'
  return {
    ...values,
    host: isSmtp ? host : null,
    port: isSmtp ? unlessBlank(port) : null,
    userName: isSmtp ? userName : null,
    stream: values.kind === 'postmark' ? stream : null,
    ...(secret !== '' && { secret }),
  }
}

/** The contract's error message for each invalid field. */
export function checkHandler(values: HandlerValues): Record<string, string> {
  const { error } = NewEmailHandler.safeParse({ emailHandler: toInput(values) })
  return error ? fieldSentences(error) : {}
}

/** A field's display text for comparisons. Never shows the secret. */
export function showField(name: string, values: HandlerValues): string {
  if (name === 'kind') return KIND_NAMES[values.kind]
  if (name === 'security') return SECURITY_NAMES[values.security]
  if (name === 'secret') return values.secret === '' ? 'Unchanged' : 'New'
  return showValue({ ...values }[name])
}

/** Everything the drawer needs to know. */
export const handlerForm = {
  schema: EmailHandler,
  labels: FIELD_NAMES,
  blank: BLANK,
  toValues,
  toInput,
  check: checkHandler,
}
