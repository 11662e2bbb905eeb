import { z } from 'zod'
import { ConsentEvent } from '#contract/leads/consents/consents.ts'
import { endpoint } from '#contract/endpoint.ts'
import { Id, Instant, line, optionalLine } from '#contract/fields.ts'
import { can, Func, Opr } from '#contract/permissions.ts'
import { field, optionalText, record } from '#contract/record.ts'
import { CONSENT_CHANNELS } from '#contract/questions/vocabulary.ts'

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

/** Someone who may be the same person, and why. */
export const SimilarPerson = Person.extend({
  reasons: z.array(z.enum(['email', 'phone', 'name'])),
  leads: z.number().int(),
  lastLeadAt: Instant.nullable(),
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
})
export type PersonMerge = z.infer<typeof PersonMerge>

const byId = z.strictObject({ id: Id })
const LEADS = '/api/customers/get-leads'
const LEAD = '/api/customers/edit-lead/{id}'
const SIMILAR = '/api/customers/get-similar-people'

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
    summary: 'Lists people of the same organization who may be the same person.',
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
    summary: 'Undoes a merge of people. Returns 409 if the kept person was merged later: undo that first.',
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
}
