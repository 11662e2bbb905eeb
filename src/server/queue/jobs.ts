import type { Kysely } from 'kysely'
import type pg from 'pg'
import type { Job, jobs as contract } from '#contract/jobs/jobs.ts'
import type { DB } from '#server/database/schema.ts'
import type { Database } from '#server/database/tenant-transaction.ts'
import type { Member } from '#server/http/actor.ts'
import type { Handlers } from '#server/http/serve.ts'
import { jobHandlers } from './job-handlers.ts'
import type { JobKind } from './job-kind.ts'
import { readJob } from './read-job.ts'
import { makeRunner, type ReadMember, type Runner } from './runner.ts'
import { insertJob, insertRowsJob, type NewJob, type NewRowsJob } from './start-job.ts'
import { sweepJobs } from './sweep-jobs.ts'

/** Starts jobs for domains: queued in the current transaction, started right after it. */
export type StartJobs = {
  startRows: (db: Database, actor: Member, job: NewRowsJob) => Promise<Job>
  startFile: (db: Database, actor: Member, job: NewJob) => Promise<Job>
}

export type Jobs = Runner &
  StartJobs & {
    handlers: Handlers<typeof contract>
    /** By name. */
    kinds: ReadonlyMap<string, JobKind>
    sweep: () => Promise<{ files: number; jobs: number }>
  }

/**
 * The jobs of an installation. The table `jobs` is the queue, so a job is queued exactly when its transaction is committed.
 * @param queue connection with the role of the queue, which leases jobs.
 */
export function makeJobs({
  kinds: known,
  onJob,
  ...parts
}: {
  pool: pg.Pool
  queue: Kysely<DB>
  kinds: readonly JobKind[]
  readMember: ReadMember
  /** Called after a job was queued; its transaction may still be open. */
  onJob: () => void
  onError: (error: unknown) => void
}): Jobs {
  const kinds = new Map(known.map((kind) => [kind.name, kind]))
  const started = async (db: Database, actor: Member, kind: string, id: string): Promise<Job> => {
    // It would wait forever. Thrown at the first call, so that no test of a new kind passes without it.
    if (!kinds.has(kind)) throw new Error(`The job kind ${kind} is missing in app.ts.`)
    onJob()
    return readJob(db, actor, kinds, id)
  }
  return {
    ...makeRunner({ ...parts, kinds }),
    handlers: jobHandlers(kinds, onJob),
    kinds,
    sweep: () => sweepJobs(parts.queue),
    startRows: async (db, actor, job) => started(db, actor, job.kind, await insertRowsJob(db, actor, job)),
    startFile: async (db, actor, job) => started(db, actor, job.kind, await insertJob(db, actor, job)),
  }
}
