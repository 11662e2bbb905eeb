import { sql } from 'kysely'
import {
  amountText,
  MAX_NAMED,
  namePriceChanges,
  type PriceChange,
} from '#contract/vehicles/vehicles/price-changes.ts'
import type { Database } from '#server/database/tenant-transaction.ts'
import { isInStock, readPriceLimits } from '#server/vehicles/index.ts'

/** A mass change needs at least this many vehicles, so that one markdown on a small lot doesn't hold a feed. */
const MIN_CHANGED = 3

type Counts = {
  changed: number
  outside: number
  stock: number
  totalBefore: number | null
  totalAfter: number | null
  largest: PriceChange[]
  farthest: PriceChange[]
}

/** Whether a reason for review is one of `priceReasons`, which are found again when a row of the run is fixed. */
const isPriceReason = (reason: string): boolean =>
  / change their price by more than \d+%: | prices? (is|are) below .+ or above /.test(reason)

/**
 * Why the prices of a staged run need review: too many of them change too much, or some are outside the customer's usual
 * range. The same rules as `needsConfirmation`, in one statement over the run's rows.
 */
export async function priceReasons(
  db: Database,
  of: { customerId: string; runId: string; lotIds: readonly string[] },
): Promise<string[]> {
  const { limits, currency } = await readPriceLimits(db, of.customerId)
  const shown = sql`json_build_object('title', title, 'beforeCents', was, 'afterCents', price)`
  const { rows } = await sql<Counts>`
    with priced as (
      select r.id, r.title || coalesce(' (' || r.stock || ')', '') as title,
        case when r.price_answer = 'take' then nullif(r.own_price_cents, 0) else (r.before ->> 'price')::bigint end as was,
        case when r.price_answer = 'take' then nullif(r.source_price_cents, 0) else (r.after ->> 'price')::bigint end as price
      from feed_run_rows r where r.customer_id = ${of.customerId} and r.run_id = ${of.runId}
        and (r.kind = 'new' or (r.kind = 'changed' and r.changes_price))
    ), checked as (
      select *, coalesce(was > 0 and price > 0 and abs(price - was) * 100 > was * ${limits.changePercent}::int, false) as is_large,
        coalesce(price > 0 and (price < ${limits.minCents}::bigint or price > ${limits.maxCents}::bigint), false) as is_outside
      from priced
    )
    select (count(*) filter (where is_large))::int as changed, (count(*) filter (where is_outside))::int as outside,
      (sum(was) filter (where is_large))::float8 as "totalBefore", (sum(price) filter (where is_large))::float8 as "totalAfter",
      coalesce((select json_agg(${shown}) from (select * from checked where is_large
        order by abs(price - was)::numeric / was desc, id limit ${sql.lit(MAX_NAMED + 1)}) l), '[]') as largest,
      coalesce((select json_agg(${shown}) from (select * from checked where is_outside
        order by id limit ${sql.lit(MAX_NAMED + 1)}) f), '[]') as farthest,
      (select count(*)::int from vehicles v where v.customer_id = ${of.customerId} and v.lot_id = any(${[...of.lotIds]}::bigint[])
        and ${isInStock('v')}) as stock
    from checked`.execute(db)
  const [found] = rows
  if (found === undefined) return []
  const reasons: string[] = []
  if (found.changed >= MIN_CHANGED && found.changed * 100 > found.stock * limits.stockPercent) {
    const share = found.stock === 0 ? '' : ` (${Math.round((found.changed / found.stock) * 100)}%)`
    reasons.push(
      `${found.changed} of ${found.stock} vehicles${share} change their price by more than ${limits.changePercent}%: ` +
        `${namePriceChanges(found.largest, currency)}. Total of these prices: ` +
        `${amountText(found.totalBefore ?? 0, currency)} before, ${amountText(found.totalAfter ?? 0, currency)} after.`,
    )
  }
  if (found.outside > 0) {
    const what = found.outside === 1 ? '1 price is' : `${found.outside} prices are`
    reasons.push(
      `${what} below ${amountText(limits.minCents, currency)} or above ${amountText(limits.maxCents, currency)}: ` +
        `${namePriceChanges(found.farthest, currency)}.`,
    )
  }
  return reasons
}

/** Holds the run for review if an entered or taken price is unusual, like a price from the file. Its other reasons stay. */
export async function checkPricesAgain(
  db: Database,
  of: { customerId: string; runId: string; sourceId: string | null; lotId: string | null },
): Promise<void> {
  const { reviewReasons } = await db
    .selectFrom('feedRuns')
    .select('reviewReasons')
    .where('id', '=', of.runId)
    .executeTakeFirstOrThrow()
  const lotIds = await lotsOfRun(db, of)
  const prices = await priceReasons(db, { customerId: of.customerId, runId: of.runId, lotIds })
  const reasons = [...reviewReasons.filter((reason) => !isPriceReason(reason)), ...prices]
  await db
    .updateTable('feedRuns')
    .set({ reviewReasons: reasons, status: reasons.length > 0 ? 'review' : 'ready' })
    .where('id', '=', of.runId)
    .execute()
}

/** The lots whose stock a run's price changes are compared with: the chosen one, else those of the source, else all. */
async function lotsOfRun(
  db: Database,
  { sourceId, lotId }: { sourceId: string | null; lotId: string | null },
): Promise<string[]> {
  if (lotId !== null) return [lotId]
  const source =
    sourceId === null
      ? undefined
      : await db.selectFrom('feedSources').select('lotIds').where('id', '=', sourceId).executeTakeFirst()
  if (source !== undefined && source.lotIds.length > 0) return source.lotIds
  const lots = await db.selectFrom('lots').select('id').execute()
  return lots.map(({ id }) => id)
}
