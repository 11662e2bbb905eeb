import { z } from 'zod'
import { deletionOf } from '#contract/deletion.ts'
import { endpoint } from '#contract/endpoint.ts'
import { Id, Instant } from '#contract/fields.ts'
import { defineList } from '#contract/lists/list.ts'
import { SUSPICION_CODES } from '#contract/leads/inbox/suspicions.ts'
import { can, Func, Opr } from '#contract/permissions.ts'
import { Definition } from '#contract/questions/definition.ts'
import { listQuery, queriedList } from '#contract/queried-list.ts'
import { SubmissionFile } from '#contract/files/submission-file.ts'

/** `unfinished`: some steps were sent, not all. `quarantined`: looks like spam; a person decides. */
export const SUBMISSION_STATES = [
  { value: 'received', label: 'Received' },
  { value: 'unfinished', label: 'Unfinished' },
  { value: 'quarantined', label: 'In quarantine' },
] as const
const STATES = SUBMISSION_STATES.map(({ value }) => value)

/** A submission in the list. Amounts are integer cents. */
export const Submission = z.object({
  id: z.string(),
  formId: z.string(),
  formName: z.string(),
  formNumber: z.number().int(),
  organizationId: z.string(),
  lotId: z.string().nullable(),
  lotName: z.string().nullable(),
  vehicleId: z.string().nullable(),
  /** As it was when the form was sent. */
  vehicleTitle: z.string().nullable(),
  /** The total price that the page showed. */
  vehiclePriceCents: z.number().int().nullable(),
  currency: z.string(),
  state: z.enum(STATES),
  suspicions: z.array(z.enum(SUSPICION_CODES)),
  isTest: z.boolean(),
  senderName: z.string().nullable(),
  senderEmail: z.string().nullable(),
  senderPhone: z.string().nullable(),
  comments: z.string().nullable(),
  sentAt: Instant,
  version: z.number().int(),
  updatedAt: Instant,
  updatedBy: z.string().nullable(),
})
export type Submission = z.infer<typeof Submission>

/** A consent as it was given, with the exact text. */
export const SubmittedConsent = z.object({
  question: z.string(),
  isGiven: z.boolean(),
  version: z.number().int(),
  language: z.string(),
  text: z.string(),
  seller: z.string().nullable(),
  purpose: z.string(),
  channels: z.array(z.string()),
})

/** A submission with the version of the form that its sender saw. */
export const SubmissionRecord = Submission.extend({
  definition: Definition,
  /** In stored form, by question. */
  answers: z.record(z.string(), z.unknown()),
  computed: z.record(z.string(), z.union([z.string(), z.boolean(), z.null()])),
  consents: z.array(SubmittedConsent),
  files: z.array(SubmissionFile),
  /** Some of its files were deleted to make room for others, while it was in quarantine or unfinished. */
  hasLostFiles: z.boolean(),
  language: z.string(),
  pageUrl: z.string().nullable(),
  referrer: z.string().nullable(),
  /** Campaign parameters of the address, such as `utm_source`. */
  campaign: z.record(z.string(), z.string()),
  /** What is wrong with its answers, if they were checked only after it was received. */
  checkNote: z.string().nullable(),
  /** Its lead, which is in quarantine as long as the submission is; null if it is unfinished and hasn't become one, and once the lead is deleted. */
  leadId: z.string().nullable(),
  /** When it becomes a lead if it stays unfinished. */
  leadDueAt: Instant.nullable(),
})
export type SubmissionRecord = z.infer<typeof SubmissionRecord>

export const SUBMISSION_LIST = defineList({
  key: 'submissions',
  title: 'Submissions',
  nouns: ['submission', 'submissions'],
  page: '/dvp/submissions',
  allow: can(Func.submissions, Opr.list),
  exports: can(Func.submissions, Opr.export),
  sort: '-sentAt',
  fields: {
    senderName: { title: 'Name', kind: 'text', isSortable: true, isFixed: true },
    formName: { title: 'Form', kind: 'text', isSortable: true },
    vehicleTitle: { title: 'Vehicle', kind: 'text' },
    lot: { title: 'Lot', kind: 'reference', refersTo: 'lots', isFacet: true },
    state: { title: 'State', kind: 'choice', isSortable: true, isFacet: true, choices: SUBMISSION_STATES },
    senderEmail: { title: 'Email', kind: 'text' },
    senderPhone: { title: 'Phone', kind: 'text' },
    comments: { title: 'Comments', kind: 'text', isHidden: true },
    isTest: { title: 'Test', kind: 'flag', isHidden: true },
    sentAt: { title: 'Sent', kind: 'moment', isSortable: true },
  },
})

const LIST = '/api/dvp/get-submissions'
const ONE = '/api/dvp/edit-submission/{id}'
const byId = z.strictObject({ id: Id })

export const submissions = {
  list: endpoint({
    method: 'GET',
    path: LIST,
    allow: can(Func.submissions, Opr.list),
    summary: 'Lists what visitors sent. Searches sender, vehicle and comments.',
    input: listQuery(SUBMISSION_LIST),
    output: queriedList(Submission),
  }),
  get: endpoint({
    method: 'GET',
    path: ONE,
    allow: can(Func.submissions, Opr.read),
    summary: 'Returns one submission with its answers and consents.',
    input: byId,
    output: SubmissionRecord,
  }),
  release: endpoint({
    method: 'POST',
    path: '/api/dvp/release-submission',
    allow: can(Func.submissions, Opr.update),
    summary: 'Takes a submission and its lead out of quarantine.',
    input: byId,
    output: SubmissionRecord,
    changes: [LIST, ONE, '/api/dvp/get-forms', '/api/customers/get-leads', '/api/customers/get-lead-counts'],
  }),
  download: endpoint({
    method: 'GET',
    path: '/api/dvp/get-submission-file/{id}',
    kind: 'download',
    allow: { anyOf: [can(Func.submissions, Opr.read), can(Func.leads, Opr.read)] },
    summary:
      'Downloads a file that a visitor sent. It may contain anything: it is never shown in the product.',
    input: byId,
  }),
  remove: endpoint({
    ...deletionOf(SubmissionRecord),
    path: '/api/dvp/delete-submission/{id}',
    allow: can(Func.submissions, Opr.delete),
    summary: 'Deletes a submission with its files. One in quarantine is deleted with its lead.',
    changes: [LIST, '/api/dvp/get-forms', '/api/customers/get-leads', '/api/customers/get-lead-counts'],
  }),
}
