import type { PriceLaw } from '#contract/customers/details/price-laws.ts'
import { MONTHLY } from './typed-amounts.ts'

/** What a rule may ask about the page with a text, and about its customer. */
export type AdvertisementFacts = Readonly<{
  /** The page, or the part with the text, has a last day. */
  hasEnd: boolean
  /** Fees were entered for the lots. */
  hasFees: boolean
  /** A certified vehicle is for sale. */
  hasCertified: boolean
  /** The page shows vehicles with their prices. */
  hasVehicles: boolean
}>

export type AdvertisingRule = Readonly<{
  laws: readonly PriceLaw[]
  /** `stops`: a page with it can't be published. */
  severity: 'stops' | 'note'
  /** The words that trigger the rule. */
  trigger: RegExp
  /** Only for texts with these words, or without them. */
  within?: RegExp
  outside?: RegExp
  /** Only where this is so: a text without a page is never told. */
  concerns?: (facts: AdvertisementFacts) => boolean
  /** Disclosures that the trigger requires, each with its name. None: the words themselves are the problem. */
  needs: readonly (readonly [name: string, pattern: RegExp])[]
  message: string
  /** What to do, if the message doesn't say it. */
  advice?: string
  /** The rule, and the date as of which it was read. */
  source: string
}>

const US: readonly PriceLaw[] = ['us', 'us-ca', 'us-ok']
const ALL: readonly PriceLaw[] = [...US, 'ca']
const LEASE = /\bleas(e|es|ing)\b/i
type Need = AdvertisingRule['needs'][number]
const APR: Need = ['the APR', /\bAPR\b|annual percentage rate/i]
const TERM: Need = ['the number of payments', /\b\d{2,3}[ -]?(months?|mos?\b|payments)/i]
const DOWN: Need = ['the down payment', /\bdown\b/i]
const LEASE_TERMS: readonly Need[] = [
  TERM,
  ['the amount due at signing', /due at (signing|lease signing|delivery)/i],
  ['whether a security deposit is required', /security deposit/i],
]
/** "November 30", "11/30", "2026-11-30". */
const DATE =
  /\b(jan|feb|mar|apr|may|june?|july?|aug|sept?|oct|nov|dec)[a-z]*\.? \d{1,2}\b|\b\d{1,2}\/\d{1,2}\b|\b\d{4}-\d\d-\d\d\b/i
const isEndless = ({ hasEnd }: AdvertisementFacts): boolean => !hasEnd

const PRICE_GUIDES = 'Guides against deceptive pricing, 16 CFR part 233, as of November 2026'
const FTC_ACT = 'FTC Act, section 5, as of November 2026'
const CREDIT = 'Regulation Z, 12 CFR 1026.24(d), as of November 2026'
const LEASING = 'Regulation M, 12 CFR 1013.7(d), as of November 2026'
export const TOTAL_SOURCE =
  'FTC letters to dealers of March 2026; all-in price rules of the provinces, as of November 2026'

