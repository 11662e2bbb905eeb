import { z } from 'zod'
import { endpoint } from '#contract/endpoint.ts'
import { Id, Instant } from '#contract/fields.ts'
import { can, Func, Opr } from '#contract/permissions.ts'
import { LeadFile } from '../inbox/lead-files.ts'

/** What became of a message. */
export const INBOUND_STATES = [
  { value: 'quarantined', label: 'Needs review' },
  { value: 'received', label: 'Received' },
  { value: 'reply', label: 'Reply' },
  { value: 'ignored', label: 'Ignored' },
] as const
const INBOUND_STATE_CODES = INBOUND_STATES.map(({ value }) => value)
const InboundState = z.enum(INBOUND_STATE_CODES)
export type InboundState = z.infer<typeof InboundState>

/** Why an email looks as if a program wrote it. It waits until a person makes it a lead or dismisses it. */
const AUTOMATIC_REASONS = ['autoSubmitted', 'generated', 'bulk', 'loop', 'bounce'] as const
export type AutomaticReason = (typeof AUTOMATIC_REASONS)[number]

/** The texts of messages that are no lead are deleted after this many days, with the message. */
export const INBOUND_KEEP_DAYS = 90
/** In characters: what is kept of a text, and the most that can be read again. */
export const INBOUND_TEXT_LENGTH = 1_000_000
export const INBOUND_PAGE_SIZE = 50

/** Something that arrived at an inbound address. */
export const InboundMessage = z.object({
  id: z.string(),
  addressId: z.string(),
  addressLabel: z.string(),
  sourceName: z.string(),
  kind: z.enum(['adf', 'email']),
  state: InboundState,
  /** A sentence: why it needs review or is ignored, or what was left out. */
  reason: z.string().nullable(),
  /** Set if it was no lead at first because it looks automatic. */
  automatic: z.enum(AUTOMATIC_REASONS).nullable(),
  fromEmail: z.string().nullable(),
  subject: z.string().nullable(),
  receivedAt: Instant,
  /** How often the same message came again. */
  repeats: z.number().int(),
  warnings: z.number().int(),
  leads: z.array(
    z.object({
      id: z.string(),
      name: z.string().nullable(),
      vehicleTitle: z.string().nullable(),
      /** False: the provider had sent this lead before. */
      isNew: z.boolean(),
    }),
  ),
})
export type InboundMessage = z.infer<typeof InboundMessage>

export const InboundMessageRecord = InboundMessage.extend({
  /** The text as received. Of an email over 1 MB, without attachments. */
  raw: z.string(),
  /** The text that a user corrected and that was read instead. */
  correctedText: z.string().nullable(),
  /** The user who read it again or dismissed it. */
  reviewedBy: z.string().nullable(),
  encoding: z.string().nullable(),
  contentType: z.string(),
  /** The files that came with it. They are downloaded from its lead. */
  files: z.array(LeadFile.omit({ id: true })),
  warningSentences: z.array(z.string()),
})
export type InboundMessageRecord = z.infer<typeof InboundMessageRecord>

/** A call that makes this list stale is in inbound-addresses.ts. */
export const INBOUND_MESSAGES = '/api/customers/get-inbound-messages'
const ONE = '/api/customers/get-inbound-message/{id}'
const ADDRESSES = '/api/customers/get-inbound-addresses'
const LEADS = '/api/customers/get-leads'
const byId = z.strictObject({ id: Id })

