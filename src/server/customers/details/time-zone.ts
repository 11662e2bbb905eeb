import { sql } from 'kysely'
import type { Database } from '#server/database/tenant-transaction.ts'

/**
 * Sets the customer's time zone for this transaction and returns it, so that a channel's rule gives the same vehicles for
 * every user.
 */
export async function useCustomerTimeZone(db: Database, customerId: string): Promise<string> {
  const { rows } = await sql<{ zone: string }>`
    select set_config('app.time_zone', time_zone, true) as zone from customers where id = ${customerId}`.execute(
    db,
  )
  const [found] = rows
  if (found === undefined) throw new Error('The customer does not exist.')
  return found.zone
}

/** One time zone, or the lots of each. */
export type LotZones = string | ReadonlyMap<string, readonly string[]>

/**
 * The same for conditions with dates and days in stock, which follow the clock of each vehicle's lot like the steps of price
 * rules.
 */
export async function useLotTimeZones(db: Database, customerId: string): Promise<LotZones> {
  const zone = await useCustomerTimeZone(db, customerId)
  const { rows } = await sql<{ zone: string; lotIds: string[] }>`
    select coalesce(l.time_zone, o.time_zone, 'UTC') as zone, array_agg(l.id::text order by l.id) as lot_ids from lots l
    join organizations o on o.customer_id = l.customer_id and o.id = l.organization_id
    where l.customer_id = ${customerId} group by 1 order by 1`.execute(db)
  return rows.length === 0 ? zone : new Map(rows.map((row) => [row.zone, row.lotIds]))
}
