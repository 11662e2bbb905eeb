import { trimmed } from '#contract/trimmed.ts'
import { z } from 'zod'
import { deletionOf } from '#contract/deletion.ts'
import { endpoint } from '#contract/endpoint.ts'
import { Id, Instant, line, optionalLine, Version } from '#contract/fields.ts'
import { ServerHost, ServerPort } from '#contract/server-address.ts'
import { can, Func, Opr } from '#contract/permissions.ts'
import { listQuery, queriedList } from '#contract/queried-list.ts'
import { HANDLER_LIST } from './handler-list.ts'

/** `outbox` sends nothing: emails stay in the outbox. */
export const HANDLER_KINDS = ['postmark', 'smtp', 'outbox'] as const
/** `tls`: implicit TLS. `starttls`: required before the password is sent. `none`: for a server on the same machine. */
export const SMTP_SECURITIES = ['tls', 'starttls', 'none'] as const

/** How a customer's emails are sent. Its password or token is write-only. */
export const EmailHandler = z.object({
  id: z.string(),
  name: z.string(),
  kind: z.enum(HANDLER_KINDS),
  fromName: z.string().nullable(),
  fromEmail: z.string(),
  replyTo: z.string().nullable(),
  host: z.string().nullable(),
  port: z.number().int().nullable(),
  security: z.enum(SMTP_SECURITIES),
  userName: z.string().nullable(),
  /** Postmark's message stream; null is its `outbound`. */
  stream: z.string().nullable(),
  /** A password or token is stored. */
  hasSecret: z.boolean(),
  /** The handler that sends the customer's emails. */
  isDefault: z.boolean(),
  /** When a mail server last accepted an email with these settings; null if none has. */
  provedAt: Instant.nullable(),
  /** The webhook path for Postmark's delivery events, with an unguessable key. Null for other kinds. */
  eventsPath: z.string().nullable(),
  version: z.number().int(),
  updatedAt: Instant,
  updatedBy: z.string().nullable(),
})
export type EmailHandler = z.infer<typeof EmailHandler>

export const Address = z
  .string('Enter a valid email address.')
  .trim()
  .max(254, 'An email address can have at most 254 characters.')
  .pipe(z.email('Enter a valid email address.'))

const fields = {
  name: line(80, 'Name'),
  kind: z.enum(HANDLER_KINDS, 'Choose Postmark, SMTP server or outbox only.'),
  fromName: optionalLine(100, 'Sender name').transform((name) => name ?? null),
  fromEmail: z.string('From must be text.').overwrite(trimmed).min(1, 'From is required.').pipe(Address),
  replyTo: z.union([z.null(), z.literal('').transform(() => null), Address], 'Enter a valid email address.'),
  host: ServerHost,
  port: ServerPort,
  security: z.enum(SMTP_SECURITIES, 'Choose the connection security.'),
  userName: optionalLine(200, 'User name').transform((name) => name ?? null),
  stream: optionalLine(60, 'Message stream').transform((stream) => stream ?? null),
  /** Empty or missing: the stored secret is kept. */
  secret: optionalLine(500, 'Password'),
  isDefault: z.boolean('Choose whether this is the default handler.'),
}

/** An error message for each required field that is missing for this kind. */
export function missingFields(handler: {
  kind: EmailHandler['kind']
  host: string | null
  port: number | null
}): Record<string, string> {
  if (handler.kind !== 'smtp') return {}
  return {
    ...(handler.host === null && { host: 'Server is required.' }),
    ...(handler.port === null && { port: 'Port is required.' }),
  }
}

const NewFields = z.strictObject({
  ...fields,
  fromName: fields.fromName.optional().default(null),
  replyTo: fields.replyTo.optional().default(null),
  host: fields.host.optional().default(null),
  port: fields.port.optional().default(null),
  security: fields.security.optional().default('starttls'),
  userName: fields.userName.optional().default(null),
  stream: fields.stream.optional().default(null),
  isDefault: fields.isDefault.optional().default(false),
})
export const NewEmailHandler = z.strictObject({
  emailHandler: NewFields.superRefine((handler, context) => {
    for (const [path, message] of Object.entries(missingFields(handler))) {
      context.addIssue({ code: 'custom', path: [path], message })
    }
  }),
})

