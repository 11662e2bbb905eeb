/** Digits with a decimal point, such as `-12995.5`, and the unit after them in lowercase. */
export type ReadNumber = { digits: string; unit: string }

/** Texts that providers use in place of a missing number. */
const PLACEHOLDER =
  /^(n\/?a|none|null|nil|tb[ad]|-+|\.+|unknown|not (available|specified|applicable)|call|please call.*|call (us|for|now).*|contact.*|ask.*|price on request|poa|inquire.*|see dealer.*|sold)$/i

/** Whether a text deliberately stands in for a missing number, such as "Please Call". */
export function isPlaceholder(text: string): boolean {
  return text.length <= 200 && PLACEHOLDER.test(text.trim())
}

/** In characters. */
const MAX_LENGTH = 60

const NUMBER =
  /^(?:[a-z]{0,4}\s*[$\u20ac\u00a3\u00a5]|(?:usd|cad|eur|gbp|aud|chf|mxn)\s)?\s*([+\-\u2212]?)\s*[$\u20ac\u00a3\u00a5]?\s*(\d[\d.,' \u00a0\u202f\u2019]*|[.,]\d+)\s*[$\u20ac\u00a3\u00a5]?\s*\*?\s*([a-z][a-z./ ]{0,20})?\*?$/i

/**
 * Reads a number as feeds write it, with thousands separators, currency symbols or a unit. Null if it isn't a number. A single
 * point or comma followed by exactly three digits is a thousands separator unless `decimal` says otherwise.
 */
export function readNumber(text: string, decimal?: '.' | ','): ReadNumber | null {
  // No real number is longer, and long runs of blanks would make the pattern backtrack.
  if (text.length > MAX_LENGTH) return null
  // The Swiss write 12'995.-
  const found = NUMBER.exec(text.trim().replace(/(\d)[.,]?[-\u2013\u2014]+$/, '$1'))
  if (found === null) return null
  const [, sign = '', written = '', unit = ''] = found
  const marks = written.replace(/[' \u00a0\u202f\u2019]/g, '').replace(/[.,]$/, '')
  const digits = plainDigits(marks, decimal ?? decimalMark(marks))
  if (digits === null) return null
  return {
    digits: sign === '-' || sign === '\u2212' ? `-${digits}` : digits,
    unit: unit.trim().toLowerCase(),
  }
}

function decimalMark(marks: string): '.' | ',' | null {
  const point = marks.lastIndexOf('.')
  const comma = marks.lastIndexOf(',')
  if (point >= 0 && comma >= 0) return point > comma ? '.' : ','
  const mark = point >= 0 ? '.' : ','
  const last = Math.max(point, comma)
  if (last < 0) return null
  const isThousands = /^[1-9]\d{0,2}([.,]\d{3})+$/.test(marks)
  return isThousands ? null : mark
}

function plainDigits(marks: string, decimal: '.' | ',' | null): string | null {
  const last = decimal === null ? -1 : marks.lastIndexOf(decimal)
  const whole = (last < 0 ? marks : marks.slice(0, last)).replace(/[.,]/g, '')
  const fraction = last < 0 ? '' : marks.slice(last + 1)
  if (!/^\d{0,18}$/.test(whole) || !/^\d{0,18}$/.test(fraction) || whole + fraction === '') return null
  const short = whole.replace(/^0+(?=\d)/, '') || '0'
  const rest = fraction.replace(/0+$/, '')
  return rest === '' ? short : `${short}.${rest}`
}

/** Plain digits as whole cents, rounded half away from zero. */
export function toCents(digits: string): number {
  const [whole = '0', fraction = ''] = digits.replace('-', '').split('.')
  const cents =
    Number(whole) * 100 + Number(fraction.padEnd(2, '0').slice(0, 2)) + Number((fraction[2] ?? '0') >= '5')
  return digits.startsWith('-') && cents !== 0 ? -cents : cents
}

/** Signs and words that mean one currency. A dollar sign or the word dollars alone can mean several. */
const SIGNS: readonly (readonly [sign: RegExp, code: string])[] = [
  [/^c(a|ad|an|dn)?\s*\$/i, 'CAD'],
  [/(^|[^a-z])(ca|can|cdn|canadian|canadiens?)([^a-z]|$)/i, 'CAD'],
  [/(^|[^a-z])(australian|aud)([^a-z]|$)/i, 'AUD'],
  [/(^|[^a-z])pesos?([^a-z]|$)|^mx\s*\$/i, 'MXN'],
  [/(^|[^a-z])euros?([^a-z]|$)/i, 'EUR'],
  [/(^|[^a-z])(sterling|pounds?|gbp)([^a-z]|$)/i, 'GBP'],
  [/(^|[^a-z])(yen|jpy)([^a-z]|$)|\u00a5/i, 'JPY'],
  [/(^|[^a-z])(sfr|francs?)([^a-z]|$)/i, 'CHF'],
  [/^us\$/i, 'USD'],
  [/^au?\$/i, 'AUD'],
  [/^nz\$/i, 'NZD'],
  [/\u20ac/, 'EUR'],
  [/\u00a3/, 'GBP'],
]

const CODES = 'USD|CAD|EUR|GBP|AUD|NZD|MXN|CHF|JPY|SEK|NOK|DKK|PLN|CZK|BRL|ZAR|AED|INR'
const CODE = new RegExp(`\\b(${CODES})\\b`, 'i')
/** "Price (CAD)", "price_eur", "PriceUSD", "Price €" */
const WITH_CURRENCY = new RegExp(`^(.*[a-z0-9)])[\\s_([-]*(${CODES}|[\u20ac\u00a3])[)\\]]?$`, 'i')

/** The name of a column without the currency behind it, and that currency; null if it names none. */
export function columnCurrency(column: string): { name: string; currency: string } | null {
  const [, name, code] = WITH_CURRENCY.exec(column.trim()) ?? []
  const currency = code === undefined ? null : currencyIn(code)
  return name === undefined || currency === null ? null : { name, currency }
}

/** The currency that an amount or a currency column names, such as CAD; null if it names none. */
export function currencyIn(text: string): string | null {
  const code = CODE.exec(text)?.[1]
  return code?.toUpperCase() ?? SIGNS.find(([sign]) => sign.test(text.trim()))?.[1] ?? null
}
