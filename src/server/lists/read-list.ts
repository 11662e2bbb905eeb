import { sql, type CompiledQuery, type QueryResult, type RawBuilder, type SqlBool } from 'kysely'
import { fieldsOf } from '#contract/lists/list.ts'
import { readSort, type SortTerm } from '#contract/queried-list.ts'
import { isTooSlow } from '#server/database/faults.ts'
import { executeWith, type Database } from '#server/database/tenant-transaction.ts'
import type { Member } from '#server/http/actor.ts'
import { refused } from '#server/http/failure.ts'
import { limitConcurrency } from './in-turn.ts'
import type { ListSource } from './list-source.ts'
import { orderOf } from './order-of.ts'
import { ruleOf } from './rule-of.ts'

/** What narrows a list down. */
export type Narrowing = { search?: string | undefined; filter?: string | undefined }
export type PageOf<Field extends string> = Narrowing & {
  page: number
  pageSize: number
  sort?: readonly SortTerm<Field>[] | undefined
  /** How many rows matched when they were last counted: they are not counted again. */
  counted?: number | undefined
}
/** The rows of one page by their numbers, in order, and how many there are. */
export type Page = { ids: string[]; filteredRows: number; totalRows: number }

/** Whether words or a rule leave rows out. */
export function isFilteredList({ search, filter }: Narrowing): boolean {
  return Boolean(search?.trim() || filter?.trim())
}

/**
 * The rows of a list that somebody reaches and that match the words and the rule.
 * @throws Failure 400 on `filter`, with the place, when the rule cannot be read by this person.
 */
export function matching<Field extends string>(
  source: ListSource<Field>,
  actor: Member,
  narrowing: Narrowing,
): RawBuilder<SqlBool> {
  return narrow(source, actor, narrowing).isMatch
}

/** As above, and whether it asks for more than the source's own table. */
function narrow<Field extends string>(
  source: ListSource<Field>,
  actor: Member,
  { search, filter }: Narrowing,
): { isMatch: RawBuilder<SqlBool>; joins: boolean } {
  const words = search?.trim() ?? ''
  const rule = filter?.trim() ? ruleOf(source, actor, filter) : null
  const conditions = [
    source.within(actor),
    ...(words === '' ? [] : [source.search(words, actor)]),
    ...(rule === null ? [] : [rule.isMatch]),
  ]
  return {
    isMatch: sql.join<SqlBool>(conditions, sql` and `),
    joins: (words !== '' && source.searchJoins === true) || rule?.joins === true,
  }
}

/** How many rows match, as a value: without the joins that nothing asks for. @throws as `matching` */
export function countMatching<Field extends string>(
  source: ListSource<Field>,
  actor: Member,
  narrowing: Narrowing,
): RawBuilder<number> {
  const { isMatch, joins } = narrow(source, actor, narrowing)
  return countOf(joins ? source.from : (source.table ?? source.from), isMatch)
}

/**
 * The numbers of one page's rows and both exact counts, in one statement. The rows are read by these numbers, so that a
 * page far back costs no more than its numbers.
 * @throws Failure 400 when the rule or a sort is none of this person's.
 */
export async function readPage<Field extends string>(
  db: Database,
  actor: Member,
  source: ListSource<Field>,
  input: PageOf<Field>,
): Promise<Page> {
  const { ids, filteredRows, totalRows } = pageSql(source, actor, input)
  const query = sql<Omit<Page, 'filteredRows'> & { filteredRows: number | null }>`
    select array(${ids}) as ids, ${filteredRows} as filtered_rows, ${totalRows} as total_rows`.compile(db)
  const { rows } = await executeFiltered(db, actor, input, query, {})
  const [found = { ids: [], filteredRows: 0, totalRows: 0 }] = rows
  return { ...found, filteredRows: found.filteredRows ?? filteredFrom(input, found.totalRows) }
}

/** What stands for a count that the statement did not make. */
export function filteredFrom(input: Narrowing & { counted?: number | undefined }, totalRows: number): number {
  return isFilteredList(input) ? (input.counted ?? totalRows) : totalRows
}

