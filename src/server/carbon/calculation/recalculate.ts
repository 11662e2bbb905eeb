import { sql } from 'kysely'
import type pg from 'pg'
import { inTenant, type Database, type TenantScope } from '#server/database/tenant-transaction.ts'
import { recordsOf } from './group-records.ts'
import { deleteCalculationLines, saveCalculationLines } from './save-lines.ts'
import { calculateEmissions } from './calculate.ts'
import { RESULT_COLUMNS, TOTAL_COLUMNS } from './result-rows.ts'

/** A change that touches more records than this does not hold up the person who made it. */
const MOST_AT_ONCE = 20_000
/** Records that one transaction of the background reckons. */
const BATCH = 250_000
/** What a step of one statement may hold before it goes to disk. */
const WORK_MEMORY = '64MB'
const TURN_TIMEOUT = '10min'

/** Sources of an inventory whose results no longer follow from what stands. */
export async function countPending(db: Database, inventoryId: string): Promise<number> {
  const { rows } = await sql<{ count: number }>`
    select count(*)::int as count from stale_sources where inventory_id = ${inventoryId}`.execute(db)
  return rows[0]?.count ?? 0
}

/**
 * Reckons what changed in an inventory anew, in this transaction, as far as it is little; the rest stays in line.
 * @returns how many sources wait.
 */
export async function recalculateStale(db: Database, inventoryId: string): Promise<number> {
  const line = await readLine(db, inventoryId)
  const [first = []] = inBatches(line, MOST_AT_ONCE)
  // One source that alone has more waits for the schedule.
  const chosen = first.filter(({ records }) => records <= MOST_AT_ONCE)
  await recalculate(
    db,
    inventoryId,
    chosen.map(({ sourceId }) => sourceId),
  )
  return line.length - chosen.length
}

type Waiting = { sourceId: string; records: number }

/** The sources in line with the number of their records, the least first. */
async function readLine(db: Database, inventoryId: string): Promise<Waiting[]> {
  const { rows } = await sql<Waiting>`
    select d.source_id::text, (select count(*)::int from activity_records r where r.customer_id = d.customer_id
      and r.source_id = d.source_id and r.replaced_at is null) as records
    from stale_sources d where d.inventory_id = ${inventoryId} order by 2, d.source_id`.execute(db)
  return rows
}

