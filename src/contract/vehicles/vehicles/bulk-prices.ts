import { z } from 'zod'
import { amountText } from './price-changes.ts'

/** How a price of many vehicles changes. */
export const PRICE_ACTIONS = [
  { value: 'lower', label: 'Lower by' },
  { value: 'raise', label: 'Raise by' },
  { value: 'set', label: 'Set to' },
] as const
type PriceAction = (typeof PRICE_ACTIONS)[number]['value']

/** What a new price is rounded to: a multiple of `stepCents`, plus `endCents`. */
export const PRICE_ENDINGS = [
  { value: 'none', label: "Don't round", stepCents: 1, endCents: 0, words: null },
  { value: '1', label: 'Whole amounts, such as 21,347', stepCents: 100, endCents: 0, words: 'whole amounts' },
  {
    value: '5',
    label: 'Multiples of 5, such as 21,345',
    stepCents: 500,
    endCents: 0,
    words: 'multiples of 5',
  },
  {
    value: '10',
    label: 'Multiples of 10, such as 21,340',
    stepCents: 1_000,
    endCents: 0,
    words: 'multiples of 10',
  },
  {
    value: '50',
    label: 'Multiples of 50, such as 21,350',
    stepCents: 5_000,
    endCents: 0,
    words: 'multiples of 50',
  },
  {
    value: '100',
    label: 'Multiples of 100, such as 21,300',
    stepCents: 10_000,
    endCents: 0,
    words: 'multiples of 100',
  },
  {
    value: 'ends-95',
    label: 'Ending in 95, such as 21,395',
    stepCents: 10_000,
    endCents: 9_500,
    words: 'prices ending in 95',
  },
  {
    value: 'ends-99',
    label: 'Ending in 99, such as 21,399',
    stepCents: 10_000,
    endCents: 9_900,
    words: 'prices ending in 99',
  },
] as const
type PriceEnding = (typeof PRICE_ENDINGS)[number]['value']

/** Which of the two prices around it a price is rounded to. Halfway is rounded up, away from zero. */
export const ROUNDING_DIRECTIONS = [
  { value: 'nearest', label: 'To the nearest' },
  { value: 'down', label: 'Down' },
  { value: 'up', label: 'Up' },
] as const
type RoundingDirection = (typeof ROUNDING_DIRECTIONS)[number]['value']

const values = <V extends string>(choices: readonly { value: V }[]): V[] => choices.map(({ value }) => value)

/** Same limit as for the price of one vehicle. */
const MAX_CENTS = 100_000_000_000
const PERCENT = 'Percent must be from 0.01 to 100, with at most two decimals.'

/** A change of many prices by an amount or a percentage of each, or to one amount. Only one of `cents` and `percent`. */
export const BulkPrice = z
  .strictObject({
    action: z.enum(values(PRICE_ACTIONS), 'Choose lower, raise or set.'),
    cents: z
      .number('Amount must be a number.')
      .int('Amount must be in whole cents.')
      .positive('Amount must be more than 0.')
      .max(MAX_CENTS, 'Amount can be at most 1,000,000,000.')
      .optional(),
    percent: z
      .number(PERCENT)
      .min(0.01, PERCENT)
      .max(100, PERCENT)
      .refine((percent) => Number(percent.toFixed(2)) === percent, PERCENT)
      .optional(),
    ending: z.enum(values(PRICE_ENDINGS), 'Choose what to round to.').optional().default('none'),
    direction: z
      .enum(values(ROUNDING_DIRECTIONS), 'Choose nearest, down or up.')
      .optional()
      .default('nearest'),
  })
  .refine(({ cents, percent }) => (cents === undefined) !== (percent === undefined), {
    path: ['cents'],
    message: 'Enter an amount or a percentage.',
  })
  .refine(({ action, percent }) => action !== 'set' || percent === undefined, {
    path: ['percent'],
    message: 'Enter the amount to set.',
  })
  .refine(({ action, ending }) => action !== 'set' || ending === 'none', {
    path: ['ending'],
    message: 'A price that is set is not rounded.',
  })
export type BulkPrice = z.output<typeof BulkPrice>

/** Why a bulk change leaves the price of a vehicle as it is, in the order of its checks. */
export const KEPT_PRICE_REASONS = [
  {
    value: 'gone',
    label: 'Deleted, or out of your access',
    text: 'It was deleted, or you no longer have access to it.',
  },
  { value: 'sold', label: 'No longer in stock', text: 'It is no longer in stock.' },
  {
    value: 'fixed',
    label: 'Special price, which stays until it ends',
    text: 'It has a special price, which stays until it ends.',
  },
  { value: 'blank', label: 'No price', text: 'It has no price.' },
  {
    value: 'zero',
    label: 'The new price would be zero or less',
    text: 'The new price would be zero or less.',
  },
  {
    value: 'highest',
    label: 'The new price would be more than 1,000,000,000',
    text: 'The new price would be more than 1,000,000,000.',
  },
  {
    value: 'rounding',
    label: 'Rounding would move the price the other way',
    text: 'Rounding would move its price the other way.',
  },
  {
    value: 'lowest',
    label: 'The new price would be below the lowest price of your price limits',
    text: 'The new price would be below the lowest price of your price limits.',
  },
  { value: 'same', label: 'Already at this price', text: 'It already has this price.' },
] as const
export type KeptPriceReason = (typeof KEPT_PRICE_REASONS)[number]['value']

