import { sql } from 'kysely'
import type { Database } from './tenant-transaction.ts'

/** Until the transaction ends nobody else holds this name: of several that come at once each sees what the one before did. */
export async function acquireAdvisoryLock(db: Database, name: string): Promise<void> {
  await sql`select pg_advisory_xact_lock(hashtextextended(${name}, 0))`.execute(db)
}
