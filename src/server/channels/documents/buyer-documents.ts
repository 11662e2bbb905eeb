import type { VehicleListing } from '#contract/channels/listings/vehicle-listing.ts'
import { type BuyerPrice, buyerPrice } from '#contract/pricing/advertised/buyer-price.ts'
import type { BuyerDocumentKind } from '#contract/pricing/totals/buyer-document.ts'
import type { VehiclePrice } from '#contract/pricing/totals/vehicle-price.ts'
import { besideName } from '#contract/pricing/totals/beside-name.ts'
import { lastDay } from '#contract/pricing/totals/last-day.ts'
import { amountText } from '#contract/vehicles/vehicles/price-changes.ts'
import { momentText, type PrintedDocument } from '#server/printed-document.ts'

/** What a document for buyers is made of. It has nothing internal: neither costs, nor names, limits and reasons of rules. */
export type BuyerVehicle = Readonly<{
  listing: Pick<
    VehicleListing,
    | 'id'
    | 'title'
    | 'vin'
    | 'stock'
    | 'isNew'
    | 'isCertified'
    | 'mileage'
    | 'body'
    | 'doors'
    | 'color'
    | 'interiorColor'
    | 'engine'
    | 'fuel'
    | 'transmission'
    | 'drivetrain'
    | 'certification'
    | 'options'
    | 'seller'
  >
  price: BuyerPrice
  /** The customer's texts for this condition, in order. */
  disclaimers: readonly string[]
  /** The public page, for the QR code; null without one. */
  link: string | null
  /** The next minute in the lot's time zone at which the price or an offer is known to change; null if none is that is of interest. */
  priceEnd: string | null
}>

/** The vehicle as buyers see it; null without a price. */
export function buyerVehicle(
  { listing, price }: { listing: VehicleListing; price: VehiclePrice },
  more: Pick<BuyerVehicle, 'disclaimers' | 'link' | 'priceEnd'>,
): BuyerVehicle | null {
  const shown = buyerPrice(price, (cents) => amountText(cents, price.currency))
  return shown && { listing, price: shown, ...more }
}

/** `validUntil`: a date, the last day of the offer, unless the price changes before; only deal sheets have it. */
export function buyerDocument(
  kind: BuyerDocumentKind,
  vehicle: BuyerVehicle,
  validUntil: string | null,
): PrintedDocument {
  if (kind === 'deal-sheet') return dealSheet(vehicle, validUntil ?? vehicle.price.day)
  return kind === 'window-sticker' ? windowSticker(vehicle) : hangTag(vehicle)
}

const NORTH_AMERICA: ReadonlySet<string | null> = new Set(['US', 'CA', 'MX'])

/** What each of the documents has: who sells, and the paper of the country. */
const frameOf = ({ listing: { seller } }: BuyerVehicle) =>
  ({
    letterhead: {
      name: seller.name,
      lines: [
        // As on the website: whose address this is.
        besideName(seller.name, seller.lotName),
        seller.address,
        [seller.city, [seller.region, seller.postalCode].filter(Boolean).join(' ')]
          .filter(Boolean)
          .join(', '),
        seller.phone,
      ].flatMap((line) => line || []),
    },
    paper: NORTH_AMERICA.has(seller.country) ? 'us-letter' : 'a4',
    isPortrait: true,
  }) as const

const titleOf = ({ listing: { title } }: BuyerVehicle): string => title || 'Vehicle'

const moneyIn =
  ({ currency }: BuyerPrice) =>
  (cents: number): string =>
    amountText(cents, currency)

function conditionOf({ isNew, isCertified }: BuyerVehicle['listing']): string {
  if (isNew) return 'New'
  return isCertified ? 'Certified pre-owned' : 'Used'
}

const facts = (
  pairs: readonly (readonly [title: string, value: string | null])[],
): PrintedDocument['facts'] =>
  pairs.flatMap(([title, value]) => (value === null || value === '' ? [] : [{ title, value }]))

const identityOf = ({ listing }: BuyerVehicle) =>
  [
    ['Stock', listing.stock],
    ['VIN', listing.vin],
    ['Condition', conditionOf(listing)],
    [
      'Mileage',
      listing.mileage && `${listing.mileage.value.toLocaleString('en-US')} ${listing.mileage.unit}`,
    ],
  ] as const

/** The MSRP of a used vehicle is the price of another time. */
const msrpText = ({ listing, price }: BuyerVehicle): string | null =>
  listing.isNew && price.msrpCents !== null ? moneyIn(price)(price.msrpCents) : null

function totalFigures(vehicle: BuyerVehicle): PrintedDocument['figures'] {
  const { price } = vehicle
  const msrp = msrpText(vehicle)
  return [
    { title: price.sentence ?? 'Total price', value: moneyIn(price)(price.totalCents) },
    ...(msrp === null ? [] : [{ title: 'MSRP', value: msrp }]),
  ]
}

const COLUMNS: PrintedDocument['columns'] = [
  { title: 'Item', kind: 'text', share: 30 },
  { title: 'Details', kind: 'text', share: 40 },
  { title: 'Change', kind: 'money', share: 15 },
  { title: 'Price', kind: 'money', share: 15 },
]

const OFFERS = 'Offers for buyers who qualify, not in the total price'

const signed = (cents: number, money: (cents: number) => string): string =>
  cents < 0 ? `−${money(-cents)}` : `+${money(cents)}`

