// What a deletion blanks in other tables, so that an undo can put it back.
import { sql } from 'kysely'
import { z } from 'zod'
import type { Database } from '#server/database/tenant-transaction.ts'
import { snakeCase } from './column-map.ts'

/** IDs of the rows that pointed to a deleted record, by "table.column". */
const Links = z.record(z.string(), z.array(z.string()))
type Links = z.infer<typeof Links>

type LinkColumn = Readonly<{ table: string; column: string }>

/** More rows than this keep no way back: a lot isn't deleted and restored with all leads of a decade. */
const MOST = 20_000

/** The columns that PostgreSQL blanks when a record of `table` is deleted. */
async function findColumns(db: Database, table: string): Promise<readonly LinkColumn[]> {
  const { rows } = await sql<LinkColumn>`
    select f.conrelid::regclass::text as "table", a.attname as "column"
    from pg_constraint f join pg_attribute a on a.attrelid = f.conrelid and a.attnum = f.confdelsetcols[1]
    where f.contype = 'f' and f.confdeltype = 'n' and f.confrelid = ${snakeCase(table)}::regclass and f.conparentid = 0
      and exists (select from pg_attribute i where i.attrelid = f.conrelid and i.attname = 'id' and not i.attisdropped)
    order by 1, 2`.execute(db)
  return rows
}

type Scope = Readonly<{ table: string; customerId: string }>

/** Reads what points to records that are about to be deleted, by record ID. @param ids locked records of `table` */
export async function readLinks(
  db: Database,
  { table, customerId }: Scope,
  ids: readonly string[],
): Promise<ReadonlyMap<string, Links>> {
  const found = new Map<string, Links>()
  for (const { table: from, column } of await findColumns(db, table)) {
    const at = sql.ref(column)
    // One table after the other: all are on the connection of the transaction.
    // oxlint-disable-next-line no-await-in-loop
    const { rows } = await sql<{ id: string; to: string }>`
      select id::text, ${at}::text as "to" from ${sql.table(from)}
      where customer_id = ${customerId} and ${at} = any(${[...ids]}::bigint[]) limit ${MOST + 1}`.execute(db)
    if (rows.length > MOST) continue
    for (const { id, to } of rows) {
      const links = found.get(to) ?? {}
      found.set(to, { ...links, [`${from}.${column}`]: [...(links[`${from}.${column}`] ?? []), id] })
    }
  }
  return found
}

/** Points rows to restored records again, unless someone has given them another one since. */
export async function restoreLinks(
  db: Database,
  { table, customerId }: Scope,
  links: ReadonlyMap<string, Links>,
): Promise<void> {
  if (links.size === 0) return
  for (const { table: from, column } of await findColumns(db, table)) {
    const pairs = [...links].flatMap(([to, byColumn]) =>
      (byColumn[`${from}.${column}`] ?? []).map((id) => ({ id, to })),
    )
    if (pairs.length === 0) continue
    const at = sql.ref(column)
    // oxlint-disable-next-line no-await-in-loop
    await sql`update ${sql.table(from)} as f set ${at} = p."to"
      from jsonb_to_recordset(${JSON.stringify(pairs)}::jsonb) as p (id bigint, "to" bigint)
      where f.customer_id = ${customerId} and f.id = p.id and f.${at} is null`.execute(db)
  }
}

/** The links that were stored with deleted records, of those that are there again. */
export function linksIn(
  rows: readonly Readonly<{ id: string; before: Readonly<Record<string, unknown>> }>[],
  there: ReadonlySet<string>,
): ReadonlyMap<string, Links> {
  return new Map(
    rows.flatMap(({ id, before }): [string, Links][] => {
      const links = Links.safeParse(before['links'])
      return there.has(id) && links.success ? [[id, links.data]] : []
    }),
  )
}
