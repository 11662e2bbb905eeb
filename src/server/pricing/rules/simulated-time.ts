import { sql } from 'kysely'
import type { Database } from '#server/database/tenant-transaction.ts'

/** Evaluates something that simulates a time, and sets the clock of the transaction back: what is saved afterwards is saved now. */
export async function keepingTime<T>(db: Database, evaluate: () => Promise<T>): Promise<T> {
  const { rows } = await sql<{ offset: string }>`
    select coalesce(current_setting('app.clock_offset', true), '') as offset`.execute(db)
  const evaluated = await evaluate()
  await sql`select set_config('app.clock_offset', ${rows[0]?.offset ?? ''}, true)`.execute(db)
  return evaluated
}

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
