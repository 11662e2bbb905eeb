import { z } from 'zod'
import { deletionOf } from '#contract/deletion.ts'
import { endpoint } from '#contract/endpoint.ts'
import { Id, Instant } from '#contract/fields.ts'
import { can, Func, Opr } from '#contract/permissions.ts'
import { choice, field, flag, record, requiredText } from '#contract/record.ts'
import { MAX_WEIGHT } from '../routing/next-member.ts'
import { DESTINATION_KINDS } from '../routing/rule-choices.ts'

const MAX_CAP = 100_000
const MAX_MEMBERS = 50
/** How long calls are also signed with the secret before the present one. */
export const FORMER_SECRET_HOURS = 24

const optional = <S extends z.ZodType<string>>(label: string, input: S) =>
  field(label, {
    input: z.union([z.null(), z.literal('').transform(() => null), input]).optional(),
    stored: z.string().nullable(),
    blank: null,
  })

const capOf = (name: string) =>
  z
    .number(`${name} must be a number.`)
    .int(`${name} must be a whole number.`)
    .min(1, `${name} must be at least 1.`)
    .max(MAX_CAP, `${name} can be at most 100,000.`)
    .nullable()

/** What a member of a team gets of its leads. */
export const MemberShare = z.strictObject({
  userId: Id,
  /** Their share: a member with 2 gets twice as many leads as one with 1. */
  weight: z
    .number('Weight must be a number.')
    .int('Weight must be a whole number.')
    .min(1, 'Weight must be at least 1.')
    .max(MAX_WEIGHT, `Weight can be at most ${MAX_WEIGHT}.`),
  /** They get no more leads while they own as many open ones; null: no limit. */
  openCap: capOf('Open leads'),
  /** The most leads of this team per day; null: no limit. */
  dailyCap: capOf('Leads per day'),
})
export type MemberShare = z.infer<typeof MemberShare>

