import { sql } from 'kysely'
import type pg from 'pg'
import {
  allowLongStatements,
  inTenant,
  type Database,
  type TenantScope,
} from '#server/database/tenant-transaction.ts'
import { recordsOf } from './group-records.ts'
import { deleteCalculationLines, saveCalculationLines } from './save-lines.ts'
import { calculateEmissions } from './calculate.ts'
import { withdrawChangedApprovals } from './changed-approvals.ts'
import { RESULT_COLUMNS, TOTAL_COLUMNS } from './result-rows.ts'

/** Changes that affect more records than this are recalculated in the background. */
export const MOST_AT_ONCE = 20_000
/** The most records in one background transaction. */
const BATCH = 250_000
/** Memory per query step before it spills to disk. */
const WORK_MEMORY = '64MB'
const BATCH_MS = 600_000

/** The number of stale sources of an inventory. */
export async function countPending(db: Database, inventoryId: string): Promise<number> {
  const { rows } = await sql<{ count: number }>`
    select count(*)::int as count from stale_sources where inventory_id = ${inventoryId}`.execute(db)
  return rows[0]?.count ?? 0
}

/**
 * Recalculates the stale sources of an inventory in this transaction, up to a limit; the rest stays queued.
 * @returns how many sources are still stale.
 */
export async function recalculateStale(db: Database, inventoryId: string): Promise<number> {
  const queue = await readStaleSources(db, inventoryId)
  const [first = []] = inBatches(queue, MOST_AT_ONCE)
  // A source that exceeds the limit alone is left to the background job.
  const chosen = first.filter(({ records }) => records <= MOST_AT_ONCE)
  await recalculate(
    db,
    inventoryId,
    chosen.map(({ sourceId }) => sourceId),
  )
  return queue.length - chosen.length
}

type StaleSource = { sourceId: string; records: number }

/** Stale sources with the number of their records, smallest first. */
async function readStaleSources(db: Database, inventoryId: string): Promise<StaleSource[]> {
  const { rows } = await sql<StaleSource>`
    select d.source_id::text, (select count(*)::int from activity_records r where r.customer_id = d.customer_id
      and r.source_id = d.source_id and r.replaced_at is null) as records
    from stale_sources d where d.inventory_id = ${inventoryId} order by 2, d.source_id`.execute(db)
  return rows
}

/** Splits sources into batches of at most `most` records; a source with more records is a batch of its own. */
function inBatches(queue: readonly StaleSource[], most: number): StaleSource[][] {
  const batches: StaleSource[][] = []
  let sum = Number.POSITIVE_INFINITY
  for (const source of queue) {
    sum += source.records
    if (sum <= most) batches.at(-1)?.push(source)
    else {
      batches.push([source])
      sum = source.records
    }
  }
  return batches
}

/**
 * Replaces the results and totals of some sources. They leave the queue first, so that a concurrent change queues them
 * again. The results of approved, locked and restated inventories are kept.
 */
export async function recalculate(
  db: Database,
  inventoryId: string,
  sourceIds: readonly string[],
): Promise<void> {
  if (sourceIds.length === 0) return
  const { rows } = await sql`select id from carbon_inventories
    where id = ${inventoryId} and status in ('draft', 'collecting', 'in_review') for no key update`.execute(
    db,
  )
  const queued = await takeFromQueue(db, sourceIds)
  if (rows.length === 0 || queued.length === 0) return
  // Results have no foreign key to their source. The lock prevents its deletion while they are written.
  await sql`select from emission_sources where id = any(${queued}::bigint[]) order by id for key share`.execute(
    db,
  )
  const formerLines = await deleteResults(db, queued)
  await planForMany(db)
  const results = await calculateEmissions(db, {
    inventoryId,
    sourceIds: queued,
    records: recordsOf(queued),
    assignLineIds: (lines) => saveCalculationLines(db, inventoryId, lines),
  })
  await sql`with ${results.parts},
    inserted as (insert into calculation_results (${RESULT_COLUMNS}) ${results.rows})
    insert into calculation_totals (${TOTAL_COLUMNS}) ${results.totals}`.execute(db)
  await sql`select set_config('enable_nestloop', 'on', true), set_config('enable_mergejoin', 'on', true)`.execute(
    db,
  )
  await deleteCalculationLines(db, formerLines)
  await withdrawChangedApprovals(db, queued)
}

/** Removes sources from the queue. @returns those that another server hasn't recalculated in the meantime. */
async function takeFromQueue(db: Database, sourceIds: readonly string[]): Promise<string[]> {
  const { rows } = await sql<{ id: string }>`
    delete from stale_sources where source_id = any(${[...sourceIds]}::bigint[]) returning source_id::text as id`.execute(
    db,
  )
  return rows.map(({ id }) => id)
}

