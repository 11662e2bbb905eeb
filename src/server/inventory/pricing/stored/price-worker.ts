import { sql, type Kysely, type SqlBool } from 'kysely'
import type pg from 'pg'
import type { DB } from '#server/database/schema.ts'
import { inTenant, type Database } from '#server/database/tenant-transaction.ts'
import { systemScope } from '#server/queue/due-items.ts'
import {
  claim,
  isHeld,
  type Leased,
  LostLease,
  renew,
  waitAfter,
  type LeaseTable,
  type Waits,
} from '#server/queue/lease.ts'
import { isGone, readPriceSetting, recalculatePrices } from './recalculate-prices.ts'

const PRICES: LeaseTable = {
  table: 'price_states',
  keys: ['customer_id'],
  attempts: 'failures',
  seconds: 60,
}
const RETRIES: Waits = [30, 60, 300]
/** Vehicles per transaction: short enough that users who save one of them hardly wait. */
const BATCH = 5_000

type PriceLease = Leased & { customerId: string; failures: number }

/**
 * Keeps the stored prices current: after changes, which request it in their own transaction, and when a rule, a fee or a
 * law starts or ends. Safe to call at any time and on several servers: a lease gives each customer to one server.
 */
export function makePriceWorker({
  pool,
  queue,
  onError,
}: {
  pool: pg.Pool
  queue: Kysely<DB>
  onError: (error: unknown) => void
}): { workDue: () => Promise<void>; stop: () => void } {
  let isStopping = false

  async function work(lease: PriceLease): Promise<void> {
    const within = <T>(some: (db: Database) => Promise<T>): Promise<T> =>
      inTenant(pool, systemScope(lease.customerId, 'prices.recalculate'), some)
    try {
      const step = (): Promise<boolean> => within((db) => recalculateBatch(db, lease))
      // oxlint-disable-next-line no-await-in-loop -- One batch at a time. After a stop, another server continues.
      for (;;) if (isStopping || !(await step())) break
      await finish(queue, lease, null)
    } catch (error) {
      // The server that holds the lease now continues.
      if (error instanceof LostLease) return
      await finish(queue, lease, lease.failures)
      throw error
    }
  }

  async function workAll(): Promise<void> {
    for (;;) {
      const lease = isStopping ? null : await claimDue(queue)
      if (lease === null) return
      await work(lease).catch(onError)
    }
  }

  let working: Promise<void> | null = null
  return {
    async workDue() {
      working ??= workAll().finally(() => {
        working = null
      })
      await working
    },
    stop() {
      isStopping = true
    },
  }
}

/** The customer with due prices that isn't leased to another server. */
async function claimDue(queue: Kysely<DB>): Promise<PriceLease | null> {
  const row = await claim<{ customerId: string; lease: string; failures: number }>(
    queue,
    PRICES,
    {
      where: sql`d.next_run_at <= app_clock_timestamp() and (d.after_vehicle is not null
        or exists (select from price_requests r where r.customer_id = d.customer_id)
        or exists (select from vehicle_prices p where p.customer_id = d.customer_id and p.valid_until <= app_clock_timestamp()))`,
      orderBy: sql`d.next_run_at, d.customer_id`,
    },
    { returning: sql`t.customer_id, t.lease, t.failures` },
  )
  return row && { ...row, key: [row.customerId] }
}

async function finish(queue: Kysely<DB>, lease: PriceLease, failures: number | null): Promise<void> {
  const wait = failures === null ? 0 : waitAfter(RETRIES, failures)
  // Customers that were just served come last.
  await sql`update price_states set lease = null, leased_until = null, failures = ${failures ?? 0},
      next_run_at = app_clock_timestamp() + ${wait} * interval '1 second'
    where ${isHeld(PRICES, lease)}`.execute(queue)
}

/**
 * Calculates one batch of what is due: first requested vehicles, then those with a boundary in the past, then the next of all
 * vehicles after a change of rules, fees or lots. @returns whether there may be more.
 */
async function recalculateBatch(db: Database, lease: PriceLease): Promise<boolean> {
  const { customerId } = lease
  if (!(await renew(db, PRICES, lease))) throw new LostLease('Another server has the lease.')
  const requested = await takeRequests(db, customerId)
  const setting = await readPriceSetting(db, customerId)
  const recalculate = (which: ReturnType<typeof sql<SqlBool>>): Promise<string[]> =>
    recalculatePrices(db, setting, { which, limit: BATCH, skipsLocked: true })
  if (requested.isAll) {
    await sql`update price_states set after_vehicle = 0 where customer_id = ${customerId}`.execute(db)
  }
  if (requested.ids.length > 0) {
    await recalculate(sql<SqlBool>`v.id = any(${requested.ids}::bigint[])`)
    return true
  }
  const due = await readDue(db, customerId)
  if (due.length > 0) {
    await recalculate(sql<SqlBool>`v.id = any(${due}::bigint[])`)
    return true
  }
  const { rows } = await sql<{ after: string | null }>`
    select after_vehicle::text as after from price_states where customer_id = ${customerId}`.execute(db)
  const after = rows[0]?.after ?? null
  if (after === null) return requested.isAll
  // The bound of the prices keeps a merge join from reading them from the first one on in every batch.
  const done = await recalculate(sql<SqlBool>`v.id > ${after} and p.vehicle_id > ${after} and not ${isGone}`)
  const next = done.length < BATCH ? null : (done.at(-1) ?? null)
  await sql`update price_states set after_vehicle = ${next} where customer_id = ${customerId}`.execute(db)
  return true
}

/** Takes requests: a change that commits later has one of its own. */
async function takeRequests(db: Database, customerId: string): Promise<{ ids: string[]; isAll: boolean }> {
  const { rows } = await sql<{ ids: string[] | null; isAll: boolean | null }>`
    with taken as (
      delete from price_requests where customer_id = ${customerId} and id in (
        select id from price_requests where customer_id = ${customerId} order by id limit ${sql.lit(BATCH)})
      returning vehicle_id)
    select array_agg(distinct vehicle_id::text) filter (where vehicle_id is not null) as ids,
      bool_or(vehicle_id is null) as is_all from taken`.execute(db)
  return { ids: rows[0]?.ids ?? [], isAll: rows[0]?.isAll ?? false }
}

async function readDue(db: Database, customerId: string): Promise<string[]> {
  const { rows } = await sql<{ id: string }>`
    select vehicle_id::text as id from vehicle_prices where customer_id = ${customerId} and valid_until <= app_now()
    order by valid_until limit ${sql.lit(BATCH)} for update skip locked`.execute(db)
  return rows.map(({ id }) => id)
}