/**
 * Runs the statement of a list. Narrowed, it is planned anew, takes its turn among the person's others, and where it
 * takes too long the answer says what narrows it.
 */
export async function executeFiltered<R>(
  db: Database,
  actor: Pick<Member, 'effectiveCustomerId' | 'effectiveUserId'>,
  narrowing: Narrowing,
  query: CompiledQuery<R>,
  manner: { isAlone?: boolean },
): Promise<QueryResult<R>> {
  if (!isFilteredList(narrowing)) return executeWith(db, query, manner)
  try {
    return await limitConcurrency(actor, () => executeWith(db, query, { ...manner, usesCustomPlan: true }))
  } catch (error) {
    if (!isTooSlow(error)) throw error
    const field = narrowing.filter?.trim() ? 'filter' : 'search'
    throw refused('The list took too long.', {
      [field]: 'This takes too long over so many rows. Narrow it down by something that fewer rows have.',
    })
  }
}

export type PageSql = Record<'ids' | 'filteredRows' | 'totalRows', RawBuilder<unknown>>

/**
 * A page in parts, for one statement: the numbers as a query, the counts as values. `filteredRows` is null where one count
 * serves, or where they were counted before: `filteredFrom`.
 * @param offset how many rows stand before the page, where it is not the first.
 */
export function pageSql<Field extends string>(
  source: ListSource<Field>,
  actor: Member,
  input: PageOf<Field>,
  offset: unknown = (input.page - 1) * input.pageSize,
): PageSql {
  const { isMatch, joins } = narrow(source, actor, input)
  const terms = sortTerms(source, actor, input.sort)
  const table = source.table ?? source.from
  const matched = joins ? source.from : table
  const ordered = terms.some(({ field }) => source.fields[field].joins) ? source.from : matched
  // Written into the statement: the planner would guess a parameter to be a tenth of the table.
  const limit = sql.lit(input.pageSize)
  const behind = input.page === 1 ? sql`` : sql`offset ${offset}`
  return {
    ids: sql`select ${source.id} from ${ordered} where ${isMatch} order by ${orderOf(source, terms)} limit ${limit} ${behind}`,
    filteredRows:
      isFilteredList(input) && input.counted === undefined ? countOf(matched, isMatch) : sql.lit(null),
    totalRows: source.total?.(actor) ?? countOf(table, source.within(actor)),
  }
}

function countOf(table: RawBuilder<unknown>, isMatch: RawBuilder<SqlBool>): RawBuilder<number> {
  return sql<number>`(select count(*)::int from ${table} where ${isMatch})`
}

/**
 * The terms a list is sorted by, its own when none were asked for.
 * @throws Failure 400 for a field that is not there for this person, as for one that is not there at all.
 */
export function sortTerms<Field extends string>(
  { list }: ListSource<Field>,
  actor: Member,
  wanted: readonly SortTerm<Field>[] | undefined,
): readonly SortTerm<Field>[] {
  const terms = wanted === undefined || wanted.length === 0 ? readSort(list, list.sort) : wanted
  if (typeof terms === 'string') throw new Error(`${list.key}: ${terms}`)
  const own = fieldsOf(list, actor.may)
  const unknown = terms.find(({ field }) => !own.some(([id]) => id === field))
  if (unknown === undefined) return terms
  const sortable = own.flatMap(([id, field]) => (field.isSortable ? [id] : []))
  throw refused('Some fields are not right.', {
    sort: `Cannot sort by ${unknown.field}. Use ${sortable.join(', ')}.`,
  })
}

/** "This row is one of these": for reading the rows of a page. */
export function isOneOf(source: ListSource, ids: readonly string[]): RawBuilder<SqlBool> {
  return sql<SqlBool>`${source.id} = any(${ids}::bigint[])`
}

/** Rows in the order of their numbers; what was removed in between is left out. */
export function inOrder<Row extends { id: string }>(ids: readonly string[], rows: readonly Row[]): Row[] {
  const byId = new Map(rows.map((row) => [row.id, row]))
  return ids.flatMap((id) => byId.get(id) ?? [])
}
