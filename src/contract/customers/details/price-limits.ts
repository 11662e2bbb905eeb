import { z } from 'zod'

const percent = (name: string) => {
  const sentence = `${name} must be a whole number from 1 to 100.`
  return z.number(sentence).int(sentence).min(1, sentence).max(100, sentence)
}
const amount = (name: string) => {
  const sentence = `${name} must be an amount from 0 to 1,000,000,000 with at most two decimals.`
  return z.number(sentence).int(sentence).min(0, sentence).max(100_000_000_000, sentence)
}

const APPROVAL = 'Approval above must be a whole number from 0 to 1,000,000.'

/**
 * Beyond these limits a price needs a user's confirmation, whatever its source. `changePercent`: how much one price may rise or
 * fall. `stockPercent`: a feed is held if this share of the lots' vehicles changes by more than that. `minCents` and
 * `maxCents`: the usual range of prices. A missing price is never outside it. `approvalAbove`: a change to price rules that
 * changes more selling prices than this needs the approval of a second user; null: none does. `totalCents`: a change to price
 * rules, or of many vehicles, is asked about if it moves all prices together by more than this, or more of the stock's prices
 * than `stockPercent`. Left out: unchanged.
 */
export const PriceLimits = z
  .strictObject({
    changePercent: percent('Largest price change'),
    stockPercent: percent('Share of stock'),
    minCents: amount('Lowest price'),
    maxCents: amount('Highest price'),
    totalCents: amount('Largest total change').optional(),
    approvalAbove: z
      .number(APPROVAL)
      .int(APPROVAL)
      .min(0, APPROVAL)
      .max(1_000_000, APPROVAL)
      .nullable()
      .optional(),
  })
  .refine(({ minCents, maxCents }) => minCents < maxCents, {
    path: ['maxCents'],
    message: 'Highest price must be above the lowest price.',
  })
export type PriceLimits = z.infer<typeof PriceLimits>

/** `totalCents` of customers who never set it. */
export const DEFAULT_TOTAL_CENTS = 5_000_000
