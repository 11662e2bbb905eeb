/**
 * An amount as people type it, in whole cents: "1,299.50", "1299,5", "1 299". NaN for what is no amount, so that the
 * contract's own sentence is shown.
 */
export function parseMoney(text: string): number {
  const match = /^(\d{1,3}(?:[ ,.'\u00a0\u202f]\d{3})+|\d+)(?:[.,](\d{1,2}))?$/.exec(text.trim())
  if (!match) return Number.NaN
  const [, whole = '', cents = ''] = match
  return Number(whole.replace(/\D/g, '')) * 100 + Number(cents.padEnd(2, '0'))
}

/** Cents as a person would type them: "1299.50". */
export function typeMoney(cents: number): string {
  return (cents / 100).toFixed(2)
}

/** Cents with their currency: "$1,299.50". Never throws: a code that no currency has stands beside the number. */
export function formatMoney(cents: number, currency: string): string {
  try {
    return new Intl.NumberFormat(undefined, { style: 'currency', currency }).format(cents / 100)
  } catch {
    return `${typeMoney(cents)} ${currency}`
  }
}
