import { z } from 'zod'
import { Instant } from '#contract/fields.ts'
import { defineList } from '#contract/lists/list.ts'
import { can, Func, Opr } from '#contract/permissions.ts'

/** What a lead is about. */
export const LEAD_TYPES = [
  { value: 'new', label: 'New vehicle' },
  { value: 'used', label: 'Used vehicle' },
  { value: 'trade-in', label: 'Trade-in' },
  { value: 'finance', label: 'Finance' },
  { value: 'service', label: 'Service' },
  { value: 'parts', label: 'Parts' },
  { value: 'general', label: 'General' },
] as const
export const LEAD_TYPE_CODES = LEAD_TYPES.map(({ value }) => value)
export type LeadType = (typeof LEAD_TYPES)[number]['value']

/** How a lead came in. */
export const LEAD_SOURCE_KINDS = [
  { value: 'form', label: 'Website form' },
  { value: 'adf-http', label: 'ADF by HTTP' },
  { value: 'adf-mail', label: 'ADF email' },
  { value: 'email', label: 'Email' },
  { value: 'manual', label: 'Added by hand' },
  { value: 'api', label: 'API' },
] as const
export const LEAD_SOURCE_CODES = LEAD_SOURCE_KINDS.map(({ value }) => value)
export type LeadSourceKind = (typeof LEAD_SOURCE_KINDS)[number]['value']

/** How far a lead has come on its way to the destinations of its route. */
export const LEAD_STATUSES = [
  { value: 'received', label: 'Received' },
  { value: 'routed', label: 'Routed' },
  { value: 'delivered', label: 'Delivered' },
  { value: 'failed', label: 'Not delivered' },
  { value: 'quarantined', label: 'In quarantine' },
  { value: 'duplicate', label: 'Duplicate' },
] as const
export const LEAD_STATUS_CODES = LEAD_STATUSES.map(({ value }) => value)

/** What became of a lead. */
export const LEAD_OUTCOMES = [
  { value: 'open', label: 'Open' },
  { value: 'contacted', label: 'Contacted' },
  { value: 'appointment', label: 'Appointment' },
  { value: 'sold', label: 'Sold' },
  { value: 'lost', label: 'Lost' },
] as const
export const LEAD_OUTCOME_CODES = LEAD_OUTCOMES.map(({ value }) => value)
export type LeadOutcome = (typeof LEAD_OUTCOMES)[number]['value']

/** The reasons that are offered for a lost lead; another one can be written. */
export const LOST_REASONS = [
  'Bought elsewhere',
  'Vehicle was sold',
  'Price',
  'Financing declined',
  'No longer interested',
  'No answer',
  'Wrong contact details',
] as const

/** Of a form with steps that its sender left: the last step that was sent, of how many. */
export const UnfinishedForm = z.object({ step: z.number().int(), steps: z.number().int() })
export type UnfinishedForm = z.infer<typeof UnfinishedForm>

/** Such a form in words: "Unfinished form: step 1 of 3". */
export const unfinishedText = ({ step, steps }: UnfinishedForm): string =>
  `Unfinished form: step ${step} of ${steps}`

/** A lead in the inbox. Amounts are integer cents. */
export const Lead = z.object({
  id: z.string(),
  type: z.enum(LEAD_TYPE_CODES),
  status: z.enum(LEAD_STATUS_CODES),
  outcome: z.enum(LEAD_OUTCOME_CODES),
  lostReason: z.string().nullable(),
  appointmentAt: Instant.nullable(),
  isTest: z.boolean(),
  personId: z.string(),
  /** The name, otherwise the email address or phone number. */
  personName: z.string(),
  personEmail: z.string().nullable(),
  personPhone: z.string().nullable(),
  sourceKind: z.enum(LEAD_SOURCE_CODES),
  sourceName: z.string(),
  organizationId: z.string(),
  lotId: z.string().nullable(),
  lotName: z.string().nullable(),
  /** It came to the address of a group, and a person has to choose its store. */
  needsStore: z.boolean(),
  /** The time zone of the lot. */
  zone: z.string(),
  vehicleId: z.string().nullable(),
  /** As the buyer saw it, or as they asked for it. */
  vehicleTitle: z.string().nullable(),
  vehicleVin: z.string().nullable(),
  /** The vehicle was sold, and not to this buyer. */
  isSoldElsewhere: z.boolean(),
  /** The total price that the buyer saw. */
  vehiclePriceCents: z.number().int().nullable(),
  currency: z.string(),
  /** The latest message of either side, the comments, or why the delivery failed. */
  preview: z.string().nullable(),
  /** Who wrote the preview; null if it is no message. */
  previewBy: z.enum(['buyer', 'store']).nullable(),
  ownerId: z.string().nullable(),
  ownerName: z.string().nullable(),
  isMine: z.boolean(),
  /** When its owner has to have accepted it. */
  acceptBy: Instant.nullable(),
  acceptedAt: Instant.nullable(),
  /** When a person has to have answered, in the opening hours of the lot. */
  respondBy: Instant.nullable(),
  /** The same while it waits for its first response: not for answered, snoozed, closed, test and quarantined leads. */
  waitsUntil: Instant.nullable(),
  isLate: z.boolean(),
  firstResponseAt: Instant.nullable(),
  firstResponseBy: z.string().nullable(),
  /** Since when a message of the buyer waits for an answer. */
  unansweredSince: Instant.nullable(),
  snoozedUntil: Instant.nullable(),
  duplicateOfId: z.string().nullable(),
  unfinished: UnfinishedForm.nullable(),
  receivedAt: Instant,
  version: z.number().int(),
  updatedAt: Instant,
  updatedBy: z.string().nullable(),
})
export type Lead = z.infer<typeof Lead>

