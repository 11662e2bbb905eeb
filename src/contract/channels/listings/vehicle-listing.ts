import { publicDescription, withoutAmounts } from '#contract/pricing/totals/public-description.ts'
import type { CustomFieldName, CustomValue } from '#contract/customers/custom-fields/custom-fields.ts'
import type { MandatoryFee } from '#contract/customers/details/fees.ts'
import type { OwnProfile, PriceLaw } from '#contract/customers/details/price-laws.ts'
import type { PriceMeaning } from '#contract/pricing/totals/price-meanings.ts'
import { type PriceQuote, priceQuote } from '#contract/pricing/totals/price-quote.ts'
import type { PriceFacts, PriceRule } from '#contract/pricing/rules/price-rule.ts'
import { isConvertedPicture } from './picture-formats.ts'
import { isPlaceholderPhoto } from '#contract/vehicles/vehicles/publishing.ts'
import type { Photo } from '#contract/vehicles/vehicles/vehicles.ts'

/** A vehicle row with its lot and dealer. Amounts are integer cents. */
export type ListingFacts = {
  id: string
  vin: string | null
  stock: string | null
  condition: 'new' | 'used' | 'cpo' | 'demo'
  status: string
  year: number | null
  make: string | null
  model: string | null
  trim: string | null
  body: string | null
  doors: number | null
  color: string | null
  interiorColor: string | null
  fuel: string | null
  electrification: string | null
  transmission: string | null
  drivetrain: string | null
  engine: string | null
  mileage: number | null
  priceCents: number | null
  msrpCents: number | null
  description: string | null
  options: readonly string[]
  certification: string | null
  pageUrl: string | null
  photos: readonly Photo[]
  inStockOn: string | null
  /** Custom field values by field name. */
  custom: Readonly<Record<CustomFieldName, CustomValue>>
  /** An older vehicle with status `live` has the same VIN. */
  isDuplicate: boolean
  dealer: string
  lotId: string
  lotCode: string
  lotName: string
  isLotPublic: boolean
  address: string | null
  city: string | null
  region: string | null
  postalCode: string | null
  phone: string | null
  currency: string
  distanceUnit: string
  /** The fees every buyer pays, and what decides which of them the price includes. */
  fees: readonly MandatoryFee[]
  lotLaw: PriceLaw | null
  customerLaw: PriceLaw
  profiles: readonly OwnProfile[]
  /** The date and minute in the lot's time zone: `2026-11-24T09:30`. */
  minute: string
  /** The price rules that match the vehicle, and the amounts they refer to. */
  rules: readonly PriceRule[]
  feedPriceCents: number | null
  marketPriceCents: number | null
  invoiceCents: number | null
  costCents: number | null
  /** A price for this vehicle only. */
  special: NonNullable<PriceFacts['special']> | null
}

export type Money = { cents: number; currency: string }
export type ListingPicture = { url: string; alt: string; isPlaceholder: boolean }

/**
 * A vehicle as buyers see it. Pages, JSON-LD and every channel file are built from this one object, so they always agree.
 */
export type VehicleListing = Readonly<{
  id: string
  vin: string | null
  stock: string | null
  isNew: boolean
  isCertified: boolean
  /** The status is `live`. Buyers also need `isLotPublic` to see it. */
  isLive: boolean
  isLotPublic: boolean
  isDuplicate: boolean
  title: string
  year: number | null
  make: string | null
  model: string | null
  trim: string | null
  body: string | null
  doors: number | null
  color: string | null
  interiorColor: string | null
  fuel: string | null
  electrification: string | null
  transmission: string | null
  drivetrain: string | null
  engine: string | null
  mileage: Readonly<{ value: number; unit: 'mi' | 'km' }> | null
  /** The advertised price: the total price by the lot's price rules. Null if the price is missing or zero. */
  price: Money | null
  /** The price before dealer fees, only for a receiver that adds them itself. */
  priceWithoutFees: Money | null
  msrp: Money | null
  /** How the price is made; null without a price. */
  quote: PriceQuote | null
  description: string | null
  options: readonly string[]
  certification: string | null
  /** The page where buyers see the vehicle. */
  url: string | null
  pictures: readonly ListingPicture[]
  inStockOn: string | null
  /** Custom fields as text, for custom columns. */
  custom: Readonly<Record<string, string>>
  seller: Readonly<{
    name: string
    lotCode: string
    lotName: string
    address: string | null
    city: string | null
    region: string | null
    postalCode: string | null
    country: string | null
    phone: string | null
  }>
}>

/** Builds the public URLs of a vehicle. */
export type ListingOptions = {
  /** `https://dealer.example/cars/{vin}`: used when a vehicle has no URL of its own. Null: no page. */
  pageTemplate: string | null
  /** The public URL at which this server shows a photo as a JPEG; null if it has none. */
  pictureAddress: (facts: ListingFacts, place: string) => string | null
}

