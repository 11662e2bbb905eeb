import { sql, type CompiledQuery, type QueryResult, type RawBuilder, type SqlBool } from 'kysely'
import { fieldsOf } from '#contract/lists/list.ts'
import { readSort, type SortTerm } from '#contract/queried-list.ts'
import { isTooSlow } from '#server/database/faults.ts'
import { executeWith, type Database } from '#server/database/tenant-transaction.ts'
import type { Member } from '#server/http/actor.ts'
import { refused, tooMany } from '#server/http/failure.ts'
import { makeFairShare } from '#server/threads/fair-share.ts'
import type { ListSource } from './list-source.ts'
import { orderOf } from './order-of.ts'
import { ruleOf } from './rule-of.ts'

/** Search text and filter rule of a list. */
export type Narrowing = { search?: string | undefined; filter?: string | undefined }
export type PageOf<Field extends string> = Narrowing & {
  page: number
  pageSize: number
  sort?: readonly SortTerm<Field>[] | undefined
  /** The number of matching rows from an earlier page, to avoid counting again. */
  counted?: number | undefined
}
/** The row IDs of one page, in order, and the counts. */
export type Page = { ids: string[]; filteredRows: number; totalRows: number }

/** Whether a search or a rule applies. */
export function isFilteredList({ search, filter }: Narrowing): boolean {
  return Boolean(search?.trim() || filter?.trim())
}

/**
 * The condition for rows within reach that match the search and the rule.
 * @throws Failure 400 on `filter`, with the position, if the rule is not valid for this user.
 */
export function matching<Field extends string>(
  source: ListSource<Field>,
  actor: Member,
  narrowing: Narrowing,
): RawBuilder<SqlBool> {
  return narrow(source, actor, narrowing).isMatch
}

/** Like `matching`, and whether the condition needs the joined tables. */
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

/** The number of matching rows as a scalar subquery, without unneeded joins. @throws like `matching` */
export function countMatching<Field extends string>(
  source: ListSource<Field>,
  actor: Member,
  narrowing: Narrowing,
): RawBuilder<number> {
  const { isMatch, joins } = narrow(source, actor, narrowing)
  return countOf(joins ? source.from : (source.table ?? source.from), isMatch)
}

/**
 * The row IDs of one page and both exact counts, in one statement. The rows are then read by ID, so a page far back costs
 * no more than reading its IDs.
 * @throws Failure 400 if the rule or a sort term is not valid for this user.
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

/** The filtered count if the statement did not compute it. */
export function filteredFrom(input: Narrowing & { counted?: number | undefined }, totalRows: number): number {
  return isFilteredList(input) ? (input.counted ?? totalRows) : totalRows
}

/** A user's slow statements have half of the connections in the request pool. The rest wait without a connection. */
const inPlace = makeFairShare({
  placesEach: 6,
  mostWaiting: 50,
  full: () => tooMany('You have too many lists loading. Try again in a few seconds.', 5),
})

/**
 * Runs a list statement. A filtered one gets a custom plan and counts against the user's concurrency limit. If it times
 * out, the error names the filter or search.
 */
export async function executeFiltered<R>(
  db: Database,
  actor: Pick<Member, 'effectiveCustomerId' | 'effectiveUserId'>,
  narrowing: Narrowing,
  query: CompiledQuery<R>,
  options: { endsTransaction?: boolean },
): Promise<QueryResult<R>> {
  if (!isFilteredList(narrowing)) return executeWith(db, query, options)
  try {
    const user = `${actor.effectiveCustomerId} ${actor.effectiveUserId}`
    return await inPlace(user, () => executeWith(db, query, { ...options, usesCustomPlan: true }))
  } catch (error) {
    if (!isTooSlow(error)) throw error
    const field = narrowing.filter?.trim() ? 'filter' : 'search'
    throw refused('The list took too long.', {
      [field]: 'This takes too long with this many rows. Use a more specific condition.',
    })
  }
}

export type PageSql = Record<'ids' | 'filteredRows' | 'totalRows', RawBuilder<unknown>>

/**
 * The parts of a page query: the IDs as a query and the counts as values. `filteredRows` is null if it equals `totalRows`
 * or was counted before: see `filteredFrom`.
 * @param offset the number of rows before the page, unless it is the first.
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
  // A literal: for a parameter, the planner would assume a tenth of the table.
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
 * The requested sort terms, or the list's default.
 * @throws Failure 400 for a field that does not exist or is hidden from this user.
 */
export function sortTerms<Field extends string>(
  { list }: ListSource<Field>,
  actor: Member,
  requested: readonly SortTerm<Field>[] | undefined,
): readonly SortTerm<Field>[] {
  const terms = requested === undefined || requested.length === 0 ? readSort(list, list.sort) : requested
  if (typeof terms === 'string') throw new Error(`${list.key}: ${terms}`)
  const own = fieldsOf(list, actor.may)
  const unknown = terms.find(({ field }) => !own.some(([id]) => id === field))
  if (unknown === undefined) return terms
  const sortable = own.flatMap(([id, field]) => (field.isSortable ? [id] : []))
  throw refused('Some fields are invalid.', {
    sort: `Cannot sort by ${unknown.field}. Use ${sortable.join(', ')}.`,
  })
}

/** A condition that the row is one of these, for reading the rows of a page. */
export function isOneOf(source: ListSource, ids: readonly string[]): RawBuilder<SqlBool> {
  return sql<SqlBool>`${source.id} = any(${ids}::bigint[])`
}

/** Rows in the order of the IDs. Rows deleted in the meantime are skipped. */
export function inOrder<Row extends { id: string }>(ids: readonly string[], rows: readonly Row[]): Row[] {
  const byId = new Map(rows.map((row) => [row.id, row]))
  return ids.flatMap((id) => byId.get(id) ?? [])
}
