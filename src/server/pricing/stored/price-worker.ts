import { sql, type Kysely } from 'kysely'
import type pg from 'pg'
import { z } from 'zod'
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
import {
  FIRST_WINDOW,
  Matching,
  PRICE_BATCH,
  type PriceCauses,
  type PriceSetting,
  readPriceSetting,
  recalculateMatching,
  recalculateNext,
  recalculatePrices,
} from './recalculate-prices.ts'

const PRICES: LeaseTable = {
  table: 'price_states',
  keys: ['customer_id'],
  attempts: 'failures',
  seconds: 60,
  waitsInCopy: false,
}
const RETRIES: Waits = [30, 60, 300]
const OPTIONS = { skipsLocked: true, advertises: true }
/** How long a customer is served before the next one. */
const SLICE_MS = 1_000

type PriceLease = Leased & { customerId: string; failures: number }

/** By customer: how many vehicles to look through next for those that changed rules match. Only an estimate. */
type Windows = Map<string, number>

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
  const windows: Windows = new Map()

  async function work(lease: PriceLease): Promise<void> {
    const within = <T>(some: (db: Database) => Promise<T>): Promise<T> =>
      inTenant(pool, systemScope(lease.customerId, 'prices.recalculate'), some)
    try {
      const step = (): Promise<boolean> => within((db) => recalculateBatch(db, lease, windows))
      const endsAt = performance.now() + SLICE_MS
      // oxlint-disable-next-line no-await-in-loop -- One batch at a time. After a stop, another server continues.
      for (;;) if (isStopping || performance.now() >= endsAt || !(await step())) break
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

/** The earliest boundary of a customer. Its first entry of an index: asking whether any is due reads all prices. */
const firstBoundary = sql`(select p.valid_until from vehicle_prices p
  where p.customer_id = d.customer_id and p.valid_until is not null order by p.valid_until limit 1)`

/** The customer with due prices that isn't leased to another server. */
async function claimDue(queue: Kysely<DB>): Promise<PriceLease | null> {
  const row = await claim<{ customerId: string; lease: string; failures: number }>(
    queue,
    PRICES,
    {
      where: sql`d.next_run_at <= app_clock_timestamp() and (d.after_vehicle is not null
        or exists (select from price_requests r where r.customer_id = d.customer_id)
        or d.dates_until <= app_clock_timestamp() or ${firstBoundary} <= app_clock_timestamp())`,
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
 * Calculates one batch of what is due: first requested vehicles, then those with a boundary in the past, then the next ones
 * after a change of rules, fees or lots. @returns whether there may be more.
 */
async function recalculateBatch(db: Database, lease: PriceLease, windows: Windows): Promise<boolean> {
  const { customerId } = lease
  if (!(await renew(db, PRICES, lease))) throw new LostLease('Another server has the lease.')
  const { ids, scan: requested, causes } = await takeRequests(db, customerId)
  const setting = await readPriceSetting(db, customerId)
  const { current, isNewDay } = await readState(db, customerId)
  const wanted = isNewDay ? { ...ALL, causes: [...(requested?.causes ?? []), CLOCK] } : requested
  const scan = startAgain(current, wanted)
  if (wanted !== null) await saveScan(db, customerId, scan)
  await noteMidnight(db, setting)
  if (ids.length > 0) {
    await recalculatePrices(db, setting, { ids }, { ...OPTIONS, causes: { all: [], byVehicle: causes } })
    return true
  }
  const due = await readDue(db, customerId)
  if (due.length > 0) {
    await recalculatePrices(db, setting, { ids: due }, { ...OPTIONS, causes: causedBy([CLOCK]) })
    return true
  }
  if (scan === null) return false
  const after = await continueScan(db, setting, scan, windows)
  await saveScan(db, customerId, after === null ? null : { ...scan, after })
  return true
}

/** Calculates the next prices of a scan. @returns the ID after which to continue; null at the end. */
async function continueScan(
  db: Database,
  setting: PriceSetting,
  { after, matching, causes }: Scan,
  windows: Windows,
): Promise<string | null> {
  const { customerId } = setting
  const options = { ...OPTIONS, causes: causedBy(causes) }
  if (matching === null) return recalculateNext(db, setting, after, options)
  const window = windows.get(customerId) ?? FIRST_WINDOW
  const progress = await recalculateMatching(db, setting, { after, window, matching }, options)
  if (progress.after === null) windows.delete(customerId)
  else windows.set(customerId, progress.window)
  return progress.after
}

/**
 * Prices that are calculated in the order of the vehicles. `matching`: only of these vehicles. `after`: the last one done. `causes`: who
 * or what requested it.
 */
type Scan = Readonly<{ after: string; matching: Matching | null; causes: readonly unknown[] }>
type WantedScan = Omit<Scan, 'after'>

/** A rule, a fee or a law started or ended, or the date of a condition came. */
const CLOCK = { call: 'clock', by: null, as: null }
/** Of a scan. More would be no help to anyone. */
const MOST_CAUSES = 20
const Causes = z.array(z.unknown())

const causedBy = (all: readonly unknown[]): PriceCauses => ({ all, byVehicle: new Map() })

const ALL = { matching: null } as const

/** The scan of a customer that isn't done yet, and whether the date on which conditions depend has changed. */
async function readState(
  db: Database,
  customerId: string,
): Promise<{ current: Scan | null; isNewDay: boolean }> {
  const { rows } = await sql<{ after: string | null; matching: unknown; causes: unknown; isNewDay: boolean }>`
    select after_vehicle::text as after, matching, causes, coalesce(dates_until <= app_now(), false) as is_new_day
    from price_states where customer_id = ${customerId}`.execute(db)
  const { after, isNewDay, ...scan } = rows[0] ?? {
    after: null,
    matching: null,
    causes: [],
    isNewDay: false,
  }
  const matching = Matching.nullable().parse(scan.matching)
  return { current: after === null ? null : { after, matching, causes: Causes.parse(scan.causes) }, isNewDay }
}

/** Notes when all prices have to be calculated again because a condition of a rule depends on the date. */
async function noteMidnight(db: Database, { customerId, midnight }: PriceSetting): Promise<void> {
  await sql`update price_states set dates_until = ${midnight}::timestamptz
    where customer_id = ${customerId} and dates_until is distinct from ${midnight}::timestamptz`.execute(db)
}

async function saveScan(db: Database, customerId: string, scan: Scan | null): Promise<void> {
  const matching = scan?.matching ? JSON.stringify(scan.matching) : null
  const causes = JSON.stringify(scan?.causes ?? [])
  await sql`update price_states set after_vehicle = ${scan?.after ?? null}, matching = ${matching}::jsonb, causes = ${causes}::jsonb
    where customer_id = ${customerId}`.execute(db)
}

/** With more conditions, looking at every vehicle is as fast. */
const MAX_MATCHING = 50

/** New requests start from the first vehicle again, together with what isn't done yet. */
function startAgain(current: Scan | null, wanted: WantedScan | null): Scan | null {
  if (wanted === null) return current
  const all = [current?.matching ?? [], wanted.matching ?? []].flat()
  const isAll = wanted.matching === null || current?.matching === null || all.length > MAX_MATCHING
  const causes = [...(current?.causes ?? []), ...wanted.causes].slice(-MOST_CAUSES)
  return { after: '0', matching: isAll ? null : all, causes }
}

/** Takes requests: a change that commits later has one of its own. `scan`: what was requested besides single vehicles. */
async function takeRequests(
  db: Database,
  customerId: string,
): Promise<{ ids: string[]; scan: WantedScan | null; causes: PriceCauses['byVehicle'] }> {
  const { rows } = await sql<TakenRequests>`
    with taken as (
      delete from price_requests where customer_id = ${customerId} and id in (
        select id from price_requests where customer_id = ${customerId} order by id limit ${sql.lit(PRICE_BATCH)})
      returning vehicle_id, matching, cause)
    select array_agg(distinct vehicle_id::text) filter (where vehicle_id is not null) as ids,
      bool_or(vehicle_id is null and matching is null) as is_all,
      (select jsonb_agg(distinct m) from taken, jsonb_array_elements(taken.matching) m) as matching,
      (select jsonb_agg(distinct cause) from taken where vehicle_id is null and cause is not null) as causes,
      (select jsonb_agg(jsonb_build_array(c.id, c.causes)) from (select vehicle_id::text as id, jsonb_agg(distinct cause) as causes
        from taken where vehicle_id is not null and cause is not null group by vehicle_id) c) as of_vehicles
    from taken`.execute(db)
  const [taken] = rows
  const matching = taken?.isAll ? null : Matching.nullable().parse(taken?.matching ?? null)
  const causes = Causes.parse(taken?.causes ?? [])
  return {
    ids: taken?.ids ?? [],
    scan: taken?.isAll || matching !== null ? { matching, causes } : null,
    causes: new Map(OfVehicles.parse(taken?.ofVehicles ?? [])),
  }
}

type TakenRequests = {
  ids: string[] | null
  isAll: boolean | null
  matching: unknown
  causes: unknown
  ofVehicles: unknown
}
const OfVehicles = z.array(z.tuple([z.string(), Causes]))

async function readDue(db: Database, customerId: string): Promise<string[]> {
  const { rows } = await sql<{ id: string }>`
    select vehicle_id::text as id from vehicle_prices where customer_id = ${customerId} and valid_until <= app_now()
    order by valid_until limit ${sql.lit(PRICE_BATCH)} for update skip locked`.execute(db)
  return rows.map(({ id }) => id)
}
