import { realPictures, type VehicleListing } from './vehicle-listing.ts'

/** What is made for whom: Google's vehicle listings, Meta's automotive inventory, and a plain file for anybody. */
export const CHANNEL_KINDS = ['google', 'meta', 'csv'] as const
export type ChannelKind = (typeof CHANNEL_KINDS)[number]

/** Why a channel does not take a vehicle, as people read it. */
export const HOLD_REASONS = {
  notLive: 'Not live',
  hiddenLot: 'Its lot is hidden',
  leftOut: 'Left out by the rule',
  noPrice: 'No price',
  noPicture: 'No picture',
  placeholderOnly: 'Placeholder pictures only',
  noVin: 'No VIN',
  shortVin: 'VIN is not 17 characters long',
  twin: 'Another vehicle has the same VIN',
  noName: 'No year, make or model',
  noMileage: 'No mileage',
  noColor: 'No colour',
  noBody: 'No body style',
  noDescription: 'No description',
  noPage: 'No address of its page',
  noAddress: 'Its lot has no address',
} as const
export type HoldReason = keyof typeof HOLD_REASONS
export const HOLD_REASON_KEYS = Object.keys(HOLD_REASONS).filter(isReason)

type Check = (offer: VehicleListing) => HoldReason | null

const always: readonly Check[] = [
  ({ isLive }) => (isLive ? null : 'notLive'),
  ({ isLotPublic }) => (isLotPublic ? null : 'hiddenLot'),
  ({ price }) => (price === null ? 'noPrice' : null),
  ({ year, make, model }) => (year === null || !make || !model ? 'noName' : null),
]

function pictures(offer: VehicleListing): HoldReason | null {
  if (offer.pictures.length === 0) return 'noPicture'
  return realPictures(offer).length === 0 ? 'placeholderOnly' : null
}
function vin(offer: VehicleListing): HoldReason | null {
  if (offer.vin === null) return 'noVin'
  if (offer.vin.length !== 17) return 'shortVin'
  return offer.isDuplicate ? 'twin' : null
}
const mileage: Check = (offer) => (offer.mileage === null && !offer.isNew ? 'noMileage' : null)
const colour: Check = (offer) => (offer.colour === null ? 'noColor' : null)
const page: Check = (offer) => (offer.url === null ? 'noPage' : null)
const body: Check = (offer) => (offer.body === null ? 'noBody' : null)
const description: Check = (offer) => (offer.description === null ? 'noDescription' : null)
function address({ seller: { address: street, city, region } }: VehicleListing): HoldReason | null {
  return street === null || city === null || region === null ? 'noAddress' : null
}

/** What each asks for: Google, "Create a primary feed" of vehicle ads; Meta, "Automotive Inventory Ads, Catalogs and Feeds". */
const CHECKS: Readonly<Record<ChannelKind, readonly Check[]>> = {
  google: [...always, vin, pictures, mileage, colour, page],
  meta: [...always, vin, pictures, mileage, colour, page, body, description, address],
  csv: [...always, pictures],
}

/** Why a channel does not take an offer; empty when it does. */
export function reasonsAgainst(kind: ChannelKind, offer: VehicleListing): HoldReason[] {
  return CHECKS[kind].flatMap((check) => check(offer) ?? [])
}

function isReason(name: string): name is HoldReason {
  return Object.hasOwn(HOLD_REASONS, name)
}
