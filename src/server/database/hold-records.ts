import { sql } from 'kysely'
import type { Database } from './tenant-transaction.ts'

type FindRecords = (
  db: Database,
  /** The table in snake case. */
  table: string,
  keys: readonly string[],
  /** What names a record, if it isn't its ID. */
  column?: string,
) => Promise<ReadonlySet<string>>

const reader =
  (lock: ReturnType<typeof sql>): FindRecords =>
  async (db, table, keys, column = 'id') => {
    if (keys.length === 0) return new Set()
    const own = sql.ref(column)
    const wanted = column === 'id' ? sql`${[...keys]}::bigint[]` : sql`${[...keys]}::text[]`
    const { rows } = await sql<{ key: string }>`select ${own}::text as key from ${sql.table(table)}
      where ${own} = any(${wanted}) order by id ${lock}`.execute(db)
    return new Set(rows.map(({ key }) => key))
  }

/** Those of some records that exist and that the caller can see, by their keys. */
export const findRecords = reader(sql``)

/**
 * As `findRecords`, and none of them is deleted before the transaction ends: who saves a reference that no foreign key watches
 * (`LOOSE_REFERENCES`) calls this, and who deletes waits for it and then finds the reference.
 */
export const holdRecords = reader(sql`for key share`)