/** What arrived at inbound addresses: as leads, or for review. */
export const inboundMessages = {
  list: endpoint({
    method: 'GET',
    path: INBOUND_MESSAGES,
    allow: can(Func.leadRouting, Opr.read),
    summary: `Returns the messages of one inbound address or all, ${INBOUND_PAGE_SIZE} per page: those that need review first, then the newest.`,
    input: z.strictObject({
      addressId: Id.optional(),
      state: InboundState.optional(),
      page: z.coerce.number().int().min(1).max(10_000).default(1),
    }),
    output: z.object({
      results: z.array(InboundMessage),
      rowCount: z.number().int(),
      quarantined: z.number().int(),
      /** The automatic emails that need review, of this address or of all, and the ID of the latest. */
      automatic: z.object({ count: z.number().int(), upTo: z.string().nullable() }),
    }),
  }),
  get: endpoint({
    method: 'GET',
    path: ONE,
    allow: can(Func.leadRouting, Opr.read),
    summary: 'Returns one message with its original text.',
    input: byId,
    output: InboundMessageRecord,
  }),
  retry: endpoint({
    method: 'POST',
    path: '/api/customers/retry-inbound-message',
    allow: can(Func.leadRouting, Opr.update),
    // It is read in a thread.
    outside: true,
    summary:
      'Reads a message again that needs review or was ignored, with a corrected text if there is one. The original text is kept.',
    input: z.strictObject({
      id: Id,
      text: z.string().min(1, 'Enter the text.').max(INBOUND_TEXT_LENGTH, 'The text is too long.').optional(),
      /** It looks automatic, but it is an inquiry: make it a lead. */
      isInquiry: z.boolean().optional(),
    }),
    output: InboundMessageRecord,
    changes: [INBOUND_MESSAGES, ONE, ADDRESSES, LEADS],
  }),
  dismiss: endpoint({
    method: 'POST',
    path: '/api/customers/dismiss-inbound-message',
    allow: can(Func.leadRouting, Opr.update),
    summary: 'Marks a message that needs review as ignored. It can still be read again.',
    input: byId,
    output: InboundMessageRecord,
    changes: [INBOUND_MESSAGES, ONE, ADDRESSES],
  }),
  dismissAutomatic: endpoint({
    method: 'POST',
    path: '/api/customers/dismiss-automatic-messages',
    allow: can(Func.leadRouting, Opr.update),
    summary:
      'Marks the automatic emails that need review as ignored, of one inbound address or of all, up to the message `upTo`. Each can still become a lead.',
    input: z.strictObject({
      addressId: Id.optional(),
      /** Only a limit: what arrived later stays. */
      upTo: z.string().regex(/^\d{1,18}$/, 'Enter the ID of a message.'),
    }),
    output: z.object({ count: z.number().int() }),
    changes: [INBOUND_MESSAGES, ONE, ADDRESSES],
  }),
}

/** The end of a URL: the ID of the address and a random secret. */
const token = z.string().max(120)
const ReceivedMessage = z.object({
  messageId: z.string(),
  state: InboundState,
  /** It was received before: nothing was added. */
  isRepeated: z.boolean(),
  /** In the order of the document. */
  leads: z.array(z.object({ id: z.string(), isNew: z.boolean() })),
  /** Why it is no lead, or what was left out. */
  reason: z.string().nullable(),
  /** What is unusual about the document. */
  warnings: z.array(z.string()),
})
export type ReceivedMessage = z.infer<typeof ReceivedMessage>

/** Leads that lead providers send, without signing in, to a URL with a secret token. */
export const inboundLeads = {
  adf: endpoint({
    method: 'POST',
    path: '/api/leads/adf/{token}',
    kind: 'raw',
    allow: 'anyone',
    isSecretLink: true,
    summary:
      'Accepts an ADF 1.0 document of up to 1 MB: as the body, in a field of a form, or in a property of a JSON object. The same document within a day, or a lead with the same ID, is the same lead. A document that cannot be read is kept for review and answered with 422 and the reason.',
    input: z.strictObject({
      token,
      /** A test lead is counted nowhere. */
      test: z.enum(['1']).optional(),
    }),
    output: ReceivedMessage,
  }),
  mail: endpoint({
    method: 'POST',
    path: '/api/leads/mail/{token}',
    kind: 'raw',
    allow: 'anyone',
    isSecretLink: true,
    summary:
      'Accepts an email of up to 50 MB, in the format of the Postmark inbound webhook or as an internet message (RFC 5322): as the body, in the field `email`, `raw`, `message` or `body-mime` of a form, or in a property of a JSON object, also in base64. It is an ADF document in its text or attachments, a reply to a lead, the inquiry of a form or portal whose labels name the buyer, or a plain email; each becomes a lead. The response is 200 for every email, so that it is not sent again.',
    input: z.strictObject({ token }),
    output: ReceivedMessage,
  }),
}
