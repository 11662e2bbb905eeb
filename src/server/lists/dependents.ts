// What a deletion takes away besides the record itself, so that an undo brings all of it back: rows of other tables that
// PostgreSQL deletes with it, and references to it that PostgreSQL sets to null. Which there are follows from the foreign keys.
import { type RawBuilder, sql } from 'kysely'
import { z } from 'zod'
import { acquireAdvisoryLock } from '#server/database/advisory-lock.ts'
import type { Database } from '#server/database/tenant-transaction.ts'
import { insertAgain } from './insert-again.ts'
import { type Link, linkAgain, type LostLinks } from './link-again.ts'
import { findUnnamed } from './read-loose-references.ts'

/** Kept for each deleted record; without a row, nothing can bring it back. */
const Dependents = z.object({
  /** Deleted rows as JSON text, by table. Text, because numbers of JavaScript have fewer digits. */
  rows: z.record(z.string(), z.array(z.string())),
  /** IDs of the rows that pointed to what was deleted, by "table.column" and the ID they pointed to; null: too many. */
  links: z.record(z.string(), z.record(z.string(), z.array(z.string()).nullable())),
  /** What the record itself is to point to when it is back, by column: its target came back before it. */
  own: z.record(z.string(), z.string()).optional(),
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

/**
 * Stores what depends on records, before they are deleted in a way that can be undone.
 * @param ids locked records of `table`, in snake case like all tables here
 */
export async function keepDependents(db: Database, scope: Scope, ids: readonly string[]): Promise<void> {
  if (ids.length === 0) return
  const found = new Map<string, Dependents>(ids.map((id) => [id, { rows: {}, links: {} }]))
  await collect(db, scope, { owners: new Map(ids.map((id) => [id, id])), found })
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

type Restored = Readonly<{
  /** The IDs of the records that are there, also of those that an earlier undo had added. */
  there: ReadonlySet<string>
  /** What could not be brought back with them, in words, by the ID of the record. */
  lost: ReadonlyMap<string, string>
}>

/**
 * Adds deleted records again with their IDs, what was deleted with them, and references from and to them. What someone changed
 * since stays as it is. A reference between two deleted records is set when the second one is back, in whichever order.
 * @param insert inserts the records of a JSON array
 */
export async function bringBack(
  db: Database,
  of: Scope,
  records: readonly Readonly<{ id: string; image: string }>[],
  insert: (images: RawBuilder<unknown>) => Promise<unknown>,
): Promise<Restored> {
  // Two records that point to each other may come back at the same time.
  await acquireAdvisoryLock(db, `restored records of ${of.customerId}`)
  const { dangling } = await insertAgain(db, of, records, insert)
  const { rows } = await sql<{ id: string }>`select id::text from ${sql.table(of.table)}
    where customer_id = ${of.customerId} and id = any(${records.map(({ id }) => id)}::bigint[])`.execute(db)
  const there = new Set(rows.map(({ id }) => id))
  const links = dangling.flatMap(({ row, ...link }) =>
    there.has(row.id) ? [{ ...link, owner: row.id, table: of.table }] : [],
  )
  const unnamed = await findUnnamed(db, of, there)
  return { there, lost: await restoreDependents(db, of, { ids: [...there], links, unnamed }) }
}

async function restoreDependents(
  db: Database,
  { table, customerId }: Scope,
  {
    ids,
    links: dangling,
    unnamed,
  }: { ids: readonly string[]; links: readonly Link[]; unnamed: Awaited<ReturnType<typeof findUnnamed>> },
): Promise<ReadonlyMap<string, string>> {
  const { rows } = await sql<{ id: string; dependents: unknown }>`
    select row_id::text as id, dependents from deleted_dependents
    where customer_id = ${customerId} and table_name = ${table} and row_id = any(${[...ids]}::bigint[])`.execute(
    db,
  )
  const kept = rows.map(({ id, dependents }) => ({ owner: id, ...Dependents.parse(dependents) }))
  const lost: Lost = new Map()
  const links = [...dangling]
  links.push(...(await ownLinks(db, table, kept)))
  await putBack(db, { table, customerId }, { kept, links, lost, done: new Set() })
  for (const { row, target } of unnamed) lostOf(lost, row).gone.add(target.replace(/s$/, ''))
  noteLinks(lost, await linkAgain(db, customerId, links))
  const whole = kept.flatMap(({ owner }) => (lost.has(owner) ? [] : [owner]))
  await sql`delete from deleted_dependents where customer_id = ${customerId} and table_name = ${table}
    and row_id = any(${whole}::bigint[])`.execute(db)
  await sql`update deleted_dependents set dependents = jsonb_set(dependents, '{rows}', '{}')
    where customer_id = ${customerId} and table_name = ${table} and row_id = any(${[...lost.keys()]}::bigint[])`.execute(
    db,
  )
  return new Map([...lost].map(([id, what]) => [id, describeLost(what)]))
}

/** What could not be brought back with a record: rows by table, and what it pointed to. */
type Lost = Map<string, { changed: Map<string, number>; gone: Set<string> }>
type StoredDependents = Readonly<{ owner: string }> & Dependents
type PuttingBack = Readonly<{
  kept: readonly StoredDependents[]
  /** Collects the references to set. */
  links: Link[]
  lost: Lost
  done: Set<string>
}>

/** Inserts deleted rows, and collects what pointed to them. */
async function putBack(db: Database, { table, customerId }: Scope, work: PuttingBack): Promise<void> {
  const { kept, links, lost, done } = work
  if (done.has(table)) return
  done.add(table)
  // oxlint-disable no-await-in-loop
  for (const { table: from, column, isCascade } of await findReferences(db, table)) {
    const of = { table: from, customerId }
    if (isCascade) {
      const images = kept.flatMap(({ owner, rows }) => (rows[from] ?? []).map((image) => ({ owner, image })))
      if (images.length === 0) continue
      const columns = await storedColumns(db, from)
      const { left, dangling } = await insertAgain(db, of, images, (all) =>
        sql`insert into ${sql.table(from)} (${columns}) overriding system value
          select ${columns} from jsonb_populate_recordset(null::${sql.table(from)}, ${all}) on conflict do nothing`.execute(
          db,
        ),
      )
      for (const { owner } of left) lostOf(lost, owner).changed.set(from, countOf(lost, owner, from) + 1)
      links.push(...dangling.map(({ row, ...link }) => ({ ...link, owner: row.owner, table: from })))
      await putBack(db, of, work)
      continue
    }
    for (const { owner, links: all } of kept) {
      for (const [to, ids] of Object.entries(all[`${from}.${column}`] ?? {})) {
        if (ids === null) lostOf(lost, owner).changed.set(from, countOf(lost, owner, from) + MOST)
        else links.push(...ids.map((id) => ({ owner, table: from, column, id, target: table, to })))
      }
    }
  }
  // oxlint-enable no-await-in-loop
}

/** What restored records are to point to themselves. */
async function ownLinks(db: Database, table: string, kept: readonly StoredDependents[]): Promise<Link[]> {
  const own = kept.flatMap(({ owner, own: columns = {} }) =>
    Object.entries(columns).map(([column, to]) => ({ owner, id: owner, table, column, to })),
  )
  if (own.length === 0) return []
  const { rows } = await sql<{ column: string; target: string }>`
    select own.attname as "column", f.confrelid::regclass::text as target
    from pg_constraint f join pg_attribute own on own.attrelid = f.conrelid and own.attnum = f.confdelsetcols[1]
    where f.contype = 'f' and f.confdeltype = 'n' and f.conparentid = 0 and f.conrelid = ${table}::regclass`.execute(
    db,
  )
  const targets = new Map(rows.map(({ column, target }) => [column, target]))
  return own.flatMap((link) => {
    const target = targets.get(link.column)
    return target === undefined ? [] : [{ ...link, target }]
  })
}

/** The columns of a table that are stored as they are given. */
async function storedColumns(db: Database, table: string): Promise<RawBuilder<unknown>> {
  const { rows } = await sql<{ name: string }>`
    select attname as name from pg_attribute where attrelid = ${table}::regclass and attnum > 0 and not attisdropped
      and attgenerated = '' order by attnum`.execute(db)
  return sql.join(rows.map(({ name }) => sql.ref(name)))
}

function lostOf(lost: Lost, owner: string) {
  const what = lost.get(owner) ?? { changed: new Map<string, number>(), gone: new Set<string>() }
  lost.set(owner, what)
  return what
}

const countOf = (lost: Lost, owner: string, table: string): number => lost.get(owner)?.changed.get(table) ?? 0

function noteLinks(lost: Lost, { changed, gone }: LostLinks): void {
  for (const { owner, table } of changed)
    lostOf(lost, owner).changed.set(table, countOf(lost, owner, table) + 1)
  for (const { owner, column } of gone) lostOf(lost, owner).gone.add(column.replace(/_id$/, ''))
}

function describeLost({
  changed,
  gone,
}: {
  changed: ReadonlyMap<string, number>
  gone: ReadonlySet<string>
}) {
  const tables = [...changed].map(
    ([table, count]) =>
      `${table.replaceAll('_', ' ').replace('urls', 'URLs')} (${count.toLocaleString('en')})`,
  )
  const targets = [...gone].map((column) => column.replaceAll('_', ' '))
  // Pages name a form by its address.
  const fate = gone.has('form') ? 'deleted for good, or got another address,' : 'deleted for good'
  return [
    ...(targets.length > 0
      ? [
          `It is back, but its ${LIST.format(targets)} ${targets.length === 1 ? 'was' : 'were'} ${fate} in the meantime.`,
        ]
      : []),
    ...(tables.length > 0
      ? [`It is back, but these were changed in the meantime and stay as they are: ${tables.join(', ')}.`]
      : []),
  ].join(' ')
}

const LIST = new Intl.ListFormat('en')
