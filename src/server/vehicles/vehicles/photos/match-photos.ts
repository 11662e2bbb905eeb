import { sql } from 'kysely'
import type { Returned } from '#contract/endpoint.ts'
import { readPhotoName } from '#contract/vehicles/vehicles/photos/photo-names.ts'
import type { PhotoVehicle, vehiclePhotos } from '#contract/vehicles/vehicles/photos/vehicle-photos.ts'
import type { Database } from '#server/database/tenant-transaction.ts'
import type { Member } from '#server/http/actor.ts'
import { isInStock, isOutOfStock } from '../stock-status.ts'

/** Maximum number of matching vehicles per file name. */
const MAX_MATCHES = 20

/** Matches file names to the caller's vehicles. A VIN match takes precedence over a stock number match. */
export async function matchNames(
  db: Database,
  actor: Member,
  names: readonly string[],
): Promise<Returned<typeof vehiclePhotos.match>> {
  const keys = names.flatMap((name, at) => readPhotoName(name).keys.map((key) => ({ at, key })))
  const { rows } = await sql<PhotoVehicle & { at: number }>`
    with keys as (select * from json_to_recordset(${JSON.stringify(keys)}::json) as a(at integer, key text)),
    matched as (
      select a.at, v.id, 1 as way from keys a join vehicles v on v.customer_id = ${actor.customerId}
        and v.vin = upper(a.key) and ${isInStock('v')}
      union all
      select a.at, v.id, 2 from keys a join vehicles v on v.customer_id = ${actor.customerId}
        and v.stock_key = lower(a.key) and ${isInStock('v')}
      union all
      select a.at, v.id, 3 from keys a join vehicles v on v.customer_id = ${actor.customerId}
        and v.vin = upper(a.key) and ${isOutOfStock('v')}
      union all
      select a.at, v.id, 4 from keys a join vehicles v on v.customer_id = ${actor.customerId}
        and v.stock_key = lower(a.key) and ${isOutOfStock('v')}
    ), first as (
      select distinct m.at, m.id from matched m
      where m.way = (select min(o.way) from matched o where o.at = m.at)
    ), few as (select f.*, row_number() over (partition by f.at order by f.id desc) as number from first f)
    select f.at, v.id::text, concat_ws(' ', v.year, v.make, v.model, v.trim) as name, v.stock, v.vin,
      l.name as "lotName", v.status, v.photo_count as "photoCount"
    from few f
    join vehicles v on v.customer_id = ${actor.customerId} and v.id = f.id
    join lots l on l.customer_id = v.customer_id and l.organization_id = v.organization_id and l.id = v.lot_id
    where f.number <= ${MAX_MATCHES} order by f.at, l.name, v.id`.execute(db)
  const vehicles = new Map(rows.map(({ at: _at, ...vehicle }) => [vehicle.id, vehicle]))
  const matched = Map.groupBy(rows, ({ at }) => at)
  return {
    vehicles: [...vehicles.values()],
    matches: names.map((name, at) => ({ name, vehicleIds: (matched.get(at) ?? []).map(({ id }) => id) })),
  }
}
