import type { FeeCap, MandatoryFee } from '#contract/customers/details/fees.ts'
import {
  changesOf,
  lawOf,
  type OwnProfile,
  type PriceLaw,
  profileOf,
} from '#contract/customers/details/price-laws.ts'
import { type Evaluation, evaluatePrice } from '../rules/evaluate-price.ts'
import type { PriceFacts, PriceRule } from '../rules/price-rule.ts'
import { type TotalPrice, totalPrice } from './total-price.ts'

export type PricedVehicle = Readonly<{
  priceCents: number | null
  msrpCents: number | null
  condition: string
  lotId: string
  region: string | null
  lotLaw: PriceLaw | null
  customerLaw: PriceLaw
  /** The customer's own readings of the laws. */
  profiles: readonly OwnProfile[]
  /** The date in the lot's time zone. */
  day: string
  fees: readonly MandatoryFee[]
  caps: readonly FeeCap[]
  /** The minute in the lot's time zone, on `day`. */
  minute: string
  rules: readonly PriceRule[]
  amounts: PriceFacts
}>

/** The amount that fees are added to: the price, or an MSRP without one. Null if there is neither. */
export function baseOf({
  priceCents,
  msrpCents,
}: Pick<PricedVehicle, 'priceCents' | 'msrpCents'>): { field: 'price' | 'msrp'; cents: number } | null {
  if (priceCents !== null && priceCents > 0) return { field: 'price', cents: priceCents }
  return msrpCents !== null && msrpCents > 0 ? { field: 'msrp', cents: msrpCents } : null
}

/** The rules and the total price at a minute in the lot's time zone; null without a price or an MSRP. */
export function priceAt(
  vehicle: PricedVehicle,
  minute: string,
): { evaluation: Evaluation; total: TotalPrice } | null {
  const base = baseOf(vehicle)
  if (base === null) return null
  const { condition, lotId, region, fees, caps, rules, amounts, profiles } = vehicle
  const day = minute.slice(0, 10)
  const profile = profileOf(lawOf(vehicle).law, day, profiles)
  const { deductsRebates } = profile
  const evaluation = evaluatePrice(rules, amounts, { minute, deductsRebates })
  const sellingCents = evaluation.sellingCents ?? base.cents
  const isNew = condition === 'new'
  const total = totalPrice({ sellingCents, isNew, lotId, region, day, fees, caps, profile })
  return { evaluation, total }
}

/** The total price on a day; null without a price. */
export function totalOn(vehicle: PricedVehicle, day: string): TotalPrice | null {
  return priceAt(vehicle, day === vehicle.day ? vehicle.minute : `${day}T00:00`)?.total ?? null
}

/**
 * The sentence that belongs beside the total price. Null if the law has none, and while no fee that the law puts into the total is
 * entered for the vehicle: what buyers read of dealer fees must be known to be true. A fee of 0 says that there is none.
 */
export function sentenceBeside(vehicle: PricedVehicle, total: TotalPrice | null): string | null {
  const { sentence, includes } = profileOf(lawOf(vehicle).law, vehicle.day, vehicle.profiles)
  const isEntered = total?.fees.some((fee) => includes.includes(fee.class)) ?? false
  return isEntered ? sentence : null
}

/** The minutes at which a law or a fee of the customer changes later. */
function laterDays(vehicle: PricedVehicle): string[] {
  const days = [
    ...changesOf(lawOf(vehicle).law, vehicle.day, vehicle.profiles),
    ...vehicle.fees.flatMap(({ from }) => (from !== null && from > vehicle.day ? [from] : [])),
  ]
  return days.map((day) => `${day}T00:00`)
}

/** The most changes of rules without an effect on the price that are looked through. */
const MAX_BOUNDARIES = 100

/** The first later minute at which a rule, a fee or a law changes the total price, with the new one. */
export function nextTotal(vehicle: PricedVehicle): { minute: string; totalCents: number } | null {
  const now = priceAt(vehicle, vehicle.minute)
  const boundaries = new Set(laterDays(vehicle))
  let minute = now?.evaluation.nextChange ?? null
  while (minute !== null && boundaries.size < MAX_BOUNDARIES) {
    boundaries.add(minute)
    minute = priceAt(vehicle, minute)?.evaluation.nextChange ?? null
  }
  for (const boundary of [...boundaries].toSorted()) {
    const next = priceAt(vehicle, boundary)?.total
    if (next !== undefined && next.totalCents !== now?.total.totalCents) {
      return { minute: boundary, totalCents: next.totalCents }
    }
  }
  return null
}

/** What buyers pay now. Amounts are integer cents, null without a price of the vehicle's own. */
export type CurrentPrice = Readonly<{
  sellingCents: number | null
  totalCents: number | null
  /** The rules that changed the price, in order. */
  rules: readonly Readonly<{ id: string; name: string }>[]
  /** The next minute in the lot's time zone at which this may differ; null: never without another change. */
  until: string | null
}>

/**
 * The price at this minute, and until when it certainly stays the same, unless the vehicle, its rules, fees or law change.
 * An MSRP without a price is no selling price, because such a vehicle isn't published.
 */
export function currentPrice(vehicle: PricedVehicle): CurrentPrice {
  const now = vehicle.priceCents === null ? null : priceAt(vehicle, vehicle.minute)
  if (now === null || now.evaluation.sellingCents === null)
    return { sellingCents: null, totalCents: null, rules: [], until: null }
  const { evaluation, total } = now
  const boundaries = [
    ...(evaluation.nextChange === null ? [] : [evaluation.nextChange]),
    ...laterDays(vehicle),
  ]
  return {
    sellingCents: total.sellingCents,
    totalCents: total.totalCents,
    rules: evaluation.lines.flatMap(({ ruleId: id, name }) => (id === null ? [] : [{ id, name }])),
    until: boundaries.toSorted()[0] ?? null,
  }
}
