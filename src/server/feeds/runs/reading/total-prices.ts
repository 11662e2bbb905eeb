import { sql } from 'kysely'
import { amountText } from '#contract/vehicles/vehicles/price-changes.ts'
import type { Database } from '#server/database/tenant-transaction.ts'
import type { ImportStats, Named } from './import-stats.ts'

/** In a larger file fewer vehicles than this are a coincidence, such as a markdown by the amount of a rule. */
const MIN_VEHICLES = 3

/**
 * Whether the prices of a staged file are those that buyers see, with price rules and fees, instead of prices before them: of the
 * vehicles whose prices tell, most have in the file exactly their present total or selling price. Null if not.
 */
export async function findTotalPrices(
  db: Database,
  { customerId, runId, stats }: { customerId: string; runId: string; stats: ImportStats },
): Promise<Named | null> {
  const { rows } = await sql<{
    totals: number
    silent: number
    title: string | null
    cents: number | null
    currency: string
  }>`
    with staged as (
      select r.id, concat_ws(' ', v.year, v.make, v.model) || coalesce(' (' || v.stock || ')', '') as title, nullif(r.source_price_cents, 0) as sent, v.price_cents,
        r.source_price_cents <> v.price_cents and r.source_price_cents in (p.total_cents, p.selling_cents) as is_total,
        r.source_price_cents = v.price_cents and v.price_cents in (p.total_cents, p.selling_cents) as is_both
      from feed_run_rows r join vehicles v on v.customer_id = ${customerId} and v.id = r.vehicle_id
      left join vehicle_prices p on p.customer_id = ${customerId} and p.vehicle_id = v.id
      where r.customer_id = ${customerId} and r.run_id = ${runId} and r.kind in ('changed', 'same') and r.line is not null
    ), first as (select * from staged where is_total order by id limit 1)
    select (count(*) filter (where is_total))::int as totals,
      (count(*) filter (where sent is null or price_cents is null or is_both))::int as silent,
      (select title from first) as title, (select sent::float8 from first) as cents,
      (select currency from customers where id = ${customerId}) as currency
    from staged`.execute(db)
  const [found] = rows
  if (found === undefined || found.title === null || found.cents === null) return null
  const { changedCount, unchangedCount } = stats.columns()
  const matched = changedCount + unchangedCount
  const telling = matched - stats.idle - found.silent
  const isMost = found.totals * 2 > telling
  if (!isMost || (found.totals < MIN_VEHICLES && found.totals < matched)) return null
  return { rows: found.totals, value: `${found.title}, ${amountText(found.cents, found.currency)}` }
}
