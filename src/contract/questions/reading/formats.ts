import { regexes } from 'zod'
import type { Country } from '../vocabulary.ts'

const MAX_EMAIL = 254

/** An email address with its domain in lower case; null if it isn't valid. The part before the @ may know case. */
export function readEmail(text: string): string | null {
  const at = text.lastIndexOf('@')
  const email = `${text.slice(0, at)}${text.slice(at).toLowerCase()}`
  return email.length <= MAX_EMAIL && regexes.email.test(email) ? email : null
}

const CALLING_CODES: Record<Country, string> = {
  US: '1',
  CA: '1',
  MX: '52',
  GB: '44',
  DE: '49',
  FR: '33',
  ES: '34',
  IT: '39',
  NL: '31',
}

/**
 * A phone number in E.164, if it has a country code or the country is known; otherwise as entered, because a guess
 * would call someone else. An extension also stays as entered. Null if it isn't a phone number.
 */
export function readPhone(text: string, country: Country | undefined): string | null {
  const entered = text.replaceAll(/\s+/g, ' ')
  const [, main = '', extension] = /^(.*?)(?:[\s,;]*(?:ext\.?|x|#)\s?(\d{1,8}))?$/i.exec(entered) ?? []
  if (!/^\+?[\d\s().\-/\u2010-\u2013]+$/.test(main)) return null
  const digits = main.replaceAll(/\D/g, '')
  if (digits.length < 7 || digits.length > 15) return null
  if (extension !== undefined) return entered
  // +44 (0)20 7946 0000: the 0 is only for calls within the country.
  if (main.startsWith('+')) return international(main.replace(/\(0\)/, '').replaceAll(/\D/g, ''))
  return country === undefined ? entered : (national(digits, country) ?? entered)
}

function international(digits: string): string | null {
  if (!/^[1-9]\d{6,14}$/.test(digits)) return null
  return digits.startsWith('1') && !isNorthAmerican(digits.slice(1)) ? null : `+${digits}`
}

/** Ten digits; neither the area code nor the exchange starts with 0 or 1. */
const isNorthAmerican = (digits: string) => /^[2-9]\d{2}[2-9]\d{6}$/.test(digits)

/** National numbers without a leading 0 that is left out in international calls: how many digits they have. */
const LENGTHS: Partial<Record<Country, RegExp>> = { MX: /^\d{10}$/, ES: /^[5-9]\d{8}$/, IT: /^[03]\d{8,10}$/ }

/** In E.164; null if the digits don't fit the country. */
function national(digits: string, country: Country): string | null {
  const code = CALLING_CODES[country]
  // What people dial before the code of another country.
  const exit = code === '1' ? '011' : '00'
  if (digits.startsWith(exit)) return international(digits.slice(exit.length))
  if (code === '1') {
    const number = digits.length === 11 && digits.startsWith('1') ? digits.slice(1) : digits
    return isNorthAmerican(number) ? `+1${number}` : null
  }
  const length = LENGTHS[country]
  if (length !== undefined) return length.test(digits) ? `+${code}${digits}` : null
  return /^0[1-9]/.test(digits) ? `+${code}${digits.slice(1)}` : null
}

const WEB_ADDRESS =
  /^(https?):\/\/((?:[a-z\d](?:[a-z\d-]{0,61}[a-z\d])?\.)+[a-z][a-z\d-]{0,61}[a-z\d])(:\d{1,5})?([/?#][^\s<>"\\^`{|}]*)?$/i

/** The address of a web page, with `https://` if it was left out; null if it isn't valid. International names need their ASCII form. */
export function readUrl(text: string): string | null {
  const whole = /^https?:\/\//i.test(text) ? text : `https://${text}`
  const [, scheme = '', host = '', port = '', rest = ''] = WEB_ADDRESS.exec(whole) ?? []
  return host === '' ? null : `${scheme.toLowerCase()}://${host.toLowerCase()}${port}${rest}`
}

/** 17 characters without I, O and Q, in upper case; null if it isn't a VIN. The check digit isn't tested. */
export function readVin(text: string): string | null {
  const vin = text.replaceAll(/[\s-]/g, '').toUpperCase()
  return /^[A-HJ-NPR-Z\d]{17}$/.test(vin) ? vin : null
}

const POSTAL_CODES: Record<Country, { pattern: RegExp; write: (compact: string) => string }> = {
  US: { pattern: /^\d{5}(\d{4})?$/, write: (code) => (code.length > 5 ? cut(code, 5, '-') : code) },
  CA: {
    pattern: /^[ABCEGHJ-NPRSTVXY]\d[ABCEGHJ-NPRSTV-Z]\d[ABCEGHJ-NPRSTV-Z]\d$/,
    write: (code) => cut(code, 3, ' '),
  },
  MX: { pattern: /^\d{5}$/, write: (code) => code },
  GB: { pattern: /^[A-Z]{1,2}\d[A-Z\d]?\d[A-Z]{2}$/, write: (code) => cut(code, code.length - 3, ' ') },
  DE: { pattern: /^\d{5}$/, write: (code) => code },
  FR: { pattern: /^\d{5}$/, write: (code) => code },
  ES: { pattern: /^\d{5}$/, write: (code) => code },
  IT: { pattern: /^\d{5}$/, write: (code) => code },
  NL: { pattern: /^[1-9]\d{3}[A-Z]{2}$/, write: (code) => cut(code, 4, ' ') },
}

const cut = (text: string, at: number, between: string) => `${text.slice(0, at)}${between}${text.slice(at)}`

/** A postal code as its country writes it; null if it isn't valid. Without a country it is kept in upper case. */
export function readPostalCode(text: string, country: Country | undefined): string | null {
  const upper = text.toUpperCase()
  if (country === undefined) return /^[A-Z\d][A-Z\d -]{1,10}$/.test(upper) ? upper : null
  const compact = upper.replaceAll(/[\s-]/g, '')
  const { pattern, write } = POSTAL_CODES[country]
  return pattern.test(compact) ? write(compact) : null
}
