import { type RawBuilder, sql } from 'kysely'
import type { PriceLimits } from '#contract/customers/details/price-limits.ts'
import {
  amountText,
  MAX_NAMED,
  namePriceChanges,
  type PriceChange,
} from '#contract/vehicles/vehicles/price-changes.ts'
import type { Database } from '#server/database/tenant-transaction.ts'
import { type CustomerPriceLimits, isInStock, readPriceLimits } from '#server/vehicles/index.ts'

/** A mass change needs at least this many vehicles, so that one markdown on a small lot doesn't hold a feed. */
const MIN_CHANGED = 3

type Counts = {
  changed: number
  /** Of these, the ones whose new price is in the usual range. */
  changedInside: number
  outside: number
  stock: number
  totalBefore: number | null
  totalAfter: number | null
  largest: PriceChange[]
  largestInside: PriceChange[]
  farthest: PriceChange[]
}

/** Whether a reason for review is one of `priceReasons`, which are found again when a row of the run is fixed. */
const isPriceReason = (reason: string): boolean =>
  / changes? (its|their) price by more than \d+%: | prices? (is|are) below .+ or above /.test(reason)

type RunPrices = { customerId: string; runId: string; lotIds: readonly string[] }

/** Whether too many prices change too much that the whole run is held. */
const isMassChange = ({ changed, stock }: Counts, stockPercent: number): boolean =>
  changed >= MIN_CHANGED && changed * 100 > stock * stockPercent

/**
 * Why the prices of a staged run need review: some change too much, or are outside the customer's usual range. The same rules as
 * `needsConfirmation`, in one statement over the run's rows.
 */
async function priceReasons(db: Database, of: RunPrices): Promise<string[]> {
  const own = await readPriceLimits(db, of.customerId)
  return reasonsFor(await countPrices(db, of, own.limits), own)
}

/**
 * The same for a file that was just read: known vehicles keep a price beyond the limits until a person decides, and the run goes on
 * without these prices. Only when they are many is the whole run held, as they are.
 */
export async function holdPrices(db: Database, of: RunPrices): Promise<string[]> {
  const own = await readPriceLimits(db, of.customerId)
  const counts = await countPrices(db, of, own.limits)
  if (isMassChange(counts, own.limits.stockPercent)) return reasonsFor(counts, own)
  if (counts.changed + counts.outside === 0) return []
  await askAboutPrices(db, of, own.limits)
  return reasonsFor(await countPrices(db, of, own.limits), own)
}

/** SQL for the rows of a run with the price before (`was`) and after (`price`), and whether it is beyond the limits. */
const checkedRows = (
  { customerId, runId }: Pick<RunPrices, 'customerId' | 'runId'>,
  limits: PriceLimits,
): RawBuilder<unknown> => sql`
  select p.*, coalesce(was > 0 and price > 0 and abs(price - was) * 100 > was * ${limits.changePercent}::int, false) as is_large,
    coalesce(price > 0 and (price < ${limits.minCents}::bigint or price > ${limits.maxCents}::bigint), false) as is_outside
  from (
    select r.id, r.kind, r.vehicle_id, r.price_answer, 'price' = any(r.locked) as is_locked, r.title || coalesce(' (' || r.stock || ')', '') as title,
      case when r.price_answer = 'take' then nullif(r.own_price_cents, 0) else (r.before ->> 'price')::bigint end as was,
      case when r.price_answer = 'take' then nullif(r.source_price_cents, 0) else (r.after ->> 'price')::bigint end as price
    from feed_run_rows r where r.customer_id = ${customerId} and r.run_id = ${runId}
      and (r.kind = 'new' or (r.kind = 'changed' and r.changes_price))
  ) p`

