import type { Kysely } from 'kysely'
import type pg from 'pg'
import type { DB } from '#server/database/schema.ts'
import { inTenant } from '#server/database/tenant-transaction.ts'
import type { Member } from '#server/http/actor.ts'
import { scopeOf } from '#server/http/scope-of.ts'
import { releaseLease, isOurs, renewLease, type JobLease } from './claim.ts'
import type { JobKind } from './job-kind.ts'
import { endJob } from './work-rows.ts'

const RENEW_MS = 10_000

/** Ends a task between two of its steps. */
class TaskOver extends Error {
  readonly why: 'cancelled' | 'lost' | 'stopping'

  constructor(why: TaskOver['why']) {
    super(`The task is over: ${why}.`)
    this.why = why
  }
}

/** Does a job in steps of its own making, and ends it after the last one, or between two where somebody cancelled it. */
export async function workTask(
  { pool, queue }: { pool: pg.Pool; queue: Kysely<DB> },
  kind: JobKind & { work: NonNullable<JobKind['work']> },
  { turn, actor, isStopping }: { turn: JobLease; actor: Member; isStopping: () => boolean },
): Promise<void> {
  const scope = scopeOf(actor, { endpoint: kind.name, isReadOnly: false, jobId: turn.id })
  const renewing = setInterval(() => void renewLease(queue, turn).catch(() => {}), RENEW_MS)
  try {
    await kind.work({
      actor,
      payload: turn.payload,
      step: (work) =>
        inTenant(pool, scope, async (db) => {
          if (isStopping()) throw new TaskOver('stopping')
          const job = await db
            .selectFrom('jobs')
            .select('wantsCancel')
            .where(isOurs(turn))
            .forUpdate()
            .executeTakeFirst()
          if (job === undefined) throw new TaskOver('lost')
          if (job.wantsCancel) throw new TaskOver('cancelled')
          return work(db)
        }),
      tell: async (db, { done, total }) => {
        await db.updateTable('jobs').set({ done, total }).where(isOurs(turn)).execute()
      },
    })
    await inTenant(pool, scope, (db) => endJob(db, turn, 'done'))
  } catch (error) {
    if (!(error instanceof TaskOver)) throw error
    if (error.why === 'stopping') await releaseLease(queue, turn)
    if (error.why === 'cancelled') await inTenant(pool, scope, (db) => endJob(db, turn, 'cancelled'))
  } finally {
    clearInterval(renewing)
  }
}
