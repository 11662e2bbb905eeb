import { z } from 'zod'
import { deletionOf } from '#contract/deletion.ts'
import { endpoint } from '#contract/endpoint.ts'
import { Id, Instant } from '#contract/fields.ts'
import { defineList } from '#contract/lists/list.ts'
import { can, Func, Opr } from '#contract/permissions.ts'
import { ORGANIZATION_SIZES } from '#contract/questions/vocabulary.ts'
import { listQuery, queriedList } from '#contract/queried-list.ts'
import { choice, field, record, requiredText } from '#contract/record.ts'
import { REVIEWS } from '../targets/target-states.ts'

/** A day, such as 2026-11-30. */
export const Day = z
  .string('Enter a date as 2026-11-30.')
  .regex(/^\d{4}-\d\d-\d\d$/, 'Enter a date as 2026-11-30.')
  .refine(
    (day) =>
      !Number.isNaN(Date.parse(`${day}T00:00:00Z`)) &&
      new Date(`${day}T00:00:00Z`).toISOString().startsWith(day),
    'This date does not exist.',
  )

/** `draft`: being set up. `open`: targets can answer from its opening date on. */
export const ASSESSMENT_STATUSES = [
  { value: 'draft', label: 'Draft' },
  { value: 'open', label: 'Open' },
  { value: 'closed', label: 'Closed' },
] as const
export type AssessmentStatus = (typeof ASSESSMENT_STATUSES)[number]['value']
const STATUSES = ASSESSMENT_STATUSES.map(({ value }) => value)

export const RECURRENCES = [
  { value: 'none', label: 'Does not repeat' },
  { value: 'yearly', label: 'Every year' },
] as const

const day = (label: string) => field(label, { input: Day, stored: z.string(), blank: '' })
const wholeDays = (sentence: string) =>
  z.number(sentence).int(sentence).min(0, sentence).max(365, sentence).nullable().optional()
const days = (label: string) =>
  field(label, {
    input: wholeDays(`${label} must be a whole number from 0 to 365.`),
    stored: z.number().int().nullable(),
    blank: null,
  })

/** An assessment, with its fields in form order. */
export const assessmentRecord = record(
  {
    name: requiredText('Name', 120),
    questionnaireId: field('Questionnaire', { input: Id, stored: z.string(), blank: '' }),
    questionnaireNumber: field('Version', {
      input: z.number().int().min(1),
      stored: z.number().int(),
      blank: 1,
    }),
    edition: field('Edition', {
      input: z.string().min(1).max(60).nullable().optional(),
      stored: z.string().nullable(),
      blank: null,
    }),
    size: field('Company size', {
      input: z.enum(ORGANIZATION_SIZES, 'Choose a size.').nullable().optional(),
      stored: z.enum(ORGANIZATION_SIZES).nullable(),
      blank: null,
    }),
    periodStart: day('Start of the period'),
    periodEnd: day('End of the period'),
    opensOn: day('Opens'),
    dueOn: day('Due'),
    review: choice('Review', REVIEWS, { message: 'Choose how many reviewers approve.', initial: 'one' }),
    recurrence: choice('Repeats', RECURRENCES, { message: 'Choose whether it repeats.', initial: 'none' }),
    remindUntouchedDays: days('Days before the due date, if nothing is answered'),
    remindStartedDays: days('Days before the due date, if answers are missing'),
    previousId: field('Last year', {
      input: Id.nullable().optional(),
      stored: z.string().nullable(),
      blank: null,
    }),
  },
  {
    readOnly: {
      status: z.enum(STATUSES),
      organizationId: z.string(),
      organizationName: z.string(),
      questionnaireName: z.string(),
      previousName: z.string().nullable(),
      openedAt: Instant.nullable(),
      closedAt: Instant.nullable(),
      /** Targets within the caller's reach, and how many of them are in which state. */
      targets: z.number().int(),
      notStarted: z.number().int(),
      inProgress: z.number().int(),
      /** Submitted or in review. */
      submitted: z.number().int(),
      changesRequested: z.number().int(),
      /** Approved or closed. */
      approved: z.number().int(),
      /** Waiting for answers after their due date. Also counted under their state. */
      overdue: z.number().int(),
      /** Of the questions asked at these targets, in percent, rounded down; null before any are known. */
      progress: z.number().int().nullable(),
      /** The caller may change it: their organization runs it, or they reach the whole customer. */
      isOwn: z.boolean(),
    },
  },
)
export type Assessment = z.infer<typeof assessmentRecord.schema>

export const ASSESSMENT_LIST = defineList({
  key: 'assessments',
  title: 'Assessments',
  nouns: ['assessment', 'assessments'],
  page: '/assessments',
  allow: can(Func.assessments, Opr.list),
  exports: can(Func.assessments, Opr.export),
  sort: '-dueOn',
  fields: {
    name: { title: 'Assessment', kind: 'text', isSortable: true, isFixed: true },
    questionnaireName: { title: 'Questionnaire', kind: 'text', isSortable: true },
    questionnaireNumber: { title: 'Version', kind: 'integer', isHidden: true },
    status: {
      title: 'Status',
      kind: 'choice',
      isSortable: true,
      isFacet: true,
      choices: ASSESSMENT_STATUSES,
    },
    periodStart: { title: 'Period from', kind: 'date', isSortable: true, isHidden: true },
    periodEnd: { title: 'Period to', kind: 'date', isSortable: true, isHidden: true },
    opensOn: { title: 'Opens', kind: 'date', isSortable: true },
    dueOn: { title: 'Due', kind: 'date', isSortable: true },
    targets: { title: 'Targets', kind: 'integer', isSortable: true },
    approved: { title: 'Approved', kind: 'integer', isSortable: true, isHidden: true },
    overdue: { title: 'Overdue', kind: 'integer', isSortable: true },
    progress: { title: 'Answered', kind: 'integer', isSortable: true, unit: '%' },
    review: { title: 'Review', kind: 'choice', choices: REVIEWS, isHidden: true },
    recurrence: { title: 'Repeats', kind: 'choice', choices: RECURRENCES, isHidden: true },
    organizationName: { title: 'Run by', kind: 'text', isHidden: true },
    updatedAt: { title: 'Changed', kind: 'moment', isSortable: true, isHidden: true },
    updatedBy: { title: 'Changed by', kind: 'text', isHidden: true },
  },
})

