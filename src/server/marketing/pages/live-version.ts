import { type RawBuilder, sql, type SqlBool } from 'kysely'

/**
 * The version of a page that its visitors see, as a lateral join named `live`: the newest that has started and was not
 * taken from the site. Needs the customer as
 * `c`. `isOver`: its last day is over. Nothing but the rows decides, so a schedule needs no work in the background.
 */
export function liveOf(page: string): { live: RawBuilder<unknown>; isOver: RawBuilder<SqlBool> } {
  const of = (column: string) => sql.ref(`${page}.${column}`)
  return {
    live: sql`(select v.number, v.title, v.description, v.blocks, v.ends_on, v.published_at from promo_page_versions v
      where v.customer_id = ${of('customer_id')} and v.page_id = ${of('id')} and v.number <= ${of('published_number')}
        and v.number > ${of('withdrawn_through')} and (v.starts_on is null or v.starts_on <= today(c.time_zone))
      order by v.number desc limit 1)`,
    isOver: sql<SqlBool>`live.ends_on < today(c.time_zone)`,
  }
}

const { live, isOver } = liveOf('p')

/** What decides whether visitors see a page `p`, to be joined to it: its customer `c`, its lot `own` and its `live` version. */
export const shownJoins = sql`join customers c on c.id = p.customer_id
  left join lots own on own.customer_id = p.customer_id and own.id = p.lot_id
  left join lateral ${live} live on true`
/** The page of a lot that buyers don't see isn't there. */
export const isThere = sql<boolean>`(p.lot_id is null or own.is_visible)`
/** Needs `shownJoins`. */
export const isShown = sql<boolean>`${isThere} and p.withdrawn_at is null and live.number is not null and not coalesce(${isOver}, false)`
