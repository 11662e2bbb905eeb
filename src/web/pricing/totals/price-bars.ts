import type { PriceLine } from '#contract/pricing/advertised/price-lines.ts'

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