/** The planner can't estimate the rows of nested CTEs. Hash joins are acceptable for any number of rows. */
export async function planForMany(db: Database): Promise<void> {
  await sql`select set_config('enable_nestloop', 'off', true), set_config('enable_mergejoin', 'off', true),
    set_config('jit', 'off', true), set_config('work_mem', ${WORK_MEMORY}, true)`.execute(db)
}

/** Deletes the results and totals of some sources. @returns the IDs of their calculation lines. */
async function deleteResults(db: Database, sourceIds: readonly string[]): Promise<string[]> {
  const ids = sql`any(${[...sourceIds]}::bigint[])`
  await sql`delete from calculation_totals where source_id = ${ids}`.execute(db)
  const { rows } = await sql<{ lineId: string }>`
    with gone as (delete from calculation_results where source_id = ${ids} returning line_id)
    select distinct line_id::text from gone where line_id is not null`.execute(db)
  return rows.map(({ lineId }) => lineId)
}

/** Whether any source or base year waits for its calculation. */
export async function hasDueCalculations(queue: pg.Pool): Promise<boolean> {
  const { rows } = await queue.query<{ is_due: boolean }>(
    'select exists (select from stale_sources) or exists (select from base_year_checks) as is_due',
  )
  return rows[0]?.is_due ?? false
}

/**
 * Recalculates the stale sources of all customers: changes that were too large for the request, and changes outside carbon,
 * such as to a facility. Customers take turns batch by batch, so that a million records of one don't delay ten records of
 * another. A failure doesn't stop the others.
 * @param queue connection pool that can only read which inventories have stale sources.
 */
export async function processStaleQueue(queue: pg.Pool, pool: pg.Pool): Promise<void> {
  const failed: unknown[] = []
  /** A customer has one turn after another in a run, and none after its last. */
  const started = new Set<string>()
  let active: ReturnType<typeof recalculateCustomer>[] = []
  for (;;) {
    // oxlint-disable-next-line no-await-in-loop -- Before each round: other customers have changed something since.
    for (const [customerId, own] of await readStaleInventories(queue)) {
      if (started.has(customerId)) continue
      started.add(customerId)
      active.push(recalculateCustomer(pool, own, failed))
    }
    if (active.length === 0) break
    const remaining: typeof active = []
    for (const customer of active) {
      // oxlint-disable-next-line no-await-in-loop -- One batch per customer at a time.
      if ((await customer.next()).done !== true) remaining.push(customer)
    }
    active = remaining
  }
  if (failed.length > 0)
    throw failed.length === 1
      ? failed[0]
      : new AggregateError(failed, 'Some inventories could not be recalculated.')
}

type StaleInventory = { customer_id: string; organization_id: string; inventory_id: string }

async function readStaleInventories(queue: pg.Pool): Promise<Map<string, StaleInventory[]>> {
  const { rows } = await queue.query<StaleInventory>(
    'select distinct customer_id, organization_id, inventory_id from stale_sources order by 1, 2, 3',
  )
  return Map.groupBy(rows, (row) => row.customer_id)
}

/** Recalculates the inventories of one customer, one batch per step. Errors are added to `failed`. */
async function* recalculateCustomer(
  pool: pg.Pool,
  inventories: readonly StaleInventory[],
  failed: unknown[],
): AsyncGenerator<void, void> {
  for (const inventory of inventories) {
    const scope = {
      customerId: inventory.customer_id,
      organizationId: inventory.organization_id,
      reach: 'organization' as const,
      actorUserId: null,
      actorName: null,
      effectiveUserId: null,
      effectiveName: null,
      endpoint: 'carbon-ledger',
      isReadOnly: false,
    }
    try {
      yield* recalculateInventory(pool, scope, inventory.inventory_id)
    } catch (error) {
      failed.push(error)
    }
  }
}

/** One transaction per batch. Sources queued in the meantime are processed afterwards, or in the next run. */
async function* recalculateInventory(
  pool: pg.Pool,
  scope: TenantScope,
  inventoryId: string,
): AsyncGenerator<void, void> {
  const inBatchTransaction = <T>(work: (db: Database) => Promise<T>): Promise<T> =>
    inTenant(pool, scope, async (db) => {
      // No user waits for it, and a source with many records is one statement.
      await allowLongStatements(db, BATCH_MS)
      return work(db)
    })
  let previous = Number.POSITIVE_INFINITY
  for (;;) {
    const queue = await inBatchTransaction((db) => readStaleSources(db, inventoryId))
    if (queue.length === 0 || queue.length >= previous) return
    previous = queue.length
    for (const batch of inBatches(queue, BATCH)) {
      await inBatchTransaction((db) =>
        recalculate(
          db,
          inventoryId,
          batch.map(({ sourceId }) => sourceId),
        ),
      )
      yield
    }
  }
}
