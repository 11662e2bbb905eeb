import { z } from 'zod'
import { endpoint } from '#contract/endpoint.ts'
import { exactlyOne, Id, Instant } from '#contract/fields.ts'
import { defineList } from '#contract/lists/list.ts'
import { can, Func, Opr } from '#contract/permissions.ts'
import { listQuery, queriedList } from '#contract/queried-list.ts'
import { DESTINATION_KINDS } from '../routing/rule-choices.ts'

/**
 * `in-doubt`: the server that sent it stopped before it recorded the response, so the receiver may have it. It is sent again
 * with the same ID, by which the receiver recognizes it.
 */
export const DELIVERY_STATES = [
  { value: 'queued', label: 'Queued' },
  { value: 'sending', label: 'Sending' },
  { value: 'delivered', label: 'Delivered' },
  { value: 'in-doubt', label: 'Unconfirmed' },
  { value: 'failed', label: 'Failed' },
] as const
const STATES = DELIVERY_STATES.map(({ value }) => value)
export type DeliveryState = (typeof STATES)[number]

/** Seconds until the second, third, and every later attempt. */
export const DELIVERY_WAITS = [5, 300, 1_800, 7_200, 18_000, 36_000, 36_000] as const
/** With another destination to fall back on, a delivery is given up after these. */
export const FAILOVER_WAITS = [5, 300] as const

/** The most deliveries that one call sends again. */
export const MAX_REPLAYED = 1_000

const KINDS = DESTINATION_KINDS.filter(({ value }) => value !== 'user' && value !== 'team')

const row = {
  id: z.string(),
  /** Null for a test. */
  leadId: z.string().nullable(),
  leadName: z.string().nullable(),
  destinationId: z.string().nullable(),
  destinationName: z.string(),
  kind: z.enum(['adf', 'email', 'webhook']),
  state: z.enum(STATES),
  isTest: z.boolean(),
  attempts: z.number().int(),
  /** Attempts whose result is unknown. */
  doubts: z.number().int(),
  /** What the receiver responded to the last attempt, or why it failed. */
  response: z.string().nullable(),
  createdAt: Instant,
  nextAttemptAt: Instant.nullable(),
  finishedAt: Instant.nullable(),
}
export const LeadDelivery = z.object(row)
export type LeadDelivery = z.infer<typeof LeadDelivery>

const DeliveryAttempt = z.object({
  number: z.number().int(),
  startedAt: Instant,
  endedAt: Instant.nullable(),
  outcome: z.enum(['sending', 'delivered', 'failed', 'in-doubt']),
  /** The HTTP status of a webhook. */
  status: z.number().int().nullable(),
  response: z.string().nullable(),
})

/** With its attempts, newest first, and the ID that every attempt repeats. */
export const LeadDeliveryRecord = z.object({
  ...row,
  /** The ID in the ADF document, the Message-ID and the webhook-id. */
  key: z.string(),
  mailId: z.string().nullable(),
  log: z.array(DeliveryAttempt),
})
export type LeadDeliveryRecord = z.infer<typeof LeadDeliveryRecord>

/** What a delivery sends, made of the lead as it is now. `to` is null if the destination was deleted. */
export const DeliveryContent = z.object({
  to: z.string().nullable(),
  /** Of an email. */
  subject: z.string().nullable(),
  format: z.enum(['application/x-adf+xml', 'text/plain', 'application/json']),
  body: z.string(),
})
export type DeliveryContent = z.infer<typeof DeliveryContent>

export const LEAD_DELIVERY_LIST = defineList({
  key: 'lead-deliveries',
  title: 'Deliveries',
  nouns: ['delivery', 'deliveries'],
  page: '/customers/lead-routing/deliveries',
  allow: can(Func.leadRouting, Opr.list),
  exports: null,
  sort: '-createdAt',
  fields: {
    leadName: { title: 'Lead', kind: 'text', isFixed: true },
    destinationName: { title: 'Destination', kind: 'text', isSortable: true, isFacet: true },
    kind: { title: 'Kind', kind: 'choice', isFacet: true, choices: KINDS },
    state: { title: 'Status', kind: 'choice', isFacet: true, choices: DELIVERY_STATES },
    attempts: { title: 'Attempts', kind: 'integer', isSortable: true },
    doubts: { title: 'Unconfirmed', kind: 'integer', isHidden: true },
    response: { title: 'Response', kind: 'text' },
    isTest: { title: 'Test', kind: 'flag', isHidden: true },
    createdAt: { title: 'Routed', kind: 'moment', isSortable: true },
    nextAttemptAt: { title: 'Next attempt', kind: 'moment', isHidden: true },
    finishedAt: { title: 'Finished', kind: 'moment', isHidden: true },
  },
})

const LIST = '/api/customers/get-lead-deliveries'
const ONE = '/api/customers/edit-lead-delivery/{id}'
const DESTINATIONS = '/api/customers/get-lead-destinations'
const byId = z.strictObject({ id: Id })

export const leadDeliveries = {
  list: endpoint({
    method: 'GET',
    path: LIST,
    allow: can(Func.leadRouting, Opr.list),
    summary: 'Lists the deliveries of leads, newest first. Searches lead and destination.',
    input: listQuery(LEAD_DELIVERY_LIST),
    output: queriedList(LeadDelivery),
  }),
  get: endpoint({
    method: 'GET',
    path: ONE,
    allow: can(Func.leadRouting, Opr.read),
    summary: 'Returns one delivery with its attempts.',
    input: byId,
    output: LeadDeliveryRecord,
  }),
  content: endpoint({
    method: 'GET',
    path: '/api/customers/lead-delivery-content/{id}',
    allow: can(Func.leads, Opr.read),
    summary:
      'Returns what a delivery sends, created from the lead as it is now: an email, an ADF document or the JSON of a webhook.',
    input: byId,
    output: DeliveryContent,
  }),
  replay: endpoint({
    method: 'POST',
    path: '/api/customers/replay-lead-delivery',
    allow: can(Func.leadRouting, Opr.execute),
    summary:
      'Sends a finished delivery again, with the same IDs, so that the receiver can recognize it. Returns 409 while it is being sent.',
    input: byId,
    output: LeadDeliveryRecord,
    changes: [LIST, ONE, DESTINATIONS],
  }),
  replayMany: endpoint({
    method: 'POST',
    path: '/api/customers/replay-lead-deliveries',
    allow: can(Func.leadRouting, Opr.execute),
    summary:
      'Sends these finished deliveries again, or all deliveries to a destination of the last 30 days that failed or are unconfirmed, with the same IDs. Those that are being sent or whose destination was deleted are skipped.',
    input: z
      .strictObject({
        ids: z
          .array(Id, 'The deliveries must be a list.')
          .min(1, 'Choose deliveries.')
          .max(MAX_REPLAYED, `At most ${MAX_REPLAYED} deliveries can be sent again at once.`)
          .optional(),
        destinationId: Id.optional(),
      })
      .superRefine(exactlyOne(['ids', 'destinationId'], 'Choose deliveries or a destination.')),
    output: z.object({ replayed: z.number().int(), skipped: z.number().int() }),
    changes: [LIST, ONE, DESTINATIONS],
  }),
}