/**
 * Sorted by the time left to respond, and of those that came in while the lot was closed the oldest first. Leads whose buyer
 * replied follow, the one that has waited longest first, and then the
 * others, newest first.
 */
export const LEAD_LIST = defineList({
  key: 'leads',
  title: 'Leads',
  nouns: ['lead', 'leads'],
  page: '/customers/leads',
  allow: can(Func.leads, Opr.list),
  exports: can(Func.leads, Opr.export),
  exportsEverything: true,
  sort: 'waitsUntil,waitingSince,-receivedAt',
  fields: {
    personName: { title: 'Name', kind: 'text', isSortable: true, isFixed: true },
    waitsUntil: { title: 'Respond by', kind: 'moment', isSortable: true },
    vehicleTitle: { title: 'Vehicle', kind: 'text' },
    sourceName: { title: 'Source', kind: 'text', isSortable: true },
    sourceKind: {
      title: 'Received through',
      kind: 'choice',
      isHidden: true,
      isFacet: true,
      choices: LEAD_SOURCE_KINDS,
    },
    type: { title: 'Type', kind: 'choice', isFacet: true, choices: LEAD_TYPES },
    lot: { title: 'Lot', kind: 'reference', refersTo: 'lots', isFacet: true },
    needsStore: { title: 'No store yet', kind: 'flag', isHidden: true },
    ownerName: { title: 'Owner', kind: 'text', isSortable: true },
    status: { title: 'Status', kind: 'choice', isFacet: true, choices: LEAD_STATUSES },
    outcome: { title: 'Outcome', kind: 'choice', isFacet: true, choices: LEAD_OUTCOMES },
    lostReason: { title: 'Lost because', kind: 'text', isHidden: true },
    isSoldElsewhere: { title: 'Vehicle sold elsewhere', kind: 'flag', isHidden: true },
    isLate: { title: 'Late', kind: 'flag' },
    personId: { title: 'Buyer ID', kind: 'text', isColumn: false },
    /** The key of the short URL that led to the page with the form. */
    shortUrl: { title: 'Short URL', kind: 'text', isColumn: false },
    ownerId: { title: 'Owner ID', kind: 'text', isColumn: false },
    isMine: { title: 'Mine', kind: 'flag', isColumn: false },
    hasOwner: { title: 'Has an owner', kind: 'flag', isColumn: false },
    isAnswered: { title: 'Answered', kind: 'flag', isHidden: true },
    isUnanswered: { title: 'Buyer is waiting for a reply', kind: 'flag', isHidden: true },
    isSnoozed: { title: 'Snoozed', kind: 'flag', isHidden: true },
    wasLate: { title: 'No response at its deadline', kind: 'flag', isHidden: true },
    isEscalated: { title: 'Escalated to a manager', kind: 'flag', isHidden: true },
    /** Whose figures it counts in: of the one who answered it, otherwise of its owner. */
    countsForId: { title: 'Counts for', kind: 'text', isColumn: false },
    isUnfinished: { title: 'Unfinished form', kind: 'flag', isHidden: true },
    isTest: { title: 'Test', kind: 'flag', isHidden: true },
    personEmail: { title: 'Email', kind: 'text', isHidden: true },
    personPhone: { title: 'Phone', kind: 'text', isHidden: true },
    vehicleVin: { title: 'VIN', kind: 'text', isHidden: true },
    comments: { title: 'Comments', kind: 'text', isHidden: true },
    sourceDetails: { title: 'Everything from the source', kind: 'text', isHidden: true },
    contacts: { title: 'All emails and phones', kind: 'text', isHidden: true },
    vehiclePrice: { title: 'Price that the buyer saw', kind: 'money', isHidden: true },
    tradeIn: { title: 'Trade-in', kind: 'text', isHidden: true },
    consents: { title: 'Consents', kind: 'text', isHidden: true },
    formAnswers: { title: 'Form answers', kind: 'text', isHidden: true },
    conversation: { title: 'Emails, calls and notes', kind: 'text', isHidden: true },
    campaign: { title: 'Campaign', kind: 'text', isHidden: true },
    utmCampaign: { title: 'Code of the campaign', kind: 'text', isHidden: true },
    pageUrl: { title: 'Page', kind: 'text', isHidden: true },
    language: { title: 'Language', kind: 'text', isHidden: true },
    assignedAt: { title: 'Assigned', kind: 'moment', isHidden: true },
    acceptedAt: { title: 'Accepted', kind: 'moment', isHidden: true },
    respondBy: { title: 'Response deadline', kind: 'moment', isHidden: true },
    openResponseSeconds: {
      title: 'Seconds to respond in opening hours',
      kind: 'integer',
      isHidden: true,
    },
    snoozedUntil: { title: 'Snoozed until', kind: 'moment', isHidden: true },
    appointmentAt: { title: 'Appointment', kind: 'moment', isHidden: true },
    outcomeAt: { title: 'Outcome since', kind: 'moment', isHidden: true },
    requestedAt: { title: 'Requested', kind: 'moment', isSortable: true, isHidden: true },
    firstResponseAt: { title: 'First response', kind: 'moment', isSortable: true, isHidden: true },
    firstResponseBy: { title: 'Answered by', kind: 'text', isHidden: true },
    waitingSince: {
      title: 'Buyer waits since',
      kind: 'moment',
      isSortable: true,
      isHidden: true,
    },
    receivedAt: { title: 'Received', kind: 'moment', isSortable: true },
  },
})

