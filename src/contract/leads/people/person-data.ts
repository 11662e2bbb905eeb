import { z } from 'zod'
import { endpoint } from '#contract/endpoint.ts'
import { line } from '#contract/fields.ts'
import { can, Func, Opr } from '#contract/permissions.ts'

const Counts = z.object({
  people: z.number().int(),
  leads: z.number().int(),
  messages: z.number().int(),
  consents: z.number().int(),
  submissions: z.number().int(),
  /** Texts in which leads and replies came in. */
  texts: z.number().int(),
  /** Emails in the outbox. */
  emails: z.number().int(),
  /** Other records with the address or number in a text, where it is replaced by "[erased]". */
  mentions: z.number().int(),
})
export type PersonDataCounts = z.infer<typeof Counts>

/** Records of one type that mention a person in a text. */
const PersonMention = z.object({
  /** As in the audit log, such as "Lead". */
  what: z.string(),
  count: z.number().int(),
  /** Erasing leaves the text as it is, for a person to edit. */
  isKept: z.boolean(),
})
export type PersonMention = z.infer<typeof PersonMention>

const Rows = z.array(z.record(z.string(), z.unknown()))

/** An email address or a phone number, as the person states it. */
const contact = line(254, 'Email or phone')

const LEADS = '/api/customers/get-leads'
const LEAD = '/api/customers/edit-lead/{id}'
const COUNTS = '/api/customers/get-lead-counts'
const JOBS = '/api/jobs/get-jobs'
const FOUND = '/api/customers/find-person-data'

export const personData = {
  find: endpoint({
    method: 'GET',
    path: FOUND,
    allow: can(Func.dataExport, Opr.list),
    summary:
      "Counts what is stored about the buyers with an email address or phone number, in the stores within the caller's reach.",
    input: z.strictObject({ contact }),
    output: z.object({
      names: z.array(z.string()),
      stores: z.array(z.string()),
      counts: Counts,
      /** Where the address or number is in texts of other records. */
      mentions: z.array(PersonMention),
      /** Leads that someone still works on. */
      openLeads: z.number().int(),
    }),
  }),
  export: endpoint({
    method: 'POST',
    path: '/api/customers/export-person-data',
    takesOut: 'everything about a buyer',
    allow: can(Func.dataExport, Opr.export),
    summary: 'Returns everything that is stored about the buyers with an email address or phone number.',
    input: z.strictObject({ contact }),
    output: z.object({
      people: Rows,
      contacts: Rows,
      leads: Rows,
      timeline: Rows,
      messages: Rows,
      consents: Rows,
      submissions: Rows,
      texts: Rows,
      /** Files of emails, without their bytes. */
      files: Rows,
      emails: Rows,
    }),
  }),
  erase: endpoint({
    method: 'POST',
    path: '/api/customers/erase-person-data',
    allow: can(Func.dataExport, Opr.execute),
    summary:
      'Deletes everything about the buyers with an email address or phone number, also from the audit log, and all files of exports that can still be downloaded, because they may contain it. In texts of other records, such as notes, searches of saved views and of exports, and their entries in the audit log, the address and number are replaced by "[erased]"; in searches for leads, also the name. Anonymous figures stay, and so does the address or number of someone who asked not to be contacted through it. Returns 409 if there is more or less than `confirmed`.',
    input: z.strictObject({ contact, confirmed: z.strictObject(Counts.shape) }),
    /** `files`: files of exports of the customer. */
    output: z.object({
      erased: Counts,
      kept: z.number().int(),
      files: z.number().int(),
      /** Where the address or number is still in a text, for a person to edit. */
      left: z.array(PersonMention),
    }),
    changes: [LEADS, LEAD, COUNTS, FOUND, JOBS],
  }),
}
