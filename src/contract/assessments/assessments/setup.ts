import { z } from 'zod'
import { endpoint } from '#contract/endpoint.ts'
import { Id, Instant } from '#contract/fields.ts'
import { FACILITY_TYPES, LEVELS } from '#contract/organizations/facilities/facility-schema.ts'
import { can, Func, Opr } from '#contract/permissions.ts'
import { OPENING_CHECK, OPENING_EMAILS, PLACES, TARGETS } from './assessments.ts'
import { BulkResult, MAX_TARGETS, TARGET } from '../targets/targets.ts'

/** The most places of one response. A search finds the others. */
export const MOST_PLACES = 1_000

/** A questionnaire that an assessment can ask, with its versions, newest first. */
export const QuestionnaireChoice = z.object({
  id: z.string(),
  name: z.string(),
  /** Null: for all organizations. */
  organizationName: z.string().nullable(),
  versions: z.array(
    z.object({
      number: z.number().int(),
      questions: z.number().int(),
      publishedAt: Instant,
      /** Which ones there are, if obligations depend on the edition. */
      editions: z.array(z.object({ value: z.string(), label: z.string() })),
      /** Obligations depend on the size of the organization. */
      hasSizes: z.boolean(),
    }),
  ),
})
export type QuestionnaireChoice = z.infer<typeof QuestionnaireChoice>

/** An organization or facility that can be asked. */
export const PlaceChoice = z.object({
  organizationId: z.string(),
  organizationName: z.string(),
  /** Null: the organization as a whole. */
  facilityId: z.string().nullable(),
  name: z.string(),
  level: z.enum(LEVELS).nullable(),
  type: z.enum(FACILITY_TYPES).nullable(),
  city: z.string().nullable(),
  /** It is a target of the assessment already. */
  isTarget: z.boolean(),
})
export type PlaceChoice = z.infer<typeof PlaceChoice>

/** A user who can be chosen for the targets of one organization. */
export const UserChoice = z.object({
  id: z.string(),
  name: z.string(),
  email: z.string(),
  /** Why they can’t answer, as a sentence; null if they can. */
  problem: z.string().nullable(),
  /** They may approve answers. */
  canReview: z.boolean(),
})
export type UserChoice = z.infer<typeof UserChoice>

const byId = z.strictObject({ id: Id })
const SETS_UP = { anyOf: [can(Func.assessments, Opr.create), can(Func.assessments, Opr.update)] }

/** What can be chosen while an assessment is set up, and the sections of its questionnaire. */
export const assessmentSetup = {
  questionnaires: endpoint({
    method: 'GET',
    path: '/api/assessments/get-questionnaire-choices',
    allow: can(Func.assessments, Opr.read),
    summary:
      'Lists the published questionnaires with their versions, newest first. Retired ones are left out.',
    output: z.array(QuestionnaireChoice),
  }),
  places: endpoint({
    method: 'GET',
    path: PLACES,
    allow: can(Func.assessments, Opr.read),
    summary: `Lists the organizations and open facilities that an assessment can include, at most ${MOST_PLACES}. Searches their names and cities.`,
    input: byId.extend({ search: z.string().trim().max(100).optional() }),
    output: z.object({ places: z.array(PlaceChoice), total: z.number().int() }),
  }),
  users: endpoint({
    method: 'GET',
    path: '/api/assessments/get-user-choices/{organization}',
    allow: SETS_UP,
    summary: 'Lists the users of an organization by name, and whether they can answer or review.',
    input: z.strictObject({ organization: Id }),
    output: z.array(UserChoice),
    outside: true,
  }),
  emails: endpoint({
    method: 'GET',
    path: OPENING_EMAILS,
    allow: can(Func.assessments, Opr.read),
    summary: 'Counts the emails that are sent when a draft opens.',
    input: byId,
    output: z.object({
      /** Users who answer: one email each. */
      users: z.number().int(),
      /** People without an account: one invitation for each of their targets. */
      invitations: z.number().int(),
    }),
    outside: true,
  }),
  addPerson: endpoint({
    method: 'POST',
    path: '/api/assessments/add-person',
    allow: can(Func.assessments, Opr.update),
    summary:
      'Adds a user as a contributor, reader or reviewer of several targets. Someone who is listed already gets the role; an owner stays the owner and is left out.',
    input: z.strictObject({
      ids: z
        .array(Id)
        .min(1, 'Select at least one target.')
        .max(MAX_TARGETS, `Select at most ${MAX_TARGETS} targets at a time.`),
      userId: Id,
      role: z.enum(['contributor', 'reader', 'reviewer'], 'Choose a role.'),
    }),
    output: BulkResult,
    changes: [TARGETS, TARGET, OPENING_CHECK, OPENING_EMAILS],
  }),
  sections: endpoint({
    method: 'GET',
    path: '/api/assessments/get-sections/{id}',
    allow: can(Func.assessments, Opr.read),
    summary: "Lists the sections of an assessment's questionnaire version, in order.",
    input: byId,
    output: z.array(z.object({ id: z.string(), title: z.string() })),
  }),
}
