import type { RawBuilder, SqlBool } from 'kysely'
import type { List } from '#contract/lists/list.ts'
import type { Database } from '#server/database/tenant-transaction.ts'
import type { Member } from '#server/http/actor.ts'

/** One field of a list in SQL. */
export type FieldSql = Readonly<{
  /**
   * What rules compare, in the field's own type: text, text[], bigint (reference), bigint[] (references), integer,
   * numeric (decimal), bigint cents (money), date, timestamptz, boolean. Null is "missing".
   */
  value: RawBuilder<unknown>
  /** What people read in its place: the name behind a number. */
  shown?: RawBuilder<unknown>
  /** What rows are ordered by where neither of the two would do. */
  order?: RawBuilder<unknown>
  /** `order` falls where the field rises: an age beside its birthday. */
  isOrderReversed?: true
  /** What of it is made of the tables that the first is joined to: all of it, or only what rows are ordered by. */
  joins?: 'value' | 'order'
  /** It is never missing, so that one index serves both directions. */
  isAlwaysThere?: true
}>

/**
 * A list in SQL: what is needed to page, count, filter, search, sort, export and change it in bulk. Every domain makes
 * one for each of its lists and app.ts hands them all to what works on any list.
 */
export type ListSource<Field extends string = string> = Readonly<{
  list: List<Field>
  /** What stands after `from`: the table with what it is joined to. Joins never add or take away rows. */
  from: RawBuilder<unknown>
  /** The table alone: where nothing asks for what it is joined to, an index may answer without it. */
  table?: RawBuilder<unknown>
  /** The customer named once more, beside row level security, so that the index serves. */
  within: (actor: Member) => RawBuilder<SqlBool>
  /** The row's number, and what the row is called. */
  id: RawBuilder<string>
  title: RawBuilder<string>
  fields: Readonly<Record<Field, FieldSql>>
  search: (text: string, actor: Member) => RawBuilder<SqlBool>
  /** The search looks into the tables that the first is joined to. */
  searchJoins?: true
  /** How many rows somebody reaches, where that is known without counting them. */
  total?: (actor: Member) => RawBuilder<number>
  /** The same with the fields that a customer added to it, and the text by which statements of such sources differ. */
  widen?: (db: Database, actor: Member, source: ListSource) => Promise<ListSource>
  shape?: string
  /** Its rows are of every customer and read by identity: what works inside one tenant leaves it alone. */
  isAcrossCustomers?: true
}>

/** A list as somebody's customer has it: with the fields it added, where the list takes any. */
export async function widened(db: Database, actor: Member, source: ListSource): Promise<ListSource> {
  return source.widen === undefined ? source : source.widen(db, actor, source)
}
