/** Amounts of money as people type them into advertising texts: what is one, and what only looks like one. English only. */

const ONES =
  'one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|thirteen|fourteen|fifteen|sixteen|seventeen|eighteen|nineteen'
const TENS = 'twenty|thirty|forty|fifty|sixty|seventy|eighty|ninety'
/** "twenty", "twenty-five thousand", "two hundred". */
const IN_WORDS = String.raw`\b(?:${TENS}|${ONES}|hundred|thousand)(?:[- ](?:${TENS}|${ONES}|hundred|thousand|and))*`
const THOUSANDS = String.raw`\d{1,3}(?:,\d{3})+(?:\.\d\d)?`
/** "24.990" as in Europe, "20k". */
const ALSO_THOUSANDS = String.raw`\d{2,3}\.\d{3}\b|\d{1,3}(?:\.\d)?k\b`
/** Four to six digits, but no year. */
const UNSPACED = String.raw`(?!(?:19|20)\d\d\b)\d{4,6}(?:\.\d\d)?`
const CODES = 'USD|CAD|EUR|GBP'
const SIGN = String.raw`(?:(?:US|CA|C|A)?\$|[€£¥])`

/** What may follow an amount that is no count of something: the end, a mark, or a word that goes on. */
const NO_UNIT = String.raw`(?=\s*(?:$|[\n.,;:!?)"“”'’+–—-]|(?:and|or|plus|with|for|on|this|today|tomorrow|while|until|through|before|after|in|by|when|if|as|is|are|each|only|including|incl|MSRP|cash|firm|OBO|OAC|total|all[- ]in|down|lease|leases?|loan|financing|tax(?:es)?|fees?|payment)\b))(?!\s?%)`
const EACH_MONTH = String.raw`(?:\/|p\/|\bper|\ba|\beach|\bevery)\s?(?:mo|m|months?|mth)\b|monthly(?= payment\b)|monthly${NO_UNIT}`
/** "199 mo", but "36 mo" is a term. */
const SHORT_MONTH = String.raw`\b\d{3,4}(?:\.\d\d)? mo\b`
const EACH_WEEK = String.raw`(?:\/|p\/|\bper|\ba|\beach|\bevery)\s?(?:two |2 |other )?(?:wk|weeks?)\b|(?:bi-?|semi-?)?weekly(?= payment\b)|(?:bi-?|semi-?)?weekly${NO_UNIT}|(?:bi-?|semi-?)monthly${NO_UNIT}`
/** "$399 a month", "299 monthly". */
export const MONTHLY = new RegExp(String.raw`(?:\$ ?\d[\d,]*|\b\d{2,4})(?:\.\d\d)?\s?(?:${EACH_MONTH})`, 'iu')

/** Words that name a price, with those that may stand between them and the amount. */
const PRICE = String.raw`\b(?:now|only|just|from|price[ds]?|pricing|MSRP|asking|sale|special|retail|list|clearance|start(?:s|ing)?|costs?|low as|value)`
const ALSO_PRICE = String.raw`${PRICE}|\b(?:for|at|under|below|was|save|pay|worth|home)`
const BETWEEN = String.raw`(?:[:,?–-]|\s|\b(?:is|are|was|of|at|a|an|the|from|just|only|about|around|price|priced|now|drive|it)\b){0,6}\s?`

