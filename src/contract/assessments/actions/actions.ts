import { z } from 'zod'
import { deletionOf } from '#contract/deletion.ts'
import { endpoint } from '#contract/endpoint.ts'
import { Id, Instant } from '#contract/fields.ts'
import { defineList } from '#contract/lists/list.ts'
import { can, Func, Opr } from '#contract/permissions.ts'
import { listQuery, queriedList } from '#contract/queried-list.ts'
import { choice, field, optionalText, record, requiredText } from '#contract/record.ts'
import { Day } from '../assessments/assessments.ts'
import { GAP, RESULTS } from '../results/results.ts'

export const ACTION_STATUSES = [
  { value: 'open', label: 'Open' },
  { value: 'done', label: 'Done' },
  { value: 'dropped', label: 'Dropped' },
] as const

/** What is done about a gap. Costs are integer cents; savings are tonnes of CO2e in a year. */
export const actionRecord = record(
  {
    targetId: field('Target', { input: Id, stored: z.string(), blank: '' }),
    questionCode: field('Question', {
      input: z.string().min(1).max(60).nullable().optional(),
      stored: z.string().nullable(),
      blank: null,
    }),
    title: requiredText('Action', 200),
    note: optionalText('Note', 1_000),
    ownerId: field('Owner', { input: Id.nullable().optional(), stored: z.string().nullable(), blank: null }),
    dueOn: field('Due', { input: Day.nullable().optional(), stored: z.string().nullable(), blank: null }),
    costCents: field('Cost', {
      input: z
        .number('Cost must be a number.')
        .int('Cost must be in whole cents.')
        .min(0, "Cost can't be negative.")
        .max(1e12, 'Cost is too high.')
        .nullable()
        .optional(),
      stored: z.number().int().nullable(),
      blank: null,
    }),
    expectedTonnes: field('Expected savings', {
      input: z
        .string()
        .regex(
          /^\d{1,9}(\.\d{1,3})?$/,
          'Expected savings must be a number of tonnes such as 12.5, with at most three decimals.',
        )
        .nullable()
        .optional(),
      stored: z.string().nullable(),
      blank: null,
    }),
    status: choice('Status', ACTION_STATUSES, { message: 'Choose a status.', initial: 'open' }),
  },
  {
    readOnly: {
      organizationId: z.string(),
      assessmentId: z.string(),
      assessmentName: z.string(),
      targetName: z.string(),
      ownerName: z.string().nullable(),
      doneOn: z.string().nullable(),
      /** Open after its due date. */
      isOverdue: z.boolean(),
      currency: z.string(),
      createdAt: Instant,
    },
  },
)
export type Action = z.infer<typeof actionRecord.schema>

export const ACTION_LIST = defineList({
  key: 'assessmentActions',
  title: 'Actions',
  nouns: ['action', 'actions'],
  page: '/assessments',
  allow: can(Func.assessments, Opr.list),
  exports: can(Func.assessments, Opr.export),
  sort: 'dueOn',
  fields: {
    title: { title: 'Action', kind: 'text', isSortable: true, isFixed: true },
    assessmentId: { title: 'Assessment ID', kind: 'text', isHidden: true },
    assessmentName: { title: 'Assessment', kind: 'text', isSortable: true, isHidden: true },
    targetName: { title: 'Target', kind: 'text', isSortable: true },
    questionCode: { title: 'Question', kind: 'text', isHidden: true },
    ownerName: { title: 'Owner', kind: 'text', isSortable: true },
    status: { title: 'Status', kind: 'choice', isSortable: true, isFacet: true, choices: ACTION_STATUSES },
    dueOn: { title: 'Due', kind: 'date', isSortable: true },
    isOverdue: { title: 'Overdue', kind: 'flag', isSortable: true, isHidden: true },
    costCents: { title: 'Cost', kind: 'money', isSortable: true },
    expectedTonnes: { title: 'Expected savings', kind: 'decimal', isSortable: true, unit: 't CO2e' },
    note: { title: 'Note', kind: 'text', isHidden: true },
  },
})

const LIST = '/api/assessments/get-actions'
const ONE = '/api/assessments/edit-action/{id}'
const CHANGED = [LIST, ONE, RESULTS, GAP] as const
const byId = z.strictObject({ id: Id })

export const assessmentActions = {
  list: endpoint({
    method: 'GET',
    path: LIST,
    allow: can(Func.assessments, Opr.list),
    summary: 'Lists actions of assessments. Searches action, target and owner.',
    input: listQuery(ACTION_LIST).extend({ assessment: Id.optional(), target: Id.optional() }),
    output: queriedList(actionRecord.schema),
  }),
  get: endpoint({
    method: 'GET',
    path: ONE,
    allow: can(Func.assessments, Opr.read),
    summary: 'Returns one action.',
    input: byId,
    output: actionRecord.schema,
  }),
  add: endpoint({
    method: 'POST',
    path: '/api/assessments/add-action',
    allow: can(Func.assessments, Opr.update),
    summary: 'Adds an action to a target.',
    input: actionRecord.create,
    output: actionRecord.schema,
    changes: CHANGED,
  }),
  update: endpoint({
    method: 'POST',
    path: '/api/assessments/update-action',
    allow: can(Func.assessments, Opr.update),
    summary: 'Changes an action. Its target stays. A stale version returns 409 with the current action.',
    input: actionRecord.update,
    output: actionRecord.schema,
    changes: CHANGED,
  }),
  remove: endpoint({
    ...deletionOf(actionRecord.schema),
    path: '/api/assessments/delete-action/{id}',
    allow: can(Func.assessments, Opr.update),
    summary: 'Deletes an action.',
    changes: CHANGED,
  }),
}