/** Sources that have no more than so many records together, or one that alone has more. */
function inBatches(line: readonly Waiting[], most: number): Waiting[][] {
  const batches: Waiting[][] = []
  let sum = Number.POSITIVE_INFINITY
  for (const source of line) {
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
 * Replaces the results and sums of some sources. What changes meanwhile is in line again: the line is left first. An
 * inventory that is approved, locked or restated keeps its results.
 */
export async function recalculate(
  db: Database,
  inventoryId: string,
  sourceIds: readonly string[],
): Promise<void> {
  if (sourceIds.length === 0) return
  const ids = sql`any(${[...sourceIds]}::bigint[])`
  const { rows } = await sql`select id from carbon_inventories
    where id = ${inventoryId} and status in ('draft', 'collecting', 'in_review') for no key update`.execute(
    db,
  )
  await sql`delete from stale_sources where source_id = ${ids}`.execute(db)
  if (rows.length === 0) return
  // Results have no key to their source: held, it does not go while they are written.
  await sql`select from emission_sources where id = ${ids} order by id for key share`.execute(db)
  const left = await deleteResults(db, sourceIds)
  await planForMany(db)
  const results = await calculateEmissions(db, {
    inventoryId,
    sourceIds,
    records: recordsOf(sourceIds),
    numberRoutes: (routes) => saveCalculationLines(db, inventoryId, routes),
  })
  await sql`with ${results.parts},
    kept as (insert into calculation_results (${RESULT_COLUMNS}) ${results.rows})
    insert into calculation_totals (${TOTAL_COLUMNS}) ${results.totals}`.execute(db)
  await sql`select set_config('enable_nestloop', 'on', true), set_config('enable_mergejoin', 'on', true)`.execute(
    db,
  )
  await deleteCalculationLines(db, left)
}

/** Of rows that come out of one another no plan knows how many they are: they are joined by hashes, which suits any number. */
async function planForMany(db: Database): Promise<void> {
  await sql`select set_config('enable_nestloop', 'off', true), set_config('enable_mergejoin', 'off', true),
    set_config('jit', 'off', true), set_config('work_mem', ${WORK_MEMORY}, true)`.execute(db)
}

/** Takes the results and sums of some sources out. @returns the routes they went by. */
async function deleteResults(db: Database, sourceIds: readonly string[]): Promise<string[]> {
  const ids = sql`any(${[...sourceIds]}::bigint[])`
  await sql`delete from calculation_totals where source_id = ${ids}`.execute(db)
  const { rows } = await sql<{ routeId: string }>`
    with gone as (delete from calculation_results where source_id = ${ids} returning route_id)
    select distinct route_id::text from gone where route_id is not null`.execute(db)
  return rows.map(({ routeId }) => routeId)
}

/**
 * Reckons what is in line for any customer: what was too much for the request that caused it, or was caused by something
 * that knows nothing of carbon, a facility for instance. Customers take turns, a batch each, so that one customer's million
 * records do not hold up another's ten; what cannot be reckoned does not hold up the others either.
 * @param queue reads whose turn it is, and nothing else.
 */
export async function processStaleQueue(queue: pg.Pool, pool: pg.Pool): Promise<void> {
  const { rows } = await queue.query<StaleQueue>(
    'select distinct customer_id, organization_id, inventory_id from stale_sources order by 1, 2, 3',
  )
  const failed: unknown[] = []
  let turns = [...Map.groupBy(rows, (row) => row.customer_id).values()].map((own) =>
    recalculateCustomer(pool, own, failed),
  )
  while (turns.length > 0) {
    const going: typeof turns = []
    for (const turn of turns) {
      // oxlint-disable-next-line no-await-in-loop -- One batch at a time, of each customer in turn.
      if ((await turn.next()).done !== true) going.push(turn)
    }
    turns = going
  }
  if (failed.length > 0)
    throw failed.length === 1 ? failed[0] : new AggregateError(failed, 'Inventories were not reckoned.')
}

type StaleQueue = { customer_id: string; organization_id: string; inventory_id: string }

/** The inventories of one customer, a batch for each step. What fails goes to `failed`. */
async function* recalculateCustomer(
  pool: pg.Pool,
  lines: readonly StaleQueue[],
  failed: unknown[],
): AsyncGenerator<void, void> {
  for (const line of lines) {
    const scope = {
      customerId: line.customer_id,
      organizationId: line.organization_id,
      reach: 'organization' as const,
      actorUserId: null,
      actorName: null,
      effectiveUserId: null,
      effectiveName: null,
      endpoint: 'carbon-ledger',
      isReadOnly: false,
    }
    try {
      yield* recalculateInventory(pool, scope, line.inventory_id)
    } catch (error) {
      failed.push(error)
    }
  }
}

/** Each batch is a transaction; what comes into line meanwhile has its turn after them, at the latest in the next minute. */
async function* recalculateInventory(
  pool: pg.Pool,
  scope: TenantScope,
  inventoryId: string,
): AsyncGenerator<void, void> {
  const limitConcurrency = <T>(work: (db: Database) => Promise<T>): Promise<T> =>
    inTenant(pool, scope, async (db) => {
      // Nobody waits for it, and a source of many records is one statement.
      await sql`select set_config('statement_timeout', ${TURN_TIMEOUT}, true)`.execute(db)
      return work(db)
    })
  let waited = Number.POSITIVE_INFINITY
  for (;;) {
    const line = await limitConcurrency((db) => readLine(db, inventoryId))
    if (line.length === 0 || line.length >= waited) return
    waited = line.length
    for (const batch of inBatches(line, BATCH)) {
      await limitConcurrency((db) =>
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
