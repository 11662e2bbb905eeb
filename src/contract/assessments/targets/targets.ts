import { z } from 'zod'
import { endpoint } from '#contract/endpoint.ts'
import { exactlyOne, Id, Instant, line, optionalLine } from '#contract/fields.ts'
import { defineList } from '#contract/lists/list.ts'
import { can, Func, Opr } from '#contract/permissions.ts'
import { Definition } from '#contract/questions/definition.ts'
import { ORGANIZATION_SIZES } from '#contract/questions/vocabulary.ts'
import { listQuery, queriedList } from '#contract/queried-list.ts'
import { StoredAnswer } from './answer-schema.ts'
import { AnswerState } from '#contract/questions/answer-state.ts'
import { Comment, Delegation } from './collaboration.ts'
import { AnswerEvidence } from './answer-evidence.ts'
import { Scoring } from '#contract/questions/scores/scoring.ts'
import { StoredScores } from '#contract/questions/scores/score-schema.ts'
import {
  ASSESSMENT,
  ASSESSMENTS,
  assessmentRecord,
  Day,
  OPENING_CHECK,
  OPENING_EMAILS,
  PARTICIPANTS,
  PLACES,
  TARGETS,
} from '../assessments/assessments.ts'
import { PERSON_ROLES, TARGET_STATE_VALUES, TARGET_STATES } from './target-states.ts'

const ROLES = PERSON_ROLES.map(({ value }) => value)
/** The most targets of one assessment, and of one bulk change. */
export const MAX_TARGETS = 500
/** The most people of one target. */
const MAX_PEOPLE = 30

/** Who answers, reads or reviews a target. */
export const TargetPerson = z.object({
  id: z.string(),
  role: z.enum(ROLES),
  userId: z.string().nullable(),
  participantId: z.string().nullable(),
  name: z.string(),
  email: z.string(),
  /** Answers only what is delegated to them. */
  isDelegate: z.boolean(),
})
export type TargetPerson = z.infer<typeof TargetPerson>

/** Counts of one section, for the heat map. A section that isn't asked has 0 questions. */
export const SectionProgress = z.object({
  section: z.string(),
  questions: z.number().int(),
  answered: z.number().int(),
  required: z.number().int(),
  requiredAnswered: z.number().int(),
  /** Questions with a requested change that isn't resolved. */
  flagged: z.number().int(),
})
export type SectionProgress = z.infer<typeof SectionProgress>

/** A row of the board. */
export const Target = z.object({
  id: z.string(),
  assessmentId: z.string(),
  organizationId: z.string(),
  organizationName: z.string(),
  /** Null: the organization as a whole. */
  facilityId: z.string().nullable(),
  /** Of the facility, or of the organization. */
  name: z.string(),
  state: z.enum(TARGET_STATE_VALUES),
  /** It waits for answers after its due date. */
  isOverdue: z.boolean(),
  /** Its own due date, otherwise that of the assessment. */
  dueOn: z.string(),
  hasOwnDueDate: z.boolean(),
  /** Its own company size; null: that of the assessment. */
  size: z.enum(ORGANIZATION_SIZES).nullable(),
  ownerName: z.string().nullable(),
  people: z.array(TargetPerson),
  sections: z.array(SectionProgress),
  questions: z.number().int(),
  answered: z.number().int(),
  required: z.number().int(),
  requiredAnswered: z.number().int(),
  /** In percent with at most two decimals; null without a score. */
  score: z.number().nullable(),
  /** Who reviews it now, or approved it last. */
  reviewerName: z.string().nullable(),
  /** Approvals of the current submission. */
  approvals: z.number().int(),
  answeredAt: Instant.nullable(),
  answeredBy: z.string().nullable(),
  submittedAt: Instant.nullable(),
  submittedBy: z.string().nullable(),
  approvedAt: Instant.nullable(),
  remindedAt: Instant.nullable(),
  version: z.number().int(),
  updatedAt: Instant,
  updatedBy: z.string().nullable(),
})
export type Target = z.infer<typeof Target>

