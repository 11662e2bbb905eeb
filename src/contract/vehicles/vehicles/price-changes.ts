import type { PriceLimits } from '#contract/customers/details/price-limits.ts'

/** A new price of a vehicle, in cents. `title` names the vehicle. */
export type PriceChange = Readonly<{ title: string; beforeCents: number | null; afterCents: number | null }>

/** The most vehicles that a message names. */
export const MAX_NAMED = 5

const hasPrice = (cents: number | null): cents is number => cents !== null && cents > 0

/** Whether a price rises or falls by more than the limit. Setting the first price, or removing one, is not a change of this kind. */
function isLargeChange({ beforeCents, afterCents }: PriceChange, { changePercent }: PriceLimits): boolean {
  if (!hasPrice(beforeCents) || !hasPrice(afterCents)) return false
  return Math.abs(afterCents - beforeCents) * 100 > beforeCents * changePercent
}

/** Whether a price is outside the customer's usual range. A missing price isn't. */
function isOutOfRange({ afterCents }: PriceChange, { minCents, maxCents }: PriceLimits): boolean {
  return hasPrice(afterCents) && (afterCents < minCents || afterCents > maxCents)
}

/** Whether a user has to confirm the new price. An unchanged price never needs it. */
export function needsConfirmation(change: PriceChange, limits: PriceLimits): boolean {
  if (change.beforeCents === change.afterCents) return false
  return isLargeChange(change, limits) || isOutOfRange(change, limits)
}

/** The relative size of a change, for finding the largest: 1 doubles or removes the price. */
export function changeSize({ beforeCents, afterCents }: PriceChange): number {
  return hasPrice(beforeCents) ? Math.abs((afterCents ?? 0) - beforeCents) / beforeCents : 0
}

/** An amount without ".00", in the language of messages: "$21,000". */
export function amountText(cents: number, currency: string): string {
  return new Intl.NumberFormat('en', {
    style: 'currency',
    currency,
    trailingZeroDisplay: 'stripIfInteger',
  }).format(cents / 100)
}

/** The vehicles with their prices, for a message: "2021 Ford Escape, $21,000 to $1; ...". */
export function namePriceChanges(changes: readonly PriceChange[], currency: string): string {
  const named = changes.slice(0, MAX_NAMED).map(({ title, beforeCents, afterCents }) => {
    const now = afterCents === null ? 'no price' : amountText(afterCents, currency)
    return hasPrice(beforeCents)
      ? `${title}, ${amountText(beforeCents, currency)} to ${now}`
      : `${title}, ${now}`
  })
  return changes.length > MAX_NAMED ? `${named.join('; ')}; and others` : named.join('; ')
}
