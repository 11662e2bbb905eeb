import { z } from 'zod'
import { Instant } from '#contract/fields.ts'

/** What can happen to a lead, in the order of its life. */
export const LEAD_EVENT_KINDS = [
  'received',
  'completed',
  'duplicate',
  'quarantined',
  'released',
  'routed',
  'delivery',
  'consent',
  'message-in',
  'message-out',
  'auto-reply',
  'opened',
  'viewed',
  'call',
  'note',
  'assigned',
  'accepted',
  'returned',
  'escalated',
  'late',
  'bounced',
  'snoozed',
  'woken',
  'outcome',
  'merged',
  'unmerged',
  'changed',
  'store',
  'moved',
  'copied',
  'files',
] as const
export type LeadEventKind = (typeof LEAD_EVENT_KINDS)[number]

/** How a call ended. Only one in which someone was reached is a response to the buyer. */
export const CALL_RESULTS = [
  { value: 'reached', label: 'Reached' },
  { value: 'voicemail', label: 'Left a voicemail' },
  { value: 'no-answer', label: 'No answer' },
  { value: 'wrong-number', label: 'Wrong number' },
] as const
export const CALL_RESULT_CODES = CALL_RESULTS.map(({ value }) => value)

/** The facts of an event; which ones depends on its kind. Other parts of the product may add their own. */
export const LeadEventData = z.looseObject({
  /** `received`: where it came from. */
  sourceName: z.string().optional(),
  sourceKind: z.string().optional(),
  warnings: z.number().int().optional(),
  /** `files`: their IDs. A lead that was moved has them under others. */
  fileIds: z.array(z.string()).optional(),
  /** `files`: what was kept. A note, what was said in a call, why it was routed there, why a delivery failed, the text of a consent, what the price law has against an email. */
  text: z.string().optional(),
  /** `call`: one of CALL_RESULTS. */
  result: z.string().optional(),
  /** `store`, `moved`, `copied`: the former and the new store; null: not known. `assigned`, `returned`, `escalated`: the former and the new owner. `late`: the owner, and the manager who was told. */
  fromName: z.string().nullish(),
  toName: z.string().nullish(),
  /** `assigned`, `outcome`, `snoozed`, `woken`: a change of many leads was undone. */
  isUndo: z.boolean().optional(),
  /** `returned`: its owner didn't accept it in time. */
  isTimeout: z.boolean().optional(),
  /** `snoozed`. */
  until: z.string().optional(),
  /** `quarantined`: why, as codes of SUSPICIONS. */
  suspicions: z.array(z.string()).optional(),
  /** `woken`: the buyer replied before that time. */
  isReply: z.boolean().optional(),
  outcome: z.string().optional(),
  lostReason: z.string().nullish(),
  appointmentAt: z.string().nullish(),
  /** `outcome`: the VIN was sold and this lead matched it. */
  isMatched: z.boolean().optional(),
  /** `duplicate`, `copied`: the other lead, if it exists and the user can see it. */
  leadId: z.string().optional(),
  /** `merged`, `unmerged`. */
  mergeId: z.string().optional(),
  personId: z.string().optional(),
  personName: z.string().nullish(),
  /** `merged`: the product did it, because these agree: `email`, `phone`, `name`. */
  isAutomatic: z.boolean().optional(),
  reasons: z.array(z.string()).optional(),
  /** `delivery`: of an update to a lead that was sent before. */
  isUpdate: z.boolean().optional(),
  /** `consent`: what was given or revoked. */
  consent: z.enum(['given', 'declined', 'revoked']).optional(),
  purpose: z.string().optional(),
  channels: z.array(z.string()).optional(),
  version: z.number().int().nullish(),
  /** `delivery`, written by deliveries: the destination and its state. */
  destination: z.string().optional(),
  state: z.string().optional(),
  /** `bounced`: the email that came back. */
  emailId: z.string().optional(),
  /** `message-in`, `message-out`, `auto-reply`. */
  messageId: z.string().optional(),
})
export type LeadEventData = z.infer<typeof LeadEventData>

/** An email of the conversation. */
export const LeadMessage = z.object({
  id: z.string(),
  direction: z.enum(['in', 'out']),
  isAutomatic: z.boolean(),
  fromName: z.string().nullable(),
  fromEmail: z.string().nullable(),
  toEmail: z.string().nullable(),
  subject: z.string(),
  text: z.string(),
  /** Of an outgoing email: `kept` means that the customer doesn't send email. */
  delivery: z
    .enum(['waiting', 'kept', 'sent', 'failed', 'delivered', 'opened', 'clicked', 'bounced', 'complained'])
    .nullable(),
  /** Why it could not be sent. */
  error: z.string().nullable(),
})
export type LeadMessage = z.infer<typeof LeadMessage>

/** An entry of the timeline. */
export const LeadEvent = z.object({
  id: z.string(),
  at: Instant,
  kind: z.enum(LEAD_EVENT_KINDS),
  /** Null: the product did it. */
  byName: z.string().nullable(),
  data: LeadEventData,
  message: LeadMessage.nullable(),
})
export type LeadEvent = z.infer<typeof LeadEvent>
