import type { PriceLaw } from '#contract/customers/details/price-laws.ts'

/** A problem in an advertising text. */
export type AdvertisementFinding = Readonly<{
  /** The words that cause it, as they are in the text, and where they start. */
  words: string
  from: number
  message: string
  source: string
}>

type LintRule = Readonly<{
  laws: readonly PriceLaw[]
  /** The words that trigger the rule. */
  trigger: RegExp
  /** Only for texts with these words, or without them. */
  within?: RegExp
  outside?: RegExp
  /** Disclosures that the trigger requires, each with its name. None: the words themselves are the problem. */
  needs: readonly (readonly [name: string, pattern: RegExp])[]
  message: string
  /** The rule, and the date as of which it was read. */
  source: string
}>

const US: readonly PriceLaw[] = ['us', 'us-ca', 'us-ok']
const LEASE = /\bleas(e|es|ing)\b/i
const APR: LintRule['needs'][number] = ['the APR', /\bAPR\b|annual percentage rate/i]
const TERM: LintRule['needs'][number] = ['the number of payments', /\b\d{2,3}[ -]?(months?|mos?\b|payments)/i]
const MONTHLY = /\$ ?\d[\d,]*(\.\d\d)? ?(\/|per|a) ?(mo\b|month)/i

const TOTAL_SOURCE =
  'FTC letters to dealers of March 2026; all-in price rules of the provinces, as of November 2026'

const RULES: readonly LintRule[] = [
  {
    laws: US,
    trigger: MONTHLY,
    outside: LEASE,
    needs: [APR, TERM, ['the down payment', /\bdown\b/i]],
    message: 'A monthly payment also needs',
    source: 'Regulation Z, 12 CFR 1026.24(d), as of November 2026',
  },
  {
    laws: US,
    trigger: /(\$ ?[\d,]+|\d+ ?%) down\b/i,
    outside: LEASE,
    needs: [APR, TERM],
    message: 'A down payment also needs',
    source: 'Regulation Z, 12 CFR 1026.24(d), as of November 2026',
  },
  {
    laws: US,
    trigger: /\b\d+(\.\d+)? ?% (financing|interest|rate)\b/i,
    needs: [APR],
    message: 'A rate must be called',
    source: 'Regulation Z, 12 CFR 1026.24(c), as of November 2026',
  },
  {
    laws: US,
    trigger: MONTHLY,
    within: LEASE,
    needs: [
      TERM,
      ['the amount due at signing', /due at (signing|lease signing|delivery)/i],
      ['whether a security deposit is required', /security deposit/i],
    ],
    message: 'A lease payment also needs',
    source: 'Regulation M, 12 CFR 1013.7(d), as of November 2026',
  },
  {
    laws: [...US, 'ca'],
    trigger:
      /(\bplus|\bexclud(es|ing)|\bnot includ(ed|ing)|\+) (\$ ?[\d,.]+ )?(a )?(doc(ument)?(ation|ary)?|dealer|processing|prep(aration)?|destination|freight)( processing| handling)? (fees?|charges?)\b/i,
    needs: [],
    message: 'Mandatory dealer fees must be part of the advertised price.',
    source: TOTAL_SOURCE,
  },
  {
    laws: [...US, 'ca'],
    trigger:
      /\b(price|priced|only|just) [^.]{0,40}\b(after|with|includes?) [^.]{0,30}\b(trade|military|college|graduate|loyalty|conquest|finance|financing)\b/i,
    needs: [],
    message: 'Not every buyer gets this offer, so it may not lower the advertised price. List it separately.',
    source: 'FTC letters to dealers of March 2026',
  },
  {
    laws: US,
    trigger: /\bMSRP\b[^.$]{0,20}\$ ?\d[\d,]*/i,
    outside: /\b(our|sale|selling|total|internet|asking) price\b/i,
    needs: [],
    message: 'An MSRP without a selling price counts as the advertised price.',
    source: 'FTC Act, section 5, as of November 2026',
  },
]

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
  const findings = RULES.flatMap((rule) => {
    if (!rule.laws.includes(law)) return []
    if (rule.within?.test(text) === false || rule.outside?.test(text) === true) return []
    const found = rule.trigger.exec(text)
    if (found === null) return []
    const missing = rule.needs.filter(([, pattern]) => !pattern.test(text)).map(([name]) => name)
    if (rule.needs.length > 0 && missing.length === 0) return []
    const message =
      missing.length === 0 ? rule.message : `${rule.message} ${new Intl.ListFormat('en').format(missing)}.`
    return [{ words: found[0].trim(), from: found.index, message, source: rule.source }]
  })
  return law === 'none' || totalCents === null ? findings : [...findings, ...lowerPrices(text, totalCents)]
}

const AMOUNT = /\$ ?(\d[\d,]*(?:\.\d+)?)(?: ?(k)\b)?/gi
/** Words before or after an amount that say that it isn't the price of the vehicle. */
const OTHER_BEFORE =
  /\b(MSRP|sticker|invoice|KBB|NADA|book|valued?|worth|loans?|financed?|saved?|savings?|rebates?|cash|trade(-| )?in|off|below|under|deposit|balance|payments?|plus)\b[^.!?$]{0,14}$/i
const OTHER_AFTER =
  /^(?:\s*(\/|per\b|a\b|each\b)\s*(mo|month|week|year)|[\s-]*(down|off|below|under|less|rebate|cash|credit|savings?|deposit|due|in|of|for your|worth|monthly|MSRP)\b)/i
const DOLLARS = new Intl.NumberFormat('en-US', { style: 'currency', currency: 'USD' })
const dollars = (cents: number): string => DOLLARS.format(cents / 100).replace(/\.00$/, '')

/**
 * Amounts that a buyer would read as the price, but below the total price. Amounts below half of it are something else, such as
 * a payment or an option.
 */
function lowerPrices(text: string, totalCents: number): AdvertisementFinding[] {
  return [...text.matchAll(AMOUNT)].flatMap(({ 0: words, 1: digits = '', 2: thousands, index }) => {
    const cents = Math.round(Number(digits.replaceAll(',', '')) * (thousands === undefined ? 100 : 100_000))
    if (cents >= totalCents || cents < totalCents / 2) return []
    const isOther =
      OTHER_BEFORE.test(text.slice(0, index)) || OTHER_AFTER.test(text.slice(index + words.length))
    if (isOther) return []
    const message = `This is below the total price of ${dollars(totalCents)}. The most prominent price may not be below what every buyer pays.`
    return [{ words: words.trim(), from: index, message, source: TOTAL_SOURCE }]
  })
}
