import { z } from 'zod'
import { endpoint } from '../endpoint.ts'
import { Id } from '../fields.ts'
import { Job } from '../jobs/jobs.ts'
import { can, Func, Opr } from '../permissions.ts'
import { narrowing } from '../queried-list.ts'

/** More rows than these are exported by a job. */
export const MOST_ROWS_AT_ONCE = 10_000
/** More rows than these do not fit one sheet of a workbook, its head included. */
export const MOST_ROWS_A_SHEET = 1_048_575

export const EXPORT_FORMATS = ['csv', 'xlsx'] as const

/** Exactly what a list shows: its columns in their order, its rows in theirs. */
export const ListExport = z.strictObject({
  list: z.string().max(40),
  format: z.enum(EXPORT_FORMATS),
  columns: z.array(z.string().max(60)).min(1, 'Choose at least one column.').max(80).readonly(),
  sort: z.string().max(200).optional(),
  ...narrowing,
  /** Only these of the rows that match. */
  ids: z.array(Id).min(1).max(1_000).optional(),
  /** All but these. */
  except: z.array(Id).max(1_000).optional(),
})
export type ListExport = z.infer<typeof ListExport>

export const REPORT_NAMES = ['user-access-review'] as const
export const REPORT_FORMATS = ['pdf', 'xlsx'] as const

/** A report as the page of reports offers it. */
export const Report = z.object({
  name: z.enum(REPORT_NAMES),
  title: z.string(),
  /** What it tells, and whom it is for. */
  about: z.string(),
  formats: z.array(z.enum(REPORT_FORMATS)),
  /** Why the caller may not make it, as a sentence; null when they may. */
  lock: z.string().nullable(),
})
export type Report = z.infer<typeof Report>

export const reports = {
  list: endpoint({
    method: 'GET',
    path: '/api/reports/get-reports',
    allow: can(Func.reports, Opr.list),
    summary: 'The reports there are.',
    output: z.array(Report),
  }),
  make: endpoint({
    method: 'POST',
    path: '/api/reports/{name}',
    allow: can(Func.reports, Opr.export),
    kind: 'report',
    writes: false,
    summary: 'Makes one report as a file. What it tells takes the permission to read that, too.',
    input: z.strictObject({
      name: z.enum(REPORT_NAMES, 'There is no report of this name.'),
      format: z.enum(REPORT_FORMATS).optional().default('pdf'),
    }),
  }),
  exportList: endpoint({
    method: 'POST',
    path: '/api/reports/export-list',
    allow: 'member',
    kind: 'report',
    writes: false,
    summary:
      'A list as a file, streamed; takes the export permission of the list. More than 10,000 rows: 409.',
    input: ListExport,
  }),
  startExport: endpoint({
    method: 'POST',
    path: '/api/reports/start-list-export',
    allow: 'member',
    summary: 'The same by a job, however many rows there are.',
    input: ListExport,
    output: Job,
  }),
}
