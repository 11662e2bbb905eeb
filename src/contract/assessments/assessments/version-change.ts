import { z } from 'zod'
import { endpoint } from '#contract/endpoint.ts'
import { Id } from '#contract/fields.ts'
import { can, Func, Opr } from '#contract/permissions.ts'
import { ASSESSMENT, assessmentRecord, ASSESSMENTS, TARGETS } from './assessments.ts'
import { TARGET } from '../targets/targets.ts'

/** The most answers that a plan lists; `droppedCount` has them all. */
export const MOST_DROPPED = 200

/** An answer that another version doesn't accept, or only a part of it. It stays in the history. */
export const DroppedAnswer = z.object({
  targetId: z.string(),
  targetName: z.string(),
  questionCode: z.string(),
  /** The question as it is asked now. */
  title: z.string(),
  /** In words. */
  answer: z.string(),
  /** `removed`: the version doesn't have the question. `changed`: it accepts other answers. `partly`: a part of it stays. */
  reason: z.enum(['removed', 'changed', 'partly']),
})
export type DroppedAnswer = z.infer<typeof DroppedAnswer>

/** What moving an open assessment to another version of its questionnaire would do. */
export const VersionPlan = z.object({
  from: z.number().int(),
  to: z.number().int(),
  /** The differences, in the order of the version. */
  changes: z.array(z.object({ message: z.string(), effect: z.enum(['kept', 'review', 'unused']) })),
  targets: z.number().int(),
  /** Answers that stay as they are. */
  kept: z.number().int(),
  /** Answers that an earlier move set aside, and that count again. */
  restored: z.number().int(),
  dropped: z.array(DroppedAnswer),
  droppedCount: z.number().int(),
  /** Why it isn't possible now, as sentences. */
  problems: z.array(z.string()),
})
export type VersionPlan = z.infer<typeof VersionPlan>

const VERSION_PLAN = '/api/assessments/get-version-plan/{id}'

export const assessmentVersions = {
  plan: endpoint({
    method: 'GET',
    path: VERSION_PLAN,
    allow: can(Func.assessments, Opr.read),
    summary:
      'Says what moving an open assessment to another version of its questionnaire would change, and which answers would be set aside.',
    input: z.strictObject({ id: Id, number: z.coerce.number().int().min(1).max(2_147_483_647) }),
    output: VersionPlan,
  }),
  change: endpoint({
    method: 'POST',
    path: '/api/assessments/change-version',
    allow: can(Func.assessments, Opr.update),
    summary:
      'Moves an open assessment with all its targets to another version of its questionnaire. Answers that fit are kept, the others are set aside, and come back when the assessment moves back. Returns 409 while answers are submitted, or if `dropped` isn’t the number of answers that would be set aside.',
    input: z.strictObject({
      id: Id,
      number: z.number().int().min(1).max(2_147_483_647),
      /** How many answers the caller has seen that will be set aside. Without it, any number. */
      dropped: z.number().int().min(0).optional(),
    }),
    output: assessmentRecord.schema,
    changes: [ASSESSMENTS, ASSESSMENT, TARGETS, TARGET, VERSION_PLAN],
  }),
}
