import type { Money, VehicleListing } from './vehicle-listing.ts'

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
