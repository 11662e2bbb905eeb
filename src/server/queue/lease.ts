import { sql, type Kysely, type RawBuilder, type SqlBool } from 'kysely'
import type { DB } from '#server/database/schema.ts'

/**
 * A table whose rows are worked on by one server at a time. It has the columns `lease` (uuid) and `leased_until`.
 * All background work uses it: jobs, emails, channels, feed sources and schedules.
 */
export type LeaseTable = Readonly<{
  table: string
  /** The columns of the primary key. */
  keys: readonly string[]
  /** The column that counts the attempts since the last success. */
  attempts: string
  /** How long a lease lasts unless it is renewed. After that, another server takes over from one that is gone. */
  seconds: number
  /** The work leaves the product: it waits while its customer is suspended or closed. */
  isSent?: true
  /**
   * What waits in a restored copy, which neither sends nor fetches anything: every row, none, or those for which this SQL is
   * true, over the table with the alias `d`.
   */
  waitsInCopy: boolean | RawBuilder<SqlBool>
}>

/** A leased row: the values of its key, in the order of `LeaseTable.keys`, and the lease. */
export type Leased = Readonly<{ key: readonly string[]; lease: string }>

/** Seconds to wait after the first, second, and every later failed attempt. */
export type Waits = readonly [number, ...number[]]

/** Another server took over the lease, or the row was deleted. */
export class LostLease extends Error {}

/**
 * Leases one due row; rows leased to other servers are skipped. One statement, so no lock is held afterwards.
 * @param due `where` and `order by` decide which row, over the table with the alias `d`, after `joins`. `columns` adds
 *   columns of the joins.
 * @param taken `set` adds columns of the table with the alias `t`, `returning` what the caller needs of `t` and `due`.
 */
export async function claim<Row>(
  db: Kysely<DB>,
  of: LeaseTable,
  due: {
    joins?: RawBuilder<unknown>
    columns?: RawBuilder<unknown>
    where: RawBuilder<SqlBool>
    orderBy: RawBuilder<unknown>
  },
  taken: { set?: RawBuilder<unknown>; returning: RawBuilder<unknown> },
): Promise<Row | null> {
  const [table, attempts] = [sql.table(of.table), sql.ref(of.attempts)]
  const keys = of.keys.map((key) => sql.ref(key))
  const { rows } = await sql<Row>`
    update ${table} t set lease = gen_random_uuid(), leased_until = ${leasedUntil(of)}, ${attempts} = t.${attempts} + 1
      ${taken.set === undefined ? sql`` : sql`, ${taken.set}`}
    from (
      select ${sql.join(keys.map((key) => sql`d.${key}`))} ${due.columns === undefined ? sql`` : sql`, ${due.columns}`}
      from ${table} d ${due.joins ?? sql``}
      where ${isFree(of, 'd')} and (${due.where}) ${of.isSent === true ? sql`and ${isOfOpenCustomer(sql`d.customer_id`)}` : sql``}
        ${of.waitsInCopy === false ? sql`` : sql`and not (${of.waitsInCopy} and (select is_restored_copy()))`}
      order by ${due.orderBy} limit 1 for update of d skip locked
    ) due
    where ${sql.join(
      keys.map((key) => sql`t.${key} = due.${key}`),
      sql` and `,
    )}
    returning ${taken.returning}`.execute(db)
  return rows[0] ?? null
}

/** SQL: the customer is neither suspended nor closed. For background work, which sees all customers. */
export const isOfOpenCustomer = (customerId: RawBuilder<unknown>): RawBuilder<SqlBool> =>
  sql<SqlBool>`${customerId} <> all((select closed_customers())::bigint[])`

/** Extends a lease. @returns false if another server has it. */
export async function renew(db: Kysely<DB>, of: LeaseTable, leased: Leased): Promise<boolean> {
  const { rows } = await sql`
    update ${sql.table(of.table)} set leased_until = ${leasedUntil(of)} where ${isHeld(of, leased)} returning 1`.execute(
    db,
  )
  return rows.length > 0
}

/** Parts of a lease after which it is renewed: two renewals may fail before it expires. */
const RENEWALS = 3

/**
 * Renews a lease as long as work runs. A renewal that fails, as while the database is away, is tried again at the next one.
 * @param renewal extends the lease; false or `LostLease` if another server has it.
 * @param work gets `isLost`, for work that can stop early: what it writes must be checked with `isHeld` in any case.
 */
export async function whileLeased<T>(
  { seconds }: LeaseTable,
  renewal: () => Promise<boolean>,
  work: (isLost: () => boolean) => Promise<T>,
): Promise<T> {
  let isLost = false
  const timer = setInterval(
    () => {
      renewal().then(
        (isHeldStill) => (isLost ||= !isHeldStill),
        (error: unknown) => (isLost ||= error instanceof LostLease),
      )
    },
    (seconds * 1000) / RENEWALS,
  )
  try {
    return await work(() => isLost)
  } finally {
    clearInterval(timer)
  }
}

/** Ends a lease without a result, so that another server continues at once: the attempt does not count. */
export async function release(db: Kysely<DB>, of: LeaseTable, leased: Leased): Promise<void> {
  const attempts = sql.ref(of.attempts)
  await sql`update ${sql.table(of.table)} set lease = null, leased_until = null, ${attempts} = greatest(${attempts} - 1, 0)
    where ${isHeld(of, leased)}`.execute(db)
}

/**
 * SQL: no server works on the row. A lease that ends later than any new one could is from before the clock was set back.
 */
export function isFree(of: LeaseTable, alias: string): RawBuilder<SqlBool> {
  const until = sql.ref(`${alias}.leased_until`)
  return sql<SqlBool>`(${until} is null or ${until} <= app_clock_timestamp()
    or ${until} > app_clock_timestamp() + ${of.seconds * 2} * interval '1 second')`
}

/** SQL: the row is still leased to this server. */
export function isHeld(of: LeaseTable, { key, lease }: Leased): RawBuilder<SqlBool> {
  const own = of.keys.map((column, at) => sql`${sql.ref(column)} = ${key[at]}`)
  return sql<SqlBool>`${sql.join([...own, sql`lease = ${lease}::uuid`], sql` and `)}`
}

/** The seconds to wait after this many failed attempts. */
export function waitAfter(waits: Waits, failures: number): number {
  return waits[Math.min(Math.max(failures, 1), waits.length) - 1] ?? waits[0]
}

const leasedUntil = ({ seconds }: LeaseTable): RawBuilder<string> =>
  sql<string>`app_clock_timestamp() + ${seconds} * interval '1 second'`