/** The address of a webhook: HTTPS, without a user name or password. */
const WEBHOOK_URL = /^https:\/\/[^\s/?#@\\]+([/?#][^\s]*)?$/

/** Where leads go, with its fields in form order. Which ones are required depends on the kind. */
export const leadDestinationRecord = record(
  {
    name: requiredText('Name', 100),
    kind: choice('Kind', DESTINATION_KINDS, { message: 'Choose how leads are delivered.', initial: 'adf' }),
    isActive: flag('Active', { initial: true }),
    toEmail: optional(
      'Email address',
      z.email('Enter a valid email address.').max(254, 'The address is too long.'),
    ),
    url: optional(
      'URL',
      z
        .string('URL must be text.')
        .trim()
        .max(1_000, 'The URL may have at most 1,000 characters.')
        .regex(WEBHOOK_URL, 'Enter a URL that starts with https:// and contains no user name.'),
    ),
    userId: field('User', { input: Id.nullable().optional(), stored: z.string().nullable(), blank: null }),
    memberIds: field('Members', {
      input: z
        .array(Id, 'Members must be a list.')
        .max(MAX_MEMBERS, `A team may have at most ${MAX_MEMBERS} members.`)
        .optional(),
      stored: z.array(z.string()),
      blank: [],
    }),
    memberShares: field('Weights and caps', {
      input: z
        .array(MemberShare, 'Weights and caps must be a list.')
        .max(MAX_MEMBERS, `A team may have at most ${MAX_MEMBERS} members.`)
        .optional(),
      stored: z.array(MemberShare),
      blank: [],
    }),
    dailyCap: field('Leads per day', {
      input: z
        .number('Leads per day must be a number.')
        .int('Leads per day must be a whole number.')
        .min(1, 'Leads per day must be at least 1.')
        .max(MAX_CAP, 'Leads per day can be at most 100,000.')
        .nullable()
        .optional(),
      stored: z.number().int().nullable(),
      blank: null,
    }),
  },
  {
    readOnly: {
      userName: z.string().nullable(),
      /** Of a team, in their order. `until`: the last day on which they are off; null if they aren't. */
      members: z.array(z.object({ userId: z.string(), name: z.string(), until: z.iso.date().nullable() })),
      /** Since when every attempt has failed; null while deliveries succeed. */
      failingSince: Instant.nullable(),
      /** Stopped after five days of failures, or because the receiver said that the webhook is gone. */
      stoppedAt: Instant.nullable(),
      stopReason: z.string().nullable(),
      /** Deliveries of the last 30 days: received, waiting, and not delivered. */
      delivered: z.number().int(),
      waiting: z.number().int(),
      failed: z.number().int(),
      /** The latest lead that it received in the last 30 days. */
      lastDeliveredAt: Instant.nullable(),
      /** Rules that name it. */
      rules: z.number().int(),
    },
  },
)
export type LeadDestination = z.infer<typeof leadDestinationRecord.schema>

/** Error messages by field for what a kind of destination requires. */
export function destinationErrors({
  kind,
  toEmail,
  url,
  userId,
}: Pick<LeadDestination, 'kind' | 'toEmail' | 'url' | 'userId'>): Record<string, string> {
  if ((kind === 'adf' || kind === 'email') && toEmail === null)
    return { toEmail: 'Email address is required.' }
  if (kind === 'webhook' && url === null) return { url: 'Enter a URL.' }
  if (kind === 'user' && userId === null) return { userId: 'Choose a user.' }
  return {}
}

const LIST = '/api/customers/get-lead-destinations'
const ONE = '/api/customers/edit-lead-destination/{id}'
const DELIVERIES = '/api/customers/get-lead-deliveries'
const EFFECTS = '/api/customers/lead-routing-rule-effects'
const SHOWN = [LIST, ONE, EFFECTS] as const
const byId = z.strictObject({ id: Id })

export const leadDestinations = {
  list: endpoint({
    method: 'GET',
    path: LIST,
    allow: can(Func.leadRouting, Opr.list),
    summary:
      'Lists the destinations of leads by name, with their state and the deliveries of the last 30 days.',
    output: z.array(leadDestinationRecord.schema),
  }),
  get: endpoint({
    method: 'GET',
    path: ONE,
    allow: can(Func.leadRouting, Opr.read),
    summary: 'Returns one destination.',
    input: byId,
    output: leadDestinationRecord.schema,
  }),
  add: endpoint({
    method: 'POST',
    path: '/api/customers/add-lead-destination',
    allow: can(Func.leadRouting, Opr.create),
    summary:
      'Adds a destination. Requires access to the whole customer. A webhook gets a signing secret. Returns 409 if the name is already in use.',
    input: leadDestinationRecord.create,
    output: leadDestinationRecord.schema,
    changes: SHOWN,
  }),
  update: endpoint({
    method: 'POST',
    path: '/api/customers/update-lead-destination',
    allow: can(Func.leadRouting, Opr.update),
    summary:
      'Changes a destination. Requires access to the whole customer. A stale version returns 409 with the current destination.',
    input: leadDestinationRecord.update,
    output: leadDestinationRecord.schema,
    changes: SHOWN,
  }),
  remove: endpoint({
    ...deletionOf(leadDestinationRecord.schema),
    path: '/api/customers/delete-lead-destination/{id}',
    allow: can(Func.leadRouting, Opr.delete),
    summary: 'Deletes a destination. Returns 409 while a rule uses it or deliveries are pending.',
    changes: SHOWN,
  }),
  sendTest: endpoint({
    method: 'POST',
    path: '/api/customers/test-lead-destination',
    allow: can(Func.leadRouting, Opr.execute),
    summary:
      'Sends a sample lead, marked as a test, to a destination. Its result is listed with the deliveries.',
    input: byId,
    output: z.object({ deliveryId: z.string() }),
    changes: [LIST, DELIVERIES],
  }),
  resume: endpoint({
    method: 'POST',
    path: '/api/customers/resume-lead-destination',
    allow: can(Func.leadRouting, Opr.execute),
    summary:
      'Starts a stopped destination again. Deliveries that failed in the meantime can be sent again with leadDeliveries.replayMany.',
    input: byId,
    output: leadDestinationRecord.schema,
    changes: [...SHOWN, DELIVERIES],
  }),
  secret: endpoint({
    method: 'POST',
    path: '/api/customers/lead-destination-secret',
    allow: can(Func.leadRouting, Opr.update),
    summary:
      'Returns the secret that signs the calls of a webhook, or with `rotate` a new one. For 24 hours, calls are then signed with both. Requires access to the whole customer.',
    input: z.strictObject({ id: Id, rotate: z.boolean().optional().default(false) }),
    output: z.object({
      secret: z.string(),
      /** Until when calls are signed with the former secret too; null if they aren't. */
      formerUntil: Instant.nullable(),
    }),
  }),
}
