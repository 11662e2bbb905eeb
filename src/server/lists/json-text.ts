import { sql, type RawBuilder } from 'kysely'
import type { Database } from '#server/database/tenant-transaction.ts'
import type { Member } from '#server/http/actor.ts'
import { JsonText } from '#server/http/json-text.ts'
import { makeStatementCache } from './statement-cache.ts'
import type { ListSource } from './list-source.ts'
import { executeFiltered, filteredFrom, pageSql, type PageOf, type PageSql } from './read-list.ts'

type ListOf<Row> = { filteredRows: number; totalRows: number; results: Row[] }

/** A timestamp in ISO 8601, UTC, as in every other response. Our connections use UTC. */
// The colons are quoted for pgbench, which benchmarks our statements: it would take :MI for a variable.
export function instant(moment: RawBuilder<unknown>): RawBuilder<string> {
  return sql<string>`to_char(${moment}, 'YYYY-MM-DD"T"HH24":"MI":"SS.MS"Z"')`
}

const cached = makeStatementCache()
/** The current time in a rule becomes part of its statement, which then cannot be cached. */
const USES_CURRENT_TIME = /\b(now|today|daysAgo)\b/

/**
 * One page with both counts, in one statement. PostgreSQL writes the rows as JSON, so they are not parsed into objects and
 * serialized again. For frequently used lists. The tests validate each response against the contract.
 * @param columns the select list over the source's tables, with the names of the contract. It depends on the given user only: the
 * statement is used for other users with the same permissions.
 */
export async function readPageText<Row, Field extends string>(
  db: Database,
  actor: Member,
  source: ListSource<Field>,
  input: PageOf<Field>,
  columns: (actor: Member) => RawBuilder<unknown>,
): Promise<JsonText<ListOf<Row>>> {
  const build = (by: Member, before: number | string) =>
    pageText(pageSql(source, by, input, before), source, by, columns(by)).compile(db)
  const offset = (input.page - 1) * input.pageSize
  const shape = shapeOf(source, actor, input)
  const query = shape === null ? build(actor, offset) : cached(shape, { actor, offset }, build)
  const { rows } = await executeFiltered<PageText>(db, actor, input, query, { endsTransaction: true })
  const [found] = rows
  if (found === undefined) throw new Error('The list query returned no row.')
  const { filteredRows, totalRows, results } = found
  return new JsonText(
    `{"filteredRows":${filteredRows ?? filteredFrom(input, totalRows)},"totalRows":${totalRows},"results":${results}}`,
  )
}

type PageText = { filteredRows: number | null; totalRows: number; results: string }

function pageText<Field extends string>(
  { ids, filteredRows, totalRows }: PageSql,
  source: ListSource<Field>,
  actor: Member,
  columns: RawBuilder<unknown>,
): RawBuilder<PageText> {
  return sql<PageText>`select ${filteredRows} as filtered_rows, ${totalRows} as total_rows,
    (select coalesce(json_agg(r), '[]')::text from (
      select ${columns} from unnest(array(${ids})) with ordinality as page (id, place)
      join ${source.from} on ${source.within(actor)} and ${source.id} = page.id order by page.place) r) as results`
}

/** A key for statements that differ only in customer, page offset and permissions. Null if the statement should not be cached. */
function shapeOf<Field extends string>(
  { list, shape }: ListSource<Field>,
  actor: Member,
  { page, pageSize, sort, search, filter, counted }: PageOf<Field>,
): string | null {
  if (search?.trim() || USES_CURRENT_TIME.test(filter ?? '')) return null
  const { reach, isPlatformStaff, timeZone } = actor
  return JSON.stringify([
    list.key,
    shape,
    page === 1,
    counted === undefined,
    pageSize,
    sort,
    filter,
    reach,
    isPlatformStaff,
    timeZone,
  ])
}
