import { FEE_CLASSES } from '#contract/customers/details/fees.ts'
import type { VehiclePrice } from '#contract/inventory/pricing/vehicle-price.ts'
import { labelOf } from '#contract/record.ts'
import { describeSource } from '../vehicles/page/field-groups.ts'
import { formatDate, formatPrice } from '../vehicles/vehicle-labels.ts'

/** A line of the explanation: the price after it, and what it changed. */
export type PriceLine = Readonly<{
  key: string
  name: string
  about: string
  kind: string
  /** Null for amounts that other lines are added to. */
  changeCents: number | null
  priceCents: number
  /** `anchor`: a price; `up` and `down`: a change; `none`: a line that adds nothing. */
  tone: 'anchor' | 'up' | 'down' | 'none'
}>

/** The lines of a vehicle's price, in the order in which they are calculated; empty without a price. */
export function priceLines(price: VehiclePrice): PriceLine[] {
  const { base, sellingCents, totalCents, fees } = price
  if (base === null || sellingCents === null || totalCents === null) return []
  const money = (cents: number) => formatPrice(cents, price.currency)
  const lines: PriceLine[] = [
    {
      key: 'base',
      name: base.field === 'price' ? 'Price' : 'MSRP',
      about:
        base.field === 'msrp'
          ? 'No price is set, so the MSRP is the advertised price'
          : describeSource(base.provenance ?? undefined),
      kind: 'Base',
      changeCents: null,
      priceCents: base.cents,
      tone: 'anchor',
    },
    {
      key: 'selling',
      name: 'Selling price',
      about: 'For every buyer, before fees',
      kind: '',
      changeCents: null,
      priceCents: sellingCents,
      tone: 'anchor',
    },
    ...fees
      .filter(({ treatment }) => treatment !== 'extra')
      .map((fee, at): PriceLine => ({
        key: `fee ${at}`,
        name: fee.name,
        about: aboutFee(fee, money),
        kind: labelOf(FEE_CLASSES, fee.class),
        changeCents: fee.addedCents,
        priceCents: fee.runningCents,
        tone: fee.addedCents > 0 ? 'up' : 'none',
      })),
  ]
  return [
    ...lines,
    {
      key: 'total',
      name: 'Total price',
      about: 'In channels and structured data',
      kind: '',
      changeCents: null,
      priceCents: totalCents,
      tone: 'anchor',
    },
  ]
}

type Fee = VehiclePrice['fees'][number]

function aboutFee(fee: Fee, money: (cents: number) => string): string {
  const kind = labelOf(FEE_CLASSES, fee.class)
  if (fee.treatment === 'in-price') return `${kind}, ${money(fee.chargedCents)} already in the price`
  const limit = fee.limitedByPercent
  return limit === null ? kind : `${kind}, limited to ${limit}% of the selling price`
}

/** Fees that exceed a limit, in words. */
export function feeFindings({ fees, currency }: VehiclePrice): string[] {
  return fees.flatMap(({ name, chargedCents, exceeds }) =>
    exceeds === null
      ? []
      : [
          `${name}: ${formatPrice(chargedCents, currency)} is above the limit of ${formatPrice(exceeds.cents, currency)} since ${formatDate(exceeds.from)} (${exceeds.source}).`,
        ],
  )
}

/** The scale of the bars: it starts below the lowest price, so that changes can be seen. */
export function priceScale(lines: readonly PriceLine[]): { start: number; end: number } {
  const prices = lines.map(({ priceCents }) => priceCents)
  const [least, most] = [Math.min(...prices), Math.max(...prices)]
  const span = Math.max(most - least, most * 0.01, 1)
  return { start: Math.max(0, Math.floor((least - span) / 10_000) * 10_000), end: most }
}

/** The bar of a line in percent of the scale: an anchor from the start, a change from the price before it. */
export function barOf(
  { tone, priceCents, changeCents }: PriceLine,
  { start, end }: { start: number; end: number },
): { from: number; to: number } {
  const at = (cents: number) => ((cents - start) / Math.max(1, end - start)) * 100
  if (tone === 'anchor') return { from: 0, to: at(priceCents) }
  const before = priceCents - (changeCents ?? 0)
  return { from: at(Math.min(before, priceCents)), to: at(Math.max(before, priceCents)) }
}
