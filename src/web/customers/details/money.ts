import { localeFormat } from '#contract/parsing/locale-format.ts'
import { amountInCents } from '#contract/parsing/parse-amount.ts'

/**
 * Parses an amount as typed or pasted into whole cents: "$1,299.50", "1299 USD". Below 0 and NaN if invalid, so that the
 * contract's error message for either is shown.
 */
export function parseMoney(text: string, currency: string): number {
  const [, minus, amount = text] = /^\s*([-−]?)(.*)$/s.exec(text) ?? []
  return (minus ? -1 : 1) * amountInCents(amount, localeFormat(), currency)
}

/** Formats cents for an input: "1299.50". */
export function typeMoney(cents: number): string {
  return (cents / 100).toFixed(2)
}

/** Formats cents with their currency: "$1,299.50". Never throws: an unknown code is appended to the number. */
export function formatMoney(cents: number, currency: string): string {
  try {
    return new Intl.NumberFormat(undefined, { style: 'currency', currency }).format(cents / 100)
  } catch {
    return `${typeMoney(cents)} ${currency}`
  }
}
