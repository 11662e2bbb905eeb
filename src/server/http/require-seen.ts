import { sql } from 'kysely'
import type { z } from 'zod'
import type { Seen } from '#contract/deletion.ts'
import type { Database } from '#server/database/tenant-transaction.ts'
import { stale } from './failure.ts'

type Deleted = Readonly<{
  table: string
  /** "This lot was changed by someone else". */
  noun: string
  /** Reads the current record for the answer. */
  read: (db: Database, id: string) => Promise<unknown>
}>

/**
 * Before a deletion: locks the record and compares its version with the one that the caller saw. A record that is gone or out of
 * reach is left to the deletion itself. Check first who may delete it, because the answer has the record.
 * @throws Failure 409 with the current record
 */
export async function requireSeen(
  db: Database,
  { id, version }: z.output<typeof Seen>,
  { table, noun, read }: Deleted,
): Promise<void> {
  if (version === undefined) return
  // Not "for update": other transactions add rows that refer to this one.
  const { rows } = await sql<{ version: number }>`
    select version from ${sql.table(table)} where id = ${id} for no key update`.execute(db)
  const [found] = rows
  if (found !== undefined && found.version !== version) throw stale(`This ${noun}`, await read(db, id))
}
