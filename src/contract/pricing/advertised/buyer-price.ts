import { FEE_CLASSES } from '#contract/customers/details/fees.ts'
import { labelOf } from '#contract/record.ts'
import { besideName } from '../totals/beside-name.ts'
import { buyerOffers } from '../totals/buyer-offers.ts'
import { isNamedForBuyers } from '../totals/named-for-buyers.ts'
import { type PriceLine, priceLines } from './price-lines.ts'
import type { VehiclePrice } from '../totals/vehicle-price.ts'

/** The explanation of a price for buyers: what every document, page and email may say about it. Amounts are integer cents. */
export type BuyerPrice = Readonly<{
  currency: string
  /** When it was calculated, in which time zone, and the date there. */
  at: string
  zone: string
  day: string
  totalCents: number
  /** The sentence that the price law wants beside the total. */
  sentence: string | null
  /** Null if it is below the total: it would read as a lower price. */
  msrpCents: number | null
  lines: readonly Pick<PriceLine, 'key' | 'name' | 'about' | 'changeCents' | 'priceCents'>[]
  /** Paid on top of the total. */
  extraFees: readonly Readonly<{ name: string; about: string; cents: number }>[]
  /** Not in the total. */
  offers: readonly Readonly<{ name: string; about: string; cents: number }>[]
}>

type Explained = Pick<VehiclePrice, 'ruleLines' | 'sellingCents'> &
  Partial<Pick<VehiclePrice, 'unnamedCents'>>

/**
 * The lines of a price for buyers: what was added or deducted under a name for buyers, from the price before it. Everything else
 * that led to that price is internal: where it comes from, limits, rounding, special prices with their reasons, and rules without
 * a name for buyers. The price before is what the selling price would be without the named rules, so that a discount is what buyers really
 * pay less. Where that isn't known, as for former prices, it is never higher than the price was before them.
 */
export function linesForBuyers({
  sellingCents,
  ruleLines: all,
  unnamedCents = null,
}: Explained): Pick<VehiclePrice, 'base' | 'ruleLines'> {
  if (sellingCents === null) return { base: null, ruleLines: [] }
  const named = givenDiscounts(all.filter(isNamedForBuyers), { sellingCents, unnamedCents })
  let runningCents = sellingCents - sumOf(named)
  const base = { field: 'price' as const, cents: runningCents, provenance: null }
  const ruleLines = named.map((line) => {
    runningCents += line.amountCents
    return { ...line, ruleId: null, name: line.label ?? '', runningCents }
  })
  return { base, ruleLines }
}

const sumOf = (lines: readonly { amountCents: number }[]): number =>
  lines.reduce((sum, { amountCents }) => sum + amountCents, 0)

/** The named lines with the discounts that are left of them, so that they lead from a price that the vehicle had; the last ones end first. */
function givenDiscounts<L extends { amountCents: number; runningCents: number }>(
  named: readonly L[],
  { sellingCents, unnamedCents }: { sellingCents: number; unnamedCents: number | null },
): L[] {
  const [first] = named
  if (first === undefined) return []
  let excess = sellingCents - sumOf(named) - (unnamedCents ?? first.runningCents - first.amountCents)
  return named
    .toReversed()
    .map((line) => {
      const isMore = unnamedCents !== null && excess < 0 && line.amountCents < 0
      const given = isMore ? excess : Math.min(Math.max(excess, 0), Math.max(-line.amountCents, 0))
      excess -= given
      return { ...line, amountCents: line.amountCents + given }
    })
    .filter(({ amountCents }) => amountCents !== 0)
    .toReversed()
}

/** A vehicle's price as buyers may read it; null without a price. `money`: how the document writes amounts. */
export function buyerPrice(price: VehiclePrice, money: (cents: number) => string): BuyerPrice | null {
  const { totalCents, msrpCents, currency, at, zone, day, law, fees, offers } = price
  // The MSRP alone is no price: the vehicle isn't advertised.
  if (totalCents === null || price.base?.field === 'msrp') return null
  const shown = linesForBuyers(price)
  const texts = { money, day: (one: string) => one, source: () => '' }
  return {
    currency,
    at,
    zone,
    day,
    totalCents,
    sentence: law.sentence,
    msrpCents: msrpCents === null || msrpCents < totalCents ? null : msrpCents,
    lines: priceLines({ ...price, ...shown }, texts)
      // Without a discount, the price before them is the selling price.
      .filter(({ key }) => key !== 'base' || shown.ruleLines.length > 0)
      .map(({ key, name, about, kind, changeCents, priceCents }) => ({
        key,
        name,
        about: key === 'total' ? '' : about || (changeCents === null ? '' : kind),
        changeCents,
        priceCents,
      })),
    extraFees: fees.flatMap(({ name, class: of, chargedCents: cents, treatment }) =>
      treatment === 'extra' ? [{ name, about: besideName(name, labelOf(FEE_CLASSES, of)), cents }] : [],
    ),
    offers: buyerOffers(offers).map(({ name, about, cents, disclaimer }) => ({
      name,
      about: [about, disclaimer].filter(Boolean).join('. '),
      cents,
    })),
  }
}
