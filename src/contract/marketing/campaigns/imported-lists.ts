import { z } from 'zod'
import { endpoint } from '#contract/endpoint.ts'
import { Id, Instant } from '#contract/fields.ts'
import { can, Func, Opr } from '#contract/permissions.ts'

/** In one file. */
export const MAX_LIST_ROWS = 100_000
/** People who are asked by one call: a mailbox provider takes more at once for spam. */
export const MAX_ASKED = 500

/** How many people of an imported list may be mailed, and what became of the others. */
export const ImportedList = z.object({
  id: z.string(),
  name: z.string(),
  lotId: z.string(),
  lotName: z.string(),
  organizationId: z.string(),
  fileName: z.string(),
  /** In the file, below its header. */
  rows: z.number().int(),
  /** Rows without an email address that could be right. */
  invalid: z.number().int(),
  /** Rows whose address an earlier row has. */
  duplicates: z.number().int(),
  /** "stopped": its job ended before the last row. The people until then are in the list. */
  state: z.enum(['importing', 'ready', 'stopped']),
  /** Addresses in the file that are not in the list yet. */
  waiting: z.number().int(),
  /** Addresses. */
  people: z.number().int(),
  /** Of them, with a source and date of consent in the file. */
  proven: z.number().int(),
  /** Agreed in answer to the email that asks. */
  confirmed: z.number().int(),
  /** Said no in answer to it. */
  declined: z.number().int(),
  /** Were asked and have not answered. */
  asked: z.number().int(),
  /** Without proof, and not asked yet. Who is suppressed or said no before is skipped when the others are asked. */
  canAsk: z.number().int(),
  version: z.number().int(),
  createdAt: Instant,
  createdBy: z.string().nullable(),
})
export type ImportedList = z.infer<typeof ImportedList>

/** What was wrong in a row of the file; row 0: in the file as a whole. */
const ListProblem = z.object({ row: z.number().int(), text: z.string() })
export type ListProblem = z.infer<typeof ListProblem>

const ImportedListDetails = ImportedList.extend({
  /** The first 1,000. */
  problems: z.array(ListProblem),
  /** The first 20, with what proves that they agreed. */
  sample: z.array(
    z.object({
      row: z.number().int(),
      name: z.string().nullable(),
      email: z.string().nullable(),
      consentSource: z.string().nullable(),
      consentOn: z.string().nullable(),
    }),
  ),
})
export type ImportedListDetails = z.infer<typeof ImportedListDetails>

const shown = ['/api/dvp/get-imported-lists', '/api/dvp/get-imported-list/{id}'] as const

export const importedLists = {
  list: endpoint({
    method: 'GET',
    path: '/api/dvp/get-imported-lists',
    allow: can(Func.dvpCampaigns, Opr.list),
    summary: 'Lists the imported lists of people within the caller’s reach, the newest first.',
    input: z.strictObject({}),
    output: z.array(ImportedList),
  }),
  get: endpoint({
    method: 'GET',
    path: '/api/dvp/get-imported-list/{id}',
    allow: can(Func.leads, Opr.read),
    summary:
      'Returns an imported list with the rows that were not used, and its first people with their proof of consent.',
    input: z.strictObject({ id: Id }),
    output: ImportedListDetails,
  }),
  add: endpoint({
    method: 'POST',
    path: '/api/dvp/add-imported-list',
    kind: 'upload',
    allow: can(Func.dvpCampaigns, Opr.create),
    summary:
      'Imports a list of people (CSV or XLSX) for campaigns: a column named Email, and if known First name, Last name, Consent source and Consent date. With source and date, a person may be mailed; without, they have to be asked. Nothing is sent. The people of a long list are added by a job. Returns 400 with the place of what can’t be read, and if dates could be read in two ways, until `dateOrder` says how.',
    input: z.strictObject({
      name: z.string().trim().min(1, 'Enter a name.').max(100, 'The name may have at most 100 characters.'),
      lotId: z.string('Choose a lot.').regex(/^\d{1,18}$/, 'Choose a lot.'),
      /** How the file writes dates such as 03/11/2025. */
      dateOrder: z.enum(['mdy', 'dmy'], 'Must be "mdy" or "dmy".').optional(),
    }),
    output: ImportedList,
    changes: [...shown, '/api/jobs/get-jobs'],
  }),
  ask: endpoint({
    method: 'POST',
    path: '/api/dvp/ask-imported-list',
    allow: can(Func.dvpCampaigns, Opr.execute),
    summary: `Sends up to ${MAX_ASKED} people of a list who have no proof of consent one email each, which asks whether they want offers. Each is asked once. Returns 409 if emails can’t be sent.`,
    input: z.strictObject({ id: Id }),
    output: ImportedList.extend({ sent: z.number().int() }),
    changes: shown,
    outside: true,
  }),
  remove: endpoint({
    method: 'POST',
    path: '/api/dvp/remove-imported-list',
    allow: can(Func.dvpCampaigns, Opr.delete),
    summary:
      'Deletes an imported list, and the people who came with it and whom nothing else names. Who said no is kept. Returns 409 while a campaign that is not over is for it.',
    input: z.strictObject({ id: Id }),
    output: z.object({ people: z.number().int() }),
    changes: shown,
  }),
}
