/**
 * Parses an amount as typed into whole cents: "1,299.50", "1299,5", "1 299". NaN if invalid, so that the contract's
 * error message is shown.
 */
export function parseMoney(text: string): number {
  const match = /^(\d{1,3}(?:[ ,.'\u00a0\u202f]\d{3})+|\d+)(?:[.,](\d{1,2}))?$/.exec(text.trim())
  if (!match) return Number.NaN
  const [, whole = '', cents = ''] = match
  return Number(whole.replace(/\D/g, '')) * 100 + Number(cents.padEnd(2, '0'))
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
