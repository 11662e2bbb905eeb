import type { FeeClass } from '#contract/customers/details/fees.ts'
import { lawOf, type PriceLaw } from '#contract/customers/details/price-laws.ts'
import { type BuyerOffer, buyerOffers } from './buyer-offers.ts'
import { priceAt, type PricedVehicle, sentenceBeside } from './price-explanation.ts'
import type { RuleLine } from '../rules/evaluate-price.ts'
import type { TotalPrice } from './total-price.ts'

/** The total price as buyers see it, with what it consists of. Amounts are integer cents. */
export type PriceQuote = Readonly<{
  /** The price before the rules, and what each of them changed, in order: the selling price is their sum. */
  baseCents: number
  lines: readonly RuleLine[]
  sellingCents: number
  /** The selling price without the dealer's fees that prices already contain. */
  withoutFeesCents: number
  totalCents: number
  law: PriceLaw
  /** The sentence that belongs beside the price. */
  sentence: string | null
  /** The fees in the total price. */
  fees: readonly Readonly<{ name: string; class: FeeClass; cents: number }>[]
  /** Not in the total price. */
  offers: readonly BuyerOffer[]
  /** What buyers must read of the rebates that the price has in it. */
  rebateTerms: readonly string[]
}>

/** What buyers see of a vehicle's price at its minute; null without a price of its own. */
export function priceQuote(vehicle: PricedVehicle): PriceQuote | null {
  const { law } = lawOf(vehicle)
  const now = priceAt(vehicle, vehicle.minute)
  if (now === null) return null
  const { total } = now
  const { baseCents, lines, offers } = now.evaluation
  if (baseCents === null) return null
  return {
    baseCents,
    lines,
    sellingCents: total.sellingCents,
    withoutFeesCents: withoutFees(total),
    totalCents: total.totalCents,
    law,
    sentence: sentenceBeside(vehicle, total),
    fees: total.fees.flatMap((fee) =>
      fee.addedCents > 0 ? [{ name: fee.name, class: fee.class, cents: fee.addedCents }] : [],
    ),
    offers: buyerOffers(offers),
    rebateTerms: rebateTerms(vehicle.rules, lines),
  }
}

function rebateTerms(rules: PricedVehicle['rules'], lines: readonly RuleLine[]): string[] {
  const deducted = new Set(lines.flatMap(({ kind, ruleId }) => (kind === 'rebate' ? (ruleId ?? []) : [])))
  return rules.flatMap(({ id, disclaimer }) => (deducted.has(id) ? (disclaimer ?? []) : []))
}

/** Fees that are as high as the price aren't in it. */
function withoutFees({ sellingCents, fees }: TotalPrice): number {
  const contained = fees
    .filter((fee) => fee.treatment === 'in-price' && fee.class !== 'government')
    .reduce((sum, { chargedCents }) => sum + chargedCents, 0)
  return contained < sellingCents ? sellingCents - contained : sellingCents
}
