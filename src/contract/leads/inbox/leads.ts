import { trimmed } from '#contract/trimmed.ts'
import { z } from 'zod'
import { PRICE_LAW_CODES } from '#contract/customers/details/price-laws.ts'
import { deletionOf, RowsSeen } from '#contract/deletion.ts'
import { endpoint } from '#contract/endpoint.ts'
import { Id, Instant, Version, chosenId, line, optionalLine } from '#contract/fields.ts'
import { Photo } from '#contract/vehicles/vehicles/vehicles.ts'
import { ChannelPermission, ConsentEvent } from '#contract/leads/consents/consents.ts'
import { LeadDocument } from '#contract/leads/adf/adf-lead.ts'
import { Person, PersonMerge, personRecord } from '#contract/leads/people/people.ts'
import { PersonContact } from '#contract/leads/people/person-contacts.ts'
import { Counted } from '#contract/lists/counted.ts'
import { can, Func, Opr } from '#contract/permissions.ts'
import { Job } from '#contract/jobs/jobs.ts'
import { listQuery, narrowing, queriedList } from '#contract/queried-list.ts'
import { SubmissionFile } from '#contract/files/submission-file.ts'
import { LeadFile } from './lead-files.ts'
import { LeadsChange } from './change-leads.ts'
import { CALL_RESULT_CODES, LeadEvent } from './lead-events.ts'
import { LeadMove } from './lead-moves.ts'
import { Lead, LEAD_LIST, LEAD_OUTCOME_CODES, LEAD_TYPE_CODES } from './lead-list.ts'
import { SUSPICION_CODES } from './suspicions.ts'

/** The vehicle a buyer asks for, in their words. */
export const AskedVehicle = z.object({
  vin: z.string().nullish(),
  stock: z.string().nullish(),
  year: z.number().int().nullish(),
  make: z.string().nullish(),
  model: z.string().nullish(),
  trim: z.string().nullish(),
  condition: z.string().nullish(),
  color: z.string().nullish(),
  mileage: z.number().int().nullish(),
  comments: z.string().nullish(),
  /** The vehicle that its VIN is of, if it isn't in stock: "2020 Ford Escape". */
  vinSays: z.string().nullish(),
})
export type AskedVehicle = z.infer<typeof AskedVehicle>

export const TradeIn = z.object({
  vin: z.string().nullish(),
  year: z.number().int().nullish(),
  make: z.string().nullish(),
  model: z.string().nullish(),
  trim: z.string().nullish(),
  /** In the customer's distance unit, as stated by the buyer. */
  mileage: z.number().int().nullish(),
  condition: z.string().nullish(),
  comments: z.string().nullish(),
  /** The vehicle that its VIN is of. */
  vinSays: z.string().nullish(),
})
export type TradeIn = z.infer<typeof TradeIn>

/** What a buyer can ask for, besides what is in stock. */
export const ASKED_CONDITIONS = [
  { value: 'new', label: 'New' },
  { value: 'used', label: 'Used' },
  { value: 'cpo', label: 'Certified' },
] as const
const ASKED_CONDITION_CODES = ASKED_CONDITIONS.map(({ value }) => value)

const NewTradeIn = z.strictObject({
  vin: optionalLine(17, 'VIN'),
  year: z.int('Enter a year.').min(1885, 'Enter a year.').max(2100, 'Enter a year.').nullable().optional(),
  make: optionalLine(60, 'Make'),
  model: optionalLine(100, 'Model'),
  trim: optionalLine(100, 'Trim'),
  mileage: z
    .int('Enter a whole number.')
    .min(0, 'Mileage must be 0 or more.')
    .max(2_000_000, 'Mileage may be at most 2,000,000.')
    .nullable()
    .optional(),
  condition: optionalLine(100, 'Condition'),
})

/** The vehicle of interest as it is in stock now. Amounts are integer cents. */
const LeadVehicle = z.object({
  id: z.string(),
  title: z.string(),
  vin: z.string().nullable(),
  stock: z.string().nullable(),
  status: z.string(),
  mileage: z.number().int().nullable(),
  distanceUnit: z.string(),
  daysInStock: z.number().int().nullable(),
  photo: Photo.nullable(),
  /** It was sold, and not to this buyer. */
  isSoldElsewhere: z.boolean(),
  /** The total price of the pricing rules now; null while it is being calculated. */
  totalCents: z.number().int().nullable(),
  /** The price law of its lot, by which an answer is checked. */
  law: z.enum(PRICE_LAW_CODES),
  /** What an answer states about the price; null without a price, and once the vehicle is sold. */
  priceText: z.string().nullable(),
  /** What belongs below an answer that states the price: the customer's texts for this vehicle, in their order. */
  priceDisclaimers: z.array(z.string()),
  /** Leads about it in the last 30 days, besides this one. */
  otherLeads: z.number().int(),
})

