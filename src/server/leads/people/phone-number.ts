import { findPhoneNumbersInText, isSupportedCountry, parsePhoneNumberFromString } from 'libphonenumber-js/min'
import { isPlaceholderPhone } from '#contract/leads/people/placeholders.ts'

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

/** In characters: what a person writes themselves. */
const LONGEST_TEXT = 20_000
/** More numbers than a person has are a list of something else. */
const MOST = 3

/** Before a number that is not the sender's: "I called your store at 916-555-0100". */
const NOT_THEIRS = /\b(?:fax|called|rang|your|yours|dealership|dealer|order|stock|invoice|ref(?:erence)?)\b/i
const PHONE_WORDS = /\b(?:phone|telephone|tel|cell|mobile|call|text|reach|number|ring)\b/i

/** The phone numbers that the sender of an email gives in their own words, as written; none if there are more than a person has. */
export function phonesInText(text: string, country: string): string[] {
  const own = text.slice(0, LONGEST_TEXT)
  const found: { key: string; written: string; before: string }[] = findPhoneNumbersInText(own, {
    defaultCountry: isSupportedCountry(country) ? country : 'US',
    extended: true,
  })
    .map(({ number, startsAt, endsAt }) => ({
      key: number.number,
      written: own.slice(startsAt, endsAt).trim(),
      before: beforeIn(own, startsAt),
    }))
    .filter(({ written, before }) => {
      // Ten digits in a row are a number of many things.
      const isPhone = /[\s().+-]/.test(written) || PHONE_WORDS.test(before)
      return isPhone && !NOT_THEIRS.test(before) && !isPlaceholderPhone(written)
    })
  const different = found.filter(({ key }, at) => found.findIndex((one) => one.key === key) === at)
  return different.length > MOST ? [] : different.map(({ written }) => written)
}

/** What the same line and sentence say before it. */
const beforeIn = (text: string, at: number): string =>
  text
    .slice(Math.max(0, at - 80), at)
    .split(/\n|[.!?;]\s/)
    .at(-1) ?? ''
