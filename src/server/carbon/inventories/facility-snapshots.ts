import { sql } from 'kysely'
import type { InventoryFacility } from '#contract/carbon/inventories/assignments.ts'
import type { Database } from '#server/database/tenant-transaction.ts'

/** A facility of a frozen inventory, as it was when the inventory was approved. */
export type FacilitySnapshot = Pick<
  InventoryFacility,
  'id' | 'code' | 'name' | 'level' | 'type' | 'country' | 'spans'
>

/** The facilities of a frozen inventory by code; empty while it is open. */
export async function readFacilitySnapshots(db: Database, inventoryId: string): Promise<FacilitySnapshot[]> {
  const { rows } = await sql<FacilitySnapshot>`
    select facility_id::text as id, code, name, level, type, country, spans from inventory_facility_snapshots
    where inventory_id = ${inventoryId} order by code, facility_id`.execute(db)
  return rows
}

/** Stores the facilities of an inventory that is about to be frozen, with the names of their data owners. */
export async function saveFacilitySnapshots(
  db: Database,
  { id, organizationId }: { id: string; organizationId: string },
  facilities: readonly FacilitySnapshot[],
): Promise<void> {
  await deleteFacilitySnapshots(db, id)
  await sql`insert into inventory_facility_snapshots (organization_id, inventory_id, facility_id, code, name, level, type, country,
      opened_on, closed_on, spans, owners)
    select ${organizationId}::bigint, ${id}::bigint, x.id, x.code, x.name, x.level, x.type, x.country, f.opened_on, f.closed_on,
      x.spans, coalesce((select jsonb_object_agg(s.id, u.first_name || ' ' || u.last_name)
        from emission_sources s join users u on u.customer_id = s.customer_id and u.id = s.data_owner_id
        where s.customer_id = f.customer_id and s.inventory_id = ${id} and s.facility_id = f.id), '{}')
    from jsonb_to_recordset(${JSON.stringify(facilities)}::jsonb)
      as x(id bigint, code text, name text, level text, type text, country text, spans jsonb)
    join facilities f on f.id = x.id`.execute(db)
}

/** Deletes them once the inventory is open again. */
export async function deleteFacilitySnapshots(db: Database, inventoryId: string): Promise<void> {
  await db.deleteFrom('inventoryFacilitySnapshots').where('inventoryId', '=', inventoryId).execute()
}
