import { sql } from 'kysely'
import type { Database } from './tenant-transaction.ts'

/**
 * Waits for a lock on this name, which is held until the transaction ends. Each concurrent transaction sees the changes of
 * the one before it.
 */
export async function acquireAdvisoryLock(db: Database, name: string): Promise<void> {
  await sql`select pg_advisory_xact_lock(hashtextextended(${name}, 0))`.execute(db)
}
