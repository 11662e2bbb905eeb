import { sql } from 'kysely'
import type { vehicles } from '#contract/vehicles/vehicles/vehicles.ts'
import { isViolation } from '#server/database/violations.ts'
import { conflict, notFound } from '#server/http/failure.ts'
import type { Handlers } from '#server/http/serve.ts'
import type { VehiclePrices } from './vehicle-prices.ts'
import { readVehicle } from './vehicles.ts'

/** All columns except generated ones. */
export const STORED_COLUMNS: readonly string[] = `
  customer_id id organization_id lot_id vin stock condition status status_reason year make model trim body color fuel
  transmission drivetrain mileage price_cents msrp_cents cost_cents in_stock_on version created_at updated_at updated_by
  doors generic_color interior_color engine electrification city_economy highway_economy wh_per_mile co2 options
  description invoice_cents feed_price_cents certification page_url photos provenance locked
  row_fingerprint feed_source_id missing_runs removed_from tags
  market_price_cents market_price_source market_price_on book_value_cents book_value_source book_value_on custom`
  .trim()
  .split(/\s+/)

/** Defaults for columns that are missing in older audit entries. */
const EMPTY =
  '{"options": [], "photos": [], "provenance": [], "locked": [], "missing_runs": 0, "tags": [], "custom": {}}'

/** Restores a deleted vehicle from the audit log. */
export const makeVehicleRestoring = (prices: VehiclePrices): Pick<Handlers<typeof vehicles>, 'restore'> => ({
  async restore({ db, actor, input: { id } }) {
    const names = sql.join(STORED_COLUMNS.map((name) => sql.ref(name)))
    // Forms loaded before the deletion must count as stale.
    const values = sql.join(
      STORED_COLUMNS.map((name) => (name === 'version' ? sql`r.version + 1` : sql.ref(`r.${name}`))),
    )
    const { numAffectedRows } = await explain(
      sql`insert into vehicles (${names}) overriding system value
        select ${values} from (
          select a.before, a.operation from audit_log a
          where a.customer_id = ${actor.customerId} and a.table_name = 'vehicles' and a.row_id = ${id}
          order by a.at desc, a.id desc limit 1) last
        cross join lateral jsonb_populate_record(null::vehicles, ${EMPTY}::jsonb || last.before) r
        where last.operation = 'delete'`.execute(db),
    )
    if (numAffectedRows !== 1n) throw notFound('Deleted vehicle')
    await prices.storePricesNow(db, actor, [id])
    return readVehicle(db, actor, id)
  },
})

async function explain<T>(statement: Promise<T>): Promise<T> {
  try {
    return await statement
  } catch (error) {
    if (isViolation(error, 'foreign key') || isViolation(error, 'row level security')) {
      throw conflict("The vehicle's lot was deleted, or you don't have access to it.")
    }
    if (isViolation(error, 'unique')) {
      throw conflict('The lot now has another vehicle with the same VIN or stock number.')
    }
    throw error
  }
}
