import { PRICE_LAWS } from '#contract/customers/details/price-laws.ts'
import type { AdvertisedPrice, ShownBeside } from '#contract/pricing/advertised/advertised-prices.ts'
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
export function priceProof(advertised: AdvertisedPrice, zone: string): PrintedDocument {
  const price = withLinesForBuyers(advertised)
  const { title, vin, stock, channelName, currency, law, sentence, fromAt, untilAt, shown } = price
  const money = (cents: number) => amountText(cents, currency)
  return {
    title: 'Proof of price',
    facts: [
      { title: 'Vehicle', value: title },
      ...(vin === null ? [] : [{ title: 'VIN', value: vin }]),
      ...(stock === null ? [] : [{ title: 'Stock', value: stock }]),
      { title: 'Channel', value: channelName },
      ...(shown?.page ? [{ title: 'Page', value: shown.page }] : []),
      ...(shown?.file ? [{ title: 'File', value: shown.file }] : []),
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
      ...besideOf(price, money),
      { title: 'Price rules', rows: [[labelOf(PRICE_LAWS, law), meaningOf(price), '', '']] },
      ...(shown === null ? [] : [checksumOf(shown)]),
    ],
    ...(shown !== null && { attachments: [recordFileOf(shown)] }),
    signature: null,
  }
}

/** What stood beside the price. */
function besideOf(
  { shown, channelId, totalCents }: AdvertisedPrice,
  money: (cents: number) => string,
): PrintedDocument['groups'] {
  const beside = 'MSRP, offers and disclaimers beside the price'
  if (shown === null) return [{ title: beside, rows: [['Not kept', BEFORE_RECORDS, '', '']] }]
  const { offers, disclaimers, msrpCents } = shown
  const rows = [
    ...(msrpCents === null
      ? []
      : [['MSRP', `${money(msrpCents - totalCents)} above the total price`, '', money(msrpCents)]]),
    ...offers.map(({ name, about, cents, disclaimer }) => [
      name,
      [about, disclaimer].filter(Boolean).join('. '),
      money(cents),
      '',
    ]),
    ...disclaimers.map((text) => ['Disclaimer', text, '', '']),
  ]
  const none =
    channelId === null ? 'The page had none.' : 'A file has none. The page that it links to has them.'
  return [{ title: beside, rows: rows.length === 0 ? [['None', none, '', '']] : rows }]
}

const BEFORE_RECORDS = 'This price was advertised before offers and disclaimers were kept.'

const RECORD_FILE = 'price-record.json'

/** The name of the record as a file of its own. */
export const recordFileName = ({ sha256 }: Pick<ShownBeside, 'sha256'>): string =>
  `price-record-${sha256.slice(0, 12)}.json`

function checksumOf({ sha256 }: ShownBeside): PrintedDocument['groups'][number] {
  const how = `The record of all this is attached to this PDF as ${RECORD_FILE}. It is unchanged if its SHA-256 is the one above, as sha256sum or Get-FileHash prints it.`
  return {
    title: 'Checksum',
    rows: [
      ['SHA-256', sha256, '', ''],
      ['How to verify', how, '', ''],
    ],
  }
}

const recordFileOf = ({ record: text }: ShownBeside) => ({
  name: RECORD_FILE,
  type: 'application/json',
  about: 'What buyers saw of this price',
  text,
})

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
