import { otherDecimal, type LocaleFormat } from './locale-format.ts'
import { parseNumber, type ParseResult } from './parse-number.ts'

/** Currencies that a sign can mean. `$` alone means the customer's currency if that is one of these. */
const SIGNS: Readonly<Record<string, readonly string[]>> = {
  $: ['USD', 'CAD', 'AUD', 'NZD', 'MXN', 'HKD', 'SGD', 'ARS', 'CLP', 'COP'],
  US$: ['USD'],
  C$: ['CAD'],
  CA$: ['CAD'],
  A$: ['AUD'],
  AU$: ['AUD'],
  NZ$: ['NZD'],
  MX$: ['MXN'],
  '\u20ac': ['EUR'],
  '\u00a3': ['GBP'],
  '\u00a5': ['JPY', 'CNY'],
  CHF: ['CHF'],
}
const CODES = 'USD|CAD|AUD|NZD|MXN|HKD|SGD|EUR|GBP|JPY|CNY|CHF|SEK|NOK|DKK|BRL|INR|ARS|CLP|COP|PLN|ZAR'
const NAME = `(?:[A-Z]{0,2}[$]|[\u20ac\u00a3\u00a5]|(?:${CODES})(?![A-Z]))`
const BEFORE = new RegExp(`^([+\\-\u2212\u2013]?)\\s*(${NAME})\\s*`, 'i')
const AFTER = new RegExp(`\\s*(${NAME})$`, 'i')
/** In characters. No real amount is longer. */
const MAX_LENGTH = 60

/** The currency signs and codes of an amount, in upper case, and the number without them: "$21,000 USD", "21000 EUR". */
export function splitCurrency(text: string): { number: string; currencies: readonly string[] } {
  if (text.length > MAX_LENGTH) return { number: text, currencies: [] }
  let number = text.trim()
  const currencies: string[] = []
  // A sign and a code may both be there, on either side.
  for (let found = AFTER.exec(number); found !== null; found = AFTER.exec(number)) {
    currencies.push((found[1] ?? '').toUpperCase())
    number = number.slice(0, found.index)
  }
  for (let found = BEFORE.exec(number); found !== null; found = BEFORE.exec(number)) {
    currencies.push((found[2] ?? '').toUpperCase())
    number = `${found[1] ?? ''}${number.slice(found[0].length)}`
  }
  return { number, currencies }
}

/** The error message if an amount names a currency other than the customer's; null otherwise. */
export function otherCurrency(text: string, currency: string): string | null {
  const wrong = splitCurrency(text).currencies.find(
    (name) => name !== currency && !(SIGNS[name] ?? []).includes(currency),
  )
  return wrong === undefined
    ? null
    : `"${text.trim()}" is in another currency (${wrong}). Enter the amount in ${currency}.`
}

/**
 * Parses an amount as people type or paste it, with currency signs, codes and thousands separators: "$21,000", "21000 USD",
 * "$ 21000.00". Returns plain digits in currency units ("21000.50"), with at most two decimals. Like `parseNumber` it never
 * guesses. A currency other than `currency` is rejected.
 */
export function parseAmount(text: string, format: LocaleFormat, currency: string): ParseResult {
  const wrong = otherCurrency(text, currency)
  if (wrong !== null) return { refusal: wrong }
  const { number } = splitCurrency(text)
  const own = parseNumber(number, format)
  // One or two digits after the last separator are cents in every locale.
  const isOther = 'refusal' in own && /[.,]\d{1,2}$/.test(number)
  const read = isOther ? parseNumber(number, otherDecimal(format)) : own
  if ('refusal' in read)
    return number === text.trim() ? read : { refusal: read.refusal.replace(number, text.trim()) }
  if (read.value.startsWith('-')) return { refusal: `"${text.trim()}" is below 0.` }
  if (/\.\d\d+[1-9]/.test(read.value)) {
    return { refusal: `"${text.trim()}" has fractions of a cent. Enter at most two decimals.` }
  }
  return { value: read.value.replace(/(\.\d\d)0+$/, '$1') }
}

/** `parseAmount` in whole cents; NaN if the amount isn't valid, so that the contract's message is shown. */
export function amountInCents(text: string, format: LocaleFormat, currency: string): number {
  const read = parseAmount(text, format, currency)
  return 'value' in read ? Math.round(Number(read.value) * 100) : Number.NaN
}
