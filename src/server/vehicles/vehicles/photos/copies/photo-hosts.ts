import { sql } from 'kysely'
import type pg from 'pg'
import { inTenant, type Database } from '#server/database/tenant-transaction.ts'
import { acquireAdvisoryLock } from '#server/database/advisory-lock.ts'
import { inTurns, systemScope } from '#server/queue/due-items.ts'
import {
  claim,
  isFree,
  isHeld,
  LostLease,
  renew,
  waitAfter,
  whileLeased,
  type LeaseTable,
  type Leased,
  type Waits,
} from '#server/queue/lease.ts'

const HOSTS: LeaseTable = {
  table: 'photo_hosts',
  keys: ['customer_id', 'host'],
  attempts: 'attempts',
  seconds: 60,
  isSent: true,
  waitsInCopy: true,
}
/** Connections to one host at once, of all customers and servers together. Each lease has one. */
const MOST_PER_HOST = 2
/** Seconds until a host that did not answer is asked again. */
const HOST_WAITS: Waits = [60, 300, 900, 3_600]
/** Seconds until photos that the limit keeps from being copied are looked at again. */
const FULL_WAIT = 3_600

/** A host whose photos of one customer this server copies. */
export type PhotoHostLease = Leased & {
  customerId: string
  host: string
  /** How often the host did not answer any customer since it last did. */
  failures: number
}

export const photoScope = (customerId: string) => systemScope(customerId, 'photos.copy')

/**
 * Leases the next host with due photos, in turns of customers. Hosts that rest after a failure, or have enough connections, wait; one
 * that did not answer is tried with one.
 * Leases are given one after another on all servers: otherwise two would both take the last connection of a host.
 */
export async function claimPhotoHost(queue: pg.Pool): Promise<PhotoHostLease | null> {
  const row = await inTenant(queue, photoScope('0'), async (db) => {
    await acquireAdvisoryLock(db, 'hosts of photos')
    const turns = inTurns(HOSTS)
    return claim<Omit<PhotoHostLease, 'key'>>(
      db,
      HOSTS,
      {
        ...turns,
        where: sql`${turns.where} and (select count(*) from photo_hosts o where o.host = d.host and o.lease is not null
            and not ${isFree(HOSTS, 'o')}) < case when ${failuresOf('d')} = 0 then ${MOST_PER_HOST}::int else 1 end
          and not exists (select from photo_hosts o where o.host = d.host and o.rests_until > app_clock_timestamp())`,
      },
      {
        set: sql`turn_at = app_clock_timestamp()`,
        returning: sql`t.customer_id, t.host, t.lease, ${failuresOf('t')} as failures`,
      },
    )
  })
  return row && { ...row, key: [row.customerId, row.host] }
}

/** SQL: how often a host did not answer any customer since it last did. */
const failuresOf = (alias: 'd' | 't') =>
  sql`(select max(o.failures) from photo_hosts o where o.host = ${sql.ref(`${alias}.host`)})`

/** A host that did not answer does again: for all customers. */
export async function noteHostAnswers(queue: pg.Pool, host: string): Promise<void> {
  await queue.query(
    'update photo_hosts set failures = 0, problem = null, rests_until = null where host = $1 and failures > 0',
    [host],
  )
}

/** Renews a lease. @throws LostLease if another server has it */
export async function holdPhotoHost(db: Database, lease: PhotoHostLease): Promise<void> {
  if (!(await renew(db, HOSTS, lease))) throw new LostLease('Another server has the lease.')
}

/** Renews a lease while photos are copied: pictures wait for those that buyers ask for. */
export const whileCopying = <T>(
  within: (work: (db: Database) => Promise<boolean>) => Promise<boolean>,
  lease: PhotoHostLease,
  work: () => Promise<T>,
): Promise<T> => whileLeased(HOSTS, () => within((db) => renew(db, HOSTS, lease)), work)

/**
 * Ends a lease: the host is due again with its next photo. `problem`: why it did not answer, so that it is left alone for a while.
 * `isFull`: the customer's limit is reached, so that only photos that were copied before are looked at.
 */
export async function endPhotoHost(
  db: Database,
  lease: PhotoHostLease,
  { problem, isFull }: { problem: string | null; isFull: boolean },
): Promise<void> {
  const failures = problem === null ? 0 : lease.failures + 1
  const rest = problem === null ? null : waitAfter(HOST_WAITS, failures)
  const next = sql`(select min(c.next_at) from photo_copies c where c.customer_id = h.customer_id and c.host = h.host
    and c.unused_since is null and (c.content is not null or not ${isFull}))`
  const later = sql`(select app_now() + ${FULL_WAIT} * interval '1 second' where ${isFull})`
  await sql`update photo_hosts h set lease = null, leased_until = null, attempts = 0, failures = ${failures},
      problem = ${problem}, rests_until = app_now() + ${rest}::int * interval '1 second', next_run_at = least(${next}, ${later})
    where ${isHeld(HOSTS, lease)}`.execute(db)
}

/** Makes hosts of a customer due with their next photos. */
export async function makeHostsDue(
  db: Database,
  customerId: string,
  hosts: readonly string[],
): Promise<void> {
  await sql`insert into photo_hosts as h (customer_id, host, next_run_at)
    select ${customerId}, n.host, (select min(c.next_at) from photo_copies c
      where c.customer_id = ${customerId} and c.host = n.host and c.unused_since is null)
    from unnest(${hosts}::text[]) n (host)
    on conflict (customer_id, host) do update set next_run_at = least(h.next_run_at, excluded.next_run_at)`.execute(
    db,
  )
}
