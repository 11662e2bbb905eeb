import { Decimal } from 'decimal.js'

/**
 * Decimals that sums of a rule never round: the limits of `readRule` keep results below 5,000 digits, so only a
 * quotient must be cut.
 */
export const Exact = Decimal.clone({
  precision: 5_000,
  rounding: Decimal.ROUND_DOWN,
  maxE: 9e15,
  minE: -9e15,
})
export type Exact = Decimal

/** Places of a quotient. What follows is cut off, not rounded: PostgreSQL's `div` cuts as well, exactly. */
export const QUOTIENT_PLACES = 20

const SHIFT = new Exact(10).pow(QUOTIENT_PLACES)
const UNSHIFT = new Exact(10).pow(-QUOTIENT_PLACES)

/** @returns null, which is missing, where the divisor is 0. */
export function quotient(dividend: Exact, divisor: Exact): Exact | null {
  if (divisor.isZero()) return null
  return dividend.times(SHIFT).divToInt(divisor).times(UNSHIFT)
}
