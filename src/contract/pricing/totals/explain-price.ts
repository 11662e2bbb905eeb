import { lawOf, profileOf } from '#contract/customers/details/price-laws.ts'
import { lintAdvertisement } from './lint-advertisement.ts'
import { baseOf, nextTotal, priceAt, type PricedVehicle, sentenceBeside } from './price-explanation.ts'
import { isNamedForBuyers } from './named-for-buyers.ts'
import { publicDescription } from './public-description.ts'
import { VehiclePrice } from './vehicle-price.ts'

/** What the explanation shows beside the calculation. */
export type ShownWithPrice = Pick<
  VehiclePrice,
  'currency' | 'at' | 'zone' | 'simulatedMinute' | 'special' | 'costCents' | 'marketPriceCents'
> &
  Readonly<{
    description: string | null
    /** Where the amount of the base comes from. */
    provenance: Readonly<{ [field in 'price' | 'msrp']?: unknown }>
  }>

/** The explanation of a vehicle's total price. Pure: the Price tab, the deal sheet and the API show this and nothing else. */
export function explainPrice(priced: PricedVehicle, shown: ShownWithPrice): VehiclePrice {
  const { description, provenance, ...more } = shown
  const base = baseOf(priced)
  const now = priceAt(priced, priced.minute)
  const { law, origin } = lawOf(priced)
  const profile = profileOf(law, priced.day, priced.profiles)
  const { from, deductsRebates, otherReading, source } = profile
  const sentence = sentenceBeside(priced, now?.total ?? null)
  const lacksFees = now !== null && profile.sentence !== sentence
  return VehiclePrice.parse({
    ...more,
    day: priced.day,
    base: base && { ...base, provenance: provenance[base.field] ?? null },
    ruleLines: now?.evaluation.lines ?? [],
    offers: now?.evaluation.offers ?? [],
    skippedRules: now?.evaluation.skipped ?? [],
    sellingCents: now?.total.sellingCents ?? null,
    unnamedCents: withoutNamed(priced, now),
    fees: now?.total.fees ?? [],
    totalCents: now?.total.totalCents ?? null,
    law: { code: law, origin, from, deductsRebates, sentence, lacksFees, otherReading, source },
    textFindings:
      description === null
        ? []
        : [...lintAdvertisement(description, law, now?.total.totalCents ?? null), ...leftOutOf(description)],
    nextChange: nextTotal(priced),
    msrpCents: priced.msrpCents,
  })
}

/** What the selling price would be without the rules that buyers read about; null if there are none. */
function withoutNamed(priced: PricedVehicle, now: ReturnType<typeof priceAt>): number | null {
  if (now === null || !now.evaluation.lines.some(isNamedForBuyers)) return null
  const rules = priced.rules.filter((rule) => !isNamedForBuyers(rule))
  return priceAt({ ...priced, rules }, priced.minute)?.total.sellingCents ?? null
}

/** What buyers don't see of a description that a feed sent. */
const leftOutOf = (description: string): VehiclePrice['textFindings'] =>
  publicDescription(description).leftOut.map((words) => ({
    words,
    from: Math.max(description.indexOf(words), 0),
    message: 'Buyers don’t see this, because it names an amount that the price engine didn’t calculate.',
    source: 'prices come from the price engine',
  }))
