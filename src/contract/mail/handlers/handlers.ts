import { z } from 'zod'
import { endpoint } from '#contract/endpoint.ts'
import { Id, Instant, line, optionalLine, Version } from '#contract/fields.ts'
import { ServerHost, ServerPort } from '#contract/server-address.ts'
import { can, Func, Opr } from '#contract/permissions.ts'
import { listQuery, queriedList } from '#contract/queried-list.ts'
import { HANDLER_LIST } from './handler-list.ts'

/** `outbox` sends nothing: mails stay where people read them. */
export const HANDLER_KINDS = ['postmark', 'smtp', 'outbox'] as const
/** `tls` from the first byte; `starttls` must be there before a password goes out; `none` for a server next door. */
export const SMTP_SECURITIES = ['tls', 'starttls', 'none'] as const

/** How a customer's mails leave. Its password or token goes in and never comes out. */
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
  /** A password or token is kept. */
  hasSecret: z.boolean(),
  /** The one that the customer's mails go out by. */
  isDefault: z.boolean(),
  /** Where Postmark tells what became of mails: a path with an unguessable key. Null for other kinds. */
  eventsPath: z.string().nullable(),
  version: z.number().int(),
  updatedAt: Instant,
  updatedBy: z.string().nullable(),
})
export type EmailHandler = z.infer<typeof EmailHandler>

export const Address = z
  .string('This must be an e-mail address.')
  .trim()
  .max(254, 'An e-mail address may have at most 254 characters.')
  .pipe(z.email('This is not an e-mail address.'))

const fields = {
  name: line(80, 'Name'),
  kind: z.enum(HANDLER_KINDS, 'Choose Postmark, a mail server or the outbox.'),
  fromName: optionalLine(100, 'Sender').transform((name) => name ?? null),
  fromEmail: Address,
  replyTo: z.union(
    [z.null(), z.literal('').transform(() => null), Address],
    'This is not an e-mail address.',
  ),
  host: ServerHost,
  port: ServerPort,
  security: z.enum(SMTP_SECURITIES, 'Choose how the connection is protected.'),
  userName: optionalLine(200, 'User').transform((name) => name ?? null),
  stream: optionalLine(60, 'Message stream').transform((stream) => stream ?? null),
  /** Empty or not there: the kept one stays. */
  secret: optionalLine(500, 'Password'),
  isDefault: z.boolean('Say whether it is the default.'),
}

/** What a kind cannot do without, a sentence for each field that is missing. */
export function missingOf(handler: {
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
    for (const [path, message] of Object.entries(missingOf(handler))) {
      context.addIssue({ code: 'custom', path: [path], message })
    }
  }),
})

/** What `edit-email-handler` answered may come back whole; only the fields that are there are changed. */
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

/** What came of a test mail: taken, or in the server's own words why not. */
export const TestOutcome = z.object({ isSent: z.boolean(), said: z.string() })
export type TestOutcome = z.infer<typeof TestOutcome>

export const emailHandlers = {
  list: endpoint({
    method: 'GET',
    path: '/api/administration/get-postmark-list',
    allow: can(Func.emailHandlers, Opr.list),
    summary: 'The email handlers of the customer as a queried list, those of other kinds than Postmark too.',
    input: listQuery(HANDLER_LIST),
    output: queriedList(EmailHandler),
  }),
  get: endpoint({
    method: 'GET',
    path: '/api/administration/edit-email-handler/{id}',
    allow: can(Func.emailHandlers, Opr.read),
    summary: 'One email handler with everything its form edits, but for its password or token.',
    input: z.strictObject({ id: Id }),
    output: EmailHandler,
  }),
  add: endpoint({
    method: 'POST',
    path: '/api/administration/add-email-handler',
    allow: can(Func.emailHandlers, Opr.create),
    summary: 'Adds an email handler. A name already in use answers 409.',
    input: NewEmailHandler,
    output: EmailHandler,
  }),
  update: endpoint({
    method: 'POST',
    path: '/api/administration/update-email-handler',
    allow: can(Func.emailHandlers, Opr.update),
    summary:
      'Changes an email handler. Another server or user takes its password again. A stale version answers 409.',
    input: EmailHandlerChange,
    output: EmailHandler,
  }),
  remove: endpoint({
    method: 'DELETE',
    path: '/api/administration/delete-email-handler/{id}',
    allow: can(Func.emailHandlers, Opr.delete),
    summary: "Deletes an email handler. Mails then go out as the installation's settings say.",
    input: z.strictObject({ id: Id }),
  }),
  test: endpoint({
    method: 'POST',
    path: '/api/administration/test-email-handler',
    allow: can(Func.emailHandlers, Opr.execute),
    summary: 'Sends one mail by an email handler and answers what its server said. Ten an hour at most.',
    input: z.strictObject({ id: Id, toEmail: Address }),
    output: TestOutcome,
    outside: true,
  }),
}
