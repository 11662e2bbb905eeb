import { z } from 'zod'
import { endpoint } from '#contract/endpoint.ts'
import { Id, Instant, optionalLine } from '#contract/fields.ts'
import { MAIL_STATES } from '#contract/mail/outbox/outbox.ts'
import { can, Func, Opr } from '#contract/permissions.ts'
import { SOURCE_NAMES } from '../inventories/source-names.ts'

/** Days relative to the due date (negative: before it) on which reminders are sent to people who haven't responded. */
export const REMINDER_DAYS = [-3, 1, 7, 14] as const
/** People aren't emailed about the same source again within this time, unless the sender asks for it. */
export const QUIET_HOURS = 24
/** The permissions a data owner needs, so that the link in the email opens. */
export const MAY_ANSWER = [
  can(Func.carbonEmission, Opr.list),
  can(Func.carbonEmission, Opr.read),
  can(Func.carbonEmission, Opr.create),
  can(Func.activityData, Opr.list),
  can(Func.activityData, Opr.create),
] as const
const MOST_CELLS = 2_000

/** When data was last requested for a source, and the response. */
const LastAsked = z.object({
  requestId: z.string(),
  dataOwnerName: z.string(),
  requestedAt: Instant,
  /** Null: the sender's account no longer exists. */
  requestedBy: z.string().nullable(),
  message: z.string().nullable(),
  /** How many reminders were sent since, and when the last one was. */
  reminders: z.number().int(),
  remindedAt: Instant.nullable(),
  /** When the first record was entered after the request; null: not yet. */
  answeredAt: Instant.nullable(),
  /** Status of the last email; null: it was deleted. */
  mailState: z.enum(MAIL_STATES).nullable(),
  /** They were emailed within the last `QUIET_HOURS`. */
  isQuiet: z.boolean(),
})

/** A source that data is expected for, and whether it can be requested. */
export const RequestCell = z.object({
  sourceId: z.string(),
  facilityId: z.string(),
  facilityName: z.string(),
  sourceType: z.string(),
  ...SOURCE_NAMES,
  dataOwnerId: z.string().nullable(),
  dataOwnerName: z.string().nullable(),
  dueOn: z.string().nullable(),
  /** Why data can't be requested, as a sentence; null if it can. */
  problem: z.string().nullable(),
  /** It has records that aren't estimates. */
  hasData: z.boolean(),
  /** The last request to the current data owner; null: none yet. */
  asked: LastAsked.nullable(),
})
export type RequestCell = z.infer<typeof RequestCell>

/** What one email requested from one person. */
export const DataRequest = z.object({
  id: z.string(),
  inventoryId: z.string(),
  kind: z.enum(['request', 'reminder']),
  dataOwnerName: z.string(),
  /** It was sent to the caller. */
  isMine: z.boolean(),
  requestedAt: Instant,
  requestedBy: z.string().nullable(),
  message: z.string().nullable(),
  cells: z.array(
    z.object({
      sourceId: z.string(),
      facilityName: z.string(),
      sourceType: z.string(),
      ...SOURCE_NAMES,
      dueOn: z.string().nullable(),
      answeredAt: Instant.nullable(),
    }),
  ),
})
export type DataRequest = z.infer<typeof DataRequest>

/** The caller's open requests in one inventory. */
export const OpenRequest = z.object({
  requestId: z.string(),
  inventoryId: z.string(),
  inventoryName: z.string(),
  /** Sources without a record since the request. */
  unanswered: z.number().int(),
  /** The earliest due date among them. */
  dueOn: z.string().nullable(),
  requestedBy: z.string().nullable(),
})
export type OpenRequest = z.infer<typeof OpenRequest>

const readsSources = {
  anyOf: [
    can(Func.assignments, Opr.read),
    can(Func.carbonEmission, Opr.read),
    can(Func.activityData, Opr.read),
  ],
}

const sending = {
  inventoryId: Id,
  /** An idempotency key: a batch that is sent twice is processed once. */
  idempotencyKey: z
    .string()
    .regex(/^[0-9a-f]{32}$/, 'The request key must be 32 lowercase hexadecimal characters.'),
  cells: z
    .array(
      z.strictObject({
        sourceId: Id,
        /** Even if they were emailed about it in the last 24 hours. */
        isAgain: z.boolean('Choose whether to email them again.').optional().default(false),
      }),
    )
    .min(1, 'Select at least one source.')
    .max(MOST_CELLS, `Select at most ${MOST_CELLS.toLocaleString('en')} sources at a time.`)
    .refine(
      (cells) => new Set(cells.map(({ sourceId }) => sourceId)).size === cells.length,
      'Each source can be listed only once.',
    ),
  message: optionalLine(1_000, 'Message').transform((message) => message ?? null),
}

const Outcome = z.object({
  /** One entry per email. */
  sent: z.array(z.object({ requestId: z.string(), dataOwnerName: z.string(), cells: z.number().int() })),
  /** Sources that were left out, with the reason. */
  left: z.array(z.object({ sourceId: z.string(), message: z.string() })),
})

/** Everything that shows data requests. */
const SHOWS_REQUESTS = [
  '/api/carbon/get-data-requests',
  '/api/carbon/get-data-request/{id}',
  '/api/carbon/get-my-data-requests',
  '/api/carbon/get-open-item-counts',
  '/api/carbon/get-open-items',
] as const

export const dataRequests = {
  list: endpoint({
    method: 'GET',
    path: '/api/carbon/get-data-requests',
    allow: readsSources,
    summary:
      'Lists the open sources of an inventory with their data owners, the data requests sent, and the responses.',
    input: z.strictObject({ inventory: Id }),
    output: z.array(RequestCell),
    outside: true,
  }),
  get: endpoint({
    method: 'GET',
    path: '/api/carbon/get-data-request/{id}',
    allow: readsSources,
    summary: 'Returns what one email requested, by source, and what was entered since.',
    input: z.strictObject({ id: Id }),
    output: DataRequest,
  }),
  mine: endpoint({
    method: 'GET',
    path: '/api/carbon/get-my-data-requests',
    allow: { anyOf: [can(Func.reportingPeriods, Opr.list), can(Func.carbonEmission, Opr.list)] },
    summary: "Lists the caller's open data requests, earliest due date first.",
    output: z.array(OpenRequest),
  }),
  ask: endpoint({
    method: 'POST',
    path: '/api/carbon/request-data',
    allow: can(Func.carbonEmission, Opr.update),
    summary:
      'Requests data from the data owners of sources, with one email per person. People emailed in the last 24 hours are skipped unless requested otherwise.',
    input: z.strictObject({
      ...sending,
      /** Whether to send reminders around the due date to people who haven't responded. */
      isRepeated: z.boolean('Choose whether to send reminders.').optional().default(true),
    }),
    output: Outcome,
    outside: true,
    changes: SHOWS_REQUESTS,
  }),
  remind: endpoint({
    method: 'POST',
    path: '/api/carbon/send-data-reminders',
    allow: can(Func.carbonEmission, Opr.update),
    summary:
      'Sends a reminder to people who were asked and have not responded, with one email per person. Others are skipped.',
    input: z.strictObject(sending),
    output: Outcome,
    outside: true,
    changes: SHOWS_REQUESTS,
  }),
}
