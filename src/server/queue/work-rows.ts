import { sql } from 'kysely'
import type pg from 'pg'
import { inTenant, type Database } from '#server/database/tenant-transaction.ts'
import type { Member } from '#server/http/actor.ts'
import { scopeOf } from '#server/http/scope-of.ts'
import { isOurs, type JobLease } from './job-lease.ts'
import type { JobKind, Outcome } from './job-kind.ts'

const NOT_THERE = 'It was deleted, or you no longer have access to it.'

/**
 * Processes the next batch of a job and stores the outcomes, in one transaction. Ends the job after its last batch, or
 * before the next one if it was canceled.
 */
export async function workRows(
  pool: pg.Pool,
  kind: JobKind & { rows: NonNullable<JobKind['rows']> },
  { lease, actor }: { lease: JobLease; actor: Member },
): Promise<void> {
  const { rows: work } = kind
  const jobId = work.leavesEntries ? {} : { jobId: lease.id }
  const scope = scopeOf(actor, { endpoint: kind.name, isReadOnly: false, ...jobId })
  await inTenant(pool, scope, async (db) => {
    const job = await db
      .selectFrom('jobs')
      .select(['lastRowId', 'wantsCancel'])
      .where(isOurs(lease))
      .forUpdate()
      .executeTakeFirst()
    if (job === undefined) return
    if (job.wantsCancel) return endJob(db, lease, 'canceled')

    const rows = await db
      .selectFrom('jobRows')
      .select(['rowId as id', 'before', 'seen'])
      .where('customerId', '=', lease.customerId)
      .where('jobId', '=', lease.id)
      .where('rowId', '>', job.lastRowId)
      .where('state', '=', 'pending')
      .orderBy('rowId')
      .limit(work.batch)
      .execute()
    const last = rows.at(-1)
    if (last === undefined) return endJob(db, lease, 'done')
    const context = { db, actor, payload: lease.payload }
    const outcomes =
      lease.undoOf === null
        ? await work.change(
            { ...context, seen: new Map(rows.map(({ id, seen }) => [id, seen])) },
            rows.map(({ id }) => id),
          )
        : await work.undo({ ...context, madeUntil: await endOf(db, lease.undoOf) }, rows)
    const told = new Set(outcomes.map(({ id }) => id))
    const missing = rows.filter(({ id }) => !told.has(id))
    await noteOutcomes(db, lease, {
      lastRowId: last.id,
      outcomes: [...outcomes, ...missing.map(({ id }) => ({ id, title: `No. ${id}`, reason: NOT_THERE }))],
    })
    if (rows.length < work.batch) await endJob(db, lease, 'done')
  })
}

/** When the job that is being undone ended, to the microsecond. */
async function endOf(db: Database, jobId: string): Promise<string> {
  const { endedAt } = await db
    .selectFrom('jobs')
    .select(sql<string>`ended_at::text`.as('endedAt'))
    .where('id', '=', jobId)
    .executeTakeFirstOrThrow()
  return endedAt
}

async function noteOutcomes(
  db: Database,
  lease: JobLease,
  { outcomes, lastRowId }: { outcomes: readonly Outcome[]; lastRowId: string },
): Promise<void> {
  const refused = outcomes.filter((outcome) => 'reason' in outcome)
  const befores = outcomes.map((one) =>
    'reason' in one || one.before === null ? null : JSON.stringify(one.before),
  )
  const isUndo = lease.undoOf !== null
  await sql`
    update job_rows r set state = case when o.reason is null then 'done' else 'failed' end, title = o.title,
      reason = o.reason, before = case when ${isUndo} then r.before else o.before end
    from unnest(${outcomes.map(({ id }) => id)}::bigint[], ${befores}::jsonb[],
      ${outcomes.map((one) => ('reason' in one ? one.title : null))}::text[],
      ${outcomes.map((one) => ('reason' in one ? one.reason : null))}::text[]) o (id, before, title, reason)
    where r.customer_id = ${lease.customerId} and r.job_id = ${lease.id} and r.row_id = o.id`.execute(db)
  await db
    .updateTable('jobs')
    .set({
      lastRowId,
      done: sql`done + ${outcomes.length}`,
      failures: sql`failures + ${refused.length}`,
      changed: sql`changed + ${befores.filter((before) => before !== null).length}`,
      // The lease ends with the batch, so that another customer's job can go next.
      leasedUntil: null,
      attempts: 0,
    })
    .where(isOurs(lease))
    .execute()
}

/** Ends a job inside the transaction of its last batch. */
export async function endJob(db: Database, lease: JobLease, state: 'done' | 'canceled'): Promise<void> {
  await db
    .updateTable('jobs')
    .set({ state, endedAt: sql`app_clock_timestamp()`, leasedUntil: null })
    .where(isOurs(lease))
    .execute()
}
