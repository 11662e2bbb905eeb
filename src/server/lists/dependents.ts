// What a deletion takes away besides the record itself, so that an undo brings all of it back: rows of other tables that
// PostgreSQL deletes with it, and references to it that PostgreSQL sets to null. Which there are follows from the foreign keys.
import { type RawBuilder, sql } from 'kysely'
import { z } from 'zod'
import type { Database } from '#server/database/tenant-transaction.ts'
import { insertAgain, keepWhatWorks } from './insert-again.ts'

const Dependents = z.object({
  /** Deleted rows as JSON text, by table. Text, because numbers of JavaScript have fewer digits. */
  rows: z.record(z.string(), z.array(z.string())),
  /** IDs of the rows that pointed to what was deleted, by "table.column" and the ID they pointed to; null: too many. */
  links: z.record(z.string(), z.record(z.string(), z.array(z.string()).nullable())),
})
type Dependents = z.infer<typeof Dependents>

/** A foreign key whose rows PostgreSQL deletes (`isCascade`) or blanks. */
type Reference = Readonly<{ table: string; column: string; isCascade: boolean }>
type Scope = Readonly<{ table: string; customerId: string }>

/** More rows than this that point to one record keep no way back. */
const MOST = 100_000

/**
 * What PostgreSQL deletes or blanks when a row of `table` is deleted. Without what the caller's role can't write: triggers derive
 * it. `test/api/database/undo.test.ts` checks that nothing else is missing.
 */
export async function findReferences(db: Database, table: string): Promise<readonly Reference[]> {
  const { rows } = await sql<Reference>`
    select f.conrelid::regclass::text as "table", own.attname as "column", f.confdeltype = 'c' as is_cascade
    from pg_constraint f cross join lateral unnest(f.conkey, f.confkey) k (own, theirs)
    join pg_attribute own on own.attrelid = f.conrelid and own.attnum = k.own
    join pg_attribute theirs on theirs.attrelid = f.confrelid and theirs.attnum = k.theirs
    where f.contype = 'f' and f.confdeltype in ('c', 'n') and f.conparentid = 0 and f.confrelid = ${table}::regclass
      and theirs.attname = 'id' and case when f.confdeltype = 'c' then has_table_privilege(f.conrelid, 'insert')
        else has_column_privilege(f.conrelid, own.attnum, 'update') end
    order by 1, 2`.execute(db)
  return rows
}

/** Stores what depends on records, before they are deleted. @param ids locked records of `table`, in snake case like all tables here */
export async function keepDependents(db: Database, scope: Scope, ids: readonly string[]): Promise<void> {
  const found = new Map<string, Dependents>()
  await collect(db, scope, { owners: new Map(ids.map((id) => [id, id])), found })
  if (found.size === 0) return
  const kept = JSON.stringify([...found].map(([id, dependents]) => ({ id, dependents })))
  await sql`insert into deleted_dependents (customer_id, table_name, row_id, dependents)
    select ${scope.customerId}, ${scope.table}, k.id, k.dependents
    from jsonb_to_recordset(${kept}::jsonb) as k (id bigint, dependents jsonb)
    on conflict (customer_id, table_name, row_id)
    do update set dependents = excluded.dependents, deleted_at = excluded.deleted_at`.execute(db)
}

type Collecting = Readonly<{
  /** The record that each row is deleted with, by the row's ID. */
  owners: ReadonlyMap<string, string>
  found: Map<string, Dependents>
}>

async function collect(db: Database, { table, customerId }: Scope, { owners, found }: Collecting) {
  const of = (id: string): Dependents => {
    const owner = owners.get(id) ?? id
    const dependents = found.get(owner) ?? { rows: {}, links: {} }
    found.set(owner, dependents)
    return dependents
  }
  // One table after the other: all are on the connection of the transaction.
  // oxlint-disable no-await-in-loop
  for (const { table: from, column, isCascade } of await findReferences(db, table)) {
    const at = sql.ref(`f.${column}`)
    const pointing = sql`${sql.table(from)} f
      where f.customer_id = ${customerId} and ${at} = any(${[...owners.keys()]}::bigint[])`
    if (isCascade) {
      const { rows } = await sql<{ to: string; image: string; id: string | null }>`
        select ${at}::text as "to", to_jsonb(f)::text as image, to_jsonb(f) ->> 'id' as id from ${pointing}`.execute(
        db,
      )
      for (const { to, image } of rows) (of(to).rows[from] ??= []).push(image)
      const owned = rows.flatMap(({ to, id }) => (id === null ? [] : [[id, owners.get(to) ?? to] as const]))
      if (owned.length > 0) await collect(db, { table: from, customerId }, { owners: new Map(owned), found })
      continue
    }
    const { rows } = await sql<{ to: string; ids: string[] | null }>`
      select ${at}::text as "to", case when count(*) <= ${MOST} then array_agg(f.id::text order by f.id) end as ids
      from ${pointing} group by 1`.execute(db)
    for (const { to, ids } of rows) (of(to).links[`${from}.${column}`] ??= {})[to] = ids
  }
  // oxlint-enable no-await-in-loop
}

/**
 * Brings back what was deleted or blanked with records that are there again. What someone changed since stays as it is, and can
 * be pointed to the record again by another undo.
 * @returns what could not be brought back, in words, by the ID of the record
 */
