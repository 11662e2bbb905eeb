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
/** Someone beside the buyer, in English and in the other languages of forms. */
const OTHERS = String.raw`(?:wife|husband|spouse|partner|fianc[ée]e?|girlfriend|boyfriend|mom|mum|mother|dad|father|parents?|son|daughter|brother|sister|uncle|aunt|cousin|friend|buddy|neighbou?r|roommate|boss|assistant|secretary|co-?(?:buyer|signer|applicant|worker)|agent|rep|banker|bank|lender|credit union|insurance|lawyer|accountant|mechanic|esposa|esposo|marido|mujer|hij[oa]|herman[oa]|amig[oa]|madre|padre|femme|mari|conjointe?|fils|fille|fr[èe]re|s[œo]e?ur|ami[e]?|frau|mann|ehefrau|ehemann|sohn|tochter|bruder|schwester|freund(?:in)?)`
const OF_OTHER = new RegExp(
  String.raw`\b(?:my|our|mi|mon|ma|mein[er]?n?) (?:[\p{L}-]+ ){0,2}?${OTHERS}\b|\b(?:his|her|their) (?:\w+ ){0,2}(?:number|cell|phone|mobile)\b|\b(?:call|text|ask|reach) (?:him|her|them)\b`,
  'iu',
)
/** "I spoke to Luis", "call Northgate Ford", "the Toyota store": who else has this number. */
const OF_NAMED =
  /\b(?:spoke|spoken|talked|speaking|talking|chatted|dealing|dealt|met|working|worked) (?:to|with) \p{Lu}|\b[Cc]all (?!\p{Lu}{2,}\b)(?!(?:Me|Us|Or|At|Cell|Home|Work|Mobile)\b)\p{Lu}\p{L}+(?: \p{Lu}\p{L}+)*,? (?:(?:at|on) )?\(?$|\b(?:store|shop|garage|competitor|salesm[ae]n|salesperson|salesguy|sales (?:guy|rep))\b/u
/** A fax, one that the buyer no longer has, or where not to call. */
const NOT_NOW =
  /(?:^|\s)f(?:ax)?\s?[:.]\s?\(?$|\b(?:old|former|previous|wrong) (?:\w+ )?(?:number|phone|cell|one)\b(?!.*\b(?:new|now|it is|use)\b)|\b(?:changed|moved|switched) (?:\w+ ){0,3}from\s*\(?$|\b(?:do not|don['’]?t|never) (?:call|use|ring|phone|text)\b(?!.*\b(?:use|but|instead|call me)\b)/i
const NO_LONGER =
  /^\W{0,3}(?:(?:is|does|has|was|which|that) )?(?:no longer|not? (?:more|longer|work)|doesn['’]?t work|is (?:disconnected|dead|old|wrong)|disconnected)/i
/** The buyer speaks of their own number again: "but please talk to me", "mine". */
const OWN_AGAIN = /\b(?:me|mine|my (?:own )?(?:phone|cell|cellphone|mobile|number)|i am|i['’]m)\b[^.;]*$/i
const PHONE_WORDS = /\b(?:phone|telephone|tel|cell|mobile|call|text|reach|number|ring)\b/i

/** The phone numbers that the sender of an email gives in their own words, as written; none if there are more than a person has. */
export function phonesInText(text: string, country: string): string[] {
  const own = text.slice(0, LONGEST_TEXT)
  const found: { key: string; written: string }[] = findPhoneNumbersInText(own, {
    defaultCountry: isSupportedCountry(country) ? country : 'US',
    extended: true,
  })
    .map(({ number, startsAt, endsAt }) => ({
      key: number.number,
      written: withoutOpenBracket(own.slice(startsAt, endsAt).trim()),
      before: beforeIn(own, startsAt),
      after: own.slice(endsAt, endsAt + 40),
    }))
    .filter(({ written, before, after }) => {
      // Ten digits in a row are a number of many things.
      const isPhone = /[\s().+-]/.test(written) || PHONE_WORDS.test(before)
      return isPhone && !NOT_THEIRS.test(before) && !isOfOther(before, after) && !isPlaceholderPhone(written)
    })
  const different = found.filter(({ key }, at) => found.findIndex((one) => one.key === key) === at)
  return different.length > MOST ? [] : different.map(({ written }) => written)
}

/** Whether the words around a number say that it is of another person or a company, a fax, or one that no longer works. */
function isOfOther(before: string, after: string): boolean {
  // After a number or a "but", the sentence is about something else.
  const near = before.split(/\d{4}\W|\bbut\b|,\s(?=(?:and|my|i|use)\b)/i).at(-1) ?? before
  if (NOT_NOW.test(near) || NO_LONGER.test(after)) return true
  const other = Math.max(lastOf(OF_OTHER, near), lastOf(OF_NAMED, near))
  return other >= 0 && !OWN_AGAIN.test(near.slice(other).replace(OF_OTHER, ''))
}

const lastOf = (words: RegExp, text: string): number => words.exec(text)?.index ?? -1

/** "(916-555-2008" of "(916-555-2008)". */
const withoutOpenBracket = (written: string): string =>
  written.startsWith('(') && !written.includes(')') ? written.slice(1) : written

/** What the same line and sentence say before it. */
const beforeIn = (text: string, at: number): string =>
  text
    .slice(Math.max(0, at - 80), at)
    .split(/\n|[.!?;]\s/)
    .at(-1) ?? ''