/** Credit, leases and prices: what the words say is regulated. */
const TERMS: readonly AdvertisingRule[] = [
  {
    laws: US,
    severity: 'stops',
    trigger: MONTHLY,
    outside: LEASE,
    needs: [APR, TERM, DOWN],
    message: 'A monthly payment also needs',
    source: CREDIT,
  },
  {
    laws: US,
    severity: 'stops',
    trigger: /(\$ ?[\d,]+|\d+ ?%) down\b/i,
    outside: LEASE,
    needs: [APR, TERM],
    message: 'A down payment also needs',
    source: CREDIT,
  },
  {
    laws: US,
    severity: 'stops',
    trigger:
      /\b(financ\w+|APR|interest)\b[^.!?]{0,30}\b(for|over|up to) \d{2,3}[ -]?(months?\b|mos?\b|payments\b)|\b\d{2,3} monthly payments\b|\b\d{2,3}[ -]months?( of)? financing\b/i,
    outside: LEASE,
    needs: [APR, DOWN],
    message: 'A number of payments also needs',
    source: CREDIT,
  },
  {
    laws: US,
    severity: 'stops',
    trigger:
      /\b\d+(\.\d+)? ?(?:%|percent) (?:(?:financing|interest|rate)\b|(?:for|over) (?:up to )?\d{2,3}[ -]?(?:months?|mos?)\b)/i,
    needs: [APR],
    message: 'A rate must be called',
    source: 'Regulation Z, 12 CFR 1026.24(c), as of November 2026',
  },
  {
    laws: US,
    severity: 'stops',
    trigger: MONTHLY,
    within: LEASE,
    needs: LEASE_TERMS,
    message: 'A lease payment also needs',
    source: LEASING,
  },
  {
    laws: US,
    severity: 'stops',
    trigger:
      /(\$ ?[\d,]+|\d+ ?%|\b(no|zero) money|\b(no|zero)|\bnothing) down\b|\b(no (payment|money)|(\$ ?[\d,]+|nothing)) due at signing\b|\bsign (and|&) drive\b/i,
    within: LEASE,
    needs: LEASE_TERMS,
    message: 'What is due at the start of a lease, also nothing, also needs',
    source: LEASING,
  },
  {
    laws: US,
    severity: 'note',
    trigger: /\b(no|zero) (money |cash )?down( payment)?\b(?![ -]?time)|\bnothing down\b/i,
    outside: LEASE,
    needs: [APR, TERM, ['who qualifies', /\b(approved|qualif\w+|credit approval|subject to)\b/i]],
    message: 'Buyers expect this of every vehicle and every loan. Nearby, say',
    source: FTC_ACT,
  },
  {
    laws: ALL,
    severity: 'stops',
    trigger:
      /(\bplus|\bexclud(es|ing)|\bnot includ(ed|ing)|\+) (\$ ?[\d,.]+ )?(a )?(doc(ument)?(ation|ary)?|dealer|processing|prep(aration)?|destination|freight)( processing| handling)? (fees?|charges?)\b/i,
    needs: [],
    message: 'Mandatory dealer fees must be part of the advertised price.',
    source: TOTAL_SOURCE,
  },
  {
    laws: ALL,
    severity: 'stops',
    trigger:
      /\b(price|priced|only|just) [^.]{0,40}\b(after|with|includes?) [^.]{0,30}\b(trade|military|college|graduate|loyalty|conquest|finance|financing)\b/i,
    needs: [],
    message: 'Not every buyer gets this offer, so it may not lower the advertised price. List it separately.',
    source: 'FTC letters to dealers of March 2026',
  },
  {
    laws: US,
    severity: 'stops',
    trigger: /\bMSRP\b[^.$]{0,20}\$ ?\d[\d,]*/i,
    outside: /\b(our|sale|selling|total|internet|asking) price\b/i,
    needs: [],
    message: 'An MSRP without a selling price counts as the advertised price.',
    source: FTC_ACT,
  },
]

