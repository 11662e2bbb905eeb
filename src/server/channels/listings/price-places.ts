import { sql } from 'kysely'
import { exclusionReasons } from '#contract/channels/listings/exclusion-reasons.ts'
import { withPriceFor } from '#contract/channels/listings/vehicle-listing.ts'
import type { PricePlace, vehiclePrices } from '#contract/pricing/totals/vehicle-price.ts'
import type { Database } from '#server/database/tenant-transaction.ts'
import type { Member } from '#server/http/actor.ts'
import { notFound } from '#server/http/failure.ts'
import type { Handlers } from '#server/http/serve.ts'
import { listingOf, type ListingRow, ownPagesOf, publicOrigin, readListings } from './listings.ts'
import { useLotTimeZones } from '#server/customers/index.ts'
import { isPublishedOnLot } from '#server/vehicles/index.ts'

/** Where the price of a vehicle is shown to buyers. */
export const pricePlaceHandlers = (base: () => string): Pick<Handlers<typeof vehiclePrices>, 'places'> => ({
  places: ({ db, actor, input }) => readPlaces(db, actor, { id: input.id, base: base() }),
})

/** The price of a vehicle on the public site and in each channel: now, and as advertised. @throws Failure 404 */
async function readPlaces(
  db: Database,
  { customerId }: Member,
  { id, base }: { id: string; base: string },
): Promise<PricePlace[]> {
  const own = await publicOrigin(db, base)
  const ownPages = own && ownPagesOf(own)
  const zone = await useLotTimeZones(db, customerId)
  const [row] = await readListings(db, { customerId, rule: '', zone, ids: [id] })
  if (row === undefined) throw notFound('Vehicle')
  const channels = await db
    .selectFrom('channels')
    .leftJoin('channelStates as s', (on) =>
      on.onRef('s.customerId', '=', 'channels.customerId').onRef('s.channelId', '=', 'channels.id'),
    )
    .select(['id', 'name', 'kind', 'isActive', 'rule', 'pageTemplate', 'priceMeaning', 's.nextRunAt'])
    .where('channels.customerId', '=', customerId)
    .orderBy('nameKey')
    .execute()
  const advertised = await db
    .selectFrom('advertisedPrices')
    .select(['id', 'channelId', 'fromAt', sql<number>`price_cents::float8`.as('cents')])
    .where('customerId', '=', customerId)
    .where('vehicleId', '=', id)
    .where('untilAt', 'is', null)
    .execute()
  const places = await readSite(db, customerId, { row, advertised: currentOf(advertised, null) })
  for (const channel of channels) {
    const { id: channelId, name, kind, isActive, rule, pageTemplate, priceMeaning, nextRunAt } = channel
    const [meant] = rule === '' ? [row] : await readListings(db, { customerId, rule, zone, ids: [id] })
    // Only whether there are photos matters here, not their URLs.
    const listing = listingOf(row, {
      pageTemplate: pageTemplate ?? ownPages,
      pictureAddress: (_, place) => place,
    })
    const isMatch = meant !== undefined && meant.matchesRule
    const isSent = isActive && isMatch && exclusionReasons(kind, listing).length === 0
    places.push({
      channelId,
      name,
      kind,
      page: null,
      isActive,
      priceMeaning,
      currency: row.currency,
      nextCents: isSent ? (withPriceFor(priceMeaning, listing).price?.cents ?? null) : null,
      advertised: currentOf(advertised, channelId),
      nextRunAt,
    })
  }
  return places
}

type Advertised = { id: string; channelId: string | null; cents: number; fromAt: string }

function currentOf(advertised: readonly Advertised[], channelId: string | null): PricePlace['advertised'] {
  const current = advertised.find((one) => one.channelId === channelId)
  return current ? { id: current.id, cents: current.cents, fromAt: current.fromAt } : null
}

/** The vehicle's page on the public site; none without a site. Of several domains, the one that was added first. */
async function readSite(
  db: Database,
  customerId: string,
  { row, advertised }: { row: ListingRow; advertised: PricePlace['advertised'] },
): Promise<PricePlace[]> {
  const { rows } = await sql<{ domain: string; isPublished: boolean }>`
    select w.domain, ${isPublishedOnLot} as is_published
    from white_labels w cross join vehicles v
    join lots l on l.customer_id = v.customer_id and l.organization_id = v.organization_id and l.id = v.lot_id
    where w.customer_id = ${customerId} and w.purpose = 'public' and w.verified_at is not null
      and v.customer_id = ${customerId} and v.id = ${row.id}
    order by w.id limit 1`.execute(db)
  return rows.map(({ domain, isPublished }) => ({
    channelId: null,
    name: 'Website',
    kind: null,
    page: isPublished ? `//${domain}/v/${row.id}` : null,
    isActive: true,
    priceMeaning: 'total',
    currency: row.currency,
    nextCents: isPublished
      ? (listingOf(row, { pageTemplate: null, pictureAddress: (_, place) => place }).price?.cents ?? null)
      : null,
    advertised,
    nextRunAt: null,
  }))
}
