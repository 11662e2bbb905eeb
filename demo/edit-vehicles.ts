import { sql } from 'kysely'
import type { Database } from '#server/database/tenant-transaction.ts'
import type { DemoVehicle } from './demo-vehicle.ts'

/** A user's edit to a vehicle, with its time. */
export type ByHand = Readonly<{ lotId: string; vehicle: DemoVehicle; at: Date }>

/**
 * Edits vehicles from a feed like users do: photos, tags, sold or on hold, and corrected values, which are then locked.
 * Vehicles are removed only by their feed.
 */
export async function editVehicles(
  db: Database,
  { customerId, person }: { customerId: string; person: string },
  work: readonly ByHand[],
): Promise<void> {
  const rows = work.map(({ lotId, vehicle, at }) => {
    const { stock, status, statusReason, photos, tags, locked, inStockOn, custom } = vehicle
    const { priceCents, description, color, trim, interiorColor } = vehicle
    const isRemoved = status === 'removed'
    const written = [...locked, ...(photos.length > 0 ? ['photos'] : []), ...Object.keys(custom)]
    return {
      lotId,
      stock,
      photos,
      tags,
      custom,
      locked,
      priceCents,
      description,
      color,
      trim,
      interiorColor,
      status: isRemoved ? 'live' : status,
      statusReason: isRemoved ? null : statusReason,
      // The import uses the date of the file if a vehicle has no in-stock date.
      isOnItsWay: inStockOn === null,
      written,
      at: at.toISOString(),
    }
  })
  // Bulk photo uploads leave no audit log entry per vehicle.
  const isSmall = ({ status, locked }: (typeof rows)[number]): boolean =>
    status === 'live' && locked.length === 0
  await write(
    db,
    { customerId, person },
    rows.filter((row) => !isSmall(row)),
  )
  await sql`alter table vehicles disable trigger audit`.execute(db)
  await write(db, { customerId, person }, rows.filter(isSmall))
  await sql`alter table vehicles enable trigger audit`.execute(db)
}

async function write(
  db: Database,
  { customerId, person }: { customerId: string; person: string },
  rows: readonly object[],
): Promise<void> {
  await sql`
    update vehicles v set status = h.status, status_reason = h."statusReason", photos = h.photos, tags = h.tags, custom = h.custom,
      price_cents = case when 'price' = any(h.locked) then h."priceCents" else v.price_cents end,
      description = case when 'description' = any(h.locked) then h.description else v.description end,
      color = case when 'color' = any(h.locked) then h.color else v.color end,
      trim = case when 'trim' = any(h.locked) then h.trim else v.trim end,
      interior_color = case when 'interiorColor' = any(h.locked) then h."interiorColor" else v.interior_color end,
      in_stock_on = case when h."isOnItsWay" then null else v.in_stock_on end,
      locked = h.locked,
      -- As after every manual edit, the next feed run compares the whole row.
      row_fingerprint = case when h.locked = '{}' then v.row_fingerprint end,
      provenance = stamp_fields(
        case when h."isOnItsWay" then stamps_of(v.provenance, array(
          select f from jsonb_array_elements(v.provenance) s, jsonb_array_elements_text(s -> 'fields') f where f <> 'inStockOn'))
        else v.provenance end,
        h.written, jsonb_build_object('source', 'user', 'by', ${person}::text, 'at', h.at))
    from json_to_recordset(${JSON.stringify(rows)}::json) as h("lotId" bigint, stock text, status text, "statusReason" text,
      photos jsonb, tags text[], custom jsonb, locked text[], "priceCents" bigint, description text, color text, trim text,
      "interiorColor" text, "isOnItsWay" boolean, written text[], at text)
    where v.customer_id = ${customerId} and v.lot_id = h."lotId" and v.stock_key = lower(h.stock)`.execute(db)
}
