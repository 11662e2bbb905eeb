import { sql, type Kysely, type RawBuilder, type SqlBool } from 'kysely'
import type { DB } from '#server/database/schema.ts'
import {
  claim,
  isFree,
  LostLease,
  renew,
  waitAfter,
  whileLeased,
  type LeaseTable,
  type Waits,
} from './lease.ts'
import type { Database, TenantScope } from '#server/database/tenant-transaction.ts'

const RETRIES: Waits = [5 * 60, 15 * 60, 3_600, 4 * 3_600]
/** After this many failed attempts in a row, a source waits for its next scheduled time. */
export const MAX_FAILURES = 6
/** Items of one customer that are worked on at once, on all servers together. */
export const MAX_PER_CUSTOMER = 3

/** A table with the state of channels or feed sources; `key` is the column with the ID. */
export const dueTable = (table: string, key: string, waitsInCopy: LeaseTable['waitsInCopy']): LeaseTable => ({
  table,
  keys: ['customer_id', key],
  attempts: 'failures',
  seconds: 60,
  waitsInCopy,
})

/** A due item leased to this server. */
export type DueLease = {
  customerId: string
  id: string
  lease: string
  /** The user who requested the run; null: the schedule. */
  requestedBy: string | null
  /** Attempts since the last success, including this one. */
  failures: number
}

/**
 * What is due, in turns: first of the customer who was served longest ago, what has been due longest. So hundreds of due items
 * of one customer don't delay another's. Over a table with `turn_at` and `next_run_at`.
 */
export const inTurns = (of: LeaseTable) => ({
  joins: sql`join (select s.customer_id, max(s.turn_at) as turn_at,
      count(*) filter (where s.lease is not null and not ${isFree(of, 's')}) as leases
    from ${sql.table(of.table)} s group by s.customer_id) busy on busy.customer_id = d.customer_id`,
  where: sql<SqlBool>`d.next_run_at <= app_clock_timestamp() and busy.leases < ${MAX_PER_CUSTOMER}`,
  orderBy: sql`busy.leases, busy.turn_at nulls first, d.next_run_at`,
})

/** Leases the next item, in turns of customers. Items leased to other servers are skipped. */
export async function claimLease(queue: Kysely<DB>, of: LeaseTable): Promise<DueLease | null> {
  const id = sql.ref(of.keys.at(-1) ?? '')
  return claim<DueLease>(queue, of, inTurns(of), {
    set: sql`turn_at = app_clock_timestamp()`,
    returning: sql`t.customer_id, t.${id} as id, t.lease, t.requested_by, t.failures`,
  })
}

/** Extends a lease. @throws LostLease if it is no longer ours */
export async function renewLease(
  db: Database,
  of: LeaseTable,
  { customerId, id, lease }: Pick<DueLease, 'customerId' | 'id' | 'lease'>,
): Promise<void> {
  if (!(await renew(db, of, { key: [customerId, id], lease })))
    throw new LostLease('Another server has the lease.')
}

/** Renews the lease of an item during a long transfer, in transactions of its customer. */
export function whileTransferring<T>(
  within: (work: (db: Database) => Promise<boolean>) => Promise<boolean>,
  of: LeaseTable,
  { customerId, id, lease }: Pick<DueLease, 'customerId' | 'id' | 'lease'>,
  work: () => Promise<T>,
): Promise<T> {
  return whileLeased(of, () => within((db) => renew(db, of, { key: [customerId, id], lease })), work)
}

/** The scope of work without a user: the whole customer. */
export function systemScope(customerId: string, endpoint: string, isReadOnly = false): TenantScope {
  return {
    customerId,
    organizationId: null,
    reach: 'customer',
    actorUserId: null,
    actorName: null,
    effectiveUserId: null,
    effectiveName: null,
    endpoint,
    isReadOnly,
  }
}

/**
 * SQL for the next scheduled run of an item in a table with the alias `of`, joined with `customers c`; null: on demand only.
 */
export function nextBySchedule(of: string): RawBuilder<string | null> {
  const [active, hours, daily] = ['is_active', 'every_hours', 'daily_at'].map((name) =>
    sql.ref(`${of}.${name}`),
  )
  return sql<string | null>`case
  when not ${active} then null
  when ${hours} is not null then app_now() + ${hours} * interval '1 hour'
  when ${daily} is not null then ((app_now() at time zone c.time_zone)::date
    + case when (app_now() at time zone c.time_zone)::time >= ${daily}::time then 1 else 0 end
    + ${daily}::time) at time zone c.time_zone end`
}

/** SQL for the time of the next attempt after the nth failure; null after a success. */
export function retryAfter(failures: number | null): RawBuilder<string | null> {
  if (failures === null) return sql<string | null>`null::timestamptz`
  return sql<string | null>`app_now() + ${waitAfter(RETRIES, failures)} * interval '1 second'`
}