/** What a dealer must be able to prove. */
const CLAIMS: readonly AdvertisingRule[] = [
  {
    laws: ALL,
    severity: 'stops',
    trigger:
      /\b(lowest|cheapest|unbeatable)( [\w-]+){0,2} prices?\b|\bbest( [\w-]+)? prices?,? guaranteed?\b|\bguaranteed( the)? (best|lowest)\b|\b(beat|match) any( [\w’'-]+)? (price|deal|offer)\b/i,
    needs: [],
    message: 'This promises to be cheaper than every competitor, which no one can prove.',
    advice: 'Remove it, and show vehicles with their total prices.',
    source: `${FTC_ACT}; ${PRICE_GUIDES}`,
  },
  {
    laws: ALL,
    severity: 'stops',
    trigger:
      /\b(below|under|at|over) (factory |dealer )?invoice\b|\b(at|below) (our |dealer |factory )?cost\b|\bwholesale (prices?|to the public)\b|\bfactory[- ]direct prices?\b/i,
    needs: [],
    message:
      'Buyers take this for what the dealer paid, and invoices leave out what the manufacturer pays back.',
    advice: 'Remove it, and show vehicles with their total prices.',
    source: 'Guides against deceptive pricing, 16 CFR 233.5, as of November 2026',
  },
  {
    laws: ALL,
    severity: 'stops',
    trigger:
      /\bonly (\d+|one|two|three|four|five|a few) (left|remaining|available|in stock)\b|\blast (one|few|\d+) (left|remaining|available|in stock)\b|\b(almost|nearly) (gone|sold out)\b/i,
    needs: [],
    message: 'The quantity is typed by hand, and wrong as soon as one is sold.',
    advice: 'Remove it. A block of vehicles shows only those that are for sale.',
    source: FTC_ACT,
  },
  {
    laws: ALL,
    severity: 'stops',
    trigger:
      /\blimited[- ]time\b|\b(ends?|ending|expires?) (today|tonight|tomorrow|soon)\b|\b(?<!\b(open|closed?)\b[^.!?]{0,20})(today|tonight|this (week|weekend|month)) only\b|\bonly (today|tonight|this (week|weekend|month))\b|\blast chance\b|\bfinal (days?|hours)\b|\bact (now|fast)\b/i,
    concerns: isEndless,
    needs: [['the last day', DATE]],
    message: 'Without a date, this is true on no day. Say',
    advice: 'Enter the last day of the page under Settings, or write the date.',
    source: FTC_ACT,
  },
  {
    laws: ALL,
    severity: 'stops',
    trigger:
      /\b(all|every)( dealer| mandatory)? fees? (is |are )?included\b|\bincludes? (all|every)( dealer| mandatory)? fees?\b|\bno (hidden|extra|dealer|doc|surprise) fees?\b/i,
    concerns: ({ hasFees }) => !hasFees,
    needs: [],
    message: 'No fees are entered, so no price of this site is known to include them.',
    advice: 'Enter the fees in the details of your company, or remove it.',
    source: TOTAL_SOURCE,
  },
  {
    laws: ALL,
    severity: 'stops',
    trigger: /\b(certified|CPO)[- ](pre[- ]?owned|used|vehicles?|cars?|trucks?|SUVs?|inventory)\b|\bCPO\b/i,
    concerns: ({ hasCertified }) => !hasCertified,
    needs: [],
    message: 'No certified vehicle is for sale.',
    advice: 'Remove it, or set the condition of certified vehicles.',
    source: FTC_ACT,
  },
  {
    laws: ALL,
    severity: 'stops',
    trigger: /\bwas\b[^.!?]{0,12}\d[^.!?]{0,12}\bnow\b|\b(reduced|slashed|marked down) from\b/i,
    needs: [],
    message: 'A former price must be one that was really asked, for a reasonable time.',
    advice: 'Remove it. Only the price engine knows what was asked.',
    source: 'Guides against deceptive pricing, 16 CFR 233.1, as of November 2026',
  },
  {
    laws: ALL,
    severity: 'note',
    trigger:
      /(?<!\bground )\b(clearance|blowout|liquidation|closeout|marked down|price (cuts?|drops?)|sale prices?)\b/i,
    concerns: ({ hasVehicles }) => !hasVehicles,
    needs: [],
    message: 'A reduction without vehicles names no price that was reduced.',
    advice: 'Show the vehicles that it is about.',
    source: 'Guides against deceptive pricing, 16 CFR 233.1, as of November 2026',
  },
  {
    laws: ALL,
    severity: 'note',
    trigger: /(?<!\bfeel )(?<![\w-])free\b(?! (of|from|to)\b)(?!-)/i,
    needs: [
      [
        'its terms',
        /\b(terms|conditions|no purchase|with (the |a |any |every )?purchase|when you|if you)\b/i,
      ],
    ],
    message: 'What is free, and what for, must be clear at once. Say',
    source: 'Guide concerning use of the word “free”, 16 CFR part 251, as of November 2026',
  },
  {
    laws: ALL,
    severity: 'note',
    trigger: /(\$ ?\d[\d,]*|\b\d+ ?%) off\b|\b(rebates?|cash ?back|bonus cash|special financing)\b/i,
    concerns: isEndless,
    needs: [['the last day', DATE]],
    message: 'An offer without an end is one that never changes. Say',
    advice: 'Enter the last day of the page under Settings, or write the date.',
    source: FTC_ACT,
  },
]

/** The rules for all advertising: descriptions of vehicles, answers to buyers, and pages. */
export const ADVERTISING_RULES: readonly AdvertisingRule[] = [...TERMS, ...CLAIMS]
