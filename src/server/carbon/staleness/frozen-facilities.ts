import { sql, type RawBuilder } from 'kysely'

/**
 * Facilities `f` of the sources `s`, to be joined: of a frozen inventory with the code, the name and the opening days that they
 * had when it was approved, or else with those of today.
 */
export const FACILITIES_OF_SOURCES = facilitiesOf(sql`s`)

/** The same for other rows with customer_id, inventory_id and facility_id. */
export function facilitiesOf(rows: RawBuilder<unknown>): RawBuilder<unknown> {
  return sql`cross join lateral (
    select g.id, coalesce(n.code, g.code) as code, coalesce(n.name, g.name) as name,
      case when n.facility_id is null then g.opened_on else n.opened_on end as opened_on,
      case when n.facility_id is null then g.closed_on else n.closed_on end as closed_on
    from facilities g left join inventory_facility_snapshots n on n.customer_id = g.customer_id
      and n.inventory_id = ${rows}.inventory_id and n.facility_id = g.id
    where g.customer_id = ${rows}.customer_id and g.id = ${rows}.facility_id) f`
}
