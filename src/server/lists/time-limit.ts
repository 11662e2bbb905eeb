import { sql, type RawBuilder } from 'kysely'
import { isTooSlow } from '#server/database/faults.ts'
import type { Database } from '#server/database/tenant-transaction.ts'

/**
 * Runs queries with a time limit of their own. The transaction can be used afterwards in any case; what `read` writes is
 * rolled back.
 * @param milliseconds above 0.
 * @returns null if the queries took longer.
 */
export async function withTimeLimit<T>(
  db: Database,
  milliseconds: number,
  read: () => Promise<T>,
): Promise<T | null> {
  await sql`savepoint before_limit`.execute(db)
  try {
    await sql`select set_config('statement_timeout', ${String(milliseconds)}, true)`.execute(db)
    return await read()
  } catch (error) {
    if (!isTooSlow(error)) throw error
    return null
  } finally {
    // This also resets the time limit, which is for these queries only.
    await sql`rollback to savepoint before_limit`.execute(db)
  }
}

/** The value of a count, such as that of `countMatching`; null if it takes longer than the time limit. */
export async function readCount(
  db: Database,
  counted: RawBuilder<number>,
  milliseconds: number,
): Promise<number | null> {
  return withTimeLimit(db, milliseconds, async () => {
    const { rows } = await sql<{ count: number }>`select ${counted} as count`.execute(db)
    return rows[0]?.count ?? 0
  })
}
