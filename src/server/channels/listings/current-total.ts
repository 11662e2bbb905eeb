import { sql } from 'kysely'
import { disclaimersOf } from '#contract/customers/details/details.ts'
import type { PriceQuote } from '#contract/pricing/totals/price-quote.ts'
import { OUT_OF_STOCK_STATUSES } from '#contract/vehicles/vehicles/stock-rules.ts'
import type { Database } from '#server/database/tenant-transaction.ts'
import { listingOf, readListings } from './listings.ts'
import { readDisclaimers, useLotTimeZones } from '#server/customers/index.ts'

const GONE: readonly string[] = OUT_OF_STOCK_STATUSES

/** What a buyer is told of a price, with the customer's texts that belong beside it, in their order. */
type ToldPrice = PriceQuote & Readonly<{ disclaimers: readonly string[] }>

/**
 * The price of a vehicle now, for what a buyer is told. Evaluated, because the stored price is up to date only
 * after the background has calculated it (decision 113). Null without a price, or if the vehicle isn't in stock.
 */
export async function readQuote(
  db: Database,
  customerId: string,
  vehicleId: string,
): Promise<ToldPrice | null> {
  const { rows } = await sql<{ zone: string | null }>`
    select current_setting('app.time_zone', true) as zone`.execute(db)
  const zone = await useLotTimeZones(db, customerId)
  const [row] = await readListings(db, { customerId, rule: '', zone, ids: [vehicleId] })
  // What else the transaction reads is in the user's time zone again.
  await sql`select set_config('app.time_zone', ${rows[0]?.zone ?? ''}, true)`.execute(db)
  if (row === undefined || GONE.includes(row.status) || (row.priceCents ?? 0) <= 0) return null
  const listing = listingOf(row, { pageTemplate: null, pictureAddress: () => null })
  if (listing.quote === null) return null
  return { ...listing.quote, disclaimers: disclaimersOf(await readDisclaimers(db, customerId), [listing]) }
}
