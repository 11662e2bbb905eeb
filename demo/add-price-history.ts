import { sql } from 'kysely'
import type { Database } from '#server/database/tenant-transaction.ts'

/**
 * Gives the vehicles of a demo lot the prices they had before: one step for every three weeks they stand there, each
 * a little dearer the further back. What they cost today stays the newest entry.
 */
export async function addPriceHistory(db: Database, lotId: string): Promise<void> {
  await sql`
    insert into vehicle_history (customer_id, organization_id, vehicle_id, at, price_cents, status, by_name)
    select v.customer_id, v.organization_id, v.id,
      least(v.in_stock_on + interval '9 hours', h.at - interval '1 minute') + s.step * (h.at - v.in_stock_on - interval '10 hours') / s.steps,
      v.price_cents + (s.steps - s.step) * (30000 + v.id % 5 * 10000), 'live',
      case when (v.id + s.step) % 3 = 0 then nullif(current_setting('app.actor_name', true), '') end
    from vehicles v
    join vehicle_history h on h.customer_id = v.customer_id and h.vehicle_id = v.id
    cross join lateral (select least(5, greatest(1, (h.at::date - v.in_stock_on) / 21)) as steps) n
    cross join lateral (select n.steps, generate_series(0, n.steps - 1) as step) s
    where v.lot_id = ${lotId} and v.price_cents is not null and h.at > v.in_stock_on + interval '2 days'`.execute(
    db,
  )
}
