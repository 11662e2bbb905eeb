import type { FeeCap, FeeClass, MandatoryFee } from '#contract/customers/details/fees.ts'
import { regionOf } from '#contract/regions.ts'
import type { PriceProfile } from '#contract/customers/details/price-laws.ts'

/** A fee that applies to a vehicle. Amounts are integer cents. */
export type FeeLine = Readonly<{
  name: string
  class: FeeClass
  /** What the buyer pays. */
  chargedCents: number
  /** What it adds to the total price: 0 if the law leaves it out, or if prices already contain it. */
  addedCents: number
  /** The price after this line. */
  runningCents: number
  /** `included`: added; `in-price`: the price already contains it; `extra`: paid on top of the total price. */
  treatment: 'included' | 'in-price' | 'extra'
  /** The share of the selling price that limited the amount, in percent; null if nothing did. */
  limitedByPercent: number | null
  /** A cap that the amount exceeds; null if there is none. */
  exceeds: Readonly<{ cents: number; source: string; from: string }> | null
}>

/** The total price of a vehicle with its fees. `sellingCents` plus every `addedCents` is `totalCents`. */
export type TotalPrice = Readonly<{ sellingCents: number; totalCents: number; fees: readonly FeeLine[] }>

export type TotalPriceFacts = Readonly<{
  /** The price every buyer can get, before fees. */
  sellingCents: number
  isNew: boolean
  lotId: string
  region: string | null
  /** The date in the lot's time zone, `2026-11-24`. */
  day: string
  fees: readonly MandatoryFee[]
  caps?: readonly FeeCap[]
  profile: PriceProfile
}>

/**
 * The total price: the selling price plus the mandatory fees that the lot's price law includes. Pure, in integer cents; the
 * order is that of the customer's fees. Source: the laws in price-laws.ts.
 */
export function totalPrice(facts: TotalPriceFacts): TotalPrice {
  const { sellingCents, profile, caps = [], region, day } = facts
  const fees: FeeLine[] = []
  let runningCents = sellingCents
  for (const fee of feesFor(facts)) {
    const { chargedCents, limitedByPercent } = amountOf(fee, sellingCents)
    const treatment = treatmentOf(fee, profile)
    const addedCents = treatment === 'included' ? chargedCents : 0
    runningCents += addedCents
    const cap = capFor(caps, { class: fee.class, region, day })
    fees.push({
      name: fee.name,
      class: fee.class,
      chargedCents,
      addedCents,
      runningCents,
      treatment,
      limitedByPercent,
      exceeds: cap !== null && chargedCents > cap.cents ? cap : null,
    })
  }
  return { sellingCents, totalCents: runningCents, fees }
}

function treatmentOf(fee: MandatoryFee, { includes }: PriceProfile): FeeLine['treatment'] {
  if (fee.isInPrice) return 'in-price'
  return includes.includes(fee.class) ? 'included' : 'extra'
}

/** The amount, or a share of the selling price if that is less. The share is rounded down to a cent. */
function amountOf({ cents, percent }: MandatoryFee, sellingCents: number) {
  if (percent === null) return { chargedCents: cents, limitedByPercent: null }
  const share = Math.floor((sellingCents * Math.round(percent * 100)) / 10_000)
  return share < cents
    ? { chargedCents: share, limitedByPercent: percent }
    : { chargedCents: cents, limitedByPercent: null }
}

/** The fees of a vehicle on a day. Of several with one name, the latest that has started. */
function feesFor({ fees, lotId, isNew, day }: TotalPriceFacts): MandatoryFee[] {
  const mine = fees.filter(
    (fee) =>
      (fee.from === null || fee.from <= day) &&
      (fee.vehicles === 'all' || (fee.vehicles === 'new') === isNew) &&
      (fee.lotIds.length === 0 || fee.lotIds.includes(lotId)),
  )
  return mine.filter(
    (fee, at) =>
      !mine.some(
        (other, place) =>
          keyOf(other) === keyOf(fee) &&
          ((other.from ?? '') > (fee.from ?? '') || ((other.from ?? '') === (fee.from ?? '') && place > at)),
      ),
  )
}

const keyOf = ({ name }: MandatoryFee): string => name.trim().toLowerCase()

function capFor(
  caps: readonly FeeCap[],
  { class: feeClass, region, day }: { class: FeeClass; region: string | null; day: string },
): { cents: number; source: string; from: string } | null {
  const own = caps.filter(
    (cap) => cap.class === feeClass && cap.from <= day && placeOf(cap.region) === placeOf(region),
  )
  const [latest] = own.toSorted((a, b) => (a.from < b.from ? 1 : -1))
  return latest ? { cents: latest.cents, source: latest.source, from: latest.from } : null
}

const placeOf = (region: string | null): string =>
  regionOf(region)?.code ?? (region ?? '').trim().toLowerCase()
