import { sql, type Kysely, type RawBuilder, type SqlBool } from 'kysely'
import type { DB } from '#server/database/schema.ts'

/** For so long nobody else takes a job that a server works on. A server that is gone is missed after that. */
const LEASE_SECONDS = 30
/** The most jobs of one customer that are worked on at once, over all servers. */
const MOST_OF_ONE_CUSTOMER = 2
/** Turns that went wrong, one after the other, until a job is given up. */
const MOST_ATTEMPTS = 5

/** A turn of a job: this server's, for a while. */
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
 * Takes the next turn: of the customer that waits longest, and of its jobs the one that waits longest, so that no
 * customer's million rows hold up another's ten. What another server works on is passed by.
 * @param files those of the kinds that make a file: they are done in one turn, so a customer has one of them at a time.
 */
export async function claimJob(
  queue: Kysely<DB>,
  kinds: readonly string[],
  files: readonly string[] = [],
): Promise<JobLease | null> {
  const { rows } = await sql<JobLease>`
    update jobs j set state = 'running', started_at = coalesce(j.started_at, app_now()), turn_at = app_clock_timestamp(),
      lease = gen_random_uuid(), leased_until = app_clock_timestamp() + ${LEASE_SECONDS} * interval '1 second',
      attempts = j.attempts + 1
    from (
      select d.customer_id, d.id from jobs d
      cross join lateral (select count(*) as leases, count(*) filter (where l.kind = any(${[...files]})) as files from jobs l
        where l.customer_id = d.customer_id and l.state = 'running' and l.lease is not null
          and l.leased_until > app_clock_timestamp()) busy
      where d.state in ('waiting', 'running') and coalesce(d.leased_until <= app_clock_timestamp(), true)
        and d.kind = any(${[...kinds]}) and busy.leases < ${MOST_OF_ONE_CUSTOMER}
        and (busy.files = 0 or d.kind <> all(${[...files]}))
      order by busy.leases,
        (select max(t.turn_at) from jobs t where t.customer_id = d.customer_id) nulls first,
        d.turn_at nulls first, d.id
      limit 1 for update of d skip locked
    ) due
    where j.customer_id = due.customer_id and j.id = due.id
    returning j.customer_id, j.id, j.lease, j.kind, j.reach, j.acting_organization_id, j.actor_customer_id, j.actor_user_id,
      j.effective_customer_id, j.effective_user_id, j.effective_name, j.payload, j.undo_of, j.attempts`.execute(
    queue,
  )
  return rows[0] ?? null
}

/** Holds a turn for longer. @returns false when it is no longer ours. */
export async function renewLease(queue: Kysely<DB>, turn: JobLease): Promise<boolean> {
  const renewed = await queue
    .updateTable('jobs')
    .set({ leasedUntil: sql`app_clock_timestamp() + ${LEASE_SECONDS} * interval '1 second'` })
    .where(isOurs(turn))
    .executeTakeFirst()
  return renewed.numUpdatedRows > 0n
}

/** Gives a turn back without having got on, for whoever is next: this server stops. */
export async function releaseLease(queue: Kysely<DB>, turn: JobLease): Promise<void> {
  await queue
    .updateTable('jobs')
    .set({ leasedUntil: null, attempts: turn.attempts - 1 })
    .where(isOurs(turn))
    .execute()
}

/**
 * After a turn that went wrong the job waits a little, longer each time, and is given up in the end.
 * @param reason what it is given up with.
 */
export async function postpone(
  queue: Kysely<DB>,
  turn: JobLease,
  reason = `It went wrong ${MOST_ATTEMPTS} times and was given up.`,
): Promise<void> {
  if (turn.attempts >= MOST_ATTEMPTS) return stopJob(queue, turn, reason)
  // Nobody works on it meanwhile: it does not count as one of its customer's.
  await queue
    .updateTable('jobs')
    .set({
      lease: null,
      leasedUntil: sql`app_clock_timestamp() + ${2 ** turn.attempts} * interval '1 second'`,
      attempts: turn.attempts,
    })
    .where(isOurs(turn))
    .execute()
}

/** A job that ended its server again and again never got as far as being postponed. */
export const hasRunOut = (turn: JobLease): boolean => turn.attempts > MOST_ATTEMPTS

/** Ends a job as a whole, with the reason. What it did stays. */
export async function stopJob(queue: Kysely<DB>, turn: JobLease, error: string): Promise<void> {
  await queue
    .updateTable('jobs')
    .set({ state: 'failed', error, endedAt: sql`app_clock_timestamp()`, leasedUntil: null })
    .where(isOurs(turn))
    .execute()
}

/** The job of a turn, as long as nobody else took it over. */
export function isOurs({ customerId, id, lease }: JobLease): RawBuilder<SqlBool> {
  return sql<SqlBool>`customer_id = ${customerId} and id = ${id} and lease = ${lease}::uuid and state = 'running'`
}
