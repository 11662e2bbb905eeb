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
