import { type RawBuilder, sql } from 'kysely'

/** For `with`: a facility and what it belongs to, as `chain (id, depth)`; the facility itself has depth 0. */
export const chainOf = (id: RawBuilder<unknown>): RawBuilder<unknown> =>
  sql`recursive chain(id, depth) as (select ${id}, 0 union all
    select f.parent_id, c.depth + 1 from facilities f join chain c on c.id = f.id where f.parent_id is not null and c.depth < 20)`

/** The country of the nearest of them that has one, in `from chain c join facilities f on f.id = c.id`. */
export const NEAREST_COUNTRY = sql`(array_agg(f.country order by c.depth) filter (where f.country is not null))[1]`