export const TARGET_LIST = defineList({
  key: 'assessmentTargets',
  title: 'Targets of an assessment',
  nouns: ['target', 'targets'],
  page: '/assessments',
  allow: can(Func.assessments, Opr.list),
  exports: can(Func.assessments, Opr.export),
  sort: 'dueOn',
  fields: {
    name: { title: 'Target', kind: 'text', isSortable: true, isFixed: true },
    assessmentId: { title: 'Assessment', kind: 'text', isHidden: true },
    organizationName: { title: 'Organization', kind: 'text', isSortable: true },
    state: { title: 'Status', kind: 'choice', isSortable: true, isFacet: true, choices: TARGET_STATES },
    isOverdue: { title: 'Overdue', kind: 'flag', isSortable: true },
    ownerName: { title: 'Owner', kind: 'text', isSortable: true },
    answered: { title: 'Answered', kind: 'integer', isSortable: true },
    questions: { title: 'Questions', kind: 'integer', isSortable: true },
    score: { title: 'Score', kind: 'decimal', isSortable: true, unit: '%' },
    dueOn: { title: 'Due', kind: 'date', isSortable: true },
    answeredAt: { title: 'Last answer', kind: 'moment', isSortable: true },
    submittedAt: { title: 'Submitted', kind: 'moment', isSortable: true, isHidden: true },
    approvedAt: { title: 'Approved', kind: 'moment', isSortable: true, isHidden: true },
  },
})

/** A question that a reviewer asks to change. */
export const Flag = z.object({
  id: z.string(),
  questionCode: z.string(),
  comment: z.string(),
  flaggedBy: z.string(),
  flaggedAt: Instant,
  /** When it was submitted again; null: open. */
  resolvedAt: Instant.nullable(),
})
export type Flag = z.infer<typeof Flag>

/** A step of the review. */
export const ReviewStep = z.object({
  id: z.string(),
  /** How often it had been submitted. */
  round: z.number().int(),
  decision: z.enum(['started', 'approved', 'changes_requested', 'reopened']),
  comment: z.string().nullable(),
  decidedBy: z.string(),
  decidedAt: Instant,
})
export type ReviewStep = z.infer<typeof ReviewStep>

/** An answer to the same question last year, or to the same concept in another questionnaire. */
export const OfferedAnswer = z.object({
  questionCode: z.string(),
  kind: z.enum(['previous', 'concept']),
  /** The target it is from, to send along as the source. */
  targetId: z.string(),
  assessmentName: z.string(),
  periodStart: z.string(),
  periodEnd: z.string(),
  /** In stored form; rows of a table as an array. */
  value: z.unknown(),
  answeredBy: z.string(),
  answeredAt: Instant,
})
export type OfferedAnswer = z.infer<typeof OfferedAnswer>

/** A target with everything that its page shows. */
export const TargetRecord = Target.extend({
  assessment: assessmentRecord.schema,
  definition: Definition,
  answers: z.array(StoredAnswer),
  evaluation: AnswerState,
  /** Questions that the caller can change now if they are asked: whether they are follows from the answers. */
  open: z.array(z.string()),
  /** Rows of tables that the caller can change, although they can't change the whole table. */
  openRows: z.array(z.object({ questionCode: z.string(), rowKey: z.string() })),
  /** Rows of open tables that others were asked to fill in. */
  lockedRows: z.array(z.object({ questionCode: z.string(), rowKey: z.string() })),
  /** The caller may submit the answers and delegate questions. */
  maySubmit: z.boolean(),
  /** Of the organization: `today()` in rules. */
  zone: z.string(),
  /** The facilities that questions offer. */
  facilities: z.array(z.object({ value: z.string(), label: z.string() })),
  scoring: Scoring,
  /** Every point with its reason; null while required questions are open, and without a scoring. */
  scores: StoredScores.nullable(),
  comments: z.array(Comment),
  flags: z.array(Flag),
  delegations: z.array(Delegation),
  evidence: z.array(AnswerEvidence),
  reviews: z.array(ReviewStep),
  offered: z.array(OfferedAnswer),
  /** Why the caller can't approve, as a sentence; null if they can. */
  approvalProblem: z.string().nullable(),
  /** Of the frozen JSON of the latest submission or approval; null: none. */
  snapshotSha256: z.string().nullable(),
})
export type TargetRecord = z.infer<typeof TargetRecord>

