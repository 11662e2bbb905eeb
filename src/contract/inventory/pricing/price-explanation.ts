import type { FeeCap, MandatoryFee } from '#contract/customers/details/fees.ts'
import { changesOf, lawOf, type PriceLaw, profileOf } from '#contract/customers/details/price-laws.ts'
import { type TotalPrice, totalPrice } from './total-price.ts'

export type PricedVehicle = Readonly<{
  priceCents: number | null
  msrpCents: number | null
  condition: string
  lotId: string
  region: string | null
  lotLaw: PriceLaw | null
  customerLaw: PriceLaw
  /** The date in the lot's time zone. */
  day: string
  fees: readonly MandatoryFee[]
  caps: readonly FeeCap[]
}>

/** The amount that fees are added to: the price, or an MSRP without one. Null if there is neither. */
export function baseOf({
  priceCents,
  msrpCents,
}: Pick<PricedVehicle, 'priceCents' | 'msrpCents'>): { field: 'price' | 'msrp'; cents: number } | null {
  if (priceCents !== null && priceCents > 0) return { field: 'price', cents: priceCents }
  return msrpCents !== null && msrpCents > 0 ? { field: 'msrp', cents: msrpCents } : null
}

/** The total price on a day; null without a price. */
export function totalOn(vehicle: PricedVehicle, day: string): TotalPrice | null {
  const base = baseOf(vehicle)
  if (base === null) return null
  const { condition, lotId, region, fees, caps } = vehicle
  const profile = profileOf(lawOf(vehicle).law, day)
  const isNew = condition === 'new'
  return totalPrice({ sellingCents: base.cents, isNew, lotId, region, day, fees, caps, profile })
}

/** The first day after `vehicle.day` on which a fee or a law changes the total price, with the new one. */
export function nextTotal(vehicle: PricedVehicle): { day: string; totalCents: number } | null {
  const now = totalOn(vehicle, vehicle.day)
  const days = [
    ...changesOf(lawOf(vehicle).law, vehicle.day),
    ...vehicle.fees.flatMap(({ from }) => (from !== null && from > vehicle.day ? [from] : [])),
  ].toSorted()
  for (const day of days) {
    const next = totalOn(vehicle, day)
    if (next !== null && next.totalCents !== now?.totalCents) return { day, totalCents: next.totalCents }
  }
  return null
}
