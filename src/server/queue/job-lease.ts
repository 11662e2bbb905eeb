import { sql, type Kysely, type RawBuilder, type SqlBool } from 'kysely'
import type { DB } from '#server/database/schema.ts'
import {
  claim,
  isFree,
  isHeld,
  release,
  renew,
  waitAfter,
  whileLeased,
  type LeaseTable,
  type Leased,
  type Waits,
} from './lease.ts'

const JOBS: LeaseTable = {
  table: 'jobs',
  keys: ['customer_id', 'id'],
  attempts: 'attempts',
  seconds: 30,
  waitsInCopy: false,
}
/** Jobs of one customer that run at once, on all servers together. */
const MAX_PER_CUSTOMER = 2
const RETRIES: Waits = [2, 4, 8, 16, 32]
/** A job that failed this many times in a row has failed for good. */
const MAX_ATTEMPTS = RETRIES.length

/** A job leased to this server. */
export type JobLease = {
  customerId: string
  id: string
  lease: string
  kind: string
  reach: 'organization' | 'customer'
  actingOrganizationId: string
  actorCustomerId: string
  actorUserId: string
  effectiveCustomerId: string
  effectiveUserId: string
  effectiveName: string
  payload: unknown
  undoOf: string | null
  attempts: number
}

/**
 * Leases the next job: of the customer that has waited longest, the job that has waited longest. So a customer's million
 * rows don't delay another customer's ten.
 * @param files kinds that make a file, which takes one long lease: a customer has one of them running at a time.
 */
export async function claimJob(
  queue: Kysely<DB>,
  kinds: readonly string[],
  files: readonly string[] = [],
): Promise<JobLease | null> {
  return claim<JobLease>(
    queue,
    JOBS,
    {
      joins: sql`cross join lateral (
        select count(*) as leases, count(*) filter (where l.kind = any(${[...files]})) as files from jobs l
        where l.customer_id = d.customer_id and l.state = 'running' and l.lease is not null and not ${isFree(JOBS, 'l')}) busy`,
      where: sql`d.state in ('waiting', 'running') and d.kind = any(${[...kinds]})
        and busy.leases < ${MAX_PER_CUSTOMER} and (busy.files = 0 or d.kind <> all(${[...files]}))`,
      orderBy: sql`busy.leases, (select max(t.turn_at) from jobs t where t.customer_id = d.customer_id) nulls first,
        d.turn_at nulls first, d.id`,
    },
    {
      set: sql`state = 'running', started_at = coalesce(t.started_at, app_now()), turn_at = app_clock_timestamp()`,
      returning: sql`t.customer_id, t.id, t.lease, t.kind, t.reach, t.acting_organization_id, t.actor_customer_id,
        t.actor_user_id, t.effective_customer_id, t.effective_user_id, t.effective_name, t.payload, t.undo_of, t.attempts`,
    },
  )
}

const leasedOf = ({ customerId, id, lease }: JobLease): Leased => ({ key: [customerId, id], lease })

/** Renews the lease of a job as long as work runs, which gets whether another server has it meanwhile. */
export const whileWorking = <T>(
  queue: Kysely<DB>,
  job: JobLease,
  work: (isLost: () => boolean) => Promise<T>,
): Promise<T> => whileLeased(JOBS, () => renew(queue, JOBS, leasedOf(job)), work)

/** Ends a lease early because this server stops. The attempt does not count. */
export const releaseLease = (queue: Kysely<DB>, job: JobLease): Promise<void> =>
  release(queue, JOBS, leasedOf(job))

/**
 * After a failed attempt the job waits, longer each time, and finally fails for good.
 * @param reason the error it fails with.
 */
export async function postpone(
  queue: Kysely<DB>,
  job: JobLease,
  reason = `It failed ${MAX_ATTEMPTS} times in a row.`,
): Promise<void> {
  if (job.attempts >= MAX_ATTEMPTS) return stopJob(queue, job, reason)
  // Without a lease it doesn't count as one of its customer's running jobs.
  await queue
    .updateTable('jobs')
    .set({
      lease: null,
      leasedUntil: sql`app_clock_timestamp() + ${waitAfter(RETRIES, job.attempts)} * interval '1 second'`,
      attempts: job.attempts,
    })
    .where(isOurs(job))
    .execute()
}

/** Whether the job ended its server every time, so that it was never postponed. */
export const hasRunOut = (job: JobLease): boolean => job.attempts > MAX_ATTEMPTS

/** Ends a job as a whole, with the reason. What it did stays. */
export async function stopJob(queue: Kysely<DB>, job: JobLease, error: string): Promise<void> {
  await queue
    .updateTable('jobs')
    .set({ state: 'failed', error, endedAt: sql`app_clock_timestamp()`, leasedUntil: null })
    .where(isOurs(job))
    .execute()
}

/** SQL: the job still runs on this server. */
export function isOurs(job: JobLease): RawBuilder<SqlBool> {
  return sql<SqlBool>`${isHeld(JOBS, leasedOf(job))} and state = 'running'`
}
