import { sql, type RawBuilder } from 'kysely'

/**
 * SQL for a common table expression `lot_minutes (lot_id, zone, minute)`: the time zone of each lot of the customer, and its
 * wall clock as rules see it, `2026-11-24T09:30`; see `lot_minute()` in migrations/0099. Once per lot, because a time zone
 * costs more than all other columns of a vehicle.
 */
export function lotMinutes(customerId: string): RawBuilder<unknown> {
  return sql`lot_minutes as materialized (
    select z.id as lot_id, z.zone, lot_minute(app_now(), z.zone) as minute from (
      select l.id, coalesce(l.time_zone, o.time_zone, 'UTC') as zone from lots l
      join organizations o on o.customer_id = l.customer_id and o.id = l.organization_id
      where l.customer_id = ${customerId}) z)`
}
