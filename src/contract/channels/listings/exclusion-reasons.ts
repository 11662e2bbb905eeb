import type { ChannelKind } from '#contract/pricing/totals/price-meanings.ts'
import { isRefusedPicture } from './picture-formats.ts'
import { realPictures, type VehicleListing } from './vehicle-listing.ts'

/** Why a channel excludes a vehicle, with the label of each reason. */
export const EXCLUSION_REASONS = {
  notForSale: 'Not for sale',
  hiddenLot: 'Lot is hidden',
  leftOut: 'Excluded by the filter',
  noPrice: 'No price',
  noMsrp: 'No MSRP',
  noPicture: 'No photos',
  placeholderOnly: 'Placeholder photos only',
  refusedPictures: 'Photos only in a format that channels refuse (HEIC or JPEG XL)',
  noVin: 'No VIN',
  shortVin: "VIN isn't 17 characters long",
  duplicate: 'Duplicate VIN',
  noName: 'Missing year, make or model',
  noMileage: 'No mileage',
  noColor: 'No color',
  noBody: 'No body style',
  noDescription: 'No description',
  noPage: 'No vehicle page URL',
  noAddress: 'Lot has no address',
} as const
export type ExclusionReason = keyof typeof EXCLUSION_REASONS
export const EXCLUSION_REASON_KEYS = Object.keys(EXCLUSION_REASONS).filter(isReason)

type Check = (listing: VehicleListing) => ExclusionReason | null

function pictures(listing: VehicleListing): ExclusionReason | null {
  if (listing.pictures.length === 0) return 'noPicture'
  return realPictures(listing).length === 0 ? 'placeholderOnly' : null
}
/**
 * What every channel requires: exactly the conditions of a published vehicle (`publishable` of migration 0070 and a visible
 * lot). A test compares them.
 */
const always: readonly Check[] = [
  ({ isLive }) => (isLive ? null : 'notForSale'),
  ({ isLotPublic }) => (isLotPublic ? null : 'hiddenLot'),
  ({ price }) => (price === null ? 'noPrice' : null),
  ({ year, make, model }) => (year === null || !make || !model ? 'noName' : null),
  pictures,
]

function vin(listing: VehicleListing): ExclusionReason | null {
  if (listing.vin === null) return 'noVin'
  if (listing.vin.length !== 17) return 'shortVin'
  return listing.isDuplicate ? 'duplicate' : null
}
const mileage: Check = (listing) => (listing.mileage === null && !listing.isNew ? 'noMileage' : null)
const color: Check = (listing) => (listing.color === null ? 'noColor' : null)
/** Ads are refused without a photo that Google or Meta can read. */
function readablePictures(listing: VehicleListing): ExclusionReason | null {
  const real = realPictures(listing)
  return real.length > 0 && real.every(({ url }) => isRefusedPicture(url)) ? 'refusedPictures' : null
}
/**
 * Of new vehicles, Google wants it, except in Canada. Demo vehicles are sent as used ones, like certified ones, so it is optional.
 * Source: Google, "Vehicle MSRP [vehicle_msrp]" (support.google.com/merchants/answer/14154171).
 */
const msrp: Check = ({ isNew, msrp: own, seller }) =>
  isNew && own === null && seller.country !== 'CA' ? 'noMsrp' : null
const page: Check = (listing) => (listing.url === null ? 'noPage' : null)
const body: Check = (listing) => (listing.body === null ? 'noBody' : null)
const description: Check = (listing) => (listing.description === null ? 'noDescription' : null)
function address({ seller: { address: street, city, region } }: VehicleListing): ExclusionReason | null {
  return street === null || city === null || region === null ? 'noAddress' : null
}

/** Google finds the dealership by it. */
function postalAddress({ seller }: VehicleListing): ExclusionReason | null {
  const { address: street, city, postalCode, country } = seller
  return [street, city, postalCode, country].includes(null) ? 'noAddress' : null
}

/** Required fields. Sources: Google, "Create a primary feed" (vehicle ads) and "Feed specification" (vehicle listings); Meta, "Automotive Inventory Ads, Catalogs and Feeds". */
const CHECKS: Readonly<Record<ChannelKind, readonly Check[]>> = {
  google: [...always, readablePictures, vin, mileage, color, page, msrp],
  'google-listings': [...always, vin, mileage, postalAddress],
  meta: [...always, readablePictures, vin, mileage, color, page, body, description, address],
  csv: always,
}

/** Why a channel excludes a listing; empty if it includes it. */
export function exclusionReasons(kind: ChannelKind, listing: VehicleListing): ExclusionReason[] {
  return CHECKS[kind].flatMap((check) => check(listing) ?? [])
}

function isReason(name: string): name is ExclusionReason {
  return Object.hasOwn(EXCLUSION_REASONS, name)
}
