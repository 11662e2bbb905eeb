import { sql, type Expression, type RawBuilder, type SqlBool } from 'kysely'

/**
 * A condition that the columns contain the search text, ignoring case. The text is literal: % and _ are not wildcards.
 * @param columns the columns to search. Null counts as empty.
 */
export function contains(columns: readonly Expression<unknown>[], search: string): RawBuilder<SqlBool> {
  return sql<SqlBool>`concat_ws(' ', ${sql.join([...columns])}) ilike ${containing(search)}`
}

/** A LIKE pattern that matches the literal text anywhere. */
export function containing(search: string): string {
  return `%${search.replace(/[\\%_]/g, '\\$&')}%`
}
