import {
  CHANNEL_KINDS,
  type ChannelKind,
  PRICE_MEANING_CODES,
  type PriceMeaning,
} from '#contract/pricing/totals/price-meanings.ts'
import { customRow, isPriceHeading } from '#contract/channels/listings/custom-columns.ts'
import { jsonLdOf } from '#contract/channels/listings/json-ld.ts'
import { feedColumns, feedRow } from '#contract/channels/listings/listing-row.ts'
import { belowMsrp, withPriceFor, type VehicleListing } from '#contract/channels/listings/vehicle-listing.ts'
import { priceLines } from '#contract/pricing/advertised/price-lines.ts'
import type { AdvertisedPrice } from '#contract/pricing/advertised/advertised-prices.ts'
import { centsIn, type PriceSurface, type PrintedAmount } from '#contract/channels/listings/price-surface.ts'
import { canonicalRecord, priceRecord } from '#contract/pricing/advertised/price-record.ts'
import { sha256Of } from '#server/snapshots/snapshot-files.ts'
import { htmlOf } from '#server/printed-html.ts'
import { priceProof } from './price-documents.ts'

/** Columns with the amounts of a file; the receiver shows the first that there is as the price. */
const AMOUNT_COLUMNS = ['price', 'price_without_fees', 'msrp', 'vehicle_msrp'] as const

const printed = (texts: readonly (string | null | undefined)[]): PrintedAmount[] =>
  texts
    .flatMap((text) => (text ? (centsIn(text) ?? []) : []))
    .map((cents, at) => ({ cents, prominence: at === 0 ? 1 : 2 }))

/** A file of a channel. Google and Meta always get the total price. */
function channelSurface(kind: ChannelKind, meaning: PriceMeaning): PriceSurface {
  return {
    name: `channel file for ${kind}, ${meaning}`,
    text: ({ listing }) => JSON.stringify(feedRow(kind, withPriceFor(meaning, listing))),
    amounts: ({ listing }) => {
      const row = feedRow(kind, withPriceFor(meaning, listing))
      const columns = feedColumns(kind, meaning)
      return printed(AMOUNT_COLUMNS.map((name) => (columns.includes(name) ? String(row[name] ?? '') : null)))
    },
    ...(meaning === 'without-fees' && { isCompletedByReceiver: true }),
  }
}

/** Columns of a custom file with every price that a channel of this meaning may send. */
const customPriceColumns = (meaning: PriceMeaning) => [
  { name: 'MSRP', value: '{msrp}' },
  { name: 'Asking price', value: '{price}' },
  { name: 'Text', value: 'For {price} {currency}' },
  ...(meaning === 'total' ? [] : [{ name: 'Before fees', value: '{price_without_fees}' }]),
]

/** A file with custom columns, through the row that is written. The receiver shows what is in a column named like a price. */
function customSurface(meaning: PriceMeaning): PriceSurface {
  const columns = customPriceColumns(meaning)
  return {
    name: `channel file with custom columns, ${meaning}`,
    text: ({ listing }) => JSON.stringify(customRow(columns, withPriceFor(meaning, listing))),
    amounts: ({ listing }) =>
      Object.entries(customRow(columns, withPriceFor(meaning, listing))).flatMap(([name, value]) => {
        const cents = centsIn(String(value))
        if (cents === null) return []
        return [{ cents, prominence: isPriceHeading(name) || name === 'Text' ? 1 : 2 }]
      }),
    ...(meaning === 'without-fees' && { isCompletedByReceiver: true }),
  }
}

const money = (cents: number): string => (cents / 100).toFixed(2)

/** What is kept as proof when the listing is advertised; null without a price. */
export function advertisedOf(
  { quote, price, ...listing }: VehicleListing,
  disclaimers: readonly string[],
): AdvertisedPrice | null {
  if (quote === null || price === null) return null
  const { id, vin, stock, title } = listing
  const { cents: priceCents, currency } = price
  const place = { channelId: null, channelName: 'Website', priceMeaning: 'total' } as const
  const times = { fromAt: '2026-11-24T17:30:00Z', untilAt: null }
  const made = { ...quote, lines: [...quote.lines], fees: [...quote.fees] }
  const page = {
    page: 'cars.example/v/7',
    file: null,
    offers: [...quote.offers],
    disclaimers: [...disclaimers],
    msrpCents: belowMsrp({ ...listing, price })?.msrp.cents ?? null,
  }
  const record = canonicalRecord(
    priceRecord(quote, { ...page, title, vin, stock, priceCents, priceMeaning: 'total', currency }),
  )
  const shown = { ...page, record, sha256: sha256Of(record) }
  return {
    ...made,
    ...place,
    ...times,
    id: '1',
    vehicleId: id,
    vin,
    stock,
    title,
    priceCents,
    currency,
    shown,
  }
}

/** The places of inventory where buyers read prices. */
export const INVENTORY_PRICE_SURFACES: readonly PriceSurface[] = [
  {
    name: 'structured data',
    text: ({ listing }) => JSON.stringify(jsonLdOf(listing)),
    amounts: ({ listing }) => {
      const { offers } = jsonLdOf(listing)
      const price = typeof offers === 'object' && offers !== null && 'price' in offers ? offers.price : null
      return printed([typeof price === 'string' ? price : null])
    },
  },
  ...CHANNEL_KINDS.flatMap((kind) =>
    (kind === 'csv' ? PRICE_MEANING_CODES : (['total'] as const)).map((meaning) =>
      channelSurface(kind, meaning),
    ),
  ),
  ...PRICE_MEANING_CODES.map((meaning) => customSurface(meaning)),
  {
    name: 'proof of price',
    text: ({ listing, disclaimers }) => {
      const proof = advertisedOf(listing, disclaimers)
      return proof === null ? '' : htmlOf([priceProof(proof, 'UTC')])
    },
    amounts: ({ listing, disclaimers }) => {
      const proof = advertisedOf(listing, disclaimers)
      if (proof === null) return []
      const { figures, groups } = priceProof(proof, 'UTC')
      const lines = groups[0]?.rows.map((row) => row[3]) ?? []
      const [, ...after] = printed(['0', ...lines])
      return [...printed([figures[0]?.value]), ...after]
    },
  },
  {
    name: 'Price tab',
    text: null,
    amounts: ({ price }) => {
      const lines = priceLines(price, { money, day: (day) => day, source: () => '' })
      const amounts = lines.map(({ priceCents }) => money(priceCents))
      return printed([price.totalCents === null ? null : money(price.totalCents), ...amounts])
    },
  },
]
