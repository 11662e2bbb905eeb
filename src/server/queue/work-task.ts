import type { Kysely } from 'kysely'
import type pg from 'pg'
import type { DB } from '#server/database/schema.ts'
import { inTenant } from '#server/database/tenant-transaction.ts'
import type { Member } from '#server/http/actor.ts'
import { scopeOf } from '#server/http/scope-of.ts'
import { isOurs, releaseLease, whileWorking, type JobLease } from './job-lease.ts'
import type { JobKind, TaskWork } from './job-kind.ts'
import { endJob } from './work-rows.ts'

/** Ends a task between two steps. */
class TaskOver extends Error {
  readonly why: 'canceled' | 'lost' | 'stopping'

  constructor(why: TaskOver['why']) {
    super(`The task ended: ${why}.`)
    this.why = why
  }
}

/** Runs a job that divides itself into steps. Ends it after the last step, or between two if it was canceled. */
export async function workTask(
  { pool, queue }: { pool: pg.Pool; queue: Kysely<DB> },
  kind: JobKind & { work: NonNullable<JobKind['work']> },
  { lease, actor, isStopping }: { lease: JobLease; actor: Member; isStopping: () => boolean },
): Promise<void> {
  const scope = scopeOf(actor, { endpoint: kind.name, isReadOnly: false, jobId: lease.id })
  const steps: TaskWork<unknown> = {
    actor,
    payload: lease.payload,
    step: (work) =>
      inTenant(pool, scope, async (db) => {
        if (isStopping()) throw new TaskOver('stopping')
        const job = await db
          .selectFrom('jobs')
          .select('wantsCancel')
          .where(isOurs(lease))
          .forUpdate()
          .executeTakeFirst()
        if (job === undefined) throw new TaskOver('lost')
        if (job.wantsCancel) throw new TaskOver('canceled')
        return work(db)
      }),
    tell: async (db, { done, total }) => {
      await db.updateTable('jobs').set({ done, total }).where(isOurs(lease)).execute()
    },
  }
  try {
    await whileWorking(queue, lease, async () => {
      await kind.work(steps)
      await inTenant(pool, scope, (db) => endJob(db, lease, 'done'))
    })
  } catch (error) {
    if (!(error instanceof TaskOver)) throw error
    if (error.why === 'stopping') await releaseLease(queue, lease)
    if (error.why === 'canceled') await inTenant(pool, scope, (db) => endJob(db, lease, 'canceled'))
  }
}
