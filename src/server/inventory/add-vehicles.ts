import { sql, type Insertable } from 'kysely'
import type { CustomFieldName, CustomValue } from '#contract/customers/custom-fields.ts'
import type { AnyFieldName } from '#contract/inventory/vehicle-input.ts'
import type { Photo, Provenance } from '#contract/inventory/vehicles.ts'
import type { Vehicles } from '#server/database/schema.ts'
import type { Database } from '#server/database/tenant-transaction.ts'

/** What wrote some fields at once: a run of a feed, a person. `at` in ISO 8601, UTC. */
export type Stamp = Readonly<{
  source: Provenance['source']
  by: string | null
  at: string
  run?: string
  fields: readonly AnyFieldName[]
}>

/** A vehicle as somebody brings it: everything but where it stands may be missing. */
export type NewVehicle = Readonly<
  Pick<Insertable<Vehicles>, 'condition' | 'status'> & {
    lotId: string
    vin: string | null
    stock: string | null
    statusReason?: string | null
    year: number | null
    make: string | null
    model: string | null
    trim: string | null
    body: string | null
    colour: string | null
    fuel: string | null
    transmission: string | null
    drivetrain: string | null
    mileage: number | null
    priceCents: number | null
    msrpCents: number | null
    costCents: number | null
    /** A day, `2026-03-01`. */
    inStockOn: string | null
    doors?: number | null
    genericColour?: string | null
    interiorColour?: string | null
    engine?: string | null
    electrification?: Vehicles['electrification']
    /** Miles a gallon, or litres for 100 km. */
    cityEconomy?: number | null
    highwayEconomy?: number | null
    whPerMile?: number | null
    co2?: number | null
    options?: readonly string[]
    description?: string | null
    invoiceCents?: number | null
    feedPriceCents?: number | null
    /** What others say it is worth, who says so and as of which day. */
    marketPriceCents?: number | null
    marketPriceSource?: string | null
    marketPriceOn?: string | null
    bookValueCents?: number | null
    bookValueSource?: string | null
    bookValueOn?: string | null
    certification?: string | null
    pageUrl?: string | null
    photos?: readonly Photo[]
    /** Where its values came from; a field stands in one stamp at most. */
    provenance?: readonly Stamp[]
    /** The fields that feeds leave alone from now on. */
    locked?: readonly AnyFieldName[]
    tags?: readonly string[]
    /** Values of the customer's own fields by their names. */
    custom?: Readonly<Record<CustomFieldName, CustomValue>>
    /** When it was last changed, where that is known: now otherwise. */
    updatedAt?: string
  }
>

/** A statement may have 65,535 parameters, and JSON is one: this many rows go in at once. */
const AT_ONCE = 1_000

/**
 * Puts vehicles on lots of the transaction's customer; each belongs to its lot's organization.
 * @returns how many there are: one whose lot is not there or out of reach is left out.
 */
export async function addVehicles(db: Database, vehicles: readonly NewVehicle[]): Promise<number> {
  let added = 0
  for (let at = 0; at < vehicles.length; at += AT_ONCE) {
    const rows = vehicles.slice(at, at + AT_ONCE)
    const { numAffectedRows } = await sql`
      insert into vehicles (customer_id, organization_id, lot_id, vin, stock, condition, status, status_reason, year, make,
        model, trim, body, colour, fuel, transmission, drivetrain, mileage, price_cents, msrp_cents, cost_cents, in_stock_on,
        doors, generic_colour, interior_colour, engine, electrification, city_economy, highway_economy, wh_per_mile, co2,
        options, description, invoice_cents, feed_price_cents, certification, page_url, photos, provenance, locked,
        tags, market_price_cents, market_price_source, market_price_on, book_value_cents, book_value_source, book_value_on,
        custom, created_at, updated_at)
      select l.customer_id, l.organization_id, l.id, upper(r.vin), r.stock, coalesce(r.condition, 'used'),
        coalesce(r.status, 'incoming'), r."statusReason", r.year, r.make, r.model, r.trim, r.body, r.colour, r.fuel,
        r.transmission, r.drivetrain, r.mileage, r."priceCents", r."msrpCents", r."costCents", r."inStockOn",
        r.doors, r."genericColour", r."interiorColour", r.engine, r.electrification, r."cityEconomy", r."highwayEconomy",
        r."whPerMile", r.co2, coalesce(r.options, '{}'), r.description, r."invoiceCents", r."feedPriceCents",
        r.certification, r."pageUrl", coalesce(r.photos, '[]'), coalesce(r.provenance, '[]'), coalesce(r.locked, '{}'),
        coalesce(r.tags, '{}'), r."marketPriceCents", r."marketPriceSource", r."marketPriceOn", r."bookValueCents",
        r."bookValueSource", r."bookValueOn", coalesce(r.custom, '{}'), coalesce(r."updatedAt", now()), coalesce(r."updatedAt", now())
      from json_to_recordset(${JSON.stringify(rows)}::json) as r("lotId" bigint, vin text, stock text, condition text,
        status text, "statusReason" text, year int, make text, model text, trim text, body text, colour text, fuel text,
        transmission text, drivetrain text, mileage int, "priceCents" bigint, "msrpCents" bigint, "costCents" bigint,
        "inStockOn" date, doors int, "genericColour" text, "interiorColour" text, engine text, electrification text,
        "cityEconomy" numeric, "highwayEconomy" numeric, "whPerMile" int, co2 int, options text[], description text,
        "invoiceCents" bigint, "feedPriceCents" bigint, certification text, "pageUrl" text, photos jsonb, provenance jsonb,
        locked text[], tags text[], "marketPriceCents" bigint, "marketPriceSource" text, "marketPriceOn" date,
        "bookValueCents" bigint, "bookValueSource" text, "bookValueOn" date, custom jsonb, "updatedAt" timestamptz)
      join lots l on l.customer_id = nullif(current_setting('app.customer_id', true), '')::bigint and l.id = r."lotId"`.execute(
      db,
    )
    added += Number(numAffectedRows ?? 0n)
  }
  return added
}
