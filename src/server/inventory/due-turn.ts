import { sql, type Kysely, type RawBuilder } from 'kysely'
import type { DB } from '#server/database/schema.ts'
import type { Database, TenantScope } from '#server/database/tenant-transaction.ts'

/** For so long nobody else takes what a server works on. A server that is gone is missed after that. */
const LEASE_SECONDS = 60
/** Minutes after a first, second, third and every later failure until the next try. */
const WAITS = [5, 15, 60, 240] as const
/** A turn that ended its server so often is no longer begun before its time. */
export const MAX_FAILURES = 6
/** While another machine has the word, the turn is held anew so often. */
export const HOLD_MS = 20_000

/** Where it stands what is due: a table that has a row for each, named by the column. */
export type LeaseTable = { table: string; key: string }

/** Something that is due and this server's for a while. */
export type DueLease = {
  customerId: string
  id: string
  lease: string
  /** Who wanted it now; null: the schedule. */
  askedBy: string | null
  /** Turns that were begun since one ended well, this one among them. */
  failures: number
}

/** Another server took it over, because this one did not come on; or it is gone. */
export class LostLease extends Error {}

/** Takes what is due longest; what another server works on is passed by. */
export async function claimLease(queue: Kysely<DB>, { table, key }: LeaseTable): Promise<DueLease | null> {
  const [states, id] = [sql.table(table), sql.ref(key)]
  const { rows } = await sql<DueLease>`
    update ${states} s set lease = gen_random_uuid(), failures = s.failures + 1,
      leased_until = app_clock_timestamp() + ${LEASE_SECONDS} * interval '1 second'
    from (
      select d.customer_id, d.${id} from ${states} d
      where d.next_run_at <= app_clock_timestamp() and coalesce(d.leased_until <= app_clock_timestamp(), true)
      order by d.next_run_at limit 1 for update of d skip locked
    ) due
    where s.customer_id = due.customer_id and s.${id} = due.${id}
    returning s.customer_id, s.${id} as id, s.lease, s.asked_by, s.failures`.execute(queue)
  return rows[0] ?? null
}

/** Holds the turn for longer. @throws LostLease when it is no longer ours */
export async function holdLease(
  db: Database,
  { table, key }: LeaseTable,
  { id, lease }: Pick<DueLease, 'id' | 'lease'>,
): Promise<void> {
  const { rows } = await sql`
    update ${sql.table(table)} set leased_until = app_clock_timestamp() + ${LEASE_SECONDS} * interval '1 second'
    where ${sql.ref(key)} = ${id} and lease = ${lease}::uuid returning 1`.execute(db)
  if (rows.length === 0) throw new LostLease('Another server works on it.')
}

/** Where work without a person stands: in the whole customer, as nobody. */
export function scopeOfMachine(customerId: string, endpoint: string, isReadOnly = false): TenantScope {
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
 * When something is due next by its schedule, over its table as `of` and `customers c`; null: when somebody asks.
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

/** When it is tried again after it went wrong for the nth time; null where it went well. */
export function againAfter(failures: number | null): RawBuilder<string | null> {
  if (failures === null) return sql<string | null>`null::timestamptz`
  const minutes = WAITS[Math.min(failures, WAITS.length) - 1] ?? WAITS[0]
  return sql<string | null>`app_now() + ${minutes} * interval '1 minute'`
}
