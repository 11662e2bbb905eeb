import { hideCounted } from './counted-numbers.ts'
import { DEAL_AMOUNTS, DEAL_OFF_AMOUNTS, SPANISH_WORDS } from './deal-amounts.ts'
import {
  ALSO_THOUSANDS,
  ANY,
  END,
  LARGE,
  NO_UNIT,
  ONES,
  SMALL,
  START,
  TENS,
  THOUSANDS,
  UNSPACED,
} from './number-shapes.ts'
import { VEHICLE_AMOUNT } from './vehicle-amounts.ts'

/** Amounts of money as people type them into advertising texts. English, and the commonest Spanish words. */

const WORD = `(?:${TENS}|${ONES}|hundred|thousand)`
/** "twenty", "twenty-five thousand", "two hundred". */
const IN_WORDS = String.raw`\b${WORD}(?:[- ](?:${WORD}|and))*`
/** "five hundred", "three thousand two hundred". */
const LARGE_IN_WORDS = String.raw`\b(?:${TENS}|${ONES})(?:[- ](?:${TENS}|${ONES}))?[- ](?:hundred|thousand)(?:[- ](?:${WORD}|and))*`
/** "twenty-four thousand nine hundred": counts are rounded, prices aren't. */
const EXACT_IN_WORDS = String.raw`\b(?:${TENS}|${ONES})(?:[- ](?:${ONES}))?[- ]thousand,? (?:and )?${WORD}(?:[- ](?:${WORD}|and))*`

const CODES = 'USD|CAD|EUR|GBP|AUD|NZD|MXN|CHF|JPY|CNY|INR|SEK|NOK|DKK|PLN'
const SIGN = String.raw`(?:(?:US|CA|MX|AU|NZ|C|A)?\$|U\$D|💲|(?!\$)\p{Sc})`
const CURRENCIES = String.raw`(?:US |American |Canadian |Australian )?dollars?|d[oó]lar(?:es)?|bucks|euros?|pesos?|cents|cts|${CODES}|zł|руб|円`
const MONEY_EMOJI = '[💰💵💸🤑]'

/** "24,990", "from 9,990 to 15,000". */
const range = (number: string): string =>
  String.raw`(?:${number})${END}(?:(?:,? (?:to|and|or|through) |, ?| ?[–-] ?)(?:${number})${END}){0,3}${NO_UNIT}`

const EACH_MONTH = String.raw`(?:\/|p\/|\bper )\s?(?:mo|m|months?|mth)\b|\b(?:a|each|every) (?:mo|months?|mth)\b|mthly\b|al mes\b|monthly(?= payment\b)|monthly${NO_UNIT}`
/** "199 mo", but "36 mo" is a term. */
const SHORT_MONTH = String.raw`\b\d{3,4}(?:\.\d\d)? mo\b`
const EACH_WEEK = String.raw`(?:\/|p\/|\bper|\ba|\beach|\bevery)\s?(?:two |2 |other )?(?:wk|weeks?)\b|(?:bi-?|semi-?)?weekly(?= payment\b)|(?:bi-?|semi-?)?weekly${NO_UNIT}|(?:bi-?|semi-?)monthly${NO_UNIT}`
/** "$399 a month", "299 monthly". */
export const MONTHLY = new RegExp(String.raw`(?:\$ ?\d[\d,]*|\b\d{2,4})(?:\.\d\d)?\s?(?:${EACH_MONTH})`, 'iu')

/** Words that name a price, so that four digits after them are one. */
const PRICE = String.raw`(?:\b(?:now|only|just|from|price[ds]?|pricing|MSRP|OTD|asking|ask(?=:)|sale|special|retail|list|clearance|start(?:s|ing)?|costs?|low as|value[ds]?|sticker|today|total|budget|desde|precio|s[oó]lo|a partir de|all[- ]in|out[- ]the[- ]door|(?:sells?|selling|sold|offered|listed|yours) (?:for|at)|(?:reduced|(?:marked|written) down|cut|dropped|slashed|lowered|discounted) to|(?:down )?payment|deposit|rebates?|cash ?back|bonus(?: cash)?|savings?|discounts?|fees?)|${MONEY_EMOJI})`
/** Also before "24,990" and "24k". */
const ALSO_PRICE = String.raw`(?:${PRICE}|\b(?:for|at|under|below|between|invoice|was|win|saved?|pay|worth|home|(?:nothing|none|never) (?:over|above)|(?:less|no more) than))`
/** What may stand between a word for prices and the amount. */
const BETWEEN = String.raw`(?:[:,?=|/→>–-]|\.{2,}|…|\s|\b(?:is|are|was|of|at|a|an|the|from|just|only|about|around|as|low|much|price|priced|now|drive|it|today|currently|still|right|up to|for|this|week|weekend|month)\b){0,8}\s?`

