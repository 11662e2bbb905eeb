import { z } from 'zod'
import { ConsentEvent } from '#contract/leads/consents/consents.ts'
import { endpoint } from '#contract/endpoint.ts'
import { Id, Instant, line, optionalLine } from '#contract/fields.ts'
import { can, Func, Opr } from '#contract/permissions.ts'
import { field, optionalText, record } from '#contract/record.ts'
import { CONSENT_CHANNELS } from '#contract/questions/vocabulary.ts'
import { CONTACT_LABEL_CODES } from './person-contacts.ts'

export const CONTACT_METHODS = [
  { value: 'email', label: 'Email' },
  { value: 'call', label: 'Phone' },
  { value: 'text', label: 'Text' },
] as const
const CONTACT_METHOD_CODES = CONTACT_METHODS.map(({ value }) => value)

const text = z.string().nullable()

/** A buyer of one organization, with what users enter in form order. */
export const personRecord = record(
  {
    firstName: optionalText('First name', 100),
    lastName: optionalText('Last name', 100),
    email: field('Email', {
      input: z
        .union([
          z.null(),
          z.literal('').transform(() => null),
          z.email('Enter a valid email address.').max(254),
        ])
        .optional(),
      stored: text,
      blank: null,
    }),
    phone: optionalText('Phone', 40),
    postalCode: field('ZIP code', {
      input: optionalLine(16, 'ZIP or postal code'),
      stored: text,
      blank: null,
    }),
    contactTime: optionalText('Best time to contact', 100),
    preferredContact: field('Prefers', {
      input: z
        .enum(CONTACT_METHOD_CODES, 'Choose how the person prefers to be contacted.')
        .nullable()
        .optional(),
      stored: z.enum(CONTACT_METHOD_CODES).nullable(),
      blank: null,
    }),
  },
  {
    readOnly: {
      name: text,
      /** The phone number as +19165550178; null if it isn't a possible number. */
      phoneE164: text,
      street: text,
      city: text,
      region: text,
      country: text,
      language: text,
    },
  },
)
export const Person = personRecord.schema
export type Person = z.infer<typeof Person>

/** What two people have in common: the value. `vehicle`: both asked about it. */
export const EVIDENCE_KINDS = ['email', 'phone', 'address', 'postalCode', 'vehicle'] as const

/** Someone who may be the same person: what agrees, and what differs. */
export const SimilarPerson = Person.extend({
  evidence: z.array(z.object({ kind: z.enum(EVIDENCE_KINDS), value: z.string() })),
  /** `own`: of the person that was asked about. */
  differs: z.array(
    z.object({ kind: z.enum(['name', 'email', 'phone']), own: z.string(), other: z.string() }),
  ),
  leads: z.number().int(),
  lastLeadAt: Instant.nullable(),
  lastLeadId: z.string().nullable(),
  /** A user said that they aren't the same. */
  decided: z.object({ at: Instant, byName: z.string().nullable() }).nullable(),
})
export type SimilarPerson = z.infer<typeof SimilarPerson>

/** A merge that can be undone. */
export const PersonMerge = z.object({
  id: z.string(),
  keptId: z.string(),
  mergedId: z.string(),
  mergedName: z.string().nullable(),
  at: Instant,
  byName: z.string().nullable(),
  /** The product did it when a lead came in, because these agree. */
  isAutomatic: z.boolean(),
  reasons: z.array(z.string()),
  /** The first lead of the merged person. */
  leadId: z.string().nullable(),
})
export type PersonMerge = z.infer<typeof PersonMerge>

const byId = z.strictObject({ id: Id })
const LEADS = '/api/customers/get-leads'
const LEAD = '/api/customers/edit-lead/{id}'
const SIMILAR = '/api/customers/get-similar-people'
const COUNTS = '/api/customers/get-lead-counts'

