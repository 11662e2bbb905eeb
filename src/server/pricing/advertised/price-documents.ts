import { PRICE_LAWS } from '#contract/customers/details/price-laws.ts'
import { FEE_CLASSES } from '#contract/customers/details/fees.ts'
import type { AdvertisedPrice } from '#contract/pricing/advertised/advertised-prices.ts'
import {
  advertisedLines,
  type PriceLine,
  priceLines,
  type PriceTexts,
} from '#contract/pricing/advertised/price-lines.ts'
import { lastDayText } from '#contract/pricing/advertised/last-day.ts'
import type { NamedVehicle } from '#contract/channels/listings/price-surface.ts'
import type { VehiclePrice } from '#contract/pricing/totals/vehicle-price.ts'
import { amountText } from '#contract/vehicles/vehicles/price-changes.ts'
import { labelOf } from '#contract/record.ts'
import type { PrintedDocument } from '#server/printed-document.ts'

const COLUMNS: PrintedDocument['columns'] = [
  { title: 'Step', kind: 'text', share: 30 },
  { title: 'Explanation', kind: 'text', share: 40 },
  { title: 'Change', kind: 'money', share: 15 },
  { title: 'Price', kind: 'money', share: 15 },
]

/** What may lower or raise a price in a buyer's document: something that has a name for buyers. */
const NAMED_FOR_BUYERS: ReadonlySet<string> = new Set(['accessory', 'discount', 'rebate'])

/**
 * The lines of a price for buyers: what was added or deducted under a name for buyers, from the price before it. Everything else
 * that led to that price is internal: where it comes from, limits, rounding, special prices with their reasons, and rules without
 * a name for buyers.
 */
function linesForBuyers(price: VehiclePrice): Pick<VehiclePrice, 'base' | 'ruleLines'> {
  const { sellingCents } = price
  if (sellingCents === null) return { base: null, ruleLines: [] }
  const named = price.ruleLines.filter(({ kind, label }) => label !== null && NAMED_FOR_BUYERS.has(kind))
  let runningCents = sellingCents - named.reduce((sum, { amountCents }) => sum + amountCents, 0)
  const base = { field: 'price' as const, cents: runningCents, provenance: null }
  const ruleLines = named.map((line) => {
    runningCents += line.amountCents
    return { ...line, name: line.label ?? '', runningCents }
  })
  return { base, ruleLines }
}

/** The explanation of a price for a buyer. It contains nothing internal, see `linesForBuyers`. */
export function dealSheet(vehicle: NamedVehicle, price: VehiclePrice): PrintedDocument {
  const money = (cents: number) => amountText(cents, price.currency)
  const texts: PriceTexts = { money, day: (day) => day, source: () => '' }
  const rows = rowsOf(priceLines({ ...price, ...linesForBuyers(price) }, texts), money)
  const extra = price.fees.filter(({ treatment }) => treatment === 'extra')
  return {
    title: 'Deal sheet',
    facts: [
      { title: 'Vehicle', value: titleOf(vehicle) },
      ...(vehicle.vin === null ? [] : [{ title: 'VIN', value: vehicle.vin }]),
      ...(vehicle.stock === null ? [] : [{ title: 'Stock', value: vehicle.stock }]),
      { title: 'Lot', value: vehicle.lotName },
      { title: 'As of', value: momentText(price.at, price.zone) },
    ],
    figures: [
      { title: price.law.sentence ?? 'Total price', value: money(price.totalCents ?? 0) },
      // An MSRP below the total price would be as prominent as the total.
      ...(price.msrpCents === null || price.msrpCents < (price.totalCents ?? 0)
        ? []
        : [{ title: 'MSRP', value: money(price.msrpCents) }]),
    ],
    columns: COLUMNS,
    groups: [
      { title: 'How the total price is calculated', rows },
      ...(extra.length === 0
        ? []
        : [
            {
              title: 'Paid on top of the total price',
              rows: extra.map(({ name, class: of, chargedCents }) => [
                name,
                labelOf(FEE_CLASSES, of),
                '',
                money(chargedCents),
              ]),
            },
          ]),
      ...(price.offers.length === 0
        ? []
        : [
            {
              title: 'Offers for buyers who qualify, not in the total price',
              rows: price.offers.map((offer) => [
                offer.label ?? offer.name,
                [
                  offer.isRebate ? 'For every buyer' : offer.qualifier,
                  offer.until !== null && `Until ${lastDayText(offer.until)}`,
                  offer.disclaimer,
                ]
                  .filter(Boolean)
                  .join('. '),
                money(offer.cents),
                '',
              ]),
            },
          ]),
    ],
    signature: null,
  }
}

/** What was advertised, where and when. */
export function priceProof(price: AdvertisedPrice, zone: string): PrintedDocument {
  const { title, vin, stock, channelName, currency, law, sentence, fromAt, untilAt } = price
  const money = (cents: number) => amountText(cents, currency)
  return {
    title: 'Proof of price',
    facts: [
      { title: 'Vehicle', value: title },
      ...(vin === null ? [] : [{ title: 'VIN', value: vin }]),
      ...(stock === null ? [] : [{ title: 'Stock', value: stock }]),
      { title: 'Channel', value: channelName },
    ],
    figures: [
      { title: 'Advertised price', value: money(price.priceCents) },
      { title: 'From', value: momentText(fromAt, zone) },
      { title: 'Until', value: untilAt === null ? 'Still advertised' : momentText(untilAt, zone) },
    ],
    columns: COLUMNS,
    groups: [
      {
        title: 'How the total price was calculated',
        rows: rowsOf(advertisedLines(price, money), money).map(([name = '', about = '', ...amounts]) => [
          name,
          name === 'Total price' && sentence !== null ? sentence : about,
          ...amounts,
        ]),
      },
      { title: 'Price rules', rows: [[labelOf(PRICE_LAWS, law), meaningOf(price), '', '']] },
    ],
    signature: null,
  }
}

const rowsOf = (lines: readonly PriceLine[], money: (cents: number) => string): string[][] =>
  lines.map(({ name, about, kind, changeCents, priceCents }) => [
    name,
    about || (changeCents === null ? '' : kind),
    changeCents === null ? '' : signed(changeCents, money),
    money(priceCents),
  ])

function meaningOf({ priceMeaning }: AdvertisedPrice): string {
  return priceMeaning === 'without-fees'
    ? 'The file had the price without dealer fees, because the receiver adds them.'
    : 'The file had the total price.'
}

function signed(cents: number, money: (cents: number) => string): string {
  return cents < 0 ? `-${money(-cents)}` : `+${money(cents)}`
}

function titleOf({ year, make, model, trim }: NamedVehicle): string {
  return [year, make, model, trim].filter((part) => part !== null && part !== '').join(' ') || 'Vehicle'
}

/** "Nov 24, 2026, 6:10 AM PST". */
function momentText(instant: string, zone: string): string {
  return new Intl.DateTimeFormat('en-US', {
    year: 'numeric',
    month: 'short',
    day: 'numeric',
    hour: 'numeric',
    minute: '2-digit',
    timeZone: zone,
    timeZoneName: 'short',
  }).format(new Date(instant))
}
