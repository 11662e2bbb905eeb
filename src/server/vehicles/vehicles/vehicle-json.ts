import { sql, type RawBuilder, type SqlBool } from 'kysely'
import { can, Func, Opr } from '#contract/permissions.ts'
import { UNPUBLISHED_REASONS } from '#contract/vehicles/vehicles/publishing.ts'
import { VEHICLE_LIST } from '#contract/vehicles/vehicles/vehicle-list.ts'
import { tenantToday } from '#server/database/tenant-today.ts'
import type { Member } from '#server/http/actor.ts'
import { instant } from '#server/lists/json-text.ts'

/**
 * Days in stock by the calendar of the user, not of the lot: all rows of a list use the same "today", so that filters,
 * sorting, index and dashboard agree (decision 80).
 */
export const daysInStock = daysInStockOn(tenantToday)

/** Days in stock of a row of `vehicles v` on a day. */
export function daysInStockOn(day: RawBuilder<unknown>): RawBuilder<unknown> {
  return sql`case when v.waits_since > ${day} then 0 else ${day} - v.waits_since end`
}

/** Status labels. */
const STATUS_LABELS = new Map(
  VEHICLE_LIST.fields.status.choices?.map(({ value, label }) => [value, label]) ?? [],
)

const statusLabel = sql.join(
  [...STATUS_LABELS].map(([value, label]) => sql`when ${sql.lit(value)} then ${sql.lit(label)}`),
  sql` `,
)

const currentCustomer = sql`nullif(current_setting('app.customer_id', true), '')::bigint`

const reason = (name: keyof typeof UNPUBLISHED_REASONS) => sql.lit(UNPUBLISHED_REASONS[name])

/** Whether a vehicle is published, where its lot is at hand: the same as `isPublished`. Over `vehicles v` with `lots l`. */
export const isPublishedOnLot: RawBuilder<SqlBool> = sql<SqlBool>`(v.publishable and l.is_visible)`

/**
 * Why a vehicle isn't published, in one line; null exactly if it is published. Starts with the status and its reason, followed
 * by missing data. Over `vehicles v` with `lots l`.
 */
export const notPublishedReason: RawBuilder<string | null> = sql<
  string | null
>`case when ${isPublishedOnLot} then null else
  concat_ws(', ',
    case when v.status <> 'live' then (case v.status ${statusLabel} end) || coalesce(' (' || v.status_reason || ')', '') end,
    case when coalesce(v.price_cents, 0) = 0 then ${reason('noPrice')} end,
    case when v.photo_count = 0 then ${reason('noPicture')}
      when not has_real_photo(v.photos) then ${reason('placeholderOnly')} end,
    case when v.year is null or v.make is null or v.model is null then ${reason('noName')} end,
    case when l.is_archived then ${reason('archived')} when l.is_public is not true then ${reason('hiddenLot')} end) end`

/**
 * Whether a vehicle is published: it is complete and for sale, and its lot is visible. Reads the few visible lots once per
 * statement instead of joining them, so that an index on `publishable` can be used. Over `vehicles v`.
 */
export const isPublished: RawBuilder<SqlBool> = sql<SqlBool>`(v.publishable and v.lot_id = any(array(
  select p.id from lots p where p.customer_id = ${currentCustomer} and p.is_visible)))`

/** The derived status as the contract's value. */
export const published = sql<string>`case when ${isPublished} then 'published' else 'not-published' end`

/** Who decides about the price now: `PRICE_STATES`; null without a price. Over `vehicles v` with `lots l`. */
export const priceState: RawBuilder<string | null> = sql<
  string | null
>`case when v.price_cents is null then null
  when exists (select from vehicle_special_prices x where x.customer_id = v.customer_id and x.vehicle_id = v.id
    and (x.until_minute is null or x.until_minute > lot_minute(app_now(), coalesce(l.time_zone,
      (select o.time_zone from organizations o where o.customer_id = v.customer_id and o.id = v.organization_id), 'UTC')))) then 'fixed'
  when 'price' = any(v.locked) or v.provenance @> '[{"source": "user", "fields": ["price"]}]' then 'person'
  else 'source' end`

/** The main photo. */
const photo = sql`v.photos -> 0`

const NEEDED_FOR_COST = can(Func.vehicleCost, Opr.list)
export const seesCost = (actor: Member): boolean => actor.may(NEEDED_FOR_COST)

const refs = (names: readonly string[]) => sql.join(names.map((name) => sql.ref(`v.${name}`)))

const plain = [
  'vin',
  'stock',
  'condition',
  'status',
  'year',
  'make',
  'model',
  'trim',
  'body',
  'color',
  'fuel',
]

/** The customer's distance unit or currency; a subquery that runs once for all rows. */
function ofCustomer(actor: Member, name: 'currency' | 'distance_unit'): RawBuilder<string> {
  return sql<string>`(select ${sql.ref(`c.${name}`)} from customers c where c.id = ${actor.customerId})`
}

/** The columns of the contract's `Vehicle`, over `vehicleSource.from`. Costs are null if the user may not see them. */
export function shownTo(actor: Member): RawBuilder<unknown> {
  return sql`v.id::text, v.organization_id::text as "organizationId", v.lot_id::text as "lotId", l.name as "lotName",
    ${refs(plain)}, v.transmission, v.drivetrain, v.status_reason as "statusReason",
    v.mileage, ${ofCustomer(actor, 'distance_unit')} as "distanceUnit", ${ofCustomer(actor, 'currency')} as currency,
    v.price_cents as "priceCents", ${priceState} as "priceState", v.source_price_cents as "sourcePriceCents", v.asks_price as "asksPrice",
    p.selling_cents as "sellingPriceCents", p.total_cents as "totalPriceCents", v.msrp_cents as "msrpCents",
    ${seesCost(actor) ? sql`v.cost_cents` : sql`null`} as "costCents",
    v.market_price_cents as "marketPriceCents", v.market_price_source as "marketPriceSource",
    v.market_price_on as "marketPriceOn", v.book_value_cents as "bookValueCents",
    v.book_value_source as "bookValueSource", v.book_value_on as "bookValueOn",
    v.in_stock_on as "inStockOn", ${daysInStock} as "daysInStock",
    v.photo_count as "photoCount", ${photo} as photo, v.tags, v.custom, v.completeness, ${notPublishedReason} as "notPublishedReason",
    case when ${isPublishedOnLot} then 'published' else 'not-published' end as published,
    v.version, ${instant(sql`v.updated_at`)} as "updatedAt", v.updated_by as "updatedBy"`
}

/** The columns of the contract's `VehicleRecord`. */
export function recordShownTo(actor: Member): RawBuilder<unknown> {
  return sql`${shownTo(actor)}, ${refs(['doors', 'engine', 'electrification', 'co2', 'options', 'description', 'certification', 'photos', 'locked'])},
    v.generic_color as "genericColor", v.interior_color as "interiorColor", v.city_economy as "cityEconomy",
    v.highway_economy as "highwayEconomy", v.wh_per_mile as "whPerMile", v.feed_price_cents as "feedPriceCents",
    ${seesCost(actor) ? sql`v.invoice_cents` : sql`null`} as "invoiceCents", v.page_url as "pageUrl",
    (select coalesce(json_object_agg(f.name, json_build_object('source', s ->> 'source', 'by', s ->> 'by', 'at', s ->> 'at',
        'run', s ->> 'run')), '{}')
      from jsonb_array_elements(v.provenance) s
      cross join lateral jsonb_array_elements_text(s -> 'fields') as f (name)) as provenance`
}
