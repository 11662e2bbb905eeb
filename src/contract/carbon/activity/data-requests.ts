import { z } from 'zod'
import { endpoint } from '#contract/endpoint.ts'
import { Id, Instant, optionalLine } from '#contract/fields.ts'
import { MAIL_STATES } from '#contract/mail/outbox/outbox.ts'
import { can, Func, Opr } from '#contract/permissions.ts'

/** Days after the one on which figures are due, before it where below 0: on these the silent are reminded. */
export const REMINDER_DAYS = [-3, 1, 7, 14] as const
/** Nobody is written to about the same source again within so many hours, unless somebody says so. */
export const QUIET_HOURS = 24
/** What whoever brings figures has to hold: else the link of the mail would lead to a closed door. */
export const MAY_ANSWER = [
  can(Func.carbonEmission, Opr.list),
  can(Func.carbonEmission, Opr.read),
  can(Func.carbonEmission, Opr.create),
] as const
const MOST_CELLS = 2_000

/** When the figures of a source were last asked for, and what came of it. */
const LastAsked = z.object({
  requestId: z.string(),
  personName: z.string(),
  askedAt: Instant,
  /** Null: whoever it was is not known any more. */
  askedBy: z.string().nullable(),
  message: z.string().nullable(),
  /** How often they were reminded since, and when at last. */
  reminders: z.number().int(),
  remindedAt: Instant.nullable(),
  /** When the first record was entered since; null: nothing yet. */
  answeredAt: Instant.nullable(),
  /** Of the last mail; null: it is not there any more. */
  mailState: z.enum(MAIL_STATES).nullable(),
  /** They were written to within the last `QUIET_HOURS`. */
  isQuiet: z.boolean(),
})

/** A source that figures are expected of, and whether they can be asked for. */
export const RequestCell = z.object({
  sourceId: z.string(),
  facilityId: z.string(),
  facilityName: z.string(),
  sourceType: z.string(),
  personId: z.string().nullable(),
  personName: z.string().nullable(),
  dueOn: z.string().nullable(),
  /** Why nobody can be asked, as a sentence; null where somebody can. */
  problem: z.string().nullable(),
  /** There are records that are no estimates. */
  hasData: z.boolean(),
  /** Of whoever is assigned now; null: they were not asked yet. */
  asked: LastAsked.nullable(),
})
export type RequestCell = z.infer<typeof RequestCell>

/** What one mail asked of one person. */
export const DataRequest = z.object({
  id: z.string(),
  inventoryId: z.string(),
  kind: z.enum(['request', 'reminder']),
  personName: z.string(),
  /** It was asked of the caller. */
  isMine: z.boolean(),
  askedAt: Instant,
  askedBy: z.string().nullable(),
  message: z.string().nullable(),
  cells: z.array(
    z.object({
      sourceId: z.string(),
      facilityName: z.string(),
      sourceType: z.string(),
      dueOn: z.string().nullable(),
      answeredAt: Instant.nullable(),
    }),
  ),
})
export type DataRequest = z.infer<typeof DataRequest>

/** What waits for the caller in one inventory. */
export const OpenRequest = z.object({
  requestId: z.string(),
  inventoryId: z.string(),
  inventoryName: z.string(),
  /** Sources that nothing was entered for since. */
  silent: z.number().int(),
  /** The first day on which one of them is due. */
  dueOn: z.string().nullable(),
  askedBy: z.string().nullable(),
})
export type OpenRequest = z.infer<typeof OpenRequest>

const readsSources = {
  anyOf: [
    can(Func.assignments, Opr.read),
    can(Func.carbonEmission, Opr.read),
    can(Func.activityData, Opr.read),
  ],
}

const pressed = {
  inventoryId: Id,
  /** The screen's own name of the press: sent twice, it asks once. */
  press: z.string().regex(/^[0-9a-f]{32}$/, 'A press is named by 32 characters of 0 to 9 and a to f.'),
  cells: z
    .array(
      z.strictObject({
        sourceId: Id,
        /** Also where they were written to about it within the last 24 hours. */
        isAgain: z.boolean('Choose whether they are written to again.').optional().default(false),
      }),
    )
    .min(1, 'Choose at least one source.')
    .max(MOST_CELLS, `At most ${MOST_CELLS.toLocaleString('en')} sources at once.`)
    .refine(
      (cells) => new Set(cells.map(({ sourceId }) => sourceId)).size === cells.length,
      'A source stands there once.',
    ),
  message: optionalLine(1_000, 'Message').transform((message) => message ?? null),
}

const Outcome = z.object({
  /** One for each mail. */
  sent: z.array(z.object({ requestId: z.string(), personName: z.string(), cells: z.number().int() })),
  /** Sources that were left out, each with a sentence. */
  left: z.array(z.object({ sourceId: z.string(), message: z.string() })),
})

export const dataRequests = {
  list: endpoint({
    method: 'GET',
    path: '/api/carbon/get-data-requests',
    allow: readsSources,
    summary: 'The open sources of an inventory: who can be asked for figures, who was, and what came of it.',
    input: z.strictObject({ inventory: Id }),
    output: z.array(RequestCell),
    outside: true,
  }),
  get: endpoint({
    method: 'GET',
    path: '/api/carbon/get-data-request/{id}',
    allow: readsSources,
    summary: 'What one mail asked for, source by source, and what was entered since.',
    input: z.strictObject({ id: Id }),
    output: DataRequest,
  }),
  mine: endpoint({
    method: 'GET',
    path: '/api/carbon/get-my-data-requests',
    allow: { anyOf: [can(Func.reportingPeriods, Opr.list), can(Func.carbonEmission, Opr.list)] },
    summary: 'What was asked of the caller and nothing was entered for since, the first due first.',
    output: z.array(OpenRequest),
  }),
  ask: endpoint({
    method: 'POST',
    path: '/api/carbon/request-data',
    allow: can(Func.carbonEmission, Opr.update),
    summary:
      'Asks the people who are assigned to sources for their figures: one mail each. Who was written to within 24 hours is left out unless that is wanted.',
    input: z.strictObject({
      ...pressed,
      /** Whether the silent are reminded around the day on which their figures are due. */
      isRepeated: z.boolean('Choose whether the silent are reminded.').optional().default(true),
    }),
    output: Outcome,
    outside: true,
  }),
  remind: endpoint({
    method: 'POST',
    path: '/api/carbon/remind-silent',
    allow: can(Func.carbonEmission, Opr.update),
    summary: 'Reminds those who were asked and entered nothing since: one mail each. Others are left out.',
    input: z.strictObject(pressed),
    output: Outcome,
    outside: true,
  }),
}
