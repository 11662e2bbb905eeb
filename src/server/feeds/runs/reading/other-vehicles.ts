import { sql } from 'kysely'
import type { Database } from '#server/database/tenant-transaction.ts'
import { isInStock } from '#server/vehicles/index.ts'
import { findVehicles, type FoundVehicle } from './find-vehicles.ts'
import { isSameNumber } from '#contract/feeds/mappings/read-vehicle-value.ts'
import type { AskedVehicles } from './import-stats.ts'
import type { ComparedRow, Staging } from './staging.ts'

/**
 * A vehicle in stock that a row without a match may be for: `otherLot` with its VIN on another lot, `otherStock` with only its stock
 * number there, `sameStock` with its stock number on the lot of the row and another VIN.
 */
export type OtherVehicle = {
  place: number
  lotId: string
  lot: string
  title: string | null
  vin: string | null
  /** Its own stock number. */
  stock: string | null
  kind: Extract<AskedVehicles, 'otherLot' | 'otherStock' | 'sameStock'>
}

/** "2021 Ford Escape (A12)" */
export const nameOf = (title: string, stock: string | null): string =>
  stock === null || title === stock ? title : `${title} (${stock})`

/**
 * Vehicles in stock on other lots with the VINs of rows that match none on their own; without a VIN, with their stock numbers,
 * unless year or make differ, or two feeds list them; and vehicles of the lot with the stock number of the row and another VIN. Adding
 * such a row may make a second vehicle.
 */
export async function findOthers(
  db: Database,
  { customerId, sourceId, answers }: Staging,
  rows: readonly ComparedRow[],
): Promise<ReadonlyMap<number, OtherVehicle>> {
  const wanted = rows.flatMap(({ place, lotId, vin, stock, row: { values } }) => {
    if (vin === null && (stock === null || answers.otherStock === 'add')) return []
    const { year = null, make = null } = values
    return [{ place, lotId, vin, stock: stock?.toLowerCase() ?? null, year, make }]
  })
  if (wanted.length === 0) return new Map()
  const { rows: found } = await sql<OtherVehicle>`
    with w as materialized (
      select * from json_to_recordset(${JSON.stringify(wanted)}::json)
        as r(place integer, "lotId" bigint, vin text, stock text, year smallint, make text)
    ), found as (
      select w.place, v.id, v.lot_id, v.vin, v.stock, nullif(concat_ws(' ', v.year, v.make, v.model, v.trim), '') as title, case
        when w.vin is null then 'otherStock' when v.vin = w.vin then 'otherLot' else 'sameStock' end as kind
      from w join vehicles v on v.customer_id = ${customerId} and (v.vin = w.vin or v.stock_key = w.stock) and ${isInStock('v')}
        and case
          when w.vin is null then (${sourceId}::bigint is null or v.feed_source_id is null)
            and coalesce(w.year = v.year, true) and coalesce(lower(w.make) = lower(v.make), true)
          else v.vin = w.vin or (v.vin is not null and v.lot_id = w."lotId") end
    )
    select distinct on (f.place) f.place, l.id as lot_id, l.name as lot, f.title, f.vin, f.stock, f.kind
    from found f join lots l on l.customer_id = ${customerId} and l.id = f.lot_id
    order by f.place, f.kind, f.id`.execute(db)
  return new Map(found.map((one) => [one.place, one]))
}

/** The vehicles in stock whose stock numbers rows give to other vehicles, in words. */
export async function findStockOwners(
  db: Database,
  { customerId }: Staging,
  { rows, found }: { rows: readonly ComparedRow[]; found: ReadonlyMap<number, FoundVehicle> },
): Promise<ReadonlyMap<number, string>> {
  const wanted = rows.flatMap(({ place, stock, lotId }) => {
    const vehicle = found.get(place)
    const own = vehicle?.now?.['stock']
    if (vehicle === undefined || vehicle.now === null || stock === null) return []
    if (typeof own === 'string' && isSameNumber(own, stock)) return []
    return [{ place, id: vehicle.id, lotId: lotId ?? vehicle.lotId, stock: stock.toLowerCase() }]
  })
  if (wanted.length === 0) return new Map()
  const { rows: owners } = await sql<{ place: number; title: string }>`
    with w as materialized (
      select * from json_to_recordset(${JSON.stringify(wanted)}::json) as r(place integer, id bigint, "lotId" bigint, stock text)
    )
    select distinct on (w.place) w.place, concat_ws(' ', v.year, v.make, v.model, v.vin)
      || case when v.lot_id is distinct from w."lotId" then ' on ' || l.name else '' end as title
    from w join vehicles v on v.customer_id = ${customerId} and v.stock_key = w.stock and v.id <> w.id and ${isInStock('v')}
    left join lots l on l.customer_id = v.customer_id and l.id = v.lot_id
    order by w.place, (v.lot_id = w."lotId") desc, v.id`.execute(db)
  return new Map(owners.map(({ place, title }) => [place, title]))
}

/** How many zeros before a stock number a spreadsheet can have dropped. */
const MAX_ZEROS = 6

/** The stock numbers of vehicles in stock that rows have without their leading zeros. Only if a single vehicle fits. */
export async function findWithZeros(
  db: Database,
  { customerId, places }: Staging,
  rows: readonly ComparedRow[],
): Promise<ReadonlyMap<number, string>> {
  const wanted = rows.flatMap(({ place, vin, stock, lotId }) => {
    if (vin !== null || stock === null || !/^[1-9]\d*$/.test(stock)) return []
    return Array.from({ length: MAX_ZEROS }, (_one, at) => ({
      place,
      lotId,
      key: `${'0'.repeat(at + 1)}${stock}`,
    }))
  })
  if (wanted.length === 0) return new Map()
  const { rows: found } = await sql<{ place: number; stock: string }>`
    with w as materialized (
      select * from json_to_recordset(${JSON.stringify(wanted)}::json) as r(place integer, "lotId" bigint, key text)
    )
    select w.place, min(v.stock) as stock from w join vehicles v on v.customer_id = ${customerId} and v.stock_key = w.key and ${isInStock('v')}
      and v.lot_id = any(${[...places.ids]}::bigint[]) and coalesce(v.lot_id = w."lotId", true)
    group by w.place having count(*) = 1`.execute(db)
  return new Map(found.map(({ place, stock }) => [place, stock]))
}

/** The vehicles of rows that a person wants to move to the lot of their row, or to have the VIN of it. */
export async function findAnswered(
  db: Database,
  staging: Staging,
  { rows, others }: { rows: readonly ComparedRow[]; others: ReadonlyMap<number, OtherVehicle> },
): Promise<Map<number, FoundVehicle>> {
  const queries = rows.flatMap(({ place, vin, stock, rowFingerprint, lotId }) => {
    const other = others.get(place)
    if (other === undefined || lotId === null) return []
    const answer = staging.answers[other.kind]
    if (answer !== 'move' && answer !== 'same') return []
    return [
      {
        place,
        lotId: other.lotId,
        vin: other.kind === 'sameStock' ? null : vin,
        stock,
        rowFingerprint,
        fingerprint: null,
        isAnywhere: false,
        isByStock: false,
      },
    ]
  })
  return queries.length === 0
    ? new Map()
    : findVehicles(db, { ...staging, lotIds: staging.places.ids }, queries)
}
