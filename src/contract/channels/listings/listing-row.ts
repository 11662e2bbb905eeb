import type { ChannelKind, PriceMeaning } from '#contract/pricing/totals/price-meanings.ts'
import { channelWord } from './channel-words.ts'
import { isRefusedPicture } from './picture-formats.ts'
import { realPictures, type Money, type VehicleListing } from './vehicle-listing.ts'

/** File formats of channels. Google and Meta don't accept JSON, and Meta's XML has a different structure. */
export const FEED_FORMATS = ['csv', 'xml', 'json'] as const
export type FeedFormat = (typeof FEED_FORMATS)[number]
export const FORMATS_OF: Readonly<Record<ChannelKind, readonly FeedFormat[]>> = {
  google: ['csv', 'xml'],
  'google-listings': ['csv'],
  meta: ['csv'],
  csv: ['csv', 'xml', 'json'],
}

/** Values by column. A list becomes one value in CSV, several elements in XML, and an array in JSON. */
export type FeedRow = Readonly<Record<string, string | readonly string[]>>

/** Maximum number of photos per vehicle: Meta accepts 20, Google 1 plus 10 additional. */
const MAX_PICTURES = 11

/** `18995.00`: currency units with two decimals. */
export function moneyText({ cents }: Money): string {
  return `${Math.floor(cents / 100)}.${String(cents % 100).padStart(2, '0')}`
}

/** The columns of a channel kind, in order; the same for every vehicle. */
export function feedColumns(kind: ChannelKind, meaning: PriceMeaning = 'total'): readonly string[] {
  const extra = kind === 'csv' && meaning === 'both' ? FEE_COLUMNS : []
  return [...COLUMNS[kind], ...extra].map(([name]) => name)
}

/** The parts of the total price, for files whose receiver wants them too. */
export const FEE_COLUMN_NAMES = ['price_without_fees', 'dealer_fees'] as const

/** A listing in the columns of a channel kind; missing values are empty. */
export function feedRow(kind: ChannelKind, listing: VehicleListing): FeedRow {
  const columns = kind === 'csv' ? [...PLAIN, ...FEE_COLUMNS] : COLUMNS[kind]
  return Object.fromEntries(columns.map(([name, read]) => [name, read(listing)]))
}

type Column = readonly [name: string, read: (listing: VehicleListing) => string | readonly string[]]

const text = (value: string | number | null): string => (value === null ? '' : String(value))
const withCurrency = (money: Money | null): string =>
  money === null ? '' : `${moneyText(money)} ${money.currency}`
const plain = (money: Money | null): string => (money === null ? '' : moneyText(money))
const urls = (listing: VehicleListing): string[] =>
  sentPictures(listing)
    .slice(0, MAX_PICTURES)
    .map(({ url }) => url)
/** Real photos in formats that the receivers take. */
const sentPictures = (listing: VehicleListing) =>
  realPictures(listing).filter(({ url }) => !isRefusedPicture(url))
/** A new vehicle without a mileage counts as 0. */
const distance = ({ mileage, isNew }: VehicleListing): string => text(mileage?.value ?? (isNew ? 0 : null))

/** A group of two attributes: in XML, they are elements of their own. */
export const GOOGLE_FULFILLMENT = 'vehicle_fulfillment(option:store_code)'

const GOOGLE: readonly Column[] = [
  ['id', ({ id }) => id],
  ['store_code', ({ seller }) => seller.lotCode],
  ['vin', ({ vin }) => text(vin)],
  ['condition', ({ isNew }) => (isNew ? 'new' : 'used')],
  ['brand', ({ make }) => text(make)],
  ['model', ({ model }) => text(model)],
  ['trim', ({ trim }) => text(trim)],
  ['year', ({ year }) => text(year)],
  ['mileage', googleDistance],
  ['price', ({ price }) => withCurrency(price)],
  // Of used vehicles it is optional, and the page that the file links to has to show it, which it does of new ones only.
  ['vehicle_msrp', ({ isNew, msrp }) => (isNew ? withCurrency(msrp) : '')],
  ['color', ({ color }) => text(color)],
  ['image_link', (listing) => text(urls(listing)[0] ?? null)],
  ['additional_image_link', (listing) => urls(listing).slice(1)],
  [GOOGLE_FULFILLMENT, ({ seller }) => `in_store:${seller.lotCode}`],
  ['engine', (listing) => channelWord('google', 'fuel', listing)],
  ['body_style', (listing) => channelWord('google', 'body', listing)],
  ['link', ({ url }) => text(url)],
  ['title', ({ title }) => title],
  ['description', ({ description }) => text(description)],
  ['certified_pre-owned', ({ isCertified }) => (isCertified ? 'yes' : 'no')],
  ['vehicle_option', ({ options }) => options],
  ['google_product_category', () => '916'],
]

/** Source: Google, vehicle listings feed specification (developers.google.com/vehicle-listings/reference/feed-specification). */
const GOOGLE_LISTINGS: readonly Column[] = [
  ['vin', ({ vin }) => text(vin)],
  ['id', ({ stock }) => text(stock)],
  ['store_code', ({ seller }) => seller.lotCode],
  ['dealership_name', ({ seller }) => seller.name],
  ['dealership_address', ({ seller }) => addressLine(seller)],
  ['tracking_phone_number', ({ seller }) => text(seller.phone)],
  ['image_link', (listing) => text(urls(listing)[0] ?? null)],
  ['additional_image_link', (listing) => urls(listing).slice(1)],
  ['link', ({ url }) => text(url)],
  ['date_in_stock', ({ inStockOn }) => text(inStockOn)],
  ['price', ({ price }) => withCurrency(price)],
  // Only of new vehicles.
  ['vehicle_msrp', ({ isNew, msrp }) => (isNew ? withCurrency(msrp) : '')],
  ['condition', ({ isNew }) => (isNew ? 'new' : 'used')],
  ['certified_pre_owned', ({ isCertified }) => (isCertified ? 'yes' : 'no')],
  ['make', ({ make }) => text(make)],
  ['model', ({ model }) => text(model)],
  ['trim', ({ trim }) => text(trim)],
  ['year', ({ year }) => text(year)],
  ['mileage', googleDistance],
  ['exterior_color', ({ color }) => text(color)],
]

