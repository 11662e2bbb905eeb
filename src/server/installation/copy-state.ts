import { sql, type Kysely } from 'kysely'
import type pg from 'pg'
import type { DB } from '#server/database/schema.ts'

/** Whether this installation is a restored copy, which sends and fetches nothing. Every role may ask. */
export async function isCopy(db: Kysely<DB>): Promise<boolean> {
  const { rows } = await sql<{ isCopy: boolean }>`select is_restored_copy() as is_copy`.execute(db)
  return rows[0]?.isCopy ?? false
}

/** Declares an installation a copy, as of now. */
export async function markCopy(owner: pg.Client, now: Date): Promise<void> {
  await owner.query('update iam.installation set restored_at = $1', [now.toISOString()])
}
