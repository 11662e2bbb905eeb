import { VEHICLE_STATUSES } from './vehicle-choices.ts'

/** Of vehicles that are no longer in stock. All others are in stock. */
export const OUT_OF_STOCK_STATUSES = ['sold', 'archived', 'wholesale', 'removed'] as const
/** Of vehicles in stock that aren't offered, or not yet. */
const NOT_FOR_SALE_STATUSES = ['incoming', 'preparing', 'hold'] as const

const outOfStock: readonly string[] = OUT_OF_STOCK_STATUSES
const statusIn = (statuses: readonly string[]): string =>
  `status in [${statuses.map((status) => JSON.stringify(status)).join(', ')}]`

/**
 * What each word about the stock means, as rules of the vehicle list. Figures, links and shared views use these, so that a word has
 * the same number everywhere. "Not published" are all vehicles that buyers don't see; of those, `hidden` are for sale.
 */
export const STOCK_RULES = {
  inStock: statusIn(VEHICLE_STATUSES.filter((status) => !outOfStock.includes(status))),
  live: 'status == "live"',
  published: 'published == "published"',
  hidden: 'status == "live" && published == "not-published"',
  /** The feed has sent another price than before, but a person set the price, or the new one is beyond the limits. */
  asksPrice: 'priceDecision == "open"',
  notForSale: statusIn(NOT_FOR_SALE_STATUSES),
  /** In stock with a known arrival date: a vehicle that has left has no days in stock. */
  dated: 'daysInStock != null',
  over90: 'daysInStock > 90',
} as const
export type StockRule = keyof typeof STOCK_RULES