/** A person to add: a user or a participant, with their role. */
const NewPerson = z
  .strictObject({
    role: z.enum(ROLES, 'Choose a role.'),
    userId: Id.optional(),
    participantId: Id.optional(),
  })
  .superRefine(exactlyOne(['userId', 'participantId'], 'Choose a user or a participant.'))
  .refine(
    ({ role, userId }) => role !== 'reviewer' || userId !== undefined,
    'A reviewer must be a user of your account.',
  )
const People = z
  .array(NewPerson)
  .max(MAX_PEOPLE, `A target can have at most ${MAX_PEOPLE} people.`)
  .refine((people) => people.filter(({ role }) => role === 'owner').length <= 1, 'Choose one owner.')
  .refine(
    (people) =>
      new Set(people.map((one) => `${one.userId ?? ''}/${one.participantId ?? ''}`)).size === people.length,
    'Each person can be listed once.',
  )

/** Targets of a bulk change. */
const targetIds = z
  .array(Id)
  .min(1, 'Select at least one target.')
  .max(MAX_TARGETS, `Select at most ${MAX_TARGETS} targets at a time.`)
const reason = line(1_000, 'Reason')

/** What a bulk change did; targets it left out come with the reason as a sentence. */
export const BulkResult = z.object({
  changed: z.array(z.string()),
  left: z.array(z.object({ targetId: z.string(), name: z.string(), reason: z.string() })),
})
export type BulkResult = z.infer<typeof BulkResult>

export const TARGET = '/api/assessments/edit-target/{id}'
/** What shows a target after an action on it. */
export const TARGET_ACTED = [
  ASSESSMENTS,
  ASSESSMENT,
  TARGETS,
  TARGET,
  PARTICIPANTS,
  PLACES,
  OPENING_CHECK,
  OPENING_EMAILS,
  '/api/home/dashboard',
] as const
const byId = z.strictObject({ id: Id })