/** The price step by step, what is paid on top of it, and offers, each only if there is one. */
function priceGroups(price: BuyerPrice): PrintedDocument['groups'] {
  const money = moneyIn(price)
  return [
    {
      title: 'How the total price is calculated',
      rows: price.lines.map(({ name, about, changeCents, priceCents }) => [
        name,
        about,
        changeCents === null ? '' : signed(changeCents, money),
        money(priceCents),
      ]),
    },
    {
      title: 'Paid on top of the total price',
      rows: price.extraFees.map(({ name, about, cents }) => [name, about, '', money(cents)]),
    },
    {
      title: OFFERS,
      rows: price.offers.map(({ name, about, cents }) => [name, about, money(cents), '']),
    },
  ].filter(({ rows }) => rows.length > 0)
}

const dayText = (day: string): string =>
  new Intl.DateTimeFormat('en-US', { dateStyle: 'medium', timeZone: 'UTC' }).format(new Date(day))

/** Never later than the price: "Valid through: Dec 1, 2026", or "Valid until: Dec 1, 2026, 5:00 PM". */
function validity({ priceEnd }: BuyerVehicle, validUntil: string): readonly [string, string] {
  if (priceEnd === null || lastDay(priceEnd) > validUntil) return ['Valid through', dayText(validUntil)]
  if (priceEnd.endsWith('T00:00')) return ['Valid through', dayText(lastDay(priceEnd))]
  const time = new Intl.DateTimeFormat('en-US', { timeStyle: 'short', timeZone: 'UTC' })
  return ['Valid until', `${dayText(lastDay(priceEnd))}, ${time.format(new Date(`${priceEnd}Z`))}`]
}

/** The price of a vehicle on paper, for both sides to sign. */
function dealSheet(vehicle: BuyerVehicle, validUntil: string): PrintedDocument {
  const { price, listing, disclaimers } = vehicle
  return {
    ...frameOf(vehicle),
    title: `Deal sheet: ${titleOf(vehicle)}`,
    facts: facts([
      ...identityOf(vehicle),
      ['Exterior color', listing.color],
      ['Prepared', momentText(price.at, price.zone)],
      validity(vehicle, validUntil),
    ]),
    figures: totalFigures(vehicle),
    columns: COLUMNS,
    groups: priceGroups(price),
    notes: disclaimers,
    signature: null,
    signatures: ['Buyer', 'Date', 'For the dealer', 'Date'],
  }
}

const HALF: PrintedDocument['columns'] = [
  { title: 'Detail', kind: 'text', share: 40 },
  { title: 'Value', kind: 'text', share: 60 },
]

/** What hangs in the window of a car: what it is, its equipment, and the advertised price of the day. */
function windowSticker(vehicle: BuyerVehicle): PrintedDocument {
  const { listing, price, disclaimers, link } = vehicle
  const money = moneyIn(price)
  const details = facts([
    ['Body style', listing.body],
    ['Doors', listing.doors === null ? null : String(listing.doors)],
    ['Exterior color', listing.color],
    ['Interior color', listing.interiorColor],
    ['Engine', listing.engine],
    ['Fuel', listing.fuel],
    ['Transmission', listing.transmission],
    ['Drivetrain', listing.drivetrain],
    ['Certification', listing.certification],
  ])
  const groups = [
    { title: 'Vehicle', rows: details.map(({ title, value }) => [title, value]) },
    {
      title: 'Price',
      rows: price.lines.map(({ name, changeCents, priceCents }) => [
        name,
        changeCents === null ? money(priceCents) : signed(changeCents, money),
      ]),
    },
    {
      title: 'Paid on top of the total price',
      rows: price.extraFees.map(({ name, cents }) => [name, money(cents)]),
    },
    {
      title: OFFERS,
      rows: price.offers.map(({ name, about, cents }) => [
        about === '' ? name : `${name}: ${about}`,
        money(cents),
      ]),
    },
  ]
  return {
    ...frameOf(vehicle),
    size: 'sticker',
    title: titleOf(vehicle),
    facts: facts([...identityOf(vehicle), ['MSRP', msrpText(vehicle)], ['Price of', dayText(price.day)]]),
    figures: totalFigures(vehicle).slice(0, 1),
    columns: HALF,
    groups: groups.filter(({ rows }) => rows.length > 0),
    list: listing.options.length === 0 ? null : { title: 'Equipment', items: listing.options },
    notes: disclaimers,
    signature: null,
    ...(link !== null && { codes: [codeOf(vehicle, link)] }),
  }
}

const codeOf = (vehicle: BuyerVehicle, link: string) => ({
  title: 'Scan for photos and details',
  text: `${titleOf(vehicle)}${vehicle.listing.stock === null ? '' : `, ${vehicle.listing.stock}`}`,
  link,
})

/** A card for the mirror of a car. Four are on a page. */
function hangTag(vehicle: BuyerVehicle): PrintedDocument {
  const { link, price, disclaimers } = vehicle
  return {
    ...frameOf(vehicle),
    size: 'tag',
    title: titleOf(vehicle),
    facts: facts([...identityOf(vehicle), ['Price of', dayText(price.day)]]),
    figures: totalFigures(vehicle).slice(0, 1),
    columns: [],
    groups: [],
    notes: disclaimers,
    signature: null,
    ...(link !== null && { codes: [codeOf(vehicle, link)] }),
  }
}
