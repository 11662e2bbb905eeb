import { z } from 'zod'
import { endpoint } from '../endpoint.ts'
import { Id } from '../fields.ts'
import { Job } from '../jobs/jobs.ts'
import { can, Func, Opr } from '../permissions.ts'
import { narrowing } from '../queried-list.ts'

/** Larger exports run as a job. */
export const MAX_ROWS_AT_ONCE = 10_000
/** The most rows of one worksheet, not counting its header. */
export const MAX_ROWS_PER_SHEET = 1_048_575

export const EXPORT_FORMATS = ['csv', 'xlsx'] as const

/** Exactly what a list shows: its columns and rows, in its order. */
export const ListExport = z.strictObject({
  list: z.string().max(40),
  format: z.enum(EXPORT_FORMATS),
  columns: z.array(z.string().max(60)).min(1, 'Choose at least one column.').max(80).readonly(),
  sort: z.string().max(200).optional(),
  ...narrowing,
  /** Only these of the matching rows. */
  ids: z.array(Id).min(1).max(1_000).optional(),
  /** All matching rows except these. */
  except: z.array(Id).max(1_000).optional(),
})
export type ListExport = z.infer<typeof ListExport>

/** The last two are of one target or assessment, whose ID is sent along. */
export const REPORT_NAMES = ['user-access-review', 'assessment-answers', 'assessment-matrix'] as const
export const REPORT_FORMATS = ['pdf', 'xlsx'] as const
export type ReportFormat = (typeof REPORT_FORMATS)[number]

/** A report as listed on the Reports page. */
export const Report = z.object({
  name: z.enum(REPORT_NAMES),
  title: z.string(),
  /** What it contains, and who it's for. */
  about: z.string(),
  formats: z.array(z.enum(REPORT_FORMATS)),
  /** Why the caller can't create it, as a sentence; null if they can. */
  lock: z.string().nullable(),
})
export type Report = z.infer<typeof Report>

export const reports = {
  list: endpoint({
    method: 'GET',
    path: '/api/reports/get-reports',
    allow: can(Func.reports, Opr.list),
    summary: 'Lists the available reports.',
    output: z.array(Report),
  }),
  make: endpoint({
    method: 'POST',
    path: '/api/reports/{name}',
    allow: can(Func.reports, Opr.export),
    kind: 'report',
    writes: false,
    summary:
      'Creates a report as a file. Also requires permission to read the data in it. `assessment-answers` needs the ID of a target, `assessment-matrix` that of an assessment and the format xlsx.',
    input: z.strictObject({
      name: z.enum(REPORT_NAMES, 'No report has this name.'),
      format: z.enum(REPORT_FORMATS).optional().default('pdf'),
      /** What the report is about. */
      id: Id.optional(),
    }),
  }),
  exportList: endpoint({
    method: 'POST',
    path: '/api/reports/export-list',
    allow: 'member',
    kind: 'report',
    writes: false,
    summary:
      "Exports a list as a streamed file. Requires the list's export permission. Returns 409 for more than 10,000 rows, and 429 while two exports of the customer are being downloaded.",
    input: ListExport,
  }),
  startExport: endpoint({
    method: 'POST',
    path: '/api/reports/start-list-export',
    allow: 'member',
    summary: 'Starts a job that exports a list of any size.',
    input: ListExport,
    output: Job,
  }),
}