export const assessmentTargets = {
  list: endpoint({
    method: 'GET',
    path: TARGETS,
    allow: can(Func.assessments, Opr.list),
    summary:
      'Lists the targets of an assessment with their state, progress by section, people and score. Searches names of targets and people. `filter` compares fields of the list, such as assessmentId.',
    input: listQuery(TARGET_LIST).extend({ assessment: Id.optional() }),
    output: queriedList(Target),
  }),
  get: endpoint({
    method: 'GET',
    path: TARGET,
    allow: {
      anyOf: [can(Func.assessments, Opr.read), can(Func.review, Opr.read)],
    },
    summary:
      "Returns a target with its questions, answers, comments, evidence, requested changes, last year's answers and what is still open.",
    input: byId,
    output: TargetRecord,
  }),
  add: endpoint({
    method: 'POST',
    path: '/api/assessments/add-targets',
    allow: can(Func.assessments, Opr.update),
    summary:
      'Adds organizations and facilities to an assessment with their people. A target that is already there keeps its people and is left out.',
    input: z.strictObject({
      assessmentId: Id,
      targets: z
        .array(
          z.strictObject({
            organizationId: Id,
            facilityId: Id.nullable().optional().default(null),
            people: People.optional().default([]),
          }),
        )
        .min(1, 'Choose at least one target.')
        .max(MAX_TARGETS, `Add at most ${MAX_TARGETS} targets at a time.`),
    }),
    output: BulkResult,
    changes: TARGET_ACTED,
  }),
  remove: endpoint({
    method: 'POST',
    path: '/api/assessments/remove-targets',
    allow: can(Func.assessments, Opr.update),
    summary: 'Removes targets without answers from an assessment. Others are left out with the reason.',
    input: z.strictObject({ ids: targetIds }),
    output: BulkResult,
    changes: TARGET_ACTED,
  }),
  setPeople: endpoint({
    method: 'POST',
    path: '/api/assessments/set-people',
    allow: can(Func.assessments, Opr.update),
    summary:
      'Sets the people of one target. Delegations to people who are no longer listed end. Returns 409 with the current people if they differ from `known`.',
    input: z.strictObject({
      id: Id,
      people: People,
      /** The people as the caller read them. Without it, the last change counts. */
      known: People.optional(),
    }),
    output: z.array(TargetPerson),
    changes: TARGET_ACTED,
  }),
  reassign: endpoint({
    method: 'POST',
    path: '/api/assessments/reassign-targets',
    allow: can(Func.assessments, Opr.update),
    summary:
      'Gives targets a new owner. The former owner stays as a contributor if `keepsFormer` is set, otherwise they are removed.',
    input: z
      .strictObject({
        ids: targetIds,
        userId: Id.optional(),
        participantId: Id.optional(),
        keepsFormer: z.boolean().optional().default(false),
      })
      .superRefine(exactlyOne(['userId', 'participantId'], 'Choose a user or a participant.')),
    output: BulkResult,
    changes: TARGET_ACTED,
  }),
  changeDueDate: endpoint({
    method: 'POST',
    path: '/api/assessments/change-due-dates',
    allow: can(Func.assessments, Opr.update),
    summary:
      'Gives targets their own due date, or with null the due date of the assessment. Approved and closed ones are left out.',
    input: z.strictObject({ ids: targetIds, dueOn: Day.nullable() }),
    output: BulkResult,
    changes: TARGET_ACTED,
  }),
  changeSize: endpoint({
    method: 'POST',
    path: '/api/assessments/change-company-sizes',
    allow: can(Func.assessments, Opr.update),
    summary:
      'Gives targets their own company size, which decides which questions are required; null: that of the assessment. Submitted ones are left out: they were complete under theirs.',
    input: z.strictObject({
      ids: targetIds,
      size: z.enum(ORGANIZATION_SIZES, 'Choose a size.').nullable(),
    }),
    output: BulkResult,
    changes: TARGET_ACTED,
  }),
  remind: endpoint({
    method: 'POST',
    path: '/api/assessments/remind-targets',
    allow: can(Func.assessments, Opr.execute),
    summary:
      'Emails the owners and contributors of targets who have not answered. Targets without such people are left out with the reason.',
    input: z.strictObject({
      ids: targetIds,
      message: optionalLine(1_000, 'Message').transform((message) => message ?? null),
    }),
    output: BulkResult.extend({ sent: z.number().int() }),
    changes: [TARGETS, TARGET],
    outside: true,
  }),
  submit: endpoint({
    method: 'POST',
    path: '/api/assessments/submit-target',
    allow: can(Func.assessments, Opr.update),
    summary:
      'Submits a target. Returns 409 with the open required questions in `fields`. Without a review, this is final.',
    input: byId,
    output: TargetRecord,
    changes: TARGET_ACTED,
  }),
  startReview: endpoint({
    method: 'POST',
    path: '/api/assessments/start-review',
    allow: can(Func.review, Opr.update),
    summary: 'Starts the review of a submitted target.',
    input: byId,
    output: TargetRecord,
    changes: TARGET_ACTED,
  }),
  requestChanges: endpoint({
    method: 'POST',
    path: '/api/assessments/request-changes',
    allow: can(Func.review, Opr.update),
    summary:
      'Returns a target to its people. Only the flagged questions and what they make visible can be changed.',
    input: z.strictObject({
      id: Id,
      flags: z
        .array(z.strictObject({ questionCode: z.string().min(1).max(60), comment: line(1_000, 'Comment') }))
        .min(1, 'Flag at least one question.')
        .max(500)
        .refine(
          (flags) => new Set(flags.map(({ questionCode }) => questionCode)).size === flags.length,
          'Flag each question once.',
        ),
    }),
    output: TargetRecord,
    outside: true,
    changes: TARGET_ACTED,
  }),
  approve: endpoint({
    method: 'POST',
    path: '/api/assessments/approve-target',
    allow: can(Func.review, Opr.execute),
    summary:
      'Approves a submitted target; with two reviewers, it is approved by the second. Returns 403 for a caller who answered any of its questions.',
    input: z.strictObject({ id: Id, comment: optionalLine(1_000, 'Comment') }),
    output: TargetRecord,
    changes: TARGET_ACTED,
  }),
  reopen: endpoint({
    method: 'POST',
    path: '/api/assessments/reopen-target',
    allow: can(Func.assessments, Opr.execute),
    summary:
      'Returns a submitted or approved target to “in progress”. All questions can be changed again. The owner and contributors without an account are emailed a new link with the reason.',
    input: z.strictObject({ id: Id, reason }),
    output: TargetRecord,
    outside: true,
    changes: TARGET_ACTED,
  }),
}
