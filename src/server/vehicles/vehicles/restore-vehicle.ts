import { sql } from 'kysely'
import { z } from 'zod'
import type { vehicles } from '#contract/vehicles/vehicles/vehicles.ts'
import type { Database } from '#server/database/tenant-transaction.ts'
import type { Member } from '#server/http/actor.ts'
import { conflict, notFound } from '#server/http/failure.ts'
import type { Handlers } from '#server/http/serve.ts'
import { bringBack } from '#server/lists/dependents.ts'
import type { VehiclePrices } from './vehicle-prices.ts'
import { readVehicle } from './vehicles.ts'

/** All columns except generated ones. */
export const STORED_COLUMNS: readonly string[] = `
  customer_id id organization_id lot_id vin stock condition status status_reason year make model trim body color fuel
  transmission drivetrain mileage price_cents msrp_cents cost_cents in_stock_on version created_at updated_at updated_by
  doors generic_color interior_color engine electrification city_economy highway_economy wh_per_mile co2 options
  description invoice_cents feed_price_cents certification page_url photos provenance locked
  row_fingerprint feed_source_id missing_runs removed_from tags source_price_cents seen_source_price_cents
  market_price_cents market_price_source market_price_on book_value_cents book_value_source book_value_on custom`
  .trim()
  .split(/\s+/)

/** Defaults for columns that are missing in older audit entries. */
const EMPTY = { options: [], photos: [], provenance: [], locked: [], missing_runs: 0, tags: [], custom: {} }

/** All columns of a vehicle, by column name. */
export const VehicleRow = z.record(z.string(), z.unknown())
type VehicleRow = z.infer<typeof VehicleRow>

/** Restores a deleted vehicle from the audit log, with what was deleted with it and what pointed to it. */
export const makeVehicleRestoring = (prices: VehiclePrices): Pick<Handlers<typeof vehicles>, 'restore'> => ({
  async restore({ db, actor, input: { id } }) {
    const { rows } = await sql<{ before: unknown; operation: string }>`
      select a.before, a.operation from audit_log a
      where a.customer_id = ${actor.customerId} and a.table_name = 'vehicles' and a.row_id = ${id}
      order by a.at desc, a.id desc limit 1`.execute(db)
    const [last] = rows
    if (last?.operation !== 'delete') throw notFound('Deleted vehicle')
    const row = VehicleRow.parse(last.before)
    const { there } = await restoreVehicleRows(db, actor, [row])
    if (there.size === 0) throw conflict(await whyNotRestored(db, row))
    await prices.storePricesNow(db, actor, [id])
    return readVehicle(db, actor, id)
  },
})

/**
 * Restores vehicles with their IDs and what depends on them, unless their lot is gone or another vehicle has taken their VIN or
 * stock number there.
 * @returns the IDs of those that are there again, and what of them could not be brought back
 */
export async function restoreVehicleRows(
  db: Database,
  { customerId }: Member,
  rows: readonly VehicleRow[],
): Promise<Readonly<{ there: ReadonlySet<string>; lost: ReadonlyMap<string, string> }>> {
  const names = STORED_COLUMNS.map((name) => sql.ref(name))
  // Forms loaded before the deletion must count as stale.
  const values = STORED_COLUMNS.map((name) =>
    name === 'version' ? sql`r.version + 1` : sql.ref(`r.${name}`),
  )
  const of = { table: 'vehicles', customerId }
  const images = rows.map((row) => ({
    id: String(row['id']),
    image: JSON.stringify({ ...EMPTY, ...row, customer_id: customerId }),
  }))
  return bringBack(db, of, images, (all) =>
    sql`insert into vehicles (${sql.join(names)}) overriding system value
      select ${sql.join(values)} from jsonb_populate_recordset(null::vehicles, ${all}) r
      where exists (select from lots l where l.id = r.lot_id and l.organization_id = r.organization_id)
      order by r.id on conflict do nothing`.execute(db),
  )
}

async function whyNotRestored(db: Database, { lot_id: lot, organization_id: organization }: VehicleRow) {
  const { rows } =
    await sql`select from lots where id = ${lot} and organization_id = ${organization}`.execute(db)
  return rows.length === 0
    ? "The vehicle's lot was deleted, or you don't have access to it."
    : 'The lot now has another vehicle with the same VIN or stock number.'
}
