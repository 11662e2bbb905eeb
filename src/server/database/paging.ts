import { sql, type Expression, type RawBuilder, type SqlBool } from 'kysely'
import type { SortTerm } from '#contract/queried-list.ts'

/**
 * "This text contains what was searched", without case. What the person typed is text: % and _ are not wildcards.
 * @param columns the columns to look in; null counts as empty.
 */
export function contains(columns: readonly Expression<unknown>[], search: string): RawBuilder<SqlBool> {
  const pattern = `%${search.replace(/[\\%_]/g, '\\$&')}%`
  return sql<SqlBool>`concat_ws(' ', ${sql.join([...columns])}) ilike ${pattern}`
}

/** The sort terms of a query as SQL, with `id` last so that pages never overlap. Texts sort without case. */
export function orderBy<Field extends string>(
  terms: readonly SortTerm<Field>[],
  columns: Readonly<Record<Field, RawBuilder<unknown>>>,
  id: RawBuilder<unknown>,
): RawBuilder<unknown> {
  const parts = terms.map(({ field, descending }) =>
    descending ? sql`${columns[field]} desc nulls last` : sql`${columns[field]} asc nulls last`,
  )
  return sql.join([...parts, sql`${id} asc`])
}
