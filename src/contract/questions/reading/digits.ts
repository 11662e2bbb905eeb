import { Exact } from '../../expressions/exact.ts'

// Numbers of answers are plain digits, as `readNumber` writes them. Working on the digits is several times faster
// than decimals of any size, and as exact.

/** Plain digits without needless zeros: `007.50` is `7.5`, and `-0` is `0`. */
export function withoutZeros(plain: string): string {
  if (/^(?:-?[1-9]\d*|0)(?:\.\d*[1-9])?$/.test(plain)) return plain
  const [whole = '', places = ''] = plain.split('.')
  const tidy = whole.replace(/^(-?)0+(?=\d)/, '$1')
  const rest = places.replace(/0+$/, '')
  if (rest !== '') return `${tidy}.${rest}`
  return tidy === '-0' ? '0' : tidy
}

/** How many digits are after the decimal point. */
export function placesOf(plain: string): number {
  const point = plain.indexOf('.')
  return point === -1 ? 0 : plain.length - point - 1
}

/** Negative if the first is smaller, 0 if they are equal. */
export function compareDigits(one: string, other: string): number {
  // Up to 15 digits, different decimals are different doubles, in the same order.
  if (one.length <= 15 && other.length <= 15) return Number(one) - Number(other)
  return new Exact(one).comparedTo(other)
}

/** The exact sum; null without a summand. */
export function sumDigits(summands: readonly string[]): string | null {
  if (summands.length === 0) return null
  let places = 0
  let length = 0
  for (const one of summands) {
    places = Math.max(places, placesOf(one))
    length = Math.max(length, one.length)
  }
  const sum =
    length + places <= 12 && summands.length <= 1000 ? addSmall(summands, places) : addLarge(summands, places)
  const isNegative = sum.startsWith('-')
  const digits = sum.slice(isNegative ? 1 : 0).padStart(places + 1, '0')
  const cut = digits.length - places
  const written = `${isNegative ? '-' : ''}${digits.slice(0, cut)}${places === 0 ? '' : `.${digits.slice(cut)}`}`
  return withoutZeros(written)
}

/** Sums of up to 15 digits are exact in doubles, and a summand is off by less than a half before it is rounded. */
function addSmall(summands: readonly string[], places: number): string {
  const scale = 10 ** places
  let sum = 0
  for (const one of summands) sum += Math.round(Number(one) * scale)
  return String(sum)
}

function addLarge(summands: readonly string[], places: number): string {
  let sum = 0n
  for (const one of summands) sum += BigInt(one.replace('.', '') + '0'.repeat(places - placesOf(one)))
  return String(sum)
}
