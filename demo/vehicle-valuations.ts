import type { Chance } from './chance.ts'
import type { VehicleBasics, VehicleValuation } from './demo-vehicle.ts'

/**
 * Valuations of a demo vehicle: a market price for most used vehicles, a book value for many. Uses a separate generator,
 * like describeVehicle.
 */
export function valuationOf({ condition, priceCents }: VehicleBasics, chance: Chance): VehicleValuation {
  const isUsed = condition === 'used' || condition === 'cpo'
  const marketShare = 0.94 + chance.upTo(0.1)
  const hasMarket = chance.happens(0.85)
  const bookShare = 0.88 + chance.upTo(0.1)
  const hasBook = chance.happens(0.65)
  if (!isUsed || priceCents === null) return { marketPriceCents: null, bookValueCents: null }
  return {
    marketPriceCents: hasMarket ? around(priceCents, marketShare) : null,
    bookValueCents: hasBook ? around(priceCents, bookShare) : null,
  }
}

const around = (cents: number, share: number): number => Math.round((cents * share) / 2_500) * 2_500
