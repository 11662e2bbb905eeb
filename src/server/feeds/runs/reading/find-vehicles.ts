import { type RawBuilder, sql } from 'kysely'
import type { Database } from '#server/database/tenant-transaction.ts'
import { isInStock, isOutOfStock } from '#server/vehicles/index.ts'
import { endedStatuses } from '../ended-statuses.ts'
import { asFields } from './vehicle-columns.ts'

/** The identifiers of a row. */
export type VehicleQuery = {
  place: number
  lotId: string | null
  vin: string | null
  stock: string | null
  rowFingerprint: string
  /** Of rows without a VIN: what tells the vehicles of one lot with their stock number apart. */
  year?: unknown
  make?: unknown
  /** Whether a VIN may be found on any lot of the run, if it is on one lot only: for rows that name no lot. */
  isAnywhere: boolean
  /** Whether the stock number may be, too. */
  isByStock: boolean
  /** Of rows without VIN and stock number: what else tells their vehicle from others; null if nothing does. */
  fingerprint: Fingerprint | null
}

/** Recognizes a vehicle without VIN and stock number: by its page or, if one of the two has none, by mileage and color. */
export type Fingerprint = {
  year: unknown
  make: unknown
  model: unknown
  pageUrl: unknown
  mileage: unknown
  color: unknown
}

export type FoundVehicle = {
  place: number
  id: string
  lotId: string
  vin: string | null
  status: string
  statusReason: string | null
  rowFingerprint: string | null
  missingRuns: number
  feedSourceId: string | null
  locked: string[]
  /** The fields whose values a feed gave. */
  feedFields: string[]
  /** What the source sent as its price: last, and when the price was set. 0: none; null: not known. */
  sourcePriceCents: number | null
  seenSourcePriceCents: number | null
  /** Its values by field name; null if the row has not changed since it was last applied. */
  now: Record<string, unknown> | null
  /** For a row without a VIN: all vehicles in stock on this lot with its stock number that its year and make allow. */
  namesakes: { id: string; title: string }[] | null
}

/** SQL: neither year nor make of a row `w` and a vehicle differ. */
const fits = (vehicle: 'f' | 't'): RawBuilder<boolean> => {
  const [year, make] = [sql.ref(`${vehicle}.year`), sql.ref(`${vehicle}.make`)]
  return sql<boolean>`(coalesce(w.row_year = ${year}, true) and coalesce(w.row_make = lower(${make}), true))`
}

/**
 * Finds the vehicles of rows: by VIN on the row's lot, then by VIN on any lot with the same source, then by stock number on the
 * lot, then by fingerprint. By stock number, a row without a VIN finds a vehicle in stock first, and of those one without a VIN. Vehicles in stock come
 * first. A sold vehicle matches only while its feed has listed it without a break; after that the same VIN is a new stay.
 */
export async function findVehicles(
  db: Database,
  {
    customerId,
    sourceId,
    lotIds,
  }: { customerId: string; sourceId: string | null; lotIds: readonly string[] },
  queries: readonly VehicleQuery[],
): Promise<Map<number, FoundVehicle>> {
  // With row-level security an index is only used for plain comparisons, so the stock key is computed first. A lot filled a
  // moment ago looks empty in the statistics and would be scanned for each row: `is not distinct from` avoids the index by lot.
  const { rows } = await sql<FoundVehicle>`
    with w as materialized (
      select r.place, r."lotId", r.vin, lower(r.stock) as stock_key, r."rowFingerprint", r."isAnywhere", r."isByStock", r.fingerprint is not null as has_identity,
        r.year as row_year, lower(r.make) as row_make, (r.fingerprint ->> 'year')::smallint as year, r.fingerprint ->> 'make' as make, r.fingerprint ->> 'model' as model,
        r.fingerprint ->> 'pageUrl' as page_url, (r.fingerprint ->> 'mileage')::integer as mileage, r.fingerprint ->> 'color' as color
      from json_to_recordset(${JSON.stringify(queries)}::json)
        as r(place integer, "lotId" bigint, vin text, stock text, "rowFingerprint" text,
          "isAnywhere" boolean, "isByStock" boolean, year smallint, make text, fingerprint jsonb)
    )
    select w.place, v.id, v.lot_id, v.vin, v.status, v.status_reason, v.row_fingerprint, v.missing_runs, v.feed_source_id, v.locked,
      array(select f from jsonb_array_elements(v.provenance) s cross join lateral jsonb_array_elements_text(s -> 'fields') f
        where s ->> 'source' = 'feed') as feed_fields,
      v.source_price_cents::float8 as source_price_cents, v.seen_source_price_cents::float8 as seen_source_price_cents,
      case when v.row_fingerprint is distinct from w."rowFingerprint" then ${asFields} end as now,
      case when w.vin is null and w.stock_key is not null then (
        select json_agg(json_build_object('id', t.id::text, 'title', concat_ws(' ', t.year, t.make, t.model, t.vin)) order by t.id)
        from vehicles t where t.customer_id = ${customerId} and t.stock_key = w.stock_key and t.lot_id = v.lot_id and ${isInStock('t')}
          and ${fits('t')}) end as namesakes
    from w cross join lateral (
      select f.* from (
        select 1 as way, b.* from vehicles b where b.customer_id = ${customerId} and b.vin = w.vin
          and ${isInStock('b')}
        union all
        select 3, b.* from vehicles b where b.customer_id = ${customerId} and b.vin = w.vin
          and ${isOutOfStock('b')}
        union all
        select case when ${isOutOfStock('b')} then 4 else 2 end, b.*
        from vehicles b where b.customer_id = ${customerId} and b.stock_key = w.stock_key
          and b.lot_id is not distinct from w."lotId"
          and (w.vin is null or b.vin is null)
        union all
        select case when ${isOutOfStock('b')} then 8 else 7 end, b.*
        from vehicles b where w."isByStock" and b.customer_id = ${customerId} and b.stock_key = w.stock_key
          and (w.vin is null or b.vin is null)
        union all
        select case when ${isOutOfStock('b')} then 6 else 5 end, b.*
        from vehicles b where w.has_identity and b.customer_id = ${customerId} and b.lot_id = w."lotId" and b.vin is null
          and b.stock_key is null and b.year = w.year and b.make = w.make and b.model = w.model
          and (b.page_url = w.page_url or ((b.page_url is null or w.page_url is null)
            and b.mileage = w.mileage and b.color is not distinct from w.color))
      ) f
      where (f.lot_id = w."lotId" or f.feed_source_id = ${sourceId}::bigint
          or (w."isAnywhere" and f.vin = w.vin and f.lot_id = any(${[...lotIds]}::bigint[])
            and not exists (select from vehicles o where o.customer_id = ${customerId} and o.vin = w.vin
              and o.lot_id <> f.lot_id and ${isInStock('o')}))
          or (w."isByStock" and f.stock_key = w.stock_key and f.lot_id = any(${[...lotIds]}::bigint[])
            and not exists (select from vehicles o where o.customer_id = ${customerId} and o.stock_key = w.stock_key
              and o.lot_id <> f.lot_id and ${isInStock('o')})))
        and (f.status not in ${endedStatuses} or f.feed_source_id is null or f.missing_runs = 0)
      order by w.vin is null and ${isOutOfStock('f')}, (f.vin is null) = (w.vin is null) desc, f.way, w.vin is not null or ${fits('f')} desc, f.lot_id = w."lotId" desc nulls last, f.status = 'removed' desc, f.id desc limit 1
    ) v`.execute(db)
  return new Map(rows.map((row) => [row.place, row]))
}