/** Another lead of the same person. */
const OtherLead = z.object({
  id: z.string(),
  type: z.enum(LEAD_TYPE_CODES),
  vehicleTitle: z.string().nullable(),
  outcome: z.enum(LEAD_OUTCOME_CODES),
  lostReason: z.string().nullable(),
  isDuplicate: z.boolean(),
  ownerName: z.string().nullable(),
  messages: z.number().int(),
  receivedAt: Instant,
})

/** A lead with everything that its page shows. */
export const LeadRecord = Lead.extend({
  person: Person,
  /** Every address and number of the buyer, of all their leads, oldest first. */
  contacts: z.array(PersonContact),
  vehicle: LeadVehicle.nullable(),
  /** What the buyer bought, if the lead is sold. */
  soldVehicle: z.object({ id: z.string(), title: z.string() }).nullable(),
  askedVehicle: AskedVehicle,
  tradeIn: TradeIn.nullable(),
  comments: z.string().nullable(),
  /** Everything that the ADF document says; null if the lead came in some other way. */
  document: LeadDocument.nullable(),
  campaign: z.record(z.string(), z.string()),
  pageUrl: z.string().nullable(),
  referrer: z.string().nullable(),
  language: z.string().nullable(),
  /** Why it looked like spam when it came in. */
  suspicions: z.array(z.enum(SUSPICION_CODES)),
  formId: z.string().nullable(),
  formName: z.string().nullable(),
  submissionId: z.string().nullable(),
  /** What the buyer sent with the form. */
  files: z.array(SubmissionFile),
  /** That came with its email, or with replies. */
  attachments: z.array(LeadFile),
  /** The document or email it came in, with what was unusual about it; its text is read with `source`. */
  source: z.object({ id: z.string(), contentType: z.string(), warnings: z.array(z.string()) }).nullable(),
  responseSeconds: z.number().int().nullable(),
  /** Seconds until the first response in which the lot was open. */
  openResponseSeconds: z.number().int().nullable(),
  responseMinutes: z.number().int(),
  /** Oldest first. */
  timeline: z.array(LeadEvent),
  /** Newest first. */
  consents: z.array(ConsentEvent),
  channels: z.array(ChannelPermission),
  /** Newest first. */
  otherLeads: z.array(OtherLead),
  merges: z.array(PersonMerge),
  /** To and from other stores, oldest first; also copies. */
  moves: z.array(LeadMove),
  /** Whether answers to an email come back to the lead. Otherwise they go to `ownAddress`. */
  repliesReturn: z.boolean(),
  /** The address of the user who asks; null if nothing is known. */
  ownAddress: z.string().nullable(),
  /** The name of the user who asks, for templates; null for staff of the platform. */
  ownName: z.string().nullable(),
  /** When it will be deleted; null: never. */
  keepUntil: Instant.nullable(),
  /** The user who asks manages its lot, and may take it from someone who has time to accept it. */
  isManager: z.boolean(),
})
export type LeadRecord = z.infer<typeof LeadRecord>

/** What a lead came in as. `correctedText`: what a user corrected and what was read instead. */
export const LeadSource = z.object({
  contentType: z.string().nullable(),
  text: z.string().nullable(),
  correctedText: z.string().nullable(),
  /** It also has leads of stores that the user doesn't reach: only people of the whole customer read it. */
  isOfSeveralStores: z.boolean(),
})
export type LeadSource = z.infer<typeof LeadSource>

const longText = (max: number, name: string) =>
  z
    .string(`${name} must be text.`)
    .overwrite(trimmed)
    .min(1, `${name} is required.`)
    .max(max, `${name} may have at most ${max} characters.`)
const moment = z.iso.datetime({ offset: true, error: 'Enter a date and time.' })

const LIST = '/api/customers/get-leads'
const ONE = '/api/customers/edit-lead/{id}'
const COUNTS = '/api/customers/get-lead-counts'
const REPORT = '/api/customers/get-lead-responses'
const STORES = '/api/customers/get-lead-store-counts'
const byId = z.strictObject({ id: Id })
/** Leads that are deleted from quarantine at once. */
const MAX_DISCARDED = 500
/** A write to a lead: `version` refuses it if someone else changed the lead in the meantime. */
const one = { id: Id, version: Version }