/** A target that no one can answer, with the reason as a sentence. */
export const UnanswerableTarget = z.object({
  targetId: z.string(),
  name: z.string(),
  organizationName: z.string(),
  reason: z.string(),
})
export type UnanswerableTarget = z.infer<typeof UnanswerableTarget>

export const ASSESSMENTS = '/api/assessments/get-assessments'
export const ASSESSMENT = '/api/assessments/edit-assessment/{id}'
export const TARGETS = '/api/assessments/get-targets'
/** Read again when targets or their people change. */
export const PARTICIPANTS = '/api/assessments/get-participants'
export const PLACES = '/api/assessments/get-places/{id}'
export const OPENING_CHECK = '/api/assessments/check-opening/{id}'
export const OPENING_EMAILS = '/api/assessments/get-opening-emails/{id}'
const DASHBOARD = '/api/home/dashboard'
const byId = z.strictObject({ id: Id })

export const assessments = {
  list: endpoint({
    method: 'GET',
    path: ASSESSMENTS,
    allow: can(Func.assessments, Opr.list),
    summary:
      "Lists the assessments that the caller's organizations run or answer. Searches name and questionnaire.",
    input: listQuery(ASSESSMENT_LIST),
    output: queriedList(assessmentRecord.schema),
  }),
  get: endpoint({
    method: 'GET',
    path: ASSESSMENT,
    allow: can(Func.assessments, Opr.read),
    summary: 'Returns one assessment.',
    input: byId,
    output: assessmentRecord.schema,
  }),
  add: endpoint({
    method: 'POST',
    path: '/api/assessments/add-assessment',
    allow: can(Func.assessments, Opr.create),
    summary: 'Adds an assessment as a draft without targets. Returns 409 if the name is already in use.',
    input: assessmentRecord.create,
    output: assessmentRecord.schema,
    changes: [ASSESSMENTS],
  }),
  update: endpoint({
    method: 'POST',
    path: '/api/assessments/update-assessment',
    allow: can(Func.assessments, Opr.update),
    summary:
      'Changes an assessment. The questionnaire and its version can only be changed in a draft. A stale version returns 409 with the current assessment.',
    input: assessmentRecord.update,
    output: assessmentRecord.schema,
    changes: [ASSESSMENTS, ASSESSMENT, TARGETS],
  }),
  check: endpoint({
    method: 'GET',
    path: OPENING_CHECK,
    allow: can(Func.assessments, Opr.read),
    summary: 'Lists the targets that no one can answer, with the reasons.',
    input: byId,
    output: z.array(UnanswerableTarget),
    outside: true,
  }),
  open: endpoint({
    method: 'POST',
    path: '/api/assessments/open-assessment',
    allow: can(Func.assessments, Opr.execute),
    summary:
      'Opens a draft with at least one target. Returns 409 if no one can answer a target, unless `isIncomplete` is set.',
    input: z.strictObject({
      id: Id,
      /** Open it although no one can answer some of its targets. */
      isIncomplete: z.boolean().optional().default(false),
    }),
    output: assessmentRecord.schema,
    changes: [ASSESSMENTS, ASSESSMENT, TARGETS, DASHBOARD],
    outside: true,
  }),
  close: endpoint({
    method: 'POST',
    path: '/api/assessments/close-assessment',
    allow: can(Func.assessments, Opr.execute),
    summary:
      "Closes an assessment. Approved targets become closed; others keep their state and can't be answered.",
    input: byId,
    output: assessmentRecord.schema,
    changes: [ASSESSMENTS, ASSESSMENT, TARGETS, DASHBOARD],
  }),
  reopen: endpoint({
    method: 'POST',
    path: '/api/assessments/reopen-assessment',
    allow: can(Func.assessments, Opr.execute),
    summary: 'Opens a closed assessment again. Its targets have the states they had before.',
    input: byId,
    output: assessmentRecord.schema,
    changes: [ASSESSMENTS, ASSESSMENT, TARGETS, DASHBOARD],
  }),
  duplicate: endpoint({
    method: 'POST',
    path: '/api/assessments/duplicate-assessment',
    allow: can(Func.assessments, Opr.create),
    summary:
      'Adds a draft for the next year with the same targets and people. Dates are a year later and the questionnaire is the latest version.',
    input: z.strictObject({ id: Id, name: requiredText('Name', 120).create }),
    output: assessmentRecord.schema,
    changes: [ASSESSMENTS],
  }),
  remove: endpoint({
    ...deletionOf(assessmentRecord.schema),
    path: '/api/assessments/delete-assessment/{id}',
    allow: can(Func.assessments, Opr.delete),
    summary: 'Deletes an assessment without answers. One with answers returns 409: close it instead.',
    changes: [ASSESSMENTS, DASHBOARD],
  }),
}
