import { sql, type RawBuilder } from 'kysely'
import { fieldsOf } from '#contract/lists/list.ts'
import type { Database } from '#server/database/tenant-transaction.ts'
import type { Member } from '#server/http/actor.ts'
import { JsonText } from '#server/http/json-text.ts'
import { keepStatements } from './kept-statements.ts'
import type { ListSource } from './list-source.ts'
import { executeFiltered, filteredFrom, pageSql, type PageOf, type PageSql } from './read-list.ts'

type ListOf<Row> = { filteredRows: number; totalRows: number; results: Row[] }

/** A moment in ISO 8601, UTC, as every other answer has it: our connections speak UTC. */
// The colons are quoted for pgbench, which runs our statements to compare: it takes :MI for a variable.
export function instant(moment: RawBuilder<unknown>): RawBuilder<string> {
  return sql<string>`to_char(${moment}, 'YYYY-MM-DD"T"HH24":"MI":"SS.MS"Z"')`
}

const keep = keepStatements()
/** What a rule says of the time is written into its statement. */
const TELLS_THE_TIME = /\b(now|today|daysAgo)\b/

/**
 * One page with both counts, the rows as JSON text made by PostgreSQL: one statement, and nothing is read into objects
 * and written again on the way. For lists that are hot; the tests check each answer against the contract.
 * @param columns what stands after `select`, each under the name it has in the contract, over the source's tables.
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
  const query = shape === null ? build(actor, offset) : keep(shape, { actor, offset }, build)
  const { rows } = await executeFiltered<Found>(db, actor, input, query, { isAlone: true })
  const [found] = rows
  if (found === undefined) throw new Error('A list without an answer.')
  const { filteredRows, totalRows, results } = found
  return new JsonText(
    `{"filteredRows":${filteredRows ?? filteredFrom(input, totalRows)},"totalRows":${totalRows},"results":${results}}`,
  )
}

type Found = { filteredRows: number | null; totalRows: number; results: string }

function pageText<Field extends string>(
  { ids, filteredRows, totalRows }: PageSql,
  source: ListSource<Field>,
  actor: Member,
  columns: RawBuilder<unknown>,
): RawBuilder<Found> {
  return sql<Found>`select ${filteredRows} as filtered_rows, ${totalRows} as total_rows,
    (select coalesce(json_agg(r), '[]')::text from (
      select ${columns} from unnest(array(${ids})) with ordinality as page (id, place)
      join ${source.from} on ${source.within(actor)} and ${source.id} = page.id order by page.place) r) as results`
}

/** What makes two statements the same but for the customer and how far back the page is; null: not worth keeping. */
function shapeOf<Field extends string>(
  { list, shape }: ListSource<Field>,
  actor: Member,
  { page, pageSize, sort, search, filter, counted }: PageOf<Field>,
): string | null {
  if (search?.trim() || TELLS_THE_TIME.test(filter ?? '')) return null
  const seen = fieldsOf(list, actor.may).flatMap(([id, { needs }]) => (needs === undefined ? [] : [id]))
  const { reach, isPlatformStaff, timeZone } = actor
  return JSON.stringify([
    list.key,
    shape,
    page === 1,
    counted === undefined,
    pageSize,
    sort,
    filter,
    seen,
    reach,
    isPlatformStaff,
    timeZone,
  ])
}
