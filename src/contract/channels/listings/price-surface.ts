import type { VehicleListing } from './vehicle-listing.ts'
import type { VehicleRecord } from '#contract/vehicles/vehicles/vehicles.ts'
import type { VehiclePrice } from '#contract/pricing/totals/vehicle-price.ts'

/** A vehicle with everything that a surface may print. */
export type SurfaceInput = Readonly<{
  listing: VehicleListing
  price: VehiclePrice
  vehicle: NamedVehicle
  /** The customer's texts that belong beside the price, as `disclaimersOf` returns them. */
  disclaimers: readonly string[]
}>

/** How documents name a vehicle. */
export type NamedVehicle = Pick<
  VehicleRecord,
  'id' | 'vin' | 'stock' | 'year' | 'make' | 'model' | 'trim' | 'lotName'
>

/**
 * A place where buyers read the price of a vehicle: a file, a page, a document. Each is registered in `PRICE_SURFACES`
 * (`src/server/price-surfaces.ts`), and a property test checks all of them: the most prominent amount is the total price by
 * the lot's price law, and nothing below the total is as prominent. Source: FTC letters to dealers of March 2026, which treat
 * the most prominent price as the highest that a buyer can be charged before government charges.
 */
export type PriceSurface = Readonly<{
  name: string
  /** The amounts that it prints for a vehicle with a total price, in cents, from the text itself. Empty: it prints none. */
  amounts: (input: SurfaceInput) => readonly PrintedAmount[]
  /**
   * All that a buyer reads there, for the test that nothing internal reaches a buyer: costs, and names, limits and reasons of
   * rules. Null: only users read it.
   */
  text: ((input: SurfaceInput) => string) | null
  /** The receiver adds the dealer fees to the amount, as `PriceMeaning` says, and shows the sum. */
  isCompletedByReceiver?: true
}>

/** `prominence`: 1 is the most prominent; amounts below the first are smaller, later, or in the explanation of the first. */
export type PrintedAmount = Readonly<{ cents: number; prominence: 1 | 2 }>

/** The cents in a text such as "18995.05 USD" or "$18,995.05"; null if there is no amount. */
export function centsIn(text: string): number | null {
  const found = /-?\d[\d,]*(?:\.\d+)?/.exec(text)?.[0].replaceAll(',', '')
  return found === undefined ? null : Math.round(Number(found) * 100)
}
