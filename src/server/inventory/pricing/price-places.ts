import { sql } from 'kysely'
import { exclusionReasons } from '#contract/inventory/channels/listings/exclusion-reasons.ts'
import { withPriceFor } from '#contract/inventory/channels/listings/price-meaning.ts'
import type { PricePlace } from '#contract/inventory/pricing/vehicle-price.ts'
import type { Database } from '#server/database/tenant-transaction.ts'
import type { Member } from '#server/http/actor.ts'
import { notFound } from '#server/http/failure.ts'
import { listingOf, readListings, useCustomerTimeZone } from '../channels/listings.ts'

/** The price of a vehicle in each channel: now, and in the last delivered file. @throws Failure 404 */
export async function readPlaces(db: Database, { customerId }: Member, id: string): Promise<PricePlace[]> {
  const zone = await useCustomerTimeZone(db, customerId)
  const [row] = await readListings(db, { customerId, rule: '', zone, ids: [id] })
  if (row === undefined) throw notFound('Vehicle')
  const channels = await db
    .selectFrom('channels')
    .select(['id', 'name', 'kind', 'isActive', 'rule', 'pageTemplate', 'priceMeaning'])
    .where('customerId', '=', customerId)
    .orderBy('nameKey')
    .execute()
  const advertised = await db
    .selectFrom('advertisedPrices')
    .select(['id', 'channelId', 'fromAt', sql<number>`price_cents::float8`.as('cents')])
    .where('customerId', '=', customerId)
    .where('vehicleId', '=', id)
    .where('untilAt', 'is', null)
    .execute()
  const places: PricePlace[] = []
  for (const { id: channelId, name, kind, isActive, rule, pageTemplate, priceMeaning } of channels) {
    const [meant] = rule === '' ? [row] : await readListings(db, { customerId, rule, zone, ids: [id] })
    // Only whether there are photos matters here, not their URLs.
    const listing = listingOf(row, { pageTemplate, pictureAddress: (_, place) => place })
    const isMatch = meant !== undefined && meant.matchesRule
    const isSent = isActive && isMatch && exclusionReasons(kind, listing).length === 0
    const current = advertised.find((one) => one.channelId === channelId)
    places.push({
      channelId,
      name,
      kind,
      isActive,
      priceMeaning,
      currency: row.currency,
      nextCents: isSent ? (withPriceFor(priceMeaning, listing).price?.cents ?? null) : null,
      advertised: current ? { id: current.id, cents: current.cents, fromAt: current.fromAt } : null,
    })
  }
  return places
}