export async function restoreDependents(
  db: Database,
  { table, customerId }: Scope,
  ids: readonly string[],
): Promise<ReadonlyMap<string, string>> {
  const { rows } = await sql<{ id: string; dependents: unknown }>`
    select row_id::text as id, dependents from deleted_dependents
    where customer_id = ${customerId} and table_name = ${table} and row_id = any(${[...ids]}::bigint[])`.execute(
    db,
  )
  const kept = rows.map(({ id, dependents }) => ({ owner: id, ...Dependents.parse(dependents) }))
  const lost: Lost = new Map()
  if (kept.length === 0) return new Map()
  await putBack(db, { table, customerId }, { kept, lost, done: new Set() })
  const whole = kept.flatMap(({ owner }) => (lost.has(owner) ? [] : [owner]))
  await sql`delete from deleted_dependents where customer_id = ${customerId} and table_name = ${table}
    and row_id = any(${whole}::bigint[])`.execute(db)
  await sql`update deleted_dependents set dependents = jsonb_set(dependents, '{rows}', '{}')
    where customer_id = ${customerId} and table_name = ${table} and row_id = any(${[...lost.keys()]}::bigint[])`.execute(
    db,
  )
  return new Map([...lost].map(([id, counts]) => [id, describeLost(counts)]))
}

/** How many rows of each table could not be brought back, by record. */
type Lost = Map<string, Map<string, number>>
type StoredDependents = Readonly<{ owner: string }> & Dependents
type PuttingBack = Readonly<{ kept: readonly StoredDependents[]; lost: Lost; done: Set<string> }>

async function putBack(db: Database, { table, customerId }: Scope, work: PuttingBack): Promise<void> {
  const { kept, lost, done } = work
  if (done.has(table)) return
  done.add(table)
  // oxlint-disable no-await-in-loop
  for (const { table: from, column, isCascade } of await findReferences(db, table)) {
    const of = { table: from, customerId }
    if (isCascade) {
      const images = kept.flatMap(({ owner, rows }) => (rows[from] ?? []).map((image) => ({ owner, image })))
      if (images.length === 0) continue
      const columns = await storedColumns(db, from)
      const left = await insertAgain(db, of, images, (all) =>
        sql`insert into ${sql.table(from)} (${columns}) overriding system value
          select ${columns} from jsonb_populate_recordset(null::${sql.table(from)}, ${all}) on conflict do nothing`.execute(
          db,
        ),
      )
      for (const { owner } of left) note(lost, { owner, table: from, count: 1 })
      await putBack(db, of, work)
      continue
    }
    const links = kept.flatMap(({ owner, links: all }) =>
      Object.entries(all[`${from}.${column}`] ?? {}).map(([to, pointing]) => ({ owner, to, pointing })),
    )
    for (const { owner, count } of await pointAgain(db, { ...of, column }, links))
      note(lost, { owner, table: from, count })
  }
  // oxlint-enable no-await-in-loop
}

type Links = readonly Readonly<{ owner: string; to: string; pointing: readonly string[] | null }>[]

/** Points rows to restored records again, unless someone has given them another one since. @returns the rows that have */
async function pointAgain(
  db: Database,
  { table, customerId, column }: Scope & { column: string },
  links: Links,
): Promise<{ owner: string; count: number }[]> {
  const pairs = links.flatMap(({ owner, to, pointing }) => (pointing ?? []).map((id) => ({ owner, id, to })))
  const tooMany = links.flatMap(({ owner, pointing }) => (pointing === null ? [{ owner, count: MOST }] : []))
  if (pairs.length === 0) return tooMany
  const here = sql.table(table)
  const at = sql.ref(`f.${column}`)
  const given = (some: unknown) =>
    sql`jsonb_to_recordset(${JSON.stringify(some)}::jsonb) as p (id bigint, "to" bigint, owner text)
      where f.customer_id = ${customerId} and f.id = p.id`
  await keepWhatWorks(db, pairs, (some) =>
    sql`update ${here} as f set ${sql.ref(column)} = p."to" from ${given(some)} and ${at} is null`.execute(
      db,
    ),
  )
  const { rows } = await sql<{ owner: string; count: number }>`
    select p.owner, count(*)::int as count from ${here} as f, ${given(pairs)}
      and ${at} is distinct from p."to" group by 1`.execute(db)
  return [...tooMany, ...rows]
}

/** The columns of a table that are stored as they are given. */
async function storedColumns(db: Database, table: string): Promise<RawBuilder<unknown>> {
  const { rows } = await sql<{ name: string }>`
    select attname as name from pg_attribute where attrelid = ${table}::regclass and attnum > 0 and not attisdropped
      and attgenerated = '' order by attnum`.execute(db)
  return sql.join(rows.map(({ name }) => sql.ref(name)))
}

function note(lost: Lost, { owner, table, count }: { owner: string; table: string; count: number }): void {
  const counts = lost.get(owner) ?? new Map<string, number>()
  lost.set(owner, counts.set(table, (counts.get(table) ?? 0) + count))
}

function describeLost(counts: ReadonlyMap<string, number>): string {
  const parts = [...counts].map(
    ([table, count]) =>
      `${table.replaceAll('_', ' ').replace('urls', 'URLs')} (${count.toLocaleString('en')})`,
  )
  return `It is back, but these were changed in the meantime and stay as they are: ${parts.join(', ')}.`
}
