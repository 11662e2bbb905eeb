import type { RawBuilder, SqlBool } from 'kysely'
import type { List } from '#contract/lists/list.ts'
import type { Database } from '#server/database/tenant-transaction.ts'
import type { Member } from '#server/http/actor.ts'

/** One field of a list in SQL. */
export type FieldSql = Readonly<{
  /**
   * The value that rules compare, in the field's own type: text, text[], bigint (reference), bigint[] (references), integer,
   * numeric (decimal), bigint cents (money), date, timestamptz, boolean. Null means missing.
   */
  value: RawBuilder<unknown>
  /** The displayed value, such as the name for an ID. */
  shown?: RawBuilder<unknown>
  /** The sort key, if neither of the two is suitable. */
  order?: RawBuilder<unknown>
  /** `order` sorts in the opposite direction of the field: an age and its start date. */
  isOrderReversed?: true
  /** Which part needs the joined tables: the whole field, or only the sort key. */
  joins?: 'value' | 'order'
  /** For `choice`: conditions that select the rows with a value, if an index can answer them but not `value`. */
  choices?: Readonly<Record<string, RawBuilder<SqlBool>>>
  /** The field is never null, so one index works in both directions. */
  isNeverNull?: true
}>

/**
 * A list in SQL, with everything needed to page, count, filter, search, sort, export and bulk edit it. Every domain
 * defines one for each of its lists. app.ts passes them to the features that work on any list.
 */
export type ListSource<Field extends string = string> = Readonly<{
  list: List<Field>
  /** The `from` clause: the table and its joins. Joins never add or remove rows. */
  from: RawBuilder<unknown>
  /** The table without joins, for queries that don't need them and may use an index only. */
  table?: RawBuilder<unknown>
  /** The rows within reach. Repeats the customer condition of row level security, so that the index is used. */
  within: (actor: Member) => RawBuilder<SqlBool>
  /** The row's ID and title. */
  id: RawBuilder<string>
  title: RawBuilder<string>
  fields: Readonly<Record<Field, FieldSql>>
  search: (text: string, actor: Member) => RawBuilder<SqlBool>
  /** The search needs the joined tables. */
  searchJoins?: true
  /** The number of rows within reach, if it is known without counting. */
  total?: (actor: Member) => RawBuilder<number>
  /** Adds the customer's custom fields. `shape` identifies the statements of the resulting source. */
  widen?: (db: Database, actor: Member, source: ListSource) => Promise<ListSource>
  shape?: string
  /** The list spans all customers and is read by identity, so features within one tenant do not apply. */
  isAcrossCustomers?: true
}>

/** The source with the customer's custom fields, if the list supports them. */
export async function widened(db: Database, actor: Member, source: ListSource): Promise<ListSource> {
  return source.widen === undefined ? source : source.widen(db, actor, source)
}