/** What decides about the price of one vehicle. */
type PricedVehicle = Readonly<{ priceCents: number | null; isSold: boolean; isFixed: boolean }>

/** The new price of a vehicle, or why it stays as it is. */
export type PriceDecision = Readonly<{ cents: number } | { reason: KeptPriceReason }>

/**
 * Decides about the price of one vehicle. Pure, in integer cents. The preview and the change both use it. Prices are never zero
 * or less, and a lowered price is never above what it was, a raised one never below. `minCents`: the customer's lowest price; a
 * price that a change brings closer to it may still be below.
 */
export function decidePrice(
  { priceCents, isSold, isFixed }: PricedVehicle,
  change: BulkPrice,
  { minCents }: Readonly<{ minCents: number }>,
): PriceDecision {
  if (isSold) return { reason: 'sold' }
  if (isFixed) return { reason: 'fixed' }
  const isBlank = priceCents === null || priceCents === 0
  if (isBlank && change.action !== 'set') return { reason: 'blank' }
  const cents = calculatePrice(priceCents ?? 0, change)
  if (cents <= 0) return { reason: 'zero' }
  if (cents > MAX_CENTS) return { reason: 'highest' }
  if (cents === priceCents) return { reason: 'same' }
  if (!isBlank && isOtherWay(cents - priceCents, change.action)) return { reason: 'rounding' }
  if (cents < minCents && (isBlank || cents < priceCents)) return { reason: 'lowest' }
  return { cents }
}

const isOtherWay = (difference: number, action: PriceAction): boolean =>
  (action === 'lower' && difference > 0) || (action === 'raise' && difference < 0)

/**
 * The price after a change, rounded once, from the exact result. Halfway between two prices it is rounded away from zero. May be
 * zero or negative.
 */
export function calculatePrice(priceCents: number, change: BulkPrice): number {
  const { action, cents, percent, ending, direction } = change
  if (action === 'set') return cents ?? 0
  const sign = action === 'raise' ? 1n : -1n
  // Ten-thousandths of a cent: a percentage has two decimals.
  const exact =
    BigInt(priceCents) * 10_000n +
    sign *
      (percent === undefined
        ? BigInt(cents ?? 0) * 10_000n
        : BigInt(priceCents) * BigInt(Math.round(percent * 100)))
  return Number(roundTo(exact, ending, direction))
}

function roundTo(exact: bigint, ending: PriceEnding, direction: RoundingDirection): bigint {
  const { stepCents, endCents } = PRICE_ENDINGS.find(({ value }) => value === ending) ?? PRICE_ENDINGS[0]
  const step = BigInt(stepCents) * 10_000n
  const end = BigInt(endCents) * 10_000n
  const above = (((exact - end) % step) + step) % step
  const down = exact - above
  const half = exact < 0n ? above * 2n > step : above * 2n >= step
  const isUp = above > 0n && (direction === 'up' || (direction === 'nearest' && half))
  return (isUp ? down + step : down) / 10_000n
}

/** "Lower the price of 86 vehicles by 2%, to prices ending in 99, rounded down". */
export function describeBulkPrice(change: BulkPrice, vehicles: string, currency: string): string {
  const { action, cents, percent, ending, direction } = change
  const amount = percent === undefined ? amountText(cents ?? 0, currency) : `${percent}%`
  if (action === 'set') return `Set the price of ${vehicles} to ${amount}`
  const words = PRICE_ENDINGS.find(({ value }) => value === ending)?.words ?? null
  const to = direction === 'nearest' ? 'rounded to' : `rounded ${direction} to`
  return `${action === 'raise' ? 'Raise' : 'Lower'} the price of ${vehicles} by ${amount}${words === null ? '' : `, ${to} ${words}`}`
}

const Sums = z.object({ beforeCents: z.number().int(), afterCents: z.number().int() })
const Changed = Sums.extend({
  vehicleId: z.string(),
  title: z.string(),
  /** What buyers pay with the fees that the lot's price law includes. */
  totalBeforeCents: z.number().int(),
  totalAfterCents: z.number().int(),
})

/** The most vehicles that a preview names with their prices. */
export const MAX_NAMED_PRICES = 20
/** The most vehicles that a preview names for each reason to stay as they are. */
export const MAX_NAMED_KEPT = 5
/** The most vehicles whose prices change at once. */
export const MAX_BULK_PRICES = 100_000

/** What a bulk change of prices would do now. Amounts are integer cents in `currency`. */
export const BulkPricePreview = z.object({
  currency: z.string(),
  /** The change is made with it, and refused if its effect is another one by then. */
  seen: z.string(),
  selected: z.number().int(),
  lowered: z.number().int(),
  raised: z.number().int(),
  /** How many vehicles stay as they are for each reason, and some of them. */
  kept: z.array(
    z.object({
      reason: z.enum(values(KEPT_PRICE_REASONS)),
      vehicles: z.number().int(),
      titles: z.array(z.string()),
    }),
  ),
  /** Of the vehicles that change: their own prices, and what buyers pay. Prices set for the first time count as 0 before. */
  prices: Sums,
  totals: Sums,
  /** Vehicles whose total for buyers moves the other way than their price, because rules no longer apply or apply now. */
  opposite: z.object({ vehicles: z.number().int(), named: z.array(Changed) }),
  /** The largest changes of own prices. */
  largest: z.array(Changed),
})
export type BulkPricePreview = z.infer<typeof BulkPricePreview>
