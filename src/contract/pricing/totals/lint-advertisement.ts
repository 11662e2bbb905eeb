import type { PriceLaw } from '#contract/customers/details/price-laws.ts'
import {
  ADVERTISING_RULES,
  type AdvertisementFacts,
  type AdvertisingRule,
  TOTAL_SOURCE,
} from './advertising-rules.ts'
import { hideCounted } from './counted-numbers.ts'
import { plainCharacters } from './typed-amounts.ts'

/** A problem in an advertising text. */
export type AdvertisementFinding = Readonly<{
  /** The words that cause it, as they are in the text, and where they start. */
  words: string
  from: number
  message: string
  /** What to do about it; blank if the message says so. */
  advice: string
  /** `stops`: a page with it can't be published. */
  severity: 'stops' | 'note'
  source: string
}>

type Around = Readonly<{
  /** All words that belong to the text, and where its terms may be. */
  context: string
  terms: string
  /** What is known of the customer and the page; null: nothing, so that rules about it are left out. */
  facts: AdvertisementFacts | null
}>

/**
 * Checks an advertising text, such as a vehicle's description or an answer to a buyer, against the rules of a lot's price law.
 * Pure. Help for the author, not legal advice: a text without findings can still be unlawful.
 * @param totalCents the total price of the vehicle that the text is about; null: unknown, so that its amounts aren't compared
 */
export function lintAdvertisement(
  text: string,
  law: PriceLaw,
  totalCents: number | null = null,
): AdvertisementFinding[] {
  const findings = lintWords(text, law, { context: text, terms: text, facts: null })
  return law === 'none' || totalCents === null ? findings : [...findings, ...lowerPrices(text, totalCents)]
}

/** Checks a text that is one of several, such as a field of a block. */
export const lintWords = (text: string, law: PriceLaw, around: Around): AdvertisementFinding[] =>
  ADVERTISING_RULES.filter(({ laws }) => laws.includes(law)).flatMap((rule) =>
    lintRule(plainCharacters(text), rule, around),
  )

function lintRule(
  text: string,
  rule: AdvertisingRule,
  { context, terms, facts }: Around,
): AdvertisementFinding[] {
  const { trigger, within, outside, needs, concerns, advice = '', severity, source } = rule
  if (within?.test(context) === false || outside?.test(context) === true) return []
  if (concerns !== undefined && (facts === null || !concerns(facts))) return []
  const found = trigger.exec(text)
  if (found === null) return []
  const missing = needs.filter(([, pattern]) => !pattern.test(terms)).map(([name]) => name)
  if (needs.length > 0 && missing.length === 0) return []
  const message =
    missing.length === 0 ? rule.message : `${rule.message} ${new Intl.ListFormat('en').format(missing)}.`
  return [{ words: found[0].trim(), from: found.index, message, advice, severity, source }]
}

const AMOUNT = /(?:\$|\bUSD) ?(\d[\d,]*(?:\.\d+)?)(?: ?(k)\b)?/gi
/** Without a currency: "24,500", "24.5k", "24500 dollars". */
const BARE =
  /(?<![\w.,$#/-]|\bUSD )(\d{1,3}(?:,\d{3})+(?:\.\d\d)?(?![\w,])|\d{1,3}(?:\.\d+)?(?= ?k\b)|\d{4,6}(?= ?(?:dollars|bucks)\b))(?: ?(k)\b)?/gi
/** Words before or after an amount that say that it isn't the price of the vehicle. */
const OTHER_BEFORE =
  /\b(budget|warrant(?:y|ies)|coverage|contract|(?:have|see) an? (?:19|20)\d\d|(?:an)?other (?:one|\w+) (?:for|at)|MSRP|sticker|invoice|KBB|NADA|book|valued?|worth|loans?|financed?|saved?|savings?|rebates?|cash|trade(-| )?in|off|below|under|deposit|balance|payments?|plus)\b[^.!?$]{0,14}$/i
const OTHER_AFTER =
  /^(?:\s*(\/|per\b|a\b|each\b)\s*(mo|month|week|year)|[\s-]*(down|off|below|under|less|rebate|cash|credit|savings?|deposit|due|in|of|for your|worth|monthly|miles?|mi|km|MSRP)\b)/i
const DOLLARS = new Intl.NumberFormat('en-US', { style: 'currency', currency: 'USD' })
const dollars = (cents: number): string => DOLLARS.format(cents / 100).replace(/\.00$/, '')

/**
 * Amounts that a buyer would read as the price, but below the total price. Amounts below half of it are something else, such as
 * a payment or an option.
 */
function lowerPrices(text: string, totalCents: number): AdvertisementFinding[] {
  const plain = plainCharacters(text)
  const amounts = [...plain.matchAll(AMOUNT), ...hideCounted(plain).matchAll(BARE)]
  return amounts
    .toSorted((one, other) => one.index - other.index)
    .flatMap(({ 0: words, 1: digits = '', 2: thousands, index }) => {
      const cents = Math.round(Number(digits.replaceAll(',', '')) * (thousands === undefined ? 100 : 100_000))
      if (cents >= totalCents || cents < totalCents / 2) return []
      const isOther =
        OTHER_BEFORE.test(text.slice(0, index)) || OTHER_AFTER.test(text.slice(index + words.length))
      if (isOther) return []
      const message = `This is below the total price of ${dollars(totalCents)}. The most prominent price may not be below what every buyer pays.`
      return [
        {
          words: words.trim().replace(/,$/, ''),
          from: index,
          message,
          advice: '',
          severity: 'stops',
          source: TOTAL_SOURCE,
        } as const,
      ]
    })
}
