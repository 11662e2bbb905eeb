import { isSupportedCountry, parsePhoneNumberFromString } from 'libphonenumber-js/min'

const COUNTRIES: Readonly<Record<string, string>> = { USD: 'US', CAD: 'CA', GBP: 'GB', MXN: 'MX', EUR: 'DE' }

/** The country of a phone number without a country code: of the person, otherwise by the customer's currency. */
export function phoneCountry(country: string | null, currency: string): string {
  return country ?? COUNTRIES[currency] ?? 'US'
}

/** A phone number in E.164, such as +19165550178; null if no such number is possible. */
export function phoneE164(phone: string | null, country: string): string | null {
  if (phone === null) return null
  const upper = country.toUpperCase()
  const parsed = parsePhoneNumberFromString(phone, isSupportedCountry(upper) ? upper : 'US')
  if (parsed === undefined || !parsed.isPossible()) return null
  // An extension is no part of the number.
  return /^\+[1-9]\d{6,14}$/.test(parsed.number) ? parsed.number : null
}

/** What may be between the digits of a phone number, also in the address of a page. */
const BETWEEN = String.raw`(?:%20|[^[:alnum:],;:]){0,3}`

/**
 * Regular expressions of PostgreSQL that find a phone number in every spelling, by its E.164 form: the whole number, with or
 * without its country code, and its last seven digits alone.
 */
export function phonePattern(e164: string): { whole: string; ending: string } {
  const parsed = parsePhoneNumberFromString(e164)
  const national: string = parsed?.nationalNumber ?? e164.replaceAll(/\D/g, '')
  const code: string = parsed?.countryCallingCode ?? ''
  // Also as wide as Chinese letters.
  const digits = (text: string) =>
    text
      .split('')
      .map((digit) => `[${digit}${String.fromCodePoint(0xff10 + Number(digit))}]`)
      .join(BETWEEN)
  const prefix = code === '' ? '' : `(?:(?:\\+|%2b|00)?${digits(code)}${BETWEEN})?`
  return {
    whole: `(?<![0-9])${prefix}\\(?(?:0${BETWEEN})?${digits(national)}(?![0-9])`,
    ending: `${digits(national.slice(-7))}(?![0-9])`,
  }
}
