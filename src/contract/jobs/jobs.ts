import { z } from 'zod'
import { endpoint } from '../endpoint.ts'
import { Id, Instant } from '../fields.ts'
import { listQuery, queriedList } from '../queried-list.ts'
import { JOB_LIST } from './job-list.ts'

/** `failed`: it stopped as a whole. A job that was refused some rows is `done`, and lists them. */
export const JOB_STATES = ['waiting', 'running', 'done', 'failed', 'cancelled'] as const

/** Work that somebody started and that goes on by itself: a change of many rows, an export. */
export const Job = z.object({
  id: z.string(),
  /** What kind of work, as the server knows it: `lots.change`, `reports.startExport`. */
  kind: z.string(),
  /** "Show 86 lots on public pages". */
  title: z.string(),
  state: z.enum(JOB_STATES),
  /** How many rows there are to do; null while that is being found out. */
  total: z.number().int().nullable(),
  done: z.number().int(),
  /** How many of them were refused. */
  failures: z.number().int(),
  /** Why it stopped as a whole. */
  error: z.string().nullable(),
  /** What it made. */
  file: z.object({ name: z.string(), bytes: z.number().int(), expiresAt: Instant }).nullable(),
  canCancel: z.boolean(),
  /** It can be taken back: every row that nobody changed since gets its old values again. */
  canUndo: z.boolean(),
  /** The job that this one takes back. */
  undoes: z.string().nullable(),
  isMine: z.boolean(),
  startedBy: z.string().nullable(),
  createdAt: Instant,
  startedAt: Instant.nullable(),
  endedAt: Instant.nullable(),
})
export type Job = z.infer<typeof Job>

/** A row that a job was refused. */
export const JobFailure = z.object({
  rowId: z.string(),
  /** What the row is called; as it was when the job came to it. */
  title: z.string(),
  reason: z.string(),
})
export type JobFailure = z.infer<typeof JobFailure>

/** A person sees their own jobs; who holds "Jobs and health" sees those of everybody they reach. */
export const jobs = {
  list: endpoint({
    method: 'GET',
    path: '/api/jobs/get-jobs',
    allow: 'member',
    summary: "The caller's jobs, the latest first; with Jobs and health those of everybody in reach.",
    input: listQuery(JOB_LIST),
    output: queriedList(Job),
  }),
  get: endpoint({
    method: 'GET',
    path: '/api/jobs/get-job/{id}',
    allow: 'member',
    summary: 'One job with its progress.',
    input: z.strictObject({ id: Id }),
    output: Job,
  }),
  failures: endpoint({
    method: 'GET',
    path: '/api/jobs/get-job-failures/{id}',
    allow: 'member',
    summary: 'The rows a job was refused, each with the reason; at most 1,000.',
    input: z.strictObject({ id: Id }),
    output: z.array(JobFailure),
  }),
  cancel: endpoint({
    method: 'POST',
    path: '/api/jobs/cancel-job',
    allow: 'member',
    summary: 'Stops a job before its next rows. What it did stays; it may be undone.',
    input: z.strictObject({ id: Id }),
    output: Job,
  }),
  undo: endpoint({
    method: 'POST',
    path: '/api/jobs/undo-job',
    allow: 'member',
    summary:
      'Takes a job back by another: rows that somebody changed since stay, and are listed. Once; again 409.',
    input: z.strictObject({ id: Id }),
    output: Job,
  }),
  download: endpoint({
    method: 'GET',
    path: '/api/jobs/download-job-file/{id}',
    allow: 'member',
    kind: 'download',
    summary: 'The file a job made.',
    input: z.strictObject({ id: Id }),
  }),
}
