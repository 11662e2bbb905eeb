import { sql, type Expression, type RawBuilder, type SqlBool } from 'kysely'

/**
 * "This text contains what was searched", without case. What the person typed is text: % and _ are not wildcards.
 * @param columns the columns to look in; null counts as empty.
 */
export function contains(columns: readonly Expression<unknown>[], search: string): RawBuilder<SqlBool> {
  return sql<SqlBool>`concat_ws(' ', ${sql.join([...columns])}) ilike ${containing(search)}`
}

/** The pattern of LIKE that looks for a text as it is written, anywhere. */
export function containing(search: string): string {
  return `%${search.replace(/[\\%_]/g, '\\$&')}%`
}
