import { z } from 'zod'
import { endpoint } from '#contract/endpoint.ts'
import { Id } from '#contract/fields.ts'
import { can, Func, Opr } from '#contract/permissions.ts'

/** How often an open page says that it is open. */
export const PRESENCE_EVERY_SECONDS = 15
/** A page that was not heard of for this long is taken for closed. */
export const PRESENCE_SECONDS = 45

/** What an open page says about itself. */
export const Presence = z.strictObject({
  targetId: Id,
  /** Chosen by the page when it opens. */
  visitId: z.uuid('Send a UUID.'),
  /** The question with the focus; null: none. */
  questionCode: z.string().min(1).max(60).nullable(),
  /** The page closes. */
  isLeaving: z.boolean().optional().default(false),
})

/** Someone else who has a target open now, once for each person. */
export const PresentPerson = z.object({
  /** The same person always has the same key. */
  key: z.string(),
  name: z.string(),
  /** They answer with an invitation link, without an account. */
  isParticipant: z.boolean(),
  /** The question they are at; null: none, or one that the caller doesn't see. */
  questionCode: z.string().nullable(),
})
export type PresentPerson = z.infer<typeof PresentPerson>

export const assessmentPresence = {
  report: endpoint({
    method: 'POST',
    path: '/api/assessments/report-presence',
    allow: { anyOf: [can(Func.assessments, Opr.read), can(Func.review, Opr.read)] },
    summary:
      'Reports that the caller has a target open, and at which question. Returns who else has it open. Call it every 15 seconds; after 45 seconds without a call, the page counts as closed.',
    input: Presence,
    output: z.array(PresentPerson),
  }),
  list: endpoint({
    method: 'GET',
    path: '/api/assessments/get-presence/{id}',
    allow: can(Func.assessments, Opr.list),
    summary: 'Lists who else has targets of an assessment open now.',
    input: z.strictObject({ id: Id }),
    output: z.array(z.object({ targetId: z.string(), people: z.array(PresentPerson) })),
  }),
}