/** Leads that count: neither tests nor duplicates nor in quarantine. */
export const COUNTED_LEADS = '!isTest && status != "duplicate" && status != "quarantined"'
/** A closed lead whose buyer writes again is work again. */
const UNDONE = '(isUnanswered || (outcome != "sold" && outcome != "lost"))'

/** The queues of the inbox, as rules of the list. */
export const LEAD_QUEUES = {
  mine: { title: 'Mine', rule: `isMine && ${UNDONE} && ${COUNTED_LEADS}` },
  unassigned: { title: 'Unassigned', rule: `!hasOwner && ${UNDONE} && ${COUNTED_LEADS}` },
  open: { title: 'Open', rule: `${UNDONE} && ${COUNTED_LEADS}` },
  noStore: { title: 'No store yet', rule: `needsStore && ${UNDONE} && ${COUNTED_LEADS}` },
  undelivered: { title: 'Undelivered', rule: `status == "failed" && !isTest` },
  quarantined: { title: 'Quarantined', rule: `status == "quarantined" && !isTest` },
  all: { title: 'All', rule: '!isTest' },
} as const
export type LeadQueue = keyof typeof LEAD_QUEUES

/** The queue of this name; the open leads for any other. */
export const readLeadQueue = (name: string | null | undefined): LeadQueue =>
  name !== null && name !== undefined && isQueue(name) ? name : 'open'

function isQueue(name: string): name is LeadQueue {
  return Object.hasOwn(LEAD_QUEUES, name)
}

/** Leads of this owner. */
export const ofOwner = (userId: string): string => `ownerId == "${userId}"`

/** The rule of a queue together with a filter, for one buyer or one store. `person`, `store`: their ID and that of the lot. */
export function leadRule({
  queue,
  ...of
}: {
  queue: LeadQueue
  filter: string
  person?: string
  store?: string
}): string {
  return allOf([LEAD_QUEUES[queue].rule, narrowedTo(of)])
}

/** A filter, together with the leads of one buyer or one store. */
export function narrowedTo({
  filter,
  person = '',
  store = '',
}: {
  filter: string
  person?: string
  store?: string
}): string {
  const only = (field: string, id: string) => (/^\d+$/.test(id) ? `${field} == "${id}"` : '')
  return allOf([filter, only('personId', person), only('lot', store)])
}

/** The rules as one; blank ones don't count. */
export function allOf(rules: readonly string[]): string {
  const given = rules.filter((rule) => rule.trim() !== '')
  return given.length < 2 ? given.join('') : given.map((rule) => `(${rule})`).join(' && ')
}

/** The figures of the inbox: leads of a queue, and of those the ones that match a filter. */
export const LEAD_FIGURES = {
  mine: { queue: 'mine', filter: '' },
  unassigned: { queue: 'unassigned', filter: '' },
  open: { queue: 'open', filter: '' },
  noStore: { queue: 'noStore', filter: '' },
  undelivered: { queue: 'undelivered', filter: '' },
  quarantined: { queue: 'quarantined', filter: '' },
  all: { queue: 'all', filter: '' },
  waiting: { queue: 'open', filter: 'waitsUntil != null' },
  late: { queue: 'open', filter: 'isLate' },
  unanswered: { queue: 'open', filter: 'isUnanswered && !isSnoozed' },
} as const satisfies Record<string, { queue: LeadQueue; filter: string }>
export type LeadFigure = keyof typeof LEAD_FIGURES
