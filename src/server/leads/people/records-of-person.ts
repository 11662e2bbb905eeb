import { sql, type RawBuilder } from 'kysely'

/**
 * SQL for the IDs of all rows in `people` that are one person: the row it is shown with, and those merged into it. To be used
 * as `= any (...)`: as an array, these IDs are looked up in an index even where PostgreSQL has no statistics yet. As a join
 * over `coalesce(merged_into_id, id)`, every lead of the customer was read for each lead that came in.
 * @param person the ID of the row that the person is shown with, as a value or as SQL such as `p.id`.
 */
export const recordsOfPerson = (person: string | RawBuilder<unknown>): RawBuilder<unknown> =>
  sql`array(select x.id from people x where x.id = ${person} union all select x.id from people x where x.merged_into_id = ${person})`
