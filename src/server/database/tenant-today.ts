import { sql } from 'kysely'
import type { Database } from './tenant-transaction.ts'

/**
 * The current date in the time zone of the acting organization, or of the customer if there is none. PostgreSQL evaluates
 * it once per statement. In TypeScript it is `today(actor.timeZone, now)`.
 */
export const tenantToday = sql<string>`(select today(coalesce(nullif(current_setting('app.time_zone', true), ''),
  (select time_zone from customers where id = nullif(current_setting('app.customer_id', true), '')::bigint), 'UTC')))`

/** `tenantToday`, as `yyyy-mm-dd`. */
export async function readToday(db: Database): Promise<string> {
  const { rows } = await sql<{ today: string }>`select ${tenantToday} as today`.execute(db)
  const [found] = rows
  if (found === undefined) throw new Error('The query for the current date returned no row.')
  return found.today
}
