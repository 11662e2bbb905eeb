import { sql } from 'kysely'
import type { Job } from '#contract/jobs/jobs.ts'
import { can, Func, Opr } from '#contract/permissions.ts'
import type { Database } from '#server/database/tenant-transaction.ts'
import type { Member } from '#server/http/actor.ts'
import { notFound } from '#server/http/failure.ts'
import { refusalOf, type JobKind } from './job-kind.ts'

export type Kinds = ReadonlyMap<string, JobKind>

const seesOthers = can(Func.jobsAndHealth, Opr.list)
const stopsOthers = can(Func.jobsAndHealth, Opr.execute)

/** Whether the caller may cancel or undo a job: their own, or any with the permission to execute Jobs and health. */
export const mayAct = (actor: Member, job: { isMine: boolean }): boolean =>
  job.isMine || actor.may(stopsOthers)

/**
 * The jobs that a user sees: those running as them, and with the permission for Jobs and health, all within their reach.
 */
export function visibleJobs(actor: Member) {
  return actor.may(seesOthers)
    ? sql<boolean>`jobs.customer_id = ${actor.customerId}`
    : sql<boolean>`jobs.customer_id = ${actor.customerId} and jobs.effective_user_id = ${actor.effectiveUserId}`
}

/** SQL for the name of the user who started a job. */
export const startedBy = sql<string>`case when jobs.actor_user_id = jobs.effective_user_id then jobs.effective_name
  else jobs.actor_name || ' as ' || jobs.effective_name end`

function selectJobs(db: Database, actor: Member) {
  return db
    .selectFrom('jobs')
    .where(visibleJobs(actor))
    .select([
      'jobs.id',
      'jobs.kind',
      'jobs.title',
      'jobs.state',
      'jobs.total',
      'jobs.done',
      'jobs.failures',
      'jobs.changed',
      'jobs.error',
      'jobs.fileName',
      'jobs.fileType',
      'jobs.fileBytes',
      'jobs.fileExpiresAt',
      'jobs.undoOf',
      'jobs.wantsCancel',
      'jobs.payload',
      'jobs.createdAt',
      'jobs.startedAt',
      'jobs.endedAt',
      startedBy.as('startedBy'),
      sql<boolean>`jobs.effective_user_id = ${actor.effectiveUserId}`.as('isMine'),
      sql<boolean>`jobs.file_expires_at > app_now()`.as('hasFile'),
      // An undo that failed or was canceled left rows that can still be undone.
      sql<boolean>`exists (select from jobs u where u.customer_id = jobs.customer_id and u.undo_of = jobs.id
        and u.state not in ('failed', 'canceled'))`.as('isUndone'),
      sql<boolean>`not exists (select from jobs u where u.customer_id = jobs.customer_id and u.undo_of = jobs.id
        and u.state not in ('failed', 'canceled') and (u.ended_at is null or u.failures = 0))`.as(
        'hasUndoProblems',
      ),
    ])
}

export type JobRow = Awaited<ReturnType<typeof readJobRow>>

/** @throws Failure 404 if the job does not exist or the caller can't see it. */
export async function readJobRow(db: Database, actor: Member, id: string) {
  const row = await selectJobs(db, actor).where('jobs.id', '=', id).executeTakeFirst()
  if (row === undefined) throw notFound('Job')
  return row
}

export async function readJob(db: Database, actor: Member, kinds: Kinds, id: string): Promise<Job> {
  return toJob(await readJobRow(db, actor, id), actor, kinds)
}

/** The jobs with these IDs, in any order. */
export async function readJobs(
  db: Database,
  actor: Member,
  kinds: Kinds,
  ids: readonly string[],
): Promise<Job[]> {
  if (ids.length === 0) return []
  const rows = await selectJobs(db, actor).where('jobs.id', 'in', ids).execute()
  return rows.map((row) => toJob(row, actor, kinds))
}

export function toJob(row: JobRow, actor: Member, kinds: Kinds): Job {
  const isOver = row.endedAt !== null
  const file = row.hasFile && row.fileName !== null && row.fileExpiresAt !== null
  return {
    id: row.id,
    kind: row.kind,
    title: row.title,
    state: row.state,
    total: row.total,
    done: row.done,
    failures: row.failures,
    error: row.error,
    file: file
      ? { name: row.fileName ?? '', bytes: Number(row.fileBytes), expiresAt: row.fileExpiresAt ?? '' }
      : null,
    canCancel: !isOver && !row.wantsCancel && mayAct(actor, row),
    canUndo: mayAct(actor, row) && whyNotUndone(row, actor, kinds) === null,
    undoes: row.undoOf,
    isMine: row.isMine,
    startedBy: row.startedBy,
    createdAt: row.createdAt,
    startedAt: row.startedAt,
    endedAt: row.endedAt,
  }
}

/** Why a job can't be undone; null if it can. */
export function whyNotUndone(row: JobRow, actor: Member, kinds: Kinds): string | null {
  const kind = kinds.get(row.kind)
  if (row.endedAt === null) return 'This job is still running. Cancel it first.'
  if (kind?.rows?.canUndo !== true || row.undoOf !== null) return "This job can't be undone."
  // What was in the way of a row may be gone by now.
  if (row.isUndone && !row.hasUndoProblems) return 'This job was already undone.'
  if (row.changed === 0) return 'This job changed nothing.'
  return refusalOf(kind, actor, { payload: row.payload, isUndo: true })
}
