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
})
export type PersonDataCounts = z.infer<typeof Counts>

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
      leads: Rows,
      timeline: Rows,
      messages: Rows,
      consents: Rows,
      submissions: Rows,
      texts: Rows,
      emails: Rows,
    }),
  }),
  erase: endpoint({
    method: 'POST',
    path: '/api/customers/erase-person-data',
    allow: can(Func.dataExport, Opr.execute),
    summary:
      'Deletes everything about the buyers with an email address or phone number, also from the audit log, and all files of exports that can still be downloaded, because they may contain it. Anonymous figures stay, and so does the address or number of someone who asked not to be contacted through it. Returns 409 if there is more or less than `confirmed`.',
    input: z.strictObject({ contact, confirmed: z.strictObject(Counts.shape) }),
    /** `files`: files of exports of the customer. */
    output: z.object({ erased: Counts, kept: z.number().int(), files: z.number().int() }),
    changes: [LEADS, LEAD, COUNTS, FOUND, JOBS],
  }),
}
