import type { CustomFieldName, CustomValue } from '#contract/customers/custom-fields/custom-fields.ts'
import type { Photo } from '#contract/inventory/vehicles/vehicles.ts'

/** A vehicle as the database has it, with its lot and who sells there. Amounts are integer cents. */
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
  colour: string | null
  interiorColour: string | null
  fuel: string | null
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
  /** Values of the customer's own fields by their names. */
  custom: Readonly<Record<CustomFieldName, CustomValue>>
  /** An older vehicle that is live has the same VIN. */
  isDuplicate: boolean
  dealer: string
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
}

export type Money = { cents: number; currency: string }
export type ListingPicture = { url: string; alt: string; isPlaceholder: boolean }

/**
 * What a vehicle is offered as. Pages, JSON-LD and every feed are made of this one object, so that none of them says
 * what another does not.
 */
export type VehicleListing = Readonly<{
  id: string
  vin: string | null
  stock: string | null
  isNew: boolean
  isCertified: boolean
  /** Buyers may see it: it is live and its lot is shown. */
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
  colour: string | null
  interiorColour: string | null
  fuel: string | null
  transmission: string | null
  drivetrain: string | null
  engine: string | null
  mileage: Readonly<{ value: number; unit: 'mi' | 'km' }> | null
  /** What everybody pays; null where there is none, or it is nothing. */
  price: Money | null
  msrp: Money | null
  description: string | null
  options: readonly string[]
  certification: string | null
  /** Where buyers read of it. */
  url: string | null
  pictures: readonly ListingPicture[]
  inStockOn: string | null
  /** The customer's own fields as text, for the columns that its receivers want. */
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

/** How a vehicle is reached from outside. */
export type ListingOptions = {
  /** `https://dealer.example/cars/{vin}`: the page of vehicles that name none of their own. Null: there is none. */
  pageTemplate: string | null
  /** The public address of a picture in the customer's media; null where it has none. */
  pictureAddress: (facts: ListingFacts, place: string) => string | null
}

/** Addresses of lots name no country; what the customer sells in tells it. */
const COUNTRIES: Readonly<Record<string, string>> = { USD: 'US', CAD: 'CA', GBP: 'GB', MXN: 'MX', AUD: 'AU' }
/** What providers call the picture of a vehicle that has none. */
const PLACEHOLDER =
  /coming(?:[-_ ]|%20)*soon|no[-_ ]?(?:image|photo|picture|pic)\b|place[-_ ]?holder|not[-_ ]?available|awaiting|image[-_ ]?missing|default[-_ ](?:car|vehicle)/i

/** Makes the offer of a vehicle. Pure: the same facts are the same offer everywhere. */
export function vehicleListing(facts: ListingFacts, ways: ListingOptions): VehicleListing {
  const { id, vin, stock, year, make, model, trim, mileage, currency, isLotPublic, isDuplicate } = facts
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
    colour: facts.colour,
    interiorColour: facts.interiorColour,
    fuel: facts.fuel,
    transmission: facts.transmission,
    drivetrain: facts.drivetrain,
    engine: facts.engine,
    mileage: mileage === null ? null : { value: mileage, unit },
    price: moneyOf(facts.priceCents, currency),
    msrp: moneyOf(facts.msrpCents, currency),
    description: facts.description,
    options: facts.options,
    certification: facts.certification,
    url: facts.pageUrl ?? pageOf(facts, ways.pageTemplate),
    pictures: facts.photos.flatMap((photo) => pictureOf(facts, photo, ways)),
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

/** The pictures that show the vehicle itself. */
export function realPictures({ pictures }: VehicleListing): ListingPicture[] {
  return pictures.filter(({ isPlaceholder }) => !isPlaceholder)
}

/** The names that an address of pages may hold in braces. */
export const PAGE_PARTS = ['vin', 'stock', 'id', 'lot'] as const

/** Null where the vehicle has nothing to put into one of the braces. */
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

function pictureOf(facts: ListingFacts, { kind, place, alt }: Photo, ways: ListingOptions): ListingPicture[] {
  const url = kind === 'address' ? place : ways.pictureAddress(facts, place)
  return url === null ? [] : [{ url, alt, isPlaceholder: PLACEHOLDER.test(place) }]
}

function moneyOf(cents: number | null, currency: string): Money | null {
  return cents === null || cents <= 0 ? null : { cents, currency }
}

function asText(value: CustomValue): string {
  if (typeof value === 'boolean') return value ? 'yes' : 'no'
  return String(value)
}
