import { z } from 'zod'
import { endpoint } from '#contract/endpoint.ts'
import { Id, Instant } from '#contract/fields.ts'
import { can, Func, Opr } from '#contract/permissions.ts'
import { field, record, requiredText } from '#contract/record.ts'

/** An address that a lead provider sends leads to. It belongs to the organization of its lot. */
export const inboundAddressRecord = record(
  {
    label: requiredText('Label', 80),
    sourceName: requiredText('Lead source', 60),
    /** Leads about a vehicle in stock belong to the vehicle's lot instead. */
    lotId: field('Lot', { input: Id, stored: z.string().nullable(), blank: null }),
  },
  {
    readOnly: {
      lotName: z.string().nullable(),
      organizationName: z.string(),
      /** Null: it has no URLs, or they were revoked. */
      tokenAt: Instant.nullable(),
      lastReceivedAt: Instant.nullable(),
      /** In the last 30 days. */
      messages: z.number().int(),
      leads: z.number().int(),
      quarantined: z.number().int(),
    },
  },
)
export type InboundAddress = z.infer<typeof inboundAddressRecord.schema>

/** What became of a message. */
export const INBOUND_STATES = [
  { value: 'received', label: 'Received' },
  { value: 'reply', label: 'Reply' },
  { value: 'ignored', label: 'Ignored' },
  { value: 'quarantined', label: 'In quarantine' },
] as const
export const INBOUND_STATE_CODES = INBOUND_STATES.map(({ value }) => value)

/** Something that arrived at an address. */
export const InboundMessage = z.object({
  id: z.string(),
  addressId: z.string(),
  addressLabel: z.string(),
  kind: z.enum(['adf', 'email']),
  state: z.enum(INBOUND_STATE_CODES),
  reason: z.string().nullable(),
  fromEmail: z.string().nullable(),
  subject: z.string().nullable(),
  receivedAt: Instant,
  repeats: z.number().int(),
  warnings: z.number().int(),
  leads: z.array(z.object({ id: z.string(), name: z.string().nullable(), isNew: z.boolean() })),
})
export type InboundMessage = z.infer<typeof InboundMessage>

const InboundMessageRecord = InboundMessage.extend({
  /** The text as it was received; of an email, its JSON without the content of attachments. */
  raw: z.string(),
  encoding: z.string().nullable(),
  warningSentences: z.array(z.string()),
})

/** The ends of both URLs. They are shown once. */
const InboundUrls = z.object({ adfPath: z.string(), mailPath: z.string() })
export type InboundUrls = z.infer<typeof InboundUrls>

const LIST = '/api/customers/get-inbound-addresses'
const ONE = '/api/customers/edit-inbound-address/{id}'
const MESSAGES = '/api/customers/get-inbound-messages'
const byId = z.strictObject({ id: Id })

export const inboundAddresses = {
  list: endpoint({
    method: 'GET',
    path: LIST,
    allow: can(Func.leadRouting, Opr.list),
    summary: 'Lists the addresses that lead providers send leads to, with what arrived in the last 30 days.',
    output: z.array(inboundAddressRecord.schema),
  }),
  get: endpoint({
    method: 'GET',
    path: ONE,
    allow: can(Func.leadRouting, Opr.read),
    summary: 'Returns one inbound address.',
    input: byId,
    output: inboundAddressRecord.schema,
  }),
  add: endpoint({
    method: 'POST',
    path: '/api/customers/add-inbound-address',
    allow: can(Func.leadRouting, Opr.create),
    summary: 'Adds an inbound address for a lot. Its URLs are created separately.',
    input: inboundAddressRecord.create,
    output: inboundAddressRecord.schema,
    changes: [LIST],
  }),
  update: endpoint({
    method: 'POST',
    path: '/api/customers/update-inbound-address',
    allow: can(Func.leadRouting, Opr.update),
    summary: 'Updates an inbound address. A stale version returns 409 with the current address.',
    input: inboundAddressRecord.update,
    output: inboundAddressRecord.schema,
    changes: [LIST, ONE, MESSAGES],
  }),
  renewUrls: endpoint({
    method: 'POST',
    path: '/api/customers/renew-inbound-address-urls',
    allow: can(Func.leadRouting, Opr.update),
    summary:
      'Creates the URLs of an inbound address. They are returned only once, and earlier ones return 404 immediately.',
    input: byId,
    output: InboundUrls,
    changes: [LIST, ONE],
  }),
  revoke: endpoint({
    method: 'POST',
    path: '/api/customers/revoke-inbound-address',
    allow: can(Func.leadRouting, Opr.update),
    summary: 'Revokes the URLs of an inbound address: they return 404 immediately.',
    input: byId,
    output: inboundAddressRecord.schema,
    changes: [LIST, ONE],
  }),
  messages: endpoint({
    method: 'GET',
    path: MESSAGES,
    allow: can(Func.leadRouting, Opr.read),
    summary: 'Returns the last 100 messages of one address or all, newest first, also those in quarantine.',
    input: z.strictObject({ addressId: Id.optional(), state: z.enum(INBOUND_STATE_CODES).optional() }),
    output: z.array(InboundMessage),
  }),
  message: endpoint({
    method: 'GET',
    path: '/api/customers/get-inbound-message/{id}',
    allow: can(Func.leadRouting, Opr.read),
    summary: 'Returns one message with its original text.',
    input: byId,
    output: InboundMessageRecord,
  }),
}

/** The end of a URL: the ID of the address and a random secret. */
const token = z.string().max(120)
const ReceivedMessage = z.object({
  messageId: z.string(),
  state: z.enum(INBOUND_STATE_CODES),
  /** It was received before: nothing was added. */
  isRepeated: z.boolean(),
  /** In the order of the document. */
  leads: z.array(z.object({ id: z.string(), isNew: z.boolean() })),
  reason: z.string().nullable(),
})
export type ReceivedMessage = z.infer<typeof ReceivedMessage>

/** Leads that lead providers send, without signing in, to a URL with a secret token. */
export const inboundLeads = {
  adf: endpoint({
    method: 'POST',
    path: '/api/leads/adf/{token}',
    kind: 'raw',
    allow: 'anyone',
    summary:
      'Accepts an ADF 1.0 document of up to 1 MB as the body, whatever its content type. The same document within a day, or a lead with the same ID, is the same lead. What cannot be read is kept for review, with state "quarantined".',
    input: z.strictObject({ token }),
    output: ReceivedMessage,
  }),
  mail: endpoint({
    method: 'POST',
    path: '/api/leads/mail/{token}',
    kind: 'raw',
    allow: 'anyone',
    summary:
      'Accepts an email in the format of the Postmark inbound webhook: an ADF document in its text or attachments, a reply to a lead, or a plain email, which becomes a lead. Automatic emails create none.',
    input: z.strictObject({ token }),
    output: ReceivedMessage,
  }),
}
