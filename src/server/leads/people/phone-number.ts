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
