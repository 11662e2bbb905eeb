import { sql } from 'kysely'
import type { z } from 'zod'
import type { DB } from '#server/database/schema.ts'
import type { Database } from '#server/database/tenant-transaction.ts'
import { notFound } from '#server/http/failure.ts'
import { instant } from '#server/lists/json-text.ts'

type Options<Version> = Readonly<{
  /** The table of the record, and the one of its versions. */
  table: keyof DB
  versions: keyof DB
  /** The column of `versions` that names the record. */
  of: string
  /** The columns that a version keeps, in both tables, by the fields of `schema`. */
  kept: Readonly<Record<string, string>>
  /** A version: what is kept, and `savedVersion` of the contract. */
  schema: z.ZodType<Version>
  /** How many of them are listed. */
  most: number
}>

/**
 * The former states of a record without a draft, in a table of their own. They never change. Each save that changes the record
 * must `store` it.
 */
export function savedVersions<Version>({ table, versions, of, kept, schema, most }: Options<Version>) {
  const columns = sql.join(Object.values(kept).map((column) => sql.ref(column)))
  const fields = Object.entries(kept).map(
    ([field, column]) => sql`${sql.ref(column)} as ${sql.raw(`"${field}"`)}`,
  )
  const select = sql`select version, created_by as "by", ${instant(sql`created_at`)} as at, ${sql.join(fields)}
    from ${sql.table(versions)}`
  return {
    /** Stores a record as it is now, with who changed it last and when. One that wasn't changed has its version already. */
    async store(db: Database, id: string): Promise<void> {
      await sql`insert into ${sql.table(versions)} (${sql.ref(of)}, version, ${columns}, created_at, created_by)
        select id, version, ${columns}, updated_at, updated_by from ${sql.table(table)} where id = ${id}
        on conflict do nothing`.execute(db)
    },
    /** The newest ones, the last first. */
    async list(db: Database, id: string): Promise<Version[]> {
      const { rows } =
        await sql`${select} where ${sql.ref(of)} = ${id} order by version desc limit ${most}`.execute(db)
      return schema.array().parse(rows)
    },
    /** @throws Failure 404 */
    async read(db: Database, id: string, version: number): Promise<Version> {
      const { rows } = await sql`${select} where ${sql.ref(of)} = ${id} and version = ${version}`.execute(db)
      if (rows[0] === undefined) throw notFound('Version')
      return schema.parse(rows[0])
    },
  }
}
