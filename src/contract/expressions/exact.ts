import { Decimal } from 'decimal.js'

/**
 * Decimals for exact arithmetic in rules: the limits of `readRule` keep results below 5,000 digits, so only a
 * quotient must be truncated.
 */
export const Exact = Decimal.clone({
  precision: 5_000,
  rounding: Decimal.ROUND_DOWN,
  maxE: 9e15,
  minE: -9e15,
})
export type Exact = Decimal

/** Decimal places of a quotient. Truncated rather than rounded, exactly like PostgreSQL's `div`. */
export const QUOTIENT_PLACES = 20

const SHIFT = new Exact(10).pow(QUOTIENT_PLACES)
const UNSHIFT = new Exact(10).pow(-QUOTIENT_PLACES)

/** @returns null, which is missing, if the divisor is 0. */
export function quotient(dividend: Exact, divisor: Exact): Exact | null {
  if (divisor.isZero()) return null
  return dividend.times(SHIFT).divToInt(divisor).times(UNSHIFT)
}