const META: readonly Column[] = [
  ['vehicle_id', ({ id }) => id],
  ['title', ({ title }) => title],
  ['description', ({ description }) => text(description).slice(0, 5_000)],
  ['url', ({ url }) => text(url)],
  ['make', ({ make }) => text(make)],
  ['model', ({ model }) => text(model)],
  ['year', ({ year }) => text(year)],
  ['trim', ({ trim }) => text(trim)],
  ['mileage.value', distance],
  ['mileage.unit', ({ mileage }) => (mileage?.unit === 'km' ? 'KM' : 'MI')],
  ...Array.from({ length: 10 }, (_, at): Column[] => [
    [`image[${at}].url`, (listing) => text(urls(listing)[at] ?? null)],
    [`image[${at}].tag[0]`, (listing) => text(sentPictures(listing)[at]?.alt ?? null)],
  ]).flat(),
  ['transmission', (listing) => channelWord('meta', 'transmission', listing)],
  ['fuel_type', (listing) => channelWord('meta', 'fuel', listing)],
  ['body_style', (listing) => channelWord('meta', 'body', listing)],
  ['drivetrain', (listing) => channelWord('meta', 'drivetrain', listing)],
  ['vin', ({ vin }) => text(vin)],
  ['price', ({ price }) => withCurrency(price)],
  ['address', addressJson],
  ['exterior_color', ({ color }) => text(color)],
  ['availability', () => 'AVAILABLE'],
  ['date_first_on_lot', ({ inStockOn }) => text(inStockOn)],
  ['state_of_vehicle', (listing) => (listing.isNew ? 'NEW' : listing.isCertified && 'CPO') || 'USED'],
  ['dealer_name', ({ seller }) => seller.name],
  ['dealer_phone', ({ seller }) => text(seller.phone)],
  ['stock_number', ({ stock }) => text(stock)],
]

const PLAIN: readonly Column[] = [
  ['vin', ({ vin }) => text(vin)],
  ['stock', ({ stock }) => text(stock)],
  ['condition', (listing) => (listing.isNew ? 'new' : listing.isCertified && 'cpo') || 'used'],
  ['year', ({ year }) => text(year)],
  ['make', ({ make }) => text(make)],
  ['model', ({ model }) => text(model)],
  ['trim', ({ trim }) => text(trim)],
  ['body', ({ body }) => text(body)],
  ['doors', ({ doors }) => text(doors)],
  ['color', ({ color }) => text(color)],
  ['interior_color', ({ interiorColor }) => text(interiorColor)],
  ['mileage', distance],
  ['mileage_unit', ({ mileage }) => mileage?.unit ?? ''],
  ['engine', ({ engine }) => text(engine)],
  ['fuel', ({ fuel }) => text(fuel)],
  ['transmission', ({ transmission }) => text(transmission)],
  ['drivetrain', ({ drivetrain }) => text(drivetrain)],
  ['price', ({ price }) => plain(price)],
  ['msrp', ({ msrp }) => plain(msrp)],
  ['currency', ({ price }) => price?.currency ?? ''],
  ['in_stock_since', ({ inStockOn }) => text(inStockOn)],
  ['description', ({ description }) => text(description)],
  ['options', ({ options }) => options],
  ['certified_programme', ({ certification }) => text(certification)],
  ['url', ({ url }) => text(url)],
  ['photos', urls],
  ['dealer', ({ seller }) => seller.name],
  ['lot_code', ({ seller }) => seller.lotCode],
  ['lot', ({ seller }) => seller.lotName],
  ['address', ({ seller }) => text(seller.address)],
  ['city', ({ seller }) => text(seller.city)],
  ['region', ({ seller }) => text(seller.region)],
  ['postal_code', ({ seller }) => text(seller.postalCode)],
  ['phone', ({ seller }) => text(seller.phone)],
]

const FEE_COLUMNS: readonly Column[] = [
  [FEE_COLUMN_NAMES[0], ({ priceWithoutFees }) => plain(priceWithoutFees)],
  [
    FEE_COLUMN_NAMES[1],
    ({ quote, priceWithoutFees }) =>
      quote === null || priceWithoutFees === null
        ? ''
        : moneyText({ ...priceWithoutFees, cents: quote.totalCents - priceWithoutFees.cents }),
  ],
]

const COLUMNS: Readonly<Record<ChannelKind, readonly Column[]>> = {
  google: GOOGLE,
  'google-listings': GOOGLE_LISTINGS,
  meta: META,
  csv: PLAIN,
}

function googleDistance(listing: VehicleListing): string {
  const value = distance(listing)
  return value === '' ? '' : `${value} ${listing.mileage?.unit === 'km' ? 'km' : 'miles'}`
}

/** `1800 Main St, Sacramento, CA 95814, US`. */
function addressLine({ address, city, region, postalCode, country }: VehicleListing['seller']): string {
  const area = [region, postalCode].filter(Boolean).join(' ')
  return [address, city, area, country].filter(Boolean).join(', ')
}

function addressJson({ seller }: VehicleListing): string {
  const { address, city, region, postalCode, country } = seller
  return JSON.stringify({
    addr1: address ?? '',
    city: city ?? '',
    region: region ?? '',
    postal_code: postalCode ?? '',
    country: country ?? '',
  })
}
