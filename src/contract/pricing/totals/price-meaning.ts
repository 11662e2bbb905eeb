import type { VehicleListing } from '#contract/channels/listings/vehicle-listing.ts'

/** What the price field of a custom file means to its receiver. Google and Meta require the total price. */
export const PRICE_MEANINGS = [
  { value: 'total', label: 'Total price' },
  { value: 'without-fees', label: 'Price without dealer fees' },
  { value: 'both', label: 'Total price, fees in extra columns' },
] as const
export type PriceMeaning = (typeof PRICE_MEANINGS)[number]['value']
export const PRICE_MEANING_CODES = PRICE_MEANINGS.map(({ value }) => value)

/** The listing with the price that the receiver expects, so that a fee is neither missing nor added twice. */
export function withPriceFor(meaning: PriceMeaning, listing: VehicleListing): VehicleListing {
  return meaning === 'without-fees' ? { ...listing, price: listing.priceWithoutFees } : listing
}