/** Accepts the whole response of `edit-email-handler`; only the fields present are changed. */
export const EmailHandlerChange = z.strictObject({
  emailHandler: z
    .looseObject({
      id: Id,
      version: Version,
      name: fields.name.optional(),
      kind: fields.kind.optional(),
      fromName: fields.fromName.optional(),
      fromEmail: fields.fromEmail.optional(),
      replyTo: fields.replyTo.optional(),
      host: fields.host.optional(),
      port: fields.port.optional(),
      security: fields.security.optional(),
      userName: fields.userName.optional(),
      stream: fields.stream.optional(),
      secret: fields.secret,
      isDefault: fields.isDefault.optional(),
    })
    .transform(({ id, version, name, kind, fromName, fromEmail, replyTo, ...rest }) => {
      const { host, port, security, userName, stream, secret, isDefault } = rest
      const sender = { fromName, fromEmail, replyTo }
      return { id, version, name, kind, ...sender, host, port, security, userName, stream, secret, isDefault }
    }),
})

/** The result of a test email. `message`: the mail server's response. */
export const TestOutcome = z.object({ isSent: z.boolean(), message: z.string() })
export type TestOutcome = z.infer<typeof TestOutcome>

export const emailHandlers = {
  list: endpoint({
    method: 'GET',
    path: '/api/administration/get-postmark-list',
    allow: can(Func.emailHandlers, Opr.list),
    summary: 'Lists the email handlers of the customer, of every kind, as a queried list.',
    input: listQuery(HANDLER_LIST),
    output: queriedList(EmailHandler),
  }),
  get: endpoint({
    method: 'GET',
    path: '/api/administration/edit-email-handler/{id}',
    allow: can(Func.emailHandlers, Opr.read),
    summary: 'Returns one email handler with all editable fields except its password or token.',
    input: z.strictObject({ id: Id }),
    output: EmailHandler,
  }),
  add: endpoint({
    method: 'POST',
    path: '/api/administration/add-email-handler',
    allow: can(Func.emailHandlers, Opr.create),
    summary:
      "Adds an email handler. For a default one, a test email goes to the caller first: 400 if it isn't accepted. Returns 409 if the name is already in use.",
    input: NewEmailHandler,
    output: EmailHandler,
    outside: true,
    changes: ['/api/administration/get-postmark-list'],
  }),
  update: endpoint({
    method: 'POST',
    path: '/api/administration/update-email-handler',
    allow: can(Func.emailHandlers, Opr.update),
    summary:
      "Updates an email handler. A new server or user requires the password again. Before it becomes the default, or the default sends differently, a test email goes to the caller: 400 if it isn't accepted. Returns 409 if the version is outdated.",
    input: EmailHandlerChange,
    output: EmailHandler,
    outside: true,
    changes: ['/api/administration/get-postmark-list'],
  }),
  remove: endpoint({
    ...deletionOf(EmailHandler),
    path: '/api/administration/delete-email-handler/{id}',
    allow: can(Func.emailHandlers, Opr.delete),
    summary:
      "Deletes an email handler. Without a default handler, emails are sent by the installation's mail server.",
    changes: ['/api/administration/get-postmark-list'],
  }),
  effect: endpoint({
    method: 'GET',
    path: '/api/administration/email-handler-effect',
    allow: can(Func.emailHandlers, Opr.read),
    summary:
      "Whether the customer's emails are sent, and how many people need an emailed code to sign in once they are. 0 if they are sent already.",
    output: z.object({ isSending: z.boolean(), codesNeededBy: z.number().int() }),
  }),
  test: endpoint({
    method: 'POST',
    path: '/api/administration/test-email-handler',
    allow: can(Func.emailHandlers, Opr.execute),
    summary:
      "Sends a test email with an email handler and returns the mail server's response. At most ten an hour.",
    input: z.strictObject({ id: Id, toEmail: Address }),
    output: TestOutcome,
    outside: true,
  }),
}
