import { sql, type RawBuilder, type SqlBool } from 'kysely'
import { VEHICLE_LIST } from '#contract/inventory/vehicles/vehicle-list.ts'
import { readRule } from '#contract/expressions/read.ts'
import { variablesOf } from '#contract/expressions/variables.ts'
import type {
  ListingFacts,
  ListingOptions,
  VehicleListing,
} from '#contract/inventory/channels/listings/vehicle-listing.ts'
import { vehicleListing } from '#contract/inventory/channels/listings/vehicle-listing.ts'
import { can, Func, Opr } from '#contract/permissions.ts'
import { clock } from '#server/clock.ts'
import type { Database } from '#server/database/tenant-transaction.ts'
import { ruleToSql } from '#server/lists/rule-sql.ts'
import type { Secrets } from '#server/secrets.ts'
import { vehicleSource } from '../vehicles/vehicles.ts'
import { pictureKey } from './channel-row.ts'

const COST = can(Func.vehicleCost, Opr.list)
/** What stands in a file for everybody must not tell of costs. */
const variables = variablesOf(VEHICLE_LIST, ({ func }) => func !== COST.func)

/** Whether a rule can be read; what is wrong, and where, if not. */
export function problemOf(rule: string): string | null {
  if (rule === '') return null
  const read = readRule(rule, variables)
  return read.ok
    ? null
    : `The rule cannot be read at character ${read.problem.from + 1}: ${read.problem.message}`
}

/** The vehicles a rule selects, over `vehicles v` with `lots l`. A rule that cannot be read any more selects none. */
export function ruleSql(rule: string, zone: string): RawBuilder<SqlBool> {
  if (rule === '') return sql<SqlBool>`true`
  const read = readRule(rule, variables)
  return read.ok
    ? sql<SqlBool>`coalesce(${ruleToSql(read.rule, vehicleSource.fields, { now: clock.date(), zone })}, false)`
    : sql<SqlBool>`false`
}

export type ListingRow = ListingFacts & { organizationId: string; isMeant: boolean }

/** Vehicles with all that an offer says, by number; those that are gone for good are left out. */
export async function readListings(
  db: Database,
  which: { customerId: string; rule: string; zone: string } & (
    | { after: string; most: number }
    | { id: string }
  ),
): Promise<ListingRow[]> {
  const isMeant = ruleSql(which.rule, which.zone)
  const isWanted =
    'id' in which
      ? sql`v.id = ${which.id}`
      : sql`v.id > ${which.after} and v.status not in ('sold', 'archived', 'wholesale', 'removed') and ${isMeant}`
  const most = 'id' in which ? 1 : which.most
  const { rows } = await sql<ListingRow>`
    select v.id::text, v.organization_id::text, v.vin, v.stock, v.condition, v.status, v.year, v.make, v.model, v.trim, v.body,
      v.doors, v.colour, v.interior_colour, v.fuel, v.transmission, v.drivetrain, v.engine, v.mileage,
      v.price_cents::float8 as price_cents, v.msrp_cents::float8 as msrp_cents, v.description, v.options, v.certification,
      v.page_url, v.photos, v.in_stock_on::text, v.custom, o.name as dealer,
      l.code as lot_code, l.name as lot_name, l.is_public as is_lot_public, l.address, l.city, l.region, l.postal_code, l.phone,
      c.currency, c.distance_unit, ${isMeant} as is_meant,
      v.vin is not null and exists (select from vehicles t where t.customer_id = v.customer_id and t.vin = v.vin and t.id < v.id
        and t.status = 'live' and t.status not in ('sold', 'archived', 'wholesale', 'removed')) as is_twin
    from vehicles v
    join lots l on l.customer_id = v.customer_id and l.organization_id = v.organization_id and l.id = v.lot_id
    join organizations o on o.customer_id = v.customer_id and o.id = v.organization_id
    join customers c on c.id = v.customer_id
    where v.customer_id = ${which.customerId} and ${isWanted}
    order by v.id limit ${sql.lit(most)}`.execute(db)
  return rows
}

/**
 * The customer's time zone, in which the rest of this transaction counts days: what a channel takes does not depend on
 * who looks at it.
 */
export async function useCustomerZone(db: Database, customerId: string): Promise<string> {
  const { rows } = await sql<{ zone: string }>`
    select set_config('app.time_zone', time_zone, true) as zone from customers where id = ${customerId}`.execute(
    db,
  )
  const [found] = rows
  if (found === undefined) throw new Error('The customer is not there.')
  return found.zone
}

/** How the customer's vehicles are reached from outside. `base`: where the product itself is. */
export async function readWays(
  db: Database,
  { customerId, base, secrets }: { customerId: string; base: string; secrets: Secrets },
): Promise<Pick<ListingOptions, 'pictureAddress'> & { origin: string }> {
  const origin = (await publicOrigin(db, base)) ?? new URL(base).origin
  return {
    origin,
    pictureAddress: ({ id }, place) =>
      `${origin}/feeds/pictures/${pictureKey(secrets, { customerId, vehicleId: id, place })}`,
  }
}

/** The customer's own public name, reached as the product is; null where it has none. */
export async function publicOrigin(db: Database, base: string): Promise<string | null> {
  const own = await db
    .selectFrom('whiteLabels')
    .select('domain')
    .where('purpose', '=', 'public')
    .where('verifiedAt', 'is not', null)
    .orderBy('id')
    .limit(1)
    .executeTakeFirst()
  if (own === undefined) return null
  const address = new URL(base)
  address.hostname = own.domain
  return address.origin
}

/** The offer of a row. */
export function listingOf(row: ListingRow, ways: ListingOptions): VehicleListing {
  return vehicleListing(row, ways)
}
