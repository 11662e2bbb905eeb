/** An amount in the way buyers read it: `$23,995`, with cents only if there are some. */
export function amountText(cents: number, currency: string): string {
  const digits = cents % 100 === 0 ? 0 : 2
  return new Intl.NumberFormat('en-US', {
    style: 'currency',
    currency,
    minimumFractionDigits: digits,
    maximumFractionDigits: digits,
  }).format(cents / 100)
}

/** A whole number with separators: `12,400`. */
export const countText = (count: number): string => new Intl.NumberFormat('en-US').format(count)

/** A count with its noun: `1 vehicle`, `1,240 vehicles`. */
export const counted = (count: number, [one, many]: readonly [string, string]): string =>
  `${countText(count)} ${count === 1 ? one : many}`
