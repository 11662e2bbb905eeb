// What uses a record that is to be deleted, where no foreign key would keep it or say so.
import { type RawBuilder, sql } from 'kysely'
import { capitalize } from '#contract/capitalize.ts'
import type { Database } from '#server/database/tenant-transaction.ts'
import { conflict } from '#server/http/failure.ts'
import { findNaming } from './read-loose-references.ts'

/** Rows that refer to others by a foreign key: their nouns, and a query for `id`, which they name, and their own `name`. */
export type Use = Readonly<{ nouns: readonly [string, string]; from: RawBuilder<unknown> }>

export type Used = Readonly<{
  noun: string
  /** Its table, in snake case: what `LOOSE_REFERENCES` says of it. */
  table: string
  uses?: readonly Use[]
  /** Only what names it by this column, which isn't its ID. */
  key?: string
}>

const LIST = new Intl.ListFormat('en')

/** Names said per kind; more are counted. */
const MOST = 3

/**
 * Why records can't be deleted, by ID: "The feed source Nightly and the lead routing rules Parts, Trucks use this lot. Choose
 * something else there first." Row level security limits the names to what the caller reaches.
 */
export async function findUses(
  db: Database,
  { noun, table, uses = [], key }: Used,
  ids: readonly string[],
): Promise<ReadonlyMap<string, string>> {
  if (ids.length === 0) return new Map()
  // Who saves a reference holds the record (`holdRecords`).
  await sql`select from ${sql.table(table)} where id = any(${[...ids]}::bigint[]) order by id for update`.execute(
    db,
  )
  const rows = [...(await findReferring(db, uses, ids)), ...(await findNaming(db, { table, key }, ids))]
  return new Map(
    [...Map.groupBy(rows, ({ id }) => id)].map(([id, users]) => {
      const { text, total } = sumUp(users)
      const verb = total === 1 ? 'uses' : 'use'
      return [id, `${capitalize(text)} ${verb} this ${noun}. Choose something else there first.`] as const
    }),
  )
}

/** What uses records whose deletion it doesn't stop: "the promo page Trucks and the short URLs Mail, Print"; null if nothing does. */
export async function describeUses(
  db: Database,
  { table, uses = [] }: Pick<Used, 'table' | 'uses'>,
  ids: readonly string[],
): Promise<string | null> {
  const rows = [...(await findNaming(db, { table }, ids)), ...(await findReferring(db, uses, ids))]
  return rows.length === 0 ? null : sumUp(rows).text
}

type Naming = Readonly<{ nouns: readonly [string, string]; name: string }>

function sumUp(rows: readonly Naming[]): { text: string; total: number } {
  const kinds = [...Map.groupBy(rows, ({ nouns }) => nouns.join(' '))].map(([, some]) => ({
    nouns: some[0]?.nouns ?? (['', ''] as const),
    names: [...new Set(some.map(({ name }) => name))].toSorted((one, other) => one.localeCompare(other)),
  }))
  const text = LIST.format(kinds.map(({ nouns, names }) => describe(nouns, names)))
  return { text, total: kinds.flatMap(({ names }) => names).length }
}

async function findReferring(db: Database, uses: readonly Use[], ids: readonly string[]) {
  if (uses.length === 0) return []
  const kinds = uses.map(
    ({ from }, at) => sql`select ${at}::int as at, x.id::text as id, x.name from (${from}) x (id, name)
      where x.id = any(${[...ids]}::bigint[])`,
  )
  const { rows } = await sql<{ at: number; id: string; name: string }>`
    select at, id, name from (${sql.join(kinds, sql` union all `)}) u order by at`.execute(db)
  return rows.map(({ at, id, name }) => ({ id, name, nouns: uses[at]?.nouns ?? (['', ''] as const) }))
}

function describe([one, many]: readonly [string, string], names: readonly string[]): string {
  if (names.length === 1) return `the ${one} ${names.join('')}`
  const more = names.length - MOST
  return `the ${many} ${names.slice(0, MOST).join(', ')}${more > 0 ? ` (${more} more)` : ''}`
}

/** @throws Failure 409 that names what uses the record */
export async function requireUnused(db: Database, of: Used, id: string): Promise<void> {
  const reason = (await findUses(db, of, [id])).get(id)
  if (reason !== undefined) throw conflict(reason)
}