const AMOUNTS = [
  // With a currency sign, its code or its word: "$44,995", "19,995$", "399 dollars", "USD 12k", "two hundred dollars".
  String.raw`(?:${SIGN}|\b(?:${CODES}|(?:US[- ]?)?dollars?))\s?\d[\d,. ]*(?:k\b)?`,
  String.raw`${SIGN}\s?${IN_WORDS}`,
  String.raw`\b\d[\d,.]*\s?(?:k\s?)?(?:(?:US|CA)?\s?\$|(?:(?:US |American |Canadian )?dollars?|bucks|euros?|pesos|cents|${CODES})(?!\w)|[€£¢])`,
  String.raw`${IN_WORDS} (?:(?:US |American |Canadian )?dollars|bucks|euros|pesos)\b`,
  // With cents and nothing that it counts, or before tax: "49.95", "24990 plus tax".
  String.raw`\b\d{2,3}(?:,\d{3})*\.\d\d\b${NO_UNIT}`,
  String.raw`\b(?:${THOUSANDS}|${UNSPACED})\s?(?:plus|\+) (?:tax|fees?)`,
  // By the month or the week: "299 monthly", "only 299 every month", "75 a week", "payments of 299".
  String.raw`\b\d{2,4}(?:\.\d\d)?\s?(?:${EACH_MONTH}|${EACH_WEEK})`,
  SHORT_MONTH,
  String.raw`\blease[sd]? (?:for|at|from) \d{2,4}\b${NO_UNIT}`,
  String.raw`\bpayments? (?:of|from|as low as|starting at) \d{2,}`,
  // At the start of a loan or a lease: "199 down", "2,500 due at signing".
  String.raw`\b(?:${THOUSANDS}|\d{3,5}) (?:down\b(?! the\b)|due at\b|at signing\b|drive[- ]?off\b)`,
  // What is given back: "a rebate of 1,500", "2,000 cash back".
  String.raw`\b(?:rebate|discount|savings|cash ?back|bonus(?: cash)?)s? of (?:${THOUSANDS}|\d{3,5})\b`,
  String.raw`\b(?:${THOUSANDS}|\d{3,5}) (?:rebate|discount|cash ?back|bonus cash)\b`,
  // After a word for prices: "starting at 19,995", "MSRP is 25,000", "as low as 199", "now 19995".
  String.raw`(?:${ALSO_PRICE})${BETWEEN}(?:${THOUSANDS}|${ALSO_THOUSANDS})${NO_UNIT}`,
  String.raw`(?:${PRICE})${BETWEEN}${UNSPACED}${NO_UNIT}`,
  String.raw`\b(?:(?:starting|priced?) (?:at|from)|price:?|MSRP:?|as low as|from only) \d{2,3}(?:\.\d\d)?\b${NO_UNIT}`,
  String.raw`(?:${ALSO_PRICE})${BETWEEN}${IN_WORDS}[- ]thousand\b${NO_UNIT}`,
]
const AMOUNT = new RegExp(AMOUNTS.join('|'), 'giu')
/** "twenty grand" and "20 grand", but not "2 Grand Cherokees", "20 Grand Avenue" or "our 20 grand prizes". */
const GRAND = new RegExp(
  String.raw`(?:\b\d[\d,.]*|${IN_WORDS})[ -]?[Gg]rand\b(?!\s+(?:[A-Z]|opening|prize|prix|total|finale|slam|tour|reopening))`,
  'gu',
)
/** What follows an amount that is taken off, which is no price. */
const OFF = /^\s*off\b/iu

/** A text as its readers see it, character by character: full-width digits and no-break spaces are digits and spaces. */
export const plainCharacters = (text: string): string =>
  text.replaceAll(/[\u00a0\u1680\u2000-\u200a\u202f\u205f\u3000]|[\uff01-\uff5e]/gu, (one) =>
    one.normalize('NFKC'),
  )

/** Digits of other scripts, and letters and digits in the shapes of mathematics, as plain ones. */
const plainDigits = (text: string): string =>
  text
    .normalize('NFKC')
    .replaceAll(/[\u0660-\u0669\u06f0-\u06f9]/gu, (digit) => String((digit.codePointAt(0) ?? 0) & 0xf))

/** Without what isn't seen: soft hyphens, characters of no width, and marks for bold and italic. */
const withoutMarks = (text: string): string => text.replaceAll(/[\u00ad\u200b-\u200f\u2060\ufeff*_`~]/gu, '')

/** The first amount of money in a text; null if there is none. `mayBeOff`: "$20 off" is allowed. */
export function findAmount(text: string, { mayBeOff }: { mayBeOff: boolean }): string | null {
  const plain = withoutMarks(plainDigits(text))
  for (const match of [...plain.matchAll(AMOUNT), ...plain.matchAll(GRAND)]) {
    if (!mayBeOff || !OFF.test(plain.slice(match.index + match[0].length))) return match[0].trim()
  }
  return null
}
