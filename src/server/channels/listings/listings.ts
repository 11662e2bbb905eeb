import { sql } from 'kysely'
import {
  type ListingFacts,
  type ListingOptions,
  type VehicleListing,
  vehicleListing,
} from '#contract/channels/listings/vehicle-listing.ts'
import type { PricingRule } from '#contract/pricing/rules/pricing-rules.ts'
import type { Database } from '#server/database/tenant-transaction.ts'
import type { Secrets } from '#server/secrets.ts'
import type { LotZones } from '#server/customers/index.ts'
import { isInStock, readCopiedPlaces, ruleSql } from '#server/vehicles/index.ts'
import {
  lotMinutes,
  specialPrice,
  matchedRules,
  readActiveRules,
  toPriceRule,
} from '#server/pricing/index.ts'
import { pictureKey } from '../channels/channel-row.ts'

/** `zone`: the time zone of the lot. */
export type ListingRow = ListingFacts & { organizationId: string; matchesRule: boolean; zone: string }

/** The vehicles with all data for listings, in the order of their IDs. In a batch, sold and archived vehicles are skipped. */
export async function readListings(
  db: Database,
  which: { customerId: string; rule: string; zone: LotZones; rules?: readonly PricingRule[] } & (
    | { after: string; most: number }
    | { ids: readonly string[] }
  ),
): Promise<ListingRow[]> {
  const matchesRule = ruleSql(which.rule, which.zone)
  const isWanted =
    'ids' in which
      ? sql`v.id = any(${which.ids}::bigint[])`
      : sql`v.id > ${which.after} and ${isInStock('v')} and ${matchesRule}`
  const most = 'ids' in which ? which.ids.length : which.most
  const rules = which.rules ?? (await readActiveRules(db, which.customerId))
  const { rows } = await sql<Omit<ListingRow, 'rules'> & { ruleIds: string[] }>`
    with ${lotMinutes(which.customerId)}
    select v.id::text, v.organization_id::text, v.vin, v.stock, v.condition, v.status, v.year, v.make, v.model, v.trim, v.body,
      v.doors, v.color, v.interior_color, v.fuel, v.electrification, v.transmission, v.drivetrain, v.engine, v.mileage,
      v.price_cents::float8 as price_cents, v.msrp_cents::float8 as msrp_cents, v.description, v.options, v.certification,
      v.page_url, v.photos, v.in_stock_on::text, v.custom, o.name as dealer,
      l.code as lot_code, l.name as lot_name, l.is_visible as is_lot_public, l.address, l.city, l.region, l.postal_code, l.phone,
      c.currency, c.distance_unit, v.lot_id::text as lot_id, c.fees, l.price_law as lot_law, c.price_law as customer_law, c.price_profiles as profiles,
      m.minute, m.zone,
      v.feed_price_cents::float8 as feed_price_cents, v.market_price_cents::float8 as market_price_cents,
      v.invoice_cents::float8 as invoice_cents, v.cost_cents::float8 as cost_cents, ${specialPrice} as special,
      ${matchedRules(rules, which.zone)} as rule_ids, ${matchesRule} as matches_rule,
      v.vin is not null and exists (select from vehicles t where t.customer_id = v.customer_id and t.vin = v.vin and t.id < v.id
        and t.status = 'live' and ${isInStock('t')}) as is_duplicate
    from vehicles v
    join lots l on l.customer_id = v.customer_id and l.organization_id = v.organization_id and l.id = v.lot_id
    join lot_minutes m on m.lot_id = v.lot_id
    join organizations o on o.customer_id = v.customer_id and o.id = v.organization_id
    join customers c on c.id = v.customer_id
    where v.customer_id = ${which.customerId} and ${isWanted}
    order by v.id limit ${sql.lit(most)}`.execute(db)
  const byId = new Map(rules.map((rule) => [rule.id, toPriceRule(rule)]))
  return rows.map(({ ruleIds, ...row }) => ({ ...row, rules: ruleIds.flatMap((id) => byId.get(id) ?? []) }))
}

/**
 * The rows with our own address for each photo of another server that is copied, so that receivers have it also while that server
 * does not answer. Only where receivers can reach us: by HTTPS. A photo whose copy is still to be made keeps its address.
 */
export async function withCopiedPhotos(
  db: Database,
  { customerId, origin }: { customerId: string; origin: string },
  rows: readonly ListingRow[],
): Promise<ListingRow[]> {
  if (!origin.startsWith('https:')) return [...rows]
  const ids = rows.map(({ id }) => id)
  const copied = await readCopiedPlaces(db, customerId, ids)
  return rows.map((row) => {
    const places = copied.get(row.id)
    const photos = row.photos.map((photo) =>
      places?.has(photo.place) === true ? { ...photo, kind: 'file' as const } : photo,
    )
    return places === undefined ? row : { ...row, photos }
  })
}

/** Builds public URLs for the customer. `base`: the base URL of the product. */
export async function readPublicUrls(
  db: Database,
  { customerId, base, secrets }: { customerId: string; base: string; secrets: Secrets },
): Promise<Pick<ListingOptions, 'pictureAddress'> & { origin: string; ownPages: string | null }> {
  const own = await publicOrigin(db, base)
  const origin = own ?? new URL(base).origin
  return {
    origin,
    ownPages: own && ownPagesOf(own),
    pictureAddress: ({ id }, place) =>
      `${origin}/feeds/pictures/${pictureKey(secrets, { customerId, vehicleId: id, place })}`,
  }
}

/** The page template of the customer's own site, which leads to the page of a vehicle, and keeps parameters. */
export const ownPagesOf = (origin: string): string => `${origin}/v/{id}`

/** The origin of the customer's own public domain, with the product's scheme and port; null without one. */
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

/** The listing of a row. */
export function listingOf(row: ListingRow, options: ListingOptions): VehicleListing {
  return vehicleListing(row, options)
}
