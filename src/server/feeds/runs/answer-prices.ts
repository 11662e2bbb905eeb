import { sql } from 'kysely'
import type { Received } from '#contract/endpoint.ts'
import type { feedRuns } from '#contract/feeds/runs/feed-runs.ts'
import type { Database } from '#server/database/tenant-transaction.ts'
import type { Member } from '#server/http/actor.ts'
import { conflict, notFound } from '#server/http/failure.ts'
import { checkPricesAgain } from './price-check.ts'

/**
 * Decides about prices that people set, before a run is applied. A taken price counts as a change of the run.
 * @throws Failure 404; 409 if the run can no longer be changed, or none of the rows asks.
 */
export async function answerPrices(
  db: Database,
  { customerId }: Member,
  { runId, ids, answer }: Received<typeof feedRuns.answerPrices>,
): Promise<void> {
  const run = await lockOpenRun(db, runId)
  const isTaken = answer === 'take'
  const { rows } = await sql<{ answered: number; changed: number; prices: number }>`
    with asked as (
      select id, kind, changes_price from feed_run_rows
      where customer_id = ${customerId} and run_id = ${runId} and asks_price
        and ${ids === undefined ? sql`true` : sql`id = any(${ids}::bigint[])`}
    ), answered as (
      update feed_run_rows r set price_answer = ${answer}, changes_price = ${isTaken},
        kind = case when ${isTaken} or r.after <> '{}' or r.to_status is not null then 'changed' else 'same' end
      from asked a where r.customer_id = ${customerId} and r.run_id = ${runId} and r.id = a.id
      returning r.kind, a.kind as former_kind, r.changes_price, a.changes_price as changed_price
    )
    select count(*)::int as answered,
      coalesce(sum((kind = 'changed')::int - (former_kind = 'changed')::int), 0)::int as changed,
      coalesce(sum(changes_price::int - changed_price::int), 0)::int as prices
    from answered`.execute(db)
  const { answered, changed, prices } = rows[0] ?? { answered: 0, changed: 0, prices: 0 }
  if (answered === 0) throw conflict('These rows have no price to decide about.')
  await db
    .updateTable('feedRuns')
    .set({
      changedCount: sql`changed_count + ${changed}`,
      unchangedCount: sql`unchanged_count - ${changed}`,
      priceCount: sql`price_count + ${prices}`,
    })
    .where('id', '=', runId)
    .execute()
  await checkPricesAgain(db, { customerId, runId, sourceId: run.sourceId, lotId: run.lotId })
}

/**
 * Decides about mileages that a feed sends lower than they were. A taken one counts as a change of the run.
 * @throws Failure 404; 409 if the run can no longer be changed, or none of the rows asks.
 */
export async function answerMileages(
  db: Database,
  { customerId }: Member,
  { runId, ids, answer }: Received<typeof feedRuns.answerMileages>,
): Promise<void> {
  await lockOpenRun(db, runId)
  const isTaken = answer === 'take'
  const { rows } = await sql<{ answered: number; changed: number }>`
    with asked as (
      select id, kind from feed_run_rows where customer_id = ${customerId} and run_id = ${runId} and source_mileage is not null
        and ${ids === undefined ? sql`true` : sql`id = any(${ids}::bigint[])`}
    ), answered as (
      update feed_run_rows r set after = n.after,
        before = case when ${isTaken} then r.before || jsonb_build_object('mileage', r.own_mileage) else r.before - 'mileage' end,
        kind = case when n.after <> '{}' or r.to_status is not null or r.price_answer = 'take' then 'changed' else 'same' end
      from asked a join feed_run_rows o on o.customer_id = ${customerId} and o.run_id = ${runId} and o.id = a.id
      cross join lateral (select case when ${isTaken} then o.after || jsonb_build_object('mileage', o.source_mileage)
        else o.after - 'mileage' end as after) n
      where r.customer_id = ${customerId} and r.run_id = ${runId} and r.id = a.id
      returning r.kind, a.kind as former_kind
    )
    select count(*)::int as answered, coalesce(sum((kind = 'changed')::int - (former_kind = 'changed')::int), 0)::int as changed
    from answered`.execute(db)
  const { answered, changed } = rows[0] ?? { answered: 0, changed: 0 }
  if (answered === 0) throw conflict('These rows have no lower mileage to decide about.')
  await db
    .updateTable('feedRuns')
    .set({
      changedCount: sql`changed_count + ${changed}`,
      unchangedCount: sql`unchanged_count - ${changed}`,
    })
    .where('id', '=', runId)
    .execute()
}

/** @throws Failure 404; 409 if the run can no longer be changed. */
async function lockOpenRun(db: Database, id: string) {
  const run = await db
    .selectFrom('feedRuns')
    .select(['sourceId', 'status', 'lotId'])
    .where('id', '=', id)
    .forUpdate()
    .executeTakeFirst()
  if (run === undefined) throw notFound('Feed run')
  if (run.status !== 'ready' && run.status !== 'review') throw conflict('This feed can no longer be changed.')
  return run
}