/** Lot addresses have no country, so it is derived from the customer's currency. */
const COUNTRIES: Readonly<Record<string, string>> = { USD: 'US', CAD: 'CA', GBP: 'GB', MXN: 'MX', AUD: 'AU' }

/** Builds the listing of a vehicle. Pure: the same facts always give the same listing. */
export function vehicleListing(facts: ListingFacts, options: ListingOptions): VehicleListing {
  const { id, vin, stock, year, make, model, trim, mileage, currency, isLotPublic, isDuplicate } = facts
  const quote = priceQuote({ ...facts, day: facts.minute.slice(0, 10), caps: [], amounts: facts })
  const unit = facts.distanceUnit === 'km' ? 'km' : 'mi'
  return {
    id,
    vin,
    stock,
    isNew: facts.condition === 'new',
    isCertified: facts.condition === 'cpo',
    isLive: facts.status === 'live',
    isLotPublic,
    isDuplicate,
    title: [year, make, model, trim].filter((part) => part !== null && part !== '').join(' '),
    year,
    make,
    model,
    trim,
    body: facts.body,
    doors: facts.doors,
    color: facts.color,
    interiorColor: facts.interiorColor,
    fuel: facts.fuel,
    electrification: facts.electrification,
    transmission: facts.transmission,
    drivetrain: facts.drivetrain,
    engine: facts.engine,
    mileage: mileage === null ? null : { value: mileage, unit },
    price: moneyOf(quote?.totalCents ?? null, currency),
    priceWithoutFees: moneyOf(quote?.withoutFeesCents ?? null, currency),
    msrp: moneyOf(facts.msrpCents, currency),
    quote,
    description: publicDescription(facts.description).text,
    options: withoutAmounts(facts.options),
    certification: facts.certification,
    url: facts.pageUrl ?? pageOf(facts, options.pageTemplate),
    pictures: facts.photos.flatMap((photo) => pictureOf(facts, photo, options)),
    inStockOn: facts.inStockOn,
    custom: Object.fromEntries(Object.entries(facts.custom).map(([name, value]) => [name, asText(value)])),
    seller: {
      name: facts.dealer,
      lotCode: facts.lotCode,
      lotName: facts.lotName,
      address: facts.address,
      city: facts.city,
      region: facts.region,
      postalCode: facts.postalCode,
      country: COUNTRIES[currency] ?? null,
      phone: facts.phone,
    },
  }
}

/** The photos that aren't placeholders. */
export function realPictures({ pictures }: VehicleListing): ListingPicture[] {
  return pictures.filter(({ isPlaceholder }) => !isPlaceholder)
}

/** Placeholders allowed in a page URL template. */
export const PAGE_PARTS = ['vin', 'stock', 'id', 'lot'] as const

/** Null if the vehicle has no value for one of the placeholders. */
function pageOf({ vin, stock, id, lotCode }: ListingFacts, template: string | null): string | null {
  if (template === null) return null
  const parts: Readonly<Record<string, string | null>> = { vin, stock, id, lot: lotCode }
  let isWhole = true
  const address = template.replaceAll(/\{(\w+)\}/g, (_, name: string) => {
    const part = parts[name] ?? ''
    if (part === '') isWhole = false
    return encodeURIComponent(part)
  })
  return isWhole ? address : null
}

function pictureOf(
  facts: ListingFacts,
  { kind, place, alt }: Photo,
  options: ListingOptions,
): ListingPicture[] {
  const isSentAsIs = kind === 'address' && !isConvertedPicture(place)
  const url = isSentAsIs ? place : options.pictureAddress(facts, place)
  return url === null
    ? []
    : [{ url, alt: withoutAmounts([alt])[0] ?? '', isPlaceholder: isPlaceholderPhoto(place) }]
}

function moneyOf(cents: number | null, currency: string): Money | null {
  return cents === null || cents <= 0 ? null : { cents, currency }
}

function asText(value: CustomValue): string {
  if (typeof value === 'boolean') return value ? 'yes' : 'no'
  return String(value)
}

/** The listing with the price that the receiver expects, so that a fee is neither missing nor added twice. */
export function withPriceFor(meaning: PriceMeaning, listing: VehicleListing): VehicleListing {
  return meaning === 'without-fees' ? { ...listing, price: listing.priceWithoutFees } : listing
}

/**
 * What the total price of a new vehicle is below its MSRP; null if it isn't, and for every other vehicle, whose MSRP is the price
 * of another time. The total has every dealer fee that the law puts into it and no rebate that isn't for everyone, so the
 * difference is never larger than what a buyer saves.
 */
export function belowMsrp({
  isNew,
  msrp,
  price,
}: Pick<VehicleListing, 'isNew' | 'msrp' | 'price'>): { msrp: Money; savedCents: number } | null {
  if (!isNew || msrp === null || price === null || msrp.currency !== price.currency) return null
  return msrp.cents > price.cents ? { msrp, savedCents: msrp.cents - price.cents } : null
}
