/** An exact number, because the mean of thirds has no decimal form. The denominator is positive. */
export type Fraction = Readonly<{ over: bigint; under: bigint }>

export const ZERO: Fraction = { over: 0n, under: 1n }
export const ONE: Fraction = { over: 1n, under: 1n }

/** @param text plain digits, like `-12.5` */
export function fractionOf(text: string): Fraction {
  const [whole = '', decimals = ''] = text.split('.')
  return reduce(BigInt(whole + decimals), 10n ** BigInt(decimals.length))
}

export function add(a: Fraction, b: Fraction): Fraction {
  return reduce(a.over * b.under + b.over * a.under, a.under * b.under)
}

export function multiply(a: Fraction, b: Fraction): Fraction {
  return reduce(a.over * b.over, a.under * b.under)
}

/** `b` must be more than 0. */
export function divide(a: Fraction, b: Fraction): Fraction {
  return reduce(a.over * b.under, a.under * b.over)
}

/** Below 0 if `a` is less than `b`. */
export function compare(a: Fraction, b: Fraction): number {
  const difference = a.over * b.under - b.over * a.under
  if (difference === 0n) return 0
  return difference < 0n ? -1 : 1
}

export function sum(all: readonly Fraction[]): Fraction {
  return all.reduce(add, ZERO)
}

/** One decimal, rounded half up: `62.5`. Never negative in scores. */
export function toTenths(value: Fraction): string {
  return tenthsText((value.over * 20n + value.under) / (value.under * 2n))
}

/** Plain digits with at most four decimals, rounded half up: `2.5`. */
export function toDigits(value: Fraction): string {
  const digits = String((value.over * 20_000n + value.under) / (value.under * 2n)).padStart(5, '0')
  return `${digits.slice(0, -4)}.${digits.slice(-4)}`.replace(/\.?0+$/, '')
}

/**
 * Rounds parts to one decimal so that they add up to `whole`, which is their rounded sum: the largest remainders are
 * rounded up (Hamilton's method), the earlier part first if two are equal.
 */
export function shareTenths(parts: readonly Fraction[], whole: string): string[] {
  const shares = parts.map(({ over, under }, at) => {
    const tenths = (over * 10n) / under
    return { at, tenths, rest: { over: over * 10n - tenths * under, under } }
  })
  const wanted = BigInt(whole.replace('.', ''))
  let missing = wanted - shares.reduce((total, { tenths }) => total + tenths, 0n)
  const rounded = shares.map(({ tenths }) => tenths)
  for (const { at, tenths, rest } of shares.toSorted((a, b) => compare(b.rest, a.rest) || a.at - b.at)) {
    if (missing <= 0n || rest.over === 0n) break
    rounded[at] = tenths + 1n
    missing -= 1n
  }
  return rounded.map(tenthsText)
}

function tenthsText(tenths: bigint): string {
  return `${tenths / 10n}.${tenths % 10n}`
}

function reduce(over: bigint, under: bigint): Fraction {
  let [a, b] = [over < 0n ? -over : over, under]
  while (b !== 0n) [a, b] = [b, a % b]
  return a === 0n || a === 1n ? { over, under } : { over: over / a, under: under / a }
}
