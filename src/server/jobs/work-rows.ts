import { sql } from 'kysely'
import type pg from 'pg'
import { inTenant, type Database } from '#server/database/tenant-transaction.ts'
import type { Member } from '#server/http/actor.ts'
import { scopeOf } from '#server/http/scope-of.ts'
import { isOurs, type JobLease } from './claim.ts'
import type { JobKind, Outcome } from './job-kind.ts'

const NOT_THERE = 'It is not there any more, or out of your reach.'

/**
 * Does the next rows of a job and notes what became of them, in one transaction: killed in it, none of them happened.
 * Ends the job after its last rows, and before its next ones where somebody cancelled it.
 */
export async function workRows(
  pool: pg.Pool,
  kind: JobKind & { rows: NonNullable<JobKind['rows']> },
  { turn, actor }: { turn: JobLease; actor: Member },
): Promise<void> {
  const { rows: work } = kind
  const jobId = work.leavesEntries ? {} : { jobId: turn.id }
  const scope = scopeOf(actor, { endpoint: kind.name, isReadOnly: false, ...jobId })
  await inTenant(pool, scope, async (db) => {
    const job = await db
      .selectFrom('jobs')
      .select(['lastRowId', 'wantsCancel'])
      .where(isOurs(turn))
      .forUpdate()
      .executeTakeFirst()
    if (job === undefined) return
    if (job.wantsCancel) return endJob(db, turn, 'cancelled')

    const rows = await db
      .selectFrom('jobRows')
      .select(['rowId as id', 'before'])
      .where('customerId', '=', turn.customerId)
      .where('jobId', '=', turn.id)
      .where('rowId', '>', job.lastRowId)
      .where('state', '=', 'pending')
      .orderBy('rowId')
      .limit(work.batch)
      .execute()
    const last = rows.at(-1)
    if (last === undefined) return endJob(db, turn, 'done')
    const context = { db, actor, payload: turn.payload }
    const outcomes =
      turn.undoOf === null
        ? await work.change(
            context,
            rows.map(({ id }) => id),
          )
        : await work.undo({ ...context, madeUntil: await endOf(db, turn.undoOf) }, rows)
    const told = new Set(outcomes.map(({ id }) => id))
    const missing = rows.filter(({ id }) => !told.has(id))
    await noteOutcomes(db, turn, {
      lastRowId: last.id,
      outcomes: [...outcomes, ...missing.map(({ id }) => ({ id, title: `No. ${id}`, reason: NOT_THERE }))],
    })
    if (rows.length < work.batch) await endJob(db, turn, 'done')
  })
}

/** When the job ended that is taken back, to the microsecond. */
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
  turn: JobLease,
  { outcomes, lastRowId }: { outcomes: readonly Outcome[]; lastRowId: string },
): Promise<void> {
  const refused = outcomes.filter((outcome) => 'reason' in outcome)
  const befores = outcomes.map((one) =>
    'reason' in one || one.before === null ? null : JSON.stringify(one.before),
  )
  const isUndo = turn.undoOf !== null
  await sql`
    update job_rows r set state = case when o.reason is null then 'done' else 'failed' end, title = o.title,
      reason = o.reason, before = case when ${isUndo} then r.before else o.before end
    from unnest(${outcomes.map(({ id }) => id)}::bigint[], ${befores}::jsonb[],
      ${outcomes.map((one) => ('reason' in one ? one.title : null))}::text[],
      ${outcomes.map((one) => ('reason' in one ? one.reason : null))}::text[]) o (id, before, title, reason)
    where r.customer_id = ${turn.customerId} and r.job_id = ${turn.id} and r.row_id = o.id`.execute(db)
  await db
    .updateTable('jobs')
    .set({
      lastRowId,
      done: sql`done + ${outcomes.length}`,
      failures: sql`failures + ${refused.length}`,
      changed: sql`changed + ${befores.filter((before) => before !== null).length}`,
      // The turn is over: whoever is next may go on.
      leasedUntil: null,
      attempts: 0,
    })
    .where(isOurs(turn))
    .execute()
}

/** Ends the job of a turn inside its transaction. */
export async function endJob(db: Database, turn: JobLease, state: 'done' | 'cancelled'): Promise<void> {
  await db
    .updateTable('jobs')
    .set({ state, endedAt: sql`app_clock_timestamp()`, leasedUntil: null })
    .where(isOurs(turn))
    .execute()
}
