/** Making a formatter takes a hundred times as long as using it. */
const amounts = new Map<string, Intl.NumberFormat>()
const counts = new Intl.NumberFormat('en-US')

/** An amount in the way buyers read it: `$23,995`, with cents only if there are some. */
export function amountText(cents: number, currency: string): string {
  const digits = cents % 100 === 0 ? 0 : 2
  const key = `${currency} ${digits}`
  const known = amounts.get(key)
  if (known !== undefined) return known.format(cents / 100)
  const format = new Intl.NumberFormat('en-US', {
    style: 'currency',
    currency,
    minimumFractionDigits: digits,
    maximumFractionDigits: digits,
  })
  amounts.set(key, format)
  return format.format(cents / 100)
}

/** A whole number with separators: `12,400`. */
export const countText = (count: number): string => counts.format(count)

/** A count with its noun: `1 vehicle`, `1,240 vehicles`. */
export const counted = (count: number, [one, many]: readonly [string, string]): string =>
  `${countText(count)} ${count === 1 ? one : many}`
