import { PRICE_LAWS } from '#contract/customers/details/price-laws.ts'
import type { AdvertisedPrice } from '#contract/pricing/advertised/advertised-prices.ts'
import { advertisedLines, type PriceLine } from '#contract/pricing/advertised/price-lines.ts'
import { linesForBuyers } from '#contract/pricing/advertised/buyer-price.ts'
import { amountText } from '#contract/vehicles/vehicles/price-changes.ts'
import { labelOf } from '#contract/record.ts'
import { momentText, type PrintedDocument } from '#server/printed-document.ts'

const COLUMNS: PrintedDocument['columns'] = [
  { title: 'Step', kind: 'text', share: 30 },
  { title: 'Explanation', kind: 'text', share: 40 },
  { title: 'Change', kind: 'money', share: 15 },
  { title: 'Price', kind: 'money', share: 15 },
]

/** What was advertised, where and when. It may go to a buyer or a regulator, so it has the lines that buyers may read. */
export function priceProof(shown: AdvertisedPrice, zone: string): PrintedDocument {
  const price = withLinesForBuyers(shown)
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
      ...period(fromAt, untilAt, zone),
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

/** With seconds if the price was advertised within a minute. */
function period(fromAt: string, untilAt: string | null, zone: string): PrintedDocument['figures'] {
  const isShort = untilAt !== null && momentText(fromAt, zone) === momentText(untilAt, zone)
  const text = (instant: string) => momentText(instant, zone, { hasSeconds: isShort })
  return [
    { title: 'From', value: text(fromAt) },
    { title: 'Until', value: untilAt === null ? 'Still advertised' : text(untilAt) },
  ]
}

function withLinesForBuyers(price: AdvertisedPrice): AdvertisedPrice {
  const { sellingCents, lines } = price
  const { base, ruleLines } = linesForBuyers({ sellingCents, ruleLines: lines })
  return { ...price, baseCents: price.baseCents === null ? null : (base?.cents ?? null), lines: ruleLines }
}

const rowsOf = (lines: readonly PriceLine[], money: (cents: number) => string): string[][] =>
  lines.map(({ name, about, kind, changeCents, priceCents }) => [
    name,
    about || (changeCents === null ? '' : kind),
    changeCents === null ? '' : signed(changeCents, money),
    money(priceCents),
  ])

function meaningOf({ priceMeaning, channelId }: AdvertisedPrice): string {
  if (channelId === null) return 'The page showed the total price.'
  return priceMeaning === 'without-fees'
    ? 'The file had the price without dealer fees, because the receiver adds them.'
    : 'The file had the total price.'
}

function signed(cents: number, money: (cents: number) => string): string {
  return cents < 0 ? `-${money(-cents)}` : `+${money(cents)}`
}
