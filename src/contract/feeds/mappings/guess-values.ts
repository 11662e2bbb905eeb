import { canonicalValue } from '#contract/vehicles/vin/canonical.ts'
import type { FeedTarget } from './mapping.ts'
import { readFeedStatus } from './feed-status.ts'
import { readNumber, isPlaceholder } from './read-feed-number.ts'
import { isUnclearDay, readDate } from './read-feed-date.ts'
import { unitOf, yearIn } from './read-vehicle-value.ts'

/** How much the values of a column look like a field, from 0 to 1, and what they look like. */
export type Guess = { target: FeedTarget; share: number; seen: string }

/** The longest stock number that a vehicle can have. */
const MAX_STOCK = 60
const PICTURE = /\.(jpe?g|png|webp|gif|avif)\b|\/(photos?|images?|img|pictures?|media)\//i
/** Trim levels. Some makers send only the trim in the model column. */
const TRIM =
  /^((x?[ls]e|s|l|sr5?|ex(-l)?|lx|xle|xlt|xl|sel|slt?|sle|lt[zs12]?|limited|platinum|premium|sport|touring|base|denali|lariat|trd.*|\d+lt|laredo|overland|big horn|laramie|adventure|woodland.*|.* edition|.* special edi.*)( |$))+/i

/** What the values of one column look like, most likely first. Empty values are ignored. */
export function guessValues(values: readonly string[], today: string): Guess[] {
  const full = values.map((value) => value.trim()).filter((value) => value !== '')
  if (full.length === 0) return []
  const share = (test: (value: string) => boolean): number => full.filter(test).length / full.length
  const distinct = new Set(full).size / full.length
  const canonical = (target: 'make' | 'body' | 'fuel' | 'transmission' | 'drivetrain') =>
    share((value) => value.length < 60 && !/https?:/i.test(value) && canonicalValue(target, value) !== null)
  // A headline contains the words of many fields, but hardly any two are the same. The words of a field repeat.
  const repeats = new Set(full.map((value) => value.toLowerCase())).size <= Math.max(8, full.length * 0.3)
  const word = (target: 'body' | 'fuel' | 'transmission' | 'drivetrain') =>
    repeats && averageLength <= 40 ? share((value) => looksLike(target, value)) : 0
  const isNumber = (value: string) => readNumber(value) !== null
  const addresses = share(
    (value) => /^["'[{\s]*(https?:)?\/\//i.test(value) || /"url"\s*:\s*"http/i.test(value),
  )
  const pictures = share(
    (value) => /(https?:)?\/\//.test(value) && (PICTURE.test(value) || hasSeveralUrls(value)),
  )
  const averageLength = full.reduce((sum, value) => sum + value.length, 0) / full.length
  const guesses: Guess[] = [
    { target: 'vin', share: share(isVin), seen: '17-character VINs' },
    { target: 'photos', share: pictures, seen: 'image URLs' },
    {
      target: 'pageUrl',
      share: pictures > 0.2 || distinct < 0.5 ? 0 : addresses,
      seen: 'page URLs',
    },
    { target: 'year', share: share((value) => /^(19[5-9]\d|20[0-4]\d)(\.0)?$/.test(value)), seen: 'years' },
    {
      target: 'mileage',
      share: share((value) => unitOf(readNumber(value)?.unit ?? '') !== null),
      seen: 'distances with units',
    },
    {
      target: 'price',
      share: share((value) => /[$\u20ac\u00a3]|\b(usd|cad|eur|aud)\b/i.test(value) && isNumber(value)),
      seen: 'amounts of money',
    },
    {
      target: 'condition',
      share: share((value) => CONDITION.test(value) && canonicalValue('condition', value) !== null),
      seen: 'new and used',
    },
    { target: 'make', share: canonical('make'), seen: 'makes' },
    { target: 'body', share: word('body'), seen: 'body styles' },
    { target: 'fuel', share: word('fuel'), seen: 'fuel types' },
    { target: 'transmission', share: word('transmission'), seen: 'transmissions' },
    { target: 'drivetrain', share: word('drivetrain'), seen: 'drivetrains' },
    {
      target: 'description',
      share: averageLength > 120 && addresses < 0.1 ? share((value) => value.includes(' ')) : 0,
      seen: 'long text',
    },
    { target: 'trim', share: share((value) => TRIM.test(value)), seen: 'trim levels' },
    { target: 'status', share: statusShare(full), seen: 'words for sold and for sale' },
    {
      target: 'inStockOn',
      share: share(
        (value) =>
          value.length > 5 &&
          /\d/.test(value) &&
          readDate(value, ['iso', 'us', 'eu', 'words'], today) !== null,
      ),
      seen: 'dates',
    },
    { target: 'stock', share: stockShare(full, distinct), seen: 'short, unique codes' },
  ]
  return guesses.filter((guess) => guess.share >= 0.5).toSorted((one, other) => other.share - one.share)
}

/** Nothing but words for a condition: "Northgate Pre-Owned" is the name of a lot. */
const CONDITION =
  /^(?:(?:certified|cpo|pre.?owned|pre.?loved|second.?hand|used|brand|new|demo(?:nstrator)?|service|loaner|courtesy|occasion|usad[oa]|usato|gebraucht|nuovo|nuev[oa]|neu|neufs?|vorf\u00fchr|jahres|wagen|v\u00e9hicules?|vehicles?|cars?|trucks?|autos?|units?|inventory|stock|[nucpd])[\s,/()&-]*)+$/i

/** A date, even if it isn't known yet which one. */
const isDay = (value: string, today: string): boolean =>
  isUnclearDay(value, undefined) || readDate(value, undefined, today) !== null

/** Whether the values rule out the field that their column name suggests. */
export function valuesContradict(target: FeedTarget, values: readonly string[], today: string): boolean {
  const full = values.map((value) => value.trim()).filter((value) => value !== '' && !isPlaceholder(value))
  if (full.length === 0) return false
  const share = (test: (value: string) => boolean): number => full.filter(test).length / full.length
  switch (target) {
    case 'vin':
      return share((value) => /^[A-Z0-9-]{5,17}$/i.test(value)) < 0.5
    case 'year':
      return share((value) => /^(19|20)?\d\d(\.0)?$/.test(yearIn(value))) < 0.5
    case 'mileage':
    case 'price':
    case 'msrp':
    case 'invoice':
    case 'cost':
    case 'marketPrice':
    case 'bookValue':
    case 'doors':
    case 'cityEconomy':
    case 'highwayEconomy':
    case 'co2':
      return share((value) => readNumber(value) !== null) < 0.5
    case 'photos':
    case 'pageUrl':
      return share((value) => /\/\//.test(value)) < 0.5
    case 'condition':
      return share((value) => canonicalValue('condition', value) !== null) < 0.5
    case 'status':
      // Unknown words are asked about. Values of other fields, and free text, are no words for a status.
      return (
        share((value) => canonicalValue('condition', value) !== null && readFeedStatus(value) === null) >
          0.5 || share((value) => value.length > 40 || value.includes('//') || isVin(value)) > 0.5
      )
    case 'marketPriceOn':
    case 'bookValueOn':
      return share((value) => isDay(value, today)) < 0.5
    case 'inStockOn':
      return share((value) => isDay(value, today) || /^\d{1,4}$/.test(value)) < 0.5
    case 'model':
      return share((value) => TRIM.test(value)) >= 0.6
    case 'stock':
      // Some providers send the hash of their record as the stock number.
      return share((value) => value.length <= MAX_STOCK && !value.includes('//')) < 0.5
    default:
      return share((value) => /^https?:\/\//i.test(value)) > 0.5
  }
}

/** Whole words for a status, of which at least one takes vehicles off sale. Single letters mean too many things. */
function statusShare(full: readonly string[]): number {
  const read = full.map((value) => (value.trim().length < 4 ? null : readFeedStatus(value)))
  const isTelling = read.some((one) => one === 'sold' || one === 'wholesale' || one === 'incoming')
  const words = new Set(full.map((value) => value.toLowerCase()))
  return isTelling && words.size <= 12 ? read.filter((one) => one !== null).length / read.length : 0
}

/** Words that a value of a field must contain to be recognized without a column name. */
const WORDS = {
  body: /\b(sedans?|saloon|suvs?|sport utility|utility|coupe|convertible|cabriolet|hatchback|wagon|minivan|van|truck|pick-?up|crossover|cuv|crew cab|roadster|4dr car)\b/i,
  fuel: /^[gdef]$|\b(gas|gasoline|petrol|diesel|electric|hybrid|unleaded|flex|e-?85|benzin|essence)\b/i,
  transmission: /\b(auto|automatic|manual|cvt|variable|dct|dsg|dual[- ]clutch|\d+[- ]?(speed|spd))\b/i,
  drivetrain:
    /\b([a24ftr]{1,3}wd|tvawd|4x[24]|2wd|4wd|quattro|4matic|xdrive|(all|front|rear|four|4)[- ]wheel)\b/i,
} as const

function looksLike(target: keyof typeof WORDS, value: string): boolean {
  return WORDS[target].test(value) && canonicalValue(target, value) !== null
}

function isVin(value: string): boolean {
  return /^[A-HJ-NPR-Z0-9]{17}$/i.test(value) && /\d/.test(value) && /[a-z]/i.test(value)
}

function hasSeveralUrls(value: string): boolean {
  return (value.match(/https?:\/\//gi)?.length ?? 0) > 1
}

/** Short values with a digit, nearly all unique, that are not VINs, prices or years. */
function stockShare(full: readonly string[], distinct: number): number {
  if (full.length < 3 || distinct < 0.95) return 0
  const fit = full.filter(
    (value) => /^[A-Z0-9][A-Z0-9_/-]{2,14}$/i.test(value) && /\d/.test(value) && !isVin(value),
  )
  // Numbers alone may also be mileages.
  const hasLetters = fit.some((value) => /[a-z]/i.test(value))
  const isCounted = hasLetters || fit.every((value) => /^\d{4,8}$/.test(value))
  return isCounted ? (fit.length / full.length) * (hasLetters ? 0.7 : 0.65) : 0
}
