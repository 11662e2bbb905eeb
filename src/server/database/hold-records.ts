import { sql } from 'kysely'
import type { Database } from './tenant-transaction.ts'

/**
 * Those of some records that the caller can see. None of them is deleted before the transaction ends: who saves a reference that
 * no foreign key watches (`LOOSE_REFERENCES`) calls this, and who deletes waits for it and then finds the reference.
 * @param table the table in snake case, or its name in the schema of Kysely
 * @param column what names a record, if it isn't its ID
 * @returns the keys that exist
 */
export async function holdRecords(
  db: Database,
  table: string,
  keys: readonly string[],
  column = 'id',
): Promise<ReadonlySet<string>> {
  if (keys.length === 0) return new Set()
  const own = sql.ref(column)
  const { rows } = await sql<{ key: string }>`select ${own}::text as key from ${sql.table(table)}
    where ${own}::text = any(${[...keys]}) order by id for key share`.execute(db)
  return new Set(rows.map(({ key }) => key))
}