/** Months that a loan or a lease usually has: "lease for 36". */
const NO_TERM = String.raw`(?!(?:12|24|27|30|36|39|42|48|60|66|72|75|84)\b)`
/** Words for payments, fees and gifts, so that two digits after them are an amount. */
const LOAN = String.raw`\b(?:leas(?:e[ds]?|ing)|financ(?:e[ds]?|ing))`
const PAYMENT = String.raw`\b(?:pay|down payment|deposit|(?:doc|documentary|documentation|processing|dealer)? ?fees?|installments?|instalments?|payments? (?:start(?:ing)?|begin(?:ning)?)|price[ds]?|sells? for|costs?|MSRP|gift cards?|rebates?|discounts?|cash ?back)`
/** Services with a fixed price. */
const SERVICE = String.raw`\b(?:oil changes?|brakes?|brake (?:jobs?|service|pads)|(?:tire )?rotations?|alignments?|detail(?:s|ing)?|tires?|inspections?|car ?wash(?:es)?|tune-?ups?|smog(?: checks?)?|wipers?|batter(?:y|ies)|balancing|bed ?liners?|tonneau covers?|running boards?|remote start(?:ers?)?|floor mats)`
const LINK = String.raw`(?:[:=|–-]|\s|\b(?:is|are|of|at|for|from|just|only|a|an|the|it|as|low|starting|worth|now|up to|special)\b){1,6}`

/** What is given back or taken off, after its amount. */
const GIVEN = String.raw`(?:in )?(?:(?:factory|dealer|manufacturer|trade-in|loyalty|customer|consumer|bonus|military|college|grad|graduate|student|owner|conquest|lease|total|instant) ){0,2}(?:rebates?|discounts?|savings|cash ?back|(?:bonus|customer|consumer|dealer|loyalty|military|college|trade) cash|cash allowance|bonus|deposit|gift card|budget|credit|(?:doc|documentary|documentation|processing|dealer|delivery|destination) fee)\b(?! (?:points?|miles|entries|scores?|cards?|unions?|hours|codes?|apps?))`
const FACTORY_PRICE = '(?:MSRP|invoice|sticker|list|retail|market|KBB|book)'
const COSTS = '(?:tax(?:es)?|fees?|TTL|tags|title|licen[sc]e|doc|tax, title)'
/** After a number: it is the price of something on the road. */
const PRICE_AFTER = String.raw`(?:MSRP|OTD|out[- ]the[- ]door|drive[- ]?away|all[- ]in|OBO|OAC|firm|cash(?! (?:back|prizes|registers?))|(?:plus|\+|before|without|incl\w*\.?|excl\w*\.?) (?:all |any |the )?${COSTS})\b`

/** A number on a line of its own may count what the next line says. */
const LINE_START = String.raw`(?:^|\n)[ *>-]{0,4}`
const PHRASE_END = String.raw`(?=\s*(?:$|[\n.;!?)"”’|]|,(?!\s?\d)| [–—-] |\p{Extended_Pictographic}|(?:only|today|now)\b))`