export const people = {
  update: endpoint({
    method: 'POST',
    path: '/api/customers/update-person',
    allow: can(Func.leads, Opr.update),
    summary:
      'Changes the contact details of a person. Returns 409 with the current ones if the version is outdated.',
    input: personRecord.update,
    output: Person,
    changes: [LEADS, LEAD],
  }),
  similar: endpoint({
    method: 'GET',
    path: SIMILAR,
    allow: can(Func.leads, Opr.read),
    summary:
      'Lists people of the same organization who may be the same person, with what agrees and what differs: an address or number, or a name with an address, ZIP code or vehicle. Those that a user told apart are last.',
    input: byId,
    output: z.array(SimilarPerson),
  }),
  merge: endpoint({
    method: 'POST',
    path: '/api/customers/merge-people',
    allow: can(Func.leads, Opr.update),
    summary: 'Shows the leads of one person as leads of another one. Can be undone.',
    input: z.strictObject({ keptId: Id, mergedId: Id }),
    output: PersonMerge,
    changes: [LEADS, LEAD, SIMILAR],
  }),
  undoMerge: endpoint({
    method: 'POST',
    path: '/api/customers/undo-merge-people',
    allow: can(Func.leads, Opr.update),
    summary:
      'Splits two people who were merged, by hand or automatically: leads, contact details and consents go back to where they came from. A duplicate whose first lead is the other one’s is routed. From then on the two are told apart. Returns 409 if it was split already.',
    input: byId,
    output: Person,
    changes: [LEADS, LEAD, SIMILAR, COUNTS],
  }),
  tellApart: endpoint({
    method: 'POST',
    path: '/api/customers/tell-people-apart',
    allow: can(Func.leads, Opr.update),
    summary: "Records that two people aren't the same. They are no longer offered as the same buyer.",
    input: z.strictObject({ id: Id, otherId: Id }),
    output: z.null(),
    changes: [SIMILAR],
  }),
  addContact: endpoint({
    method: 'POST',
    path: '/api/customers/add-person-contact',
    allow: can(Func.leads, Opr.update),
    summary: 'Adds an email address or a phone number to a person. A known one gets the label.',
    input: z
      .strictObject({
        personId: Id,
        kind: z.enum(['email', 'phone'], 'Choose email or phone.'),
        value: line(254, 'Email or phone'),
        label: z.enum(CONTACT_LABEL_CODES, 'Choose a label.').nullable().optional(),
      })
      .superRefine(({ kind, value }, context) => {
        const isGood =
          kind === 'email' ? z.email().safeParse(value).success : /\d/.test(value) && value.length <= 40
        const message = kind === 'email' ? 'Enter a valid email address.' : 'Enter a phone number.'
        if (!isGood) context.addIssue({ code: 'custom', path: ['value'], message })
      }),
    output: Person,
    changes: [LEADS, LEAD, SIMILAR],
  }),
  updateContact: endpoint({
    method: 'POST',
    path: '/api/customers/update-person-contact',
    allow: can(Func.leads, Opr.update),
    summary:
      'Changes what an email address or phone number of a person is for, or whether it is the one to use. Without a chosen one, the one that the person used last is used.',
    input: z.strictObject({
      id: Id,
      label: z.enum(CONTACT_LABEL_CODES, 'Choose a label.').nullable().optional(),
      isPreferred: z.boolean().optional(),
    }),
    output: Person,
    changes: [LEADS, LEAD],
  }),
  removeContact: endpoint({
    method: 'POST',
    path: '/api/customers/remove-person-contact',
    allow: can(Func.leads, Opr.update),
    summary:
      'Removes an email address or phone number from a person. What a lead came in with stays in the lead, and an opt-out stays with the address or number.',
    input: byId,
    output: Person,
    changes: [LEADS, LEAD, SIMILAR],
  }),
  revoke: endpoint({
    method: 'POST',
    path: '/api/customers/revoke-consent',
    allow: can(Func.leads, Opr.update),
    summary:
      'Records that a person does not want to be contacted through a channel. Takes effect immediately.',
    input: z.strictObject({
      id: Id,
      channel: z.enum(CONSENT_CHANNELS),
      text: line(500, 'How the person opted out'),
    }),
    output: z.array(ConsentEvent),
    changes: [LEAD],
  }),
  consent: endpoint({
    method: 'POST',
    path: '/api/customers/record-consent',
    allow: can(Func.leads, Opr.update),
    summary:
      'Records that a person agrees to be contacted through a channel about their inquiry, also after an opt-out, with how they agreed.',
    input: z.strictObject({
      id: Id,
      channel: z.enum(CONSENT_CHANNELS),
      text: line(500, 'How the person agreed'),
    }),
    output: z.array(ConsentEvent),
    changes: [LEAD],
  }),
}
