import { z } from 'zod'
import { endpoint } from '../endpoint.ts'
import { Id, Instant } from '../fields.ts'
import { listQuery, queriedList } from '../queried-list.ts'
import { JOB_LIST } from './job-list.ts'

/** `failed`: the whole job stopped. A job with some rejected rows is `done` and lists them. */
export const JOB_STATES = ['waiting', 'running', 'done', 'failed', 'canceled'] as const

/** A background job that a user started, such as a bulk change or an export. */
export const Job = z.object({
  id: z.string(),
  /** The endpoint that starts it: `lots.change`, `reports.startExport`. */
  kind: z.string(),
  /** "Show 86 lots on public pages". */
  title: z.string(),
  state: z.enum(JOB_STATES),
  /** The number of rows to process. Null until it is known. */
  total: z.number().int().nullable(),
  done: z.number().int(),
  /** The number of rejected rows. */
  failures: z.number().int(),
  /** Why the whole job stopped. */
  error: z.string().nullable(),
  /** The file it created. */
  file: z.object({ name: z.string(), bytes: z.number().int(), expiresAt: Instant }).nullable(),
  canCancel: z.boolean(),
  /** Whether it can be undone: rows that have not changed since get their old values back. */
  canUndo: z.boolean(),
  /** The job that this one undoes. */
  undoes: z.string().nullable(),
  isMine: z.boolean(),
  startedBy: z.string().nullable(),
  createdAt: Instant,
  startedAt: Instant.nullable(),
  endedAt: Instant.nullable(),
})
export type Job = z.infer<typeof Job>

/** A row that a job could not change. */
export const JobFailure = z.object({
  rowId: z.string(),
  /** The row's name at the time the job processed it. */
  title: z.string(),
  reason: z.string(),
})
export type JobFailure = z.infer<typeof JobFailure>

/** Users see their own jobs. With the "Jobs and health" permission they see all jobs within their reach. */
export const jobs = {
  list: endpoint({
    method: 'GET',
    path: '/api/jobs/get-jobs',
    allow: 'member',
    summary:
      "Lists the caller's jobs, newest first. With Jobs and health, lists all jobs within the caller's reach.",
    input: listQuery(JOB_LIST),
    output: queriedList(Job),
  }),
  get: endpoint({
    method: 'GET',
    path: '/api/jobs/get-job/{id}',
    allow: 'member',
    summary: 'Returns a job with its progress.',
    input: z.strictObject({ id: Id }),
    output: Job,
  }),
  failures: endpoint({
    method: 'GET',
    path: '/api/jobs/get-job-failures/{id}',
    allow: 'member',
    summary: 'Lists up to 1,000 rows that a job could not change, with reasons.',
    input: z.strictObject({ id: Id }),
    output: z.array(JobFailure),
  }),
  cancel: endpoint({
    method: 'POST',
    path: '/api/jobs/cancel-job',
    allow: 'member',
    summary: 'Cancels a job before its next rows. Rows it has changed stay changed, and can be undone.',
    input: z.strictObject({ id: Id }),
    output: Job,
  }),
  undo: endpoint({
    method: 'POST',
    path: '/api/jobs/undo-job',
    allow: 'member',
    summary:
      'Starts a job that undoes another. Rows that changed since are left alone and listed. Returns 409 the second time.',
    input: z.strictObject({ id: Id }),
    output: Job,
  }),
  download: endpoint({
    method: 'GET',
    path: '/api/jobs/download-job-file/{id}',
    allow: 'member',
    kind: 'download',
    summary: 'Downloads the file that a job created.',
    input: z.strictObject({ id: Id }),
  }),
}
