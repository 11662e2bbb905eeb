import { sql } from 'kysely'
import { ruleKindLabel } from '#server/database/rule-names.ts'
import type { Database } from '#server/database/tenant-transaction.ts'

/** A row in the log, by database column name. */
export type Image = Readonly<Record<string, unknown>> | null
/** The names of records that an entry refers to, by column and ID. */
export type Names = ReadonlyMap<string, string>

type Reference = { column: string; target: string }

/** Reads the names behind the IDs of an entry. Foreign keys say what they refer to. `seesCost`: the reader sees the names of price rules on costs. */
export async function readNames(
  db: Database,
  {
    customerId,
    table,
    images,
    seesCost,
  }: { customerId: string; table: string; images: readonly Image[]; seesCost: boolean },
): Promise<Names> {
  const { rows: references } = await sql<Reference>`
    select a.attname as column, c.confrelid::regclass::text as target
    from pg_constraint c join pg_attribute a on a.attrelid = c.conrelid and a.attnum = c.conkey[2]
    where c.contype = 'f' and cardinality(c.conkey) = 2 and c.conrelid = to_regclass(${table})`.execute(db)
  const names = new Map<string, string>()
  for (const { column, target } of references) {
    const ids = images.flatMap((image) => {
      const id = image?.[column]
      return typeof id === 'number' || typeof id === 'string' ? [String(id)] : []
    })
    if (ids.length === 0) continue
    const { rows } = await sql<{ id: string; name: string | null }>`
      select t.id::text, coalesce(
        case when not ${seesCost} and r ->> 'is_on_costs' = 'true' then ${ruleKindLabel(sql`r ->> 'kind'`)} end, r ->> 'name', nullif(concat_ws(' ', r ->> 'first_name', r ->> 'last_name'), ''),
        r ->> 'title', r ->> 'subject', nullif(concat_ws(' ', r ->> 'year', r ->> 'make', r ->> 'model'), '')) as name
      from ${sql.table(target)} t, to_jsonb(t) r
      where t.customer_id = ${customerId} and t.id::text = any(${ids})`.execute(db)
    for (const { id, name } of rows) if (name !== null) names.set(`${column} ${id}`, name)
  }
  return names
}