async function countPrices(db: Database, of: RunPrices, limits: PriceLimits): Promise<Counts> {
  const shown = sql`json_build_object('title', title, 'beforeCents', was, 'afterCents', price)`
  const largest = (isCounted: RawBuilder<unknown>) =>
    sql`coalesce((select json_agg(${shown}) from (select * from checked where ${isCounted}
        order by abs(price - was)::numeric / was desc, id limit ${sql.lit(MAX_NAMED + 1)}) l), '[]')`
  // Who took a price beyond the limits saw that it is: it is asked about again only if it is one of many.
  const isUndecided = sql`(price_answer is distinct from 'take' or is_locked)`
  const { rows } = await sql<Counts>`
    with checked as (${checkedRows(of, limits)})
    select (count(*) filter (where is_large))::int as changed,
      (count(*) filter (where is_large and not is_outside and ${isUndecided}))::int as "changedInside",
      (count(*) filter (where is_outside and ${isUndecided}))::int as outside,
      (sum(was) filter (where is_large))::float8 as "totalBefore", (sum(price) filter (where is_large))::float8 as "totalAfter",
      ${largest(sql`is_large`)} as largest, ${largest(sql`is_large and not is_outside and ${isUndecided}`)} as "largestInside",
      coalesce((select json_agg(${shown}) from (select * from checked where is_outside and ${isUndecided}
        order by id limit ${sql.lit(MAX_NAMED + 1)}) f), '[]') as farthest,
      (select count(*)::int from vehicles v where v.customer_id = ${of.customerId} and v.lot_id = any(${[...of.lotIds]}::bigint[])
        and ${isInStock('v')}) as stock
    from checked`.execute(db)
  const [found] = rows
  if (found === undefined) throw new Error('A count has a row.')
  return found
}

function reasonsFor(found: Counts, { limits, currency }: CustomerPriceLimits): string[] {
  const reasons: string[] = []
  // A few prices outside the usual range are named once.
  const isMass = isMassChange(found, limits.stockPercent)
  const changed = isMass ? found.changed : found.changedInside
  if (changed > 0) {
    const share = found.stock === 0 ? '' : ` (${Math.round((changed / found.stock) * 100)}%)`
    const what = `${changed} of ${found.stock} vehicles${share} ${changed === 1 ? 'changes its' : 'change their'} price`
    const totals = !isMass
      ? ''
      : ` Total of these prices: ${amountText(found.totalBefore ?? 0, currency)} before, ${amountText(found.totalAfter ?? 0, currency)} after.`
    reasons.push(
      `${what} by more than ${limits.changePercent}%: ${namePriceChanges(isMass ? found.largest : found.largestInside, currency)}.${totals}`,
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

/**
 * Turns prices beyond the limits into questions: the vehicles keep their price. What a person has decided to keep before is not asked
 * again. Corrects the counts of the run.
 */
async function askAboutPrices(
  db: Database,
  { customerId, runId }: RunPrices,
  limits: PriceLimits,
): Promise<void> {
  await sql`
    with checked as (${checkedRows({ customerId, runId }, limits)}),
    held as (
      select c.id, coalesce(c.was, 0) as own, coalesce(v.seen_source_price_cents, c.was, 0) as sent,
        v.seen_source_price_cents is distinct from c.price as asks,
        -- Rules may use the price of the feed, which is often the same column.
        case when t.after -> 'feedPrice' = t.after -> 'price' then array['price', 'feedPrice'] else array['price'] end as keys
      from checked c join vehicles v on v.customer_id = ${customerId} and v.id = c.vehicle_id
      join feed_run_rows t on t.customer_id = ${customerId} and t.run_id = ${runId} and t.id = c.id
      where c.kind = 'changed' and c.price_answer is null and (c.is_large or c.is_outside)
    ), asked as (
      update feed_run_rows r set after = r.after - h.keys, before = r.before - h.keys, changes_price = false, asks_price = h.asks,
        own_price_cents = case when h.asks then h.own end, sent_price_cents = case when h.asks then h.sent end,
        kind = case when r.after - h.keys <> '{}' or r.to_status is not null then 'changed' else 'same' end
      from held h where r.customer_id = ${customerId} and r.run_id = ${runId} and r.id = h.id
      returning r.kind
    ), counted as (
      select count(*)::int as prices, (count(*) filter (where kind = 'same'))::int as same from asked
    )
    update feed_runs f set price_count = f.price_count - c.prices, changed_count = f.changed_count - c.same,
      unchanged_count = f.unchanged_count + c.same
    from counted c where f.id = ${runId}`.execute(db)
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
