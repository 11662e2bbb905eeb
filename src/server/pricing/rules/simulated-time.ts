import { sql } from 'kysely'
import type { Database } from '#server/database/tenant-transaction.ts'

/**
 * Sets the clock of this transaction to a minute in a time zone, for conditions that depend on the date. Nothing that is
 * written may follow.
 * @returns the moment, for conditions that are evaluated in TypeScript.
 */
export async function simulateTime(db: Database, minute: string, zone: string): Promise<Date> {
  const { rows } = await sql<{ at: string }>`
    select to_char(m.at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS"Z"') as at,
      set_config('app.clock_offset', (coalesce(nullif(current_setting('app.clock_offset', true), ''), '0')::interval
        + (m.at - app_now()))::text, true) as set
    from (select lot_moment(${minute}, ${zone}) as at) m`.execute(db)
  const [found] = rows
  if (found === undefined) throw new Error('The time could not be set.')
  return new Date(found.at)
}