/** Amounts that need no look at what is around: they name their currency, or what is paid. */
const CLEAR = [
  // With a currency sign, its code or its word: "$44,995", "19,995$", "399 dollars", "USD 12k", "two hundred dollars".
  String.raw`(?:${SIGN}|\b(?:${CODES}|(?:US[- ]?)?dollars?))\s?\.?\d[\d,.'’ ]*(?:k\b)?|\bkr\.? \d[\d., ]{3,}`,
  String.raw`${SIGN}\s?${IN_WORDS}`,
  String.raw`(?<![\d,.'’])\d(?:[\d,.'’]*\d)?[\s-]?(?:k\s?)?(?:(?:${CURRENCIES})(?!\w)|(?:(?:US|CA)?\s?\$|💲|\p{Sc})(?!\s?\.?\d))`,
  String.raw`${IN_WORDS} (?:(?:US |American |Canadian )?dollars|bucks|euros|pesos)\b|\b(?:${TENS})(?:-(?:${ONES}))? k\b`,
  String.raw`\bpayments? (?:of|from|as low as|starting at) \d{2,}`,
  SPANISH_WORDS,
]
/** Amounts that words around them make one, in a text without what is counted. */
const NAMED = [
  // By the month, the week or the day: "299 monthly", "only 299 every month", "weekly 75", "10/day".
  String.raw`\b(?:${THOUSANDS}|\d{2,4}(?:\.\d\d)?)\s?(?:${EACH_MONTH}|${EACH_WEEK}|\/ ?day\b|(?:yearly|annually)${NO_UNIT})|\b(?:for|at|from|only|just) \d{2,3} a day\b|\b${SMALL} apiece\b|\bweekly:? ${SMALL}${NO_UNIT}`,
  SHORT_MONTH,
  // With cents and nothing that it counts, or before tax: "49.95", "24990 plus tax".
  String.raw`\b\d{2,3}(?:,\d{3})*\.\d\d\b(?:${NO_UNIT}| ?(?:ea|apiece)\b)`,
  String.raw`${START}${ANY}\s?(?:${PRICE_AFTER}|${MONEY_EMOJI}(?=\s*(?:$|[\n.!])))`,
  // "24990,-".
  String.raw`${START}(?:${THOUSANDS}|${UNSPACED}|\d\d\.\d{3}|\d{3})[.,]-(?![\w-])`,
  // Of a loan or a lease: "299 for 36 months", "60 months at 299", "lease: 299", "199 down", "2,500 due at signing".
  String.raw`${START}${NO_TERM}(?:${THOUSANDS}|${SMALL})${END} ?(?:for|over|[x×@]) ?[\d#]{2}[ -](?:months?|mos?|payments?)\b`,
  String.raw`(?<![\d#.,])[\d#]{2} (?:months?|mos?|(?:monthly )?payments?) (?:at|of|for|from|@) (?:just |only )?(?:${THOUSANDS}|\d{2,4}(?:\.\d\d)?)${NO_UNIT}`,
  String.raw`${START}(?:${THOUSANDS}|\d{3,5}|0)${END} (?:down\b(?! the\b)|due at\b|at signing\b|drive[- ]?off\b)`,
  String.raw`${START}[1-6],\d{3}${END}(?: ?\/ ?| (?:a|per|each|every) )(?:yr|year)\b`,
  // After a word for payments, fees, gifts and services: "pay 299", "doc fee 85", "oil change for 49".
  String.raw`(?:${PAYMENT}${LINK}|${LOAN}${LINK}${NO_TERM})${SMALL}${NO_UNIT}`,
  String.raw`${SERVICE}${LINK}${SMALL}(?!,? (?:and |or |to )?\d)(?: (?:ea|apiece|installed|complete|per (?:axle|tire|wheel))\b|${NO_UNIT})|\b\d{2,3}\.\d\d ${SERVICE}\b`,
  String.raw`\b(?:starting|priced?) (?:at|from) ${SMALL}${NO_UNIT}|\b(?:as low as|from only) ${SMALL}${NO_UNIT}`,
  String.raw`(?<!\b(?:model|mazda|seats?|polestar) )${START}[2-6] for ${SMALL}${NO_UNIT}`,
  // What is given back: "a rebate of 1,500", "2,000 cash back", "get 1,000 back", "1,500 below MSRP".
  String.raw`\b(?:(?:get|earn|receive|collect)s? (?:up to )?${ANY} back\b${NO_UNIT}|(?:get|extra|at least|minimum) ${ANY} for your\b)`,
  String.raw`${START}(?:${LARGE}|\d{2,3})${END}[ -]${GIVEN}`,
  String.raw`${START}${ANY} (?:(?:below|under|over|above) ${FACTORY_PRICE}|towards? (?:your|any|an?|the)|(?:takes|buys|gets) (?:it|you|this))\b`,
  String.raw`\bsave (?:up to )?${SMALL}(?:(?= (?:on|off|when|today|now|with)\b)|${NO_UNIT})`,
  // After a word for prices: "starting at 19,995", "MSRP is 25,000", "now 19995", "between 10k and 15k".
  String.raw`${ALSO_PRICE}${BETWEEN}${range(`${THOUSANDS}|${ALSO_THOUSANDS}`)}`,
  String.raw`${PRICE}${BETWEEN}${range(UNSPACED)}`,
  String.raw`${ALSO_PRICE}${BETWEEN}${IN_WORDS}[- ]thousand\b${NO_UNIT}`,
  String.raw`${EXACT_IN_WORDS}${NO_UNIT}`,
  // "twenty-nine ninety-five", "twenty four nine ninety".
  String.raw`\b(?:${TENS})[- ](?:${ONES}) (?:(?:${ONES})(?: hundred)? )?(?:${TENS})(?:[- ](?:${ONES}))?\b${NO_UNIT}`,
  // At the end of a phrase, if it isn't round as counts are: "F-150 XLT, 38,450", "24k only". "10,000 or less".
  String.raw`(?:(?<!${LINE_START}|\bwith )${START}\d{1,3},\d(?!00)\d\d|${START}(?:\d{1,3}\.\d|1[1-9]|[2-9]\d|\d{3})k)${END}${PHRASE_END}`,
  String.raw`${START}(?:${THOUSANDS}|${ALSO_THOUSANDS})${END} (?:or|and) (?:less|under|below)${NO_UNIT}`,
  // Large, of nothing that is counted, and not in whole thousands: "one owner, 26,800".
  String.raw`(?<!${LINE_START}|\bwith )${START}\d{2,3},(?!000)\d{3}${NO_UNIT}`,
]
/** What is taken off: "500 off", "1,500 off any truck", but not "50 off-road trucks" or "500 off the path". */
const TAKEN_OFF = String.raw`off\b(?![-\w]| (?:road|lease|ramp|exit|site|grid|highway|hwy|route|I-|the (?!price|MSRP|sticker|list|total|purchase)))`
const OFF_AMOUNTS = [
  String.raw`${START}(?:${THOUSANDS}|${ALSO_THOUSANDS}|[1-9]\d0|\d0|\d5) ${TAKEN_OFF}`,
  String.raw`${START}[1-9]\d{2,4}${END} ${TAKEN_OFF}`,
  String.raw`${LARGE_IN_WORDS} ${TAKEN_OFF}`,
]
const union = (patterns: readonly string[]): RegExp => new RegExp(patterns.join('|'), 'giu')
const CLEAR_AMOUNT = union(CLEAR)
const NAMED_AMOUNT = union([...NAMED, ...DEAL_AMOUNTS])
const OFF_AMOUNT = union([...OFF_AMOUNTS, ...DEAL_OFF_AMOUNTS])
/** "twenty grand" and "20 grand", but not "2 Grand Cherokees", "20 Grand Avenue" or "our 20 grand prizes"; "99c", but not "25 C". */
const SPELLED = new RegExp(
  String.raw`(?:\bhalf a|\b\d[\d,.]*|${IN_WORDS})[ -]?[Gg]rand\b(?! +(?:[A-Z]|opening|prize|prix|total|finale|slam|tour|reopening))|${START}\d{2}c\b`,
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

/** "&#36;", "&dollar;" and "%24" as "$". */
const withoutEntities = (text: string): string =>
  text
    .replaceAll(/&dollar;|%24|\\u0024/giu, '$')
    .replaceAll(/&#(\d{2,4});/gu, (_, code: string) => String.fromCodePoint(Number(code)))

/** Most texts have none of these, and need no closer look. */
const MAYBE = new RegExp(
  String.raw`[\d💲]|\p{Sc}|\b(?:${TENS}|hundred|thousand|dollars|d[oó]lares|bucks|euros|pesos|grand)\b`,
  'iu',
)

/** Without what isn't seen: soft hyphens, characters of no width, addresses of links, and marks for bold and italic. */
const withoutMarks = (text: string): string =>
  text
    .replaceAll(/[\u00ad\u200b-\u200f\u2060\ufeff*_`~\\]|\ufe0f|\u20e3/gu, '')
    .replaceAll(/\[([^\][]{1,200})\]\([^()\s]{1,400}\)/gu, '$1')

/**
 * The first amount of money in a text; null if there is none. `mayBeOff`: "$20 off" and "1,500 off" are allowed. `isName`: of a name,
 * such as a trim, in which a number without a currency or a separator may be anything.
 */
export function findAmount(
  text: string,
  { mayBeOff, isName = false }: { mayBeOff: boolean; isName?: boolean },
): string | null {
  const plain = withoutMarks(plainDigits(withoutEntities(text)))
  if (!MAYBE.test(plain)) return null
  const hidden = hideCounted(plain)
  const matches = [
    ...plain.matchAll(CLEAR_AMOUNT),
    ...plain.matchAll(SPELLED),
    ...[...hidden.matchAll(NAMED_AMOUNT), ...hidden.matchAll(VEHICLE_AMOUNT)].filter(
      ([found]) => !isName || /\d[.,]\d{3}/.test(found),
    ),
    ...(mayBeOff ? [] : hidden.matchAll(OFF_AMOUNT)),
  ]
  for (const { 0: found, index } of matches) {
    const end = index + found.length
    if (!mayBeOff || !OFF.test(plain.slice(end)))
      return plain.slice(index, end).trim().replaceAll(/\s+/g, ' ')
  }
  return null
}
