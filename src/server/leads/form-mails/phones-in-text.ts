import { findPhoneNumbersInText, isSupportedCountry } from 'libphonenumber-js/min'
import { isPlaceholderPhone } from '#contract/leads/people/placeholders.ts'

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