const write = <I extends z.ZodType>(path: `/${string}`, summary: string, input: I) =>
  endpoint({
    method: 'POST',
    path,
    allow: can(Func.leads, Opr.update),
    summary,
    input,
    output: LeadRecord,
    changes: [LIST, ONE, COUNTS, STORES, REPORT],
  })

export const leads = {
  list: endpoint({
    method: 'GET',
    path: LIST,
    allow: can(Func.leads, Opr.list),
    summary:
      'Lists the leads, least time left to respond first. Searches name, every email and phone of the buyer, vehicle, VIN and stock number.',
    input: listQuery(LEAD_LIST),
    output: queriedList(Lead),
  }),
  counts: endpoint({
    method: 'GET',
    path: COUNTS,
    allow: can(Func.leads, Opr.list),
    summary: 'Counts the leads in each queue, those that wait for a first response, and those that are late.',
    input: z.strictObject(narrowing),
    output: z.object({
      mine: Counted,
      unassigned: Counted,
      open: Counted,
      /** Open leads that came to the address of a group, and whose store wasn't found. */
      noStore: Counted,
      undelivered: Counted,
      quarantined: Counted,
      all: Counted,
      /** Open leads that wait for a first response, and of those the late ones. */
      waiting: Counted,
      late: Counted,
      /** Open leads whose buyer waits for a reply. */
      unanswered: Counted,
      /** Of the leads first answered today, in opening hours. */
      medianSecondsToday: z.number().int().nullable(),
      responseMinutes: z.number().int(),
    }),
  }),
  stores: endpoint({
    method: 'GET',
    path: STORES,
    allow: can(Func.leads, Opr.list),
    summary:
      "Counts the open leads of each store within the caller's reach, and of those the late ones. Stores without leads are listed, too.",
    input: z.strictObject(narrowing),
    output: z.array(
      z.object({ lotId: z.string(), name: z.string(), open: z.number().int(), late: z.number().int() }),
    ),
  }),
  get: endpoint({
    method: 'GET',
    path: ONE,
    allow: can(Func.leads, Opr.read),
    summary: 'Returns one lead with its person, vehicle, timeline and consents.',
    input: byId,
    output: LeadRecord,
  }),
  source: endpoint({
    method: 'GET',
    path: '/api/customers/get-lead-source/{id}',
    allow: can(Func.leads, Opr.read),
    summary:
      'Returns what a lead came in as: the document or email as received, or the answers of its form. The text is null for a lead that was added by hand.',
    input: byId,
    output: LeadSource,
  }),
  add: endpoint({
    method: 'POST',
    path: '/api/customers/add-lead',
    allow: can(Func.leads, Opr.create),
    summary: 'Adds a lead by hand, such as after a phone call or a visit.',
    input: z
      .strictObject({
        type: z.enum(LEAD_TYPE_CODES, 'Choose what the lead is about.'),
        sourceName: line(60, 'Source'),
        lotId: chosenId('Choose a lot.'),
        vehicleId: Id.nullable().optional(),
        comments: longText(4_000, 'Comments').nullable().optional(),
        /** Assigns it to the caller, who has accepted it. */
        isMine: z.boolean().optional(),
        ...personRecord.create.shape,
      })
      .refine(({ email, phone }) => Boolean(email) || Boolean(phone), {
        path: ['email'],
        error: 'Enter an email address or a phone number.',
      }),
    output: LeadRecord,
    changes: [LIST, COUNTS, STORES],
  }),
  update: write(
    '/api/customers/update-lead',
    'Changes what a lead is about: its type, its vehicle in stock, the condition the buyer asked for, or the trade-in.',
    z.strictObject({
      ...one,
      type: z.enum(LEAD_TYPE_CODES, 'Choose what the lead is about.').optional(),
      vehicleId: Id.nullable().optional(),
      condition: z.enum(ASKED_CONDITION_CODES, 'Choose a condition.').nullable().optional(),
      /** Null: the buyer has none. */
      tradeIn: NewTradeIn.nullable().optional(),
    }),
  ),
  assignees: endpoint({
    method: 'GET',
    path: '/api/customers/get-lead-assignees',
    allow: can(Func.leads, Opr.read),
    summary: 'Lists the users a lead can be assigned to: those who can work on leads of its organization.',
    input: byId,
    output: z.array(
      z.object({
        id: z.string(),
        name: z.string(),
        openLeads: z.number().int(),
        isManager: z.boolean(),
        /** They get no leads by rules today. */
        isOff: z.boolean(),
      }),
    ),
  }),
  accept: write(
    '/api/customers/accept-lead',
    'Accepts a lead: the caller owns it, and it is no longer passed on. Returns 409 if someone else has accepted it.',
    z.strictObject(one),
  ),
  assign: write(
    '/api/customers/assign-lead',
    'Assigns a lead to a user, who has to accept it in time; null removes its owner.',
    z.strictObject({ ...one, userId: Id.nullable() }),
  ),
  giveBack: write(
    '/api/customers/return-lead',
    'Gives a lead back: it goes to the next person, or else to the manager.',
    z.strictObject({ ...one, text: optionalLine(500, 'Reason') }),
  ),
  snooze: write(
    '/api/customers/snooze-lead',
    'Hides a lead until a time or until the buyer replies; null ends that. Snoozing accepts the lead for the caller, unless someone else owns it.',
    z.strictObject({ ...one, until: moment.nullable() }),
  ),
  setOutcome: write(
    '/api/customers/set-lead-outcome',
    'Sets the outcome of a lead. A lost lead requires a reason, and an appointment a time. A sold lead is linked to its vehicle: the one that the buyer asked about, unless another one is given.',
    z
      .strictObject({
        ...one,
        outcome: z.enum(LEAD_OUTCOME_CODES),
        lostReason: optionalLine(200, 'Reason'),
        appointmentAt: moment.nullable().optional(),
        vehicleId: Id.nullable().optional(),
      })
      .refine(({ outcome, lostReason }) => outcome !== 'lost' || Boolean(lostReason), {
        path: ['lostReason'],
        error: 'Choose why the lead was lost.',
      })
      .refine(({ outcome, appointmentAt }) => outcome !== 'appointment' || Boolean(appointmentAt), {
        path: ['appointmentAt'],
        error: 'Enter the time of the appointment.',
      }),
  ),
  change: endpoint({
    method: 'POST',
    path: '/api/customers/change-leads',
    allow: can(Func.leads, Opr.update),
    summary:
      'Assigns, shares among a team, closes, reopens or snoozes the selected leads, as a job that can be undone. Each lead is checked like a single one; those that could not be changed, or that someone changed since the caller saw them, are listed.',
    input: z.strictObject({ ...RowsSeen.shape, change: LeadsChange }),
    output: Job,
  }),
  addNote: write(
    '/api/customers/add-lead-note',
    "Adds an internal note to a lead. The buyer doesn't see it.",
    z.strictObject({ id: Id, text: longText(4_000, 'Note') }),
  ),
  logCall: write(
    '/api/customers/log-lead-call',
    'Records a phone call with its result. A call counts as a response only if the buyer was reached.',
    z.strictObject({
      id: Id,
      result: z.enum(CALL_RESULT_CODES, 'Choose how the call ended.'),
      text: longText(4_000, 'Notes').nullable().optional(),
    }),
  ),
  sendEmail: write(
    '/api/customers/send-lead-email',
    'Sends an email to the buyer under the name of the caller. Replies are added to the lead if the customer has a reply address. Returns 409 if the buyer opted out of email, and 400 if the price law has something against the text: `sendsAnyway` sends it nevertheless, and the timeline says so.',
    z.strictObject({
      id: Id,
      subject: line(150, 'Subject'),
      text: longText(20_000, 'Message'),
      sendsAnyway: z.boolean().optional(),
      /** One of the buyer's addresses; left out: the one that is used. */
      toEmail: z.email('Enter a valid email address.').max(254).optional(),
    }),
  ),
  release: write(
    '/api/customers/release-lead',
    'Takes a lead out of quarantine and routes it. Its person joins one with the same email address or phone number, which can be undone.',
    z.strictObject(one),
  ),
  remove: endpoint({
    ...deletionOf(LeadRecord),
    path: '/api/customers/delete-lead/{id}',
    allow: can(Func.leads, Opr.delete),
    summary:
      'Deletes a lead with its conversation. Consents of the person are kept. One in quarantine is deleted with everything it came in and with its person.',
    changes: [LIST, COUNTS, STORES, REPORT],
  }),
  discard: endpoint({
    method: 'POST',
    path: '/api/customers/discard-leads',
    allow: can(Func.leads, Opr.delete),
    summary:
      'Deletes those of the leads that are in quarantine, with everything they came in and with their people.',
    input: z.strictObject({
      ids: z
        .array(Id, 'Choose leads.')
        .min(1, 'Choose leads.')
        .max(MAX_DISCARDED, `At most ${MAX_DISCARDED} leads at a time.`),
    }),
    output: z.object({ deleted: z.number().int() }),
    changes: [LIST, COUNTS, STORES],
  }),
}
