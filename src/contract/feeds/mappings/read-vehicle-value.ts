import type { CustomField } from '#contract/customers/custom-fields/custom-fields.ts'
import { VEHICLE_FIELDS, type VehicleFieldName } from '#contract/vehicles/vehicles/vehicle-fields.ts'
import { hasWrongCheckDigit } from '#contract/vehicles/vin/check-digit.ts'
import { canonicalValue } from '#contract/vehicles/vin/canonical.ts'
import type { FieldMapping } from './mapping.ts'
import { isUnclearDay, readDate } from './read-feed-date.ts'
import { currencyIn, readNumber, isPlaceholder, toCents } from './read-feed-number.ts'
import { plainText, readAddresses, readTexts } from './read-texts.ts'

/** Text, a whole number or cents; digits for decimals; a date as `2026-03-01`; a list; a boolean (custom fields only). */
export type FieldValue = string | number | boolean | string[]

/** A field's value. `sentence`: a warning, or why it is blank. `isUnmapped`: it matches none of our standard values.
 * `isIgnored`: the customer's data mapping says that it means nothing. `isLost`: the row can't be imported without it. */
export type ReadValue = {
  value: FieldValue | null
  sentence?: string
  isUnmapped?: true
  isIgnored?: true
  isLost?: true
}

export type ReadOptions = Readonly<{
  /** The customer's custom fields. */
  own?: readonly CustomField[]
  /** The customer's distance unit. */
  unit: 'mi' | 'km'
  /** The customer's currency, such as USD. Amounts in another one are left blank. Without it, currencies are not checked. */
  currency?: string
  /** The date that days in stock are counted from, `2026-03-01`. */
  today: string
  /** The standard value for a value of a mapped field; by default the built-in spellings are used. */
  canonical?: (field: VehicleFieldName, value: string) => string | null
  /** The customer's own mapping of a value, checked before the built-in spellings; null ignores the value. */
  ownWord?: (field: VehicleFieldName, value: string) => string | null | undefined
}>

const NONE: ReadValue = { value: null }
/** Words in place of a missing text. */
const NO_WORDS = /^(-+|n\/?a|null|none|undefined|\.+)$/i
const KM = 1.609344

type Reading = {
  mapping: FieldMapping
  options: ReadOptions
  /** The unit and the currency from other columns. */
  unitText: string
  currencyText: string
}

/** Reads a field's text according to its kind. */
export function readVehicleValue(
  field: VehicleFieldName,
  texts: readonly string[],
  { mapping, options, unitText, currencyText }: Reading,
): ReadValue {
  const { kind } = VEHICLE_FIELDS[field]
  if (kind === 'texts') return listValue(VEHICLE_FIELDS[field].title, readTexts(texts, mapping.separators))
  if (kind === 'addresses') return addressValue(readAddresses(texts, mapping.separators))
  const text = (texts.find((one) => one !== '') ?? '').trim()
  if (text === '') return NONE
  switch (kind) {
    case 'integer':
    case 'decimal':
    case 'money':
      return readNumeric(field, text, { mapping, options, unitText, currencyText })
    case 'date': {
      const day = isPlaceholder(text) ? null : readDate(text, mapping.dates, options.today)
      return day === null && !isPlaceholder(text) ? refuseDay(text, mapping) : { value: day }
    }
    default:
      return readWords(field, text, options)
  }
}

function readWords(field: VehicleFieldName, text: string, options: ReadOptions): ReadValue {
  if (field === 'vin') return readVin(text)
  if (field === 'stock') return readStock(text)
  const isLong = VEHICLE_FIELDS[field].kind === 'longText'
  if (field === 'pageUrl') return readPageUrl(text)
  const max = isLong ? MAX_LONG_TEXT : MAX_TEXT
  const [words, sentence] = cutText(VEHICLE_FIELDS[field].title, text, { max, isLong })
  const read = readWord(field, words, options)
  return sentence === undefined || read.sentence !== undefined ? read : { ...read, sentence }
}

const MAX_LONG_TEXT = 20_000
const MAX_TEXT = 200
const MAX_URL = 2_000
const MAX_COUNTED = 100_000

/** A text without tags and at most so long, and a sentence if something was cut off. */
export function cutText(
  title: string,
  text: string,
  { max, isLong }: { max: number; isLong: boolean },
): [words: string, sentence?: string] {
  const words = plainText(text, max, isLong)
  if (text.length <= max) return [words]
  // Nobody needs to know how much longer an extremely long text is.
  const whole = plainText(text.slice(0, MAX_COUNTED), MAX_COUNTED, isLong).length
  if (whole <= max) return [words]
  const more = text.length > MAX_COUNTED ? 'more than ' : ''
  return [
    words,
    `${title} has ${more}${whole.toLocaleString('en')} characters. Only the first ${max.toLocaleString('en')} are kept.`,
  ]
}

function readWord(field: VehicleFieldName, words: string, options: ReadOptions): ReadValue {
  const isLong = VEHICLE_FIELDS[field].kind === 'longText'
  if (words === '' || (!isLong && NO_WORDS.test(words))) return NONE
  if (field === 'certification') return readCertification(words)
  if (!('mapped' in VEHICLE_FIELDS[field])) return { value: words }
  const own = options.ownWord?.(field, words)
  if (own !== undefined) return own === null ? { value: own, isIgnored: true } : { value: own }
  // These mean that the value is not known.
  if (/^(other|unknown|not specified|unspecified|autre)$/i.test(words)) return NONE
  const canonical = (options.canonical ?? canonicalValue)(field, words)
  if (canonical !== null) return { value: canonical }
  // Models have no standard values, so an unknown one isn't unmapped.
  if (field === 'model' && options.canonical === undefined) return { value: words }
  if (VEHICLE_FIELDS[field].kind !== 'choice') return { value: words, isUnmapped: true }
  return { ...refuse(words, "isn't mapped yet"), isUnmapped: true }
}

/** Whether a text is a value of a field, and not blank, a zero price, or a word in place of a value. */
export function isUsableText(field: VehicleFieldName, text: string): boolean {
  const { kind } = VEHICLE_FIELDS[field]
  if (kind === 'money') {
    const read = isPlaceholder(text) ? null : readNumber(text)
    return read !== null && toCents(read.digits) !== 0
  }
  if (kind === 'integer' || kind === 'decimal' || kind === 'date') return !isPlaceholder(text)
  return !NO_WORDS.test(text.trim())
}

function readPageUrl(text: string): ReadValue {
  if (NO_WORDS.test(text)) return NONE
  if (text.length > MAX_URL)
    return refuse(text, `has more than ${MAX_URL.toLocaleString('en')} characters. Left blank`)
  return /^https?:\/\/\S+$/i.test(text) ? { value: text } : refuse(text, "isn't a page URL")
}

/** What spreadsheets make of `3-12`. */
const SHEET_DAY =
  /^(?:\d{1,2}-(?:jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec)|(?:jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec)-\d{2})$/i

/** Whether two stock numbers are one: case doesn't matter, nor zeros at the start, which spreadsheets drop. */
export function isSameNumber(one: string, other: string): boolean {
  const plain = (number: string) =>
    /^\d+$/.test(number) ? number.replace(/^0+(?=\d)/, '') : number.toLowerCase()
  return plain(one) === plain(other)
}

/** A number that a spreadsheet wrote in its own way: `'00124`, `12345.0`. Shortened, as in 1.2E+05, it is not known anymore. */
function readStock(text: string): ReadValue {
  const words = plainText(text, MAX_TEXT, false).replace(/^'/, '')
  if (words === '' || NO_WORDS.test(words)) return NONE
  const isShort = /^\d(\.\d+)?e\+?\d{1,3}$/i.test(words) && /[.+]/.test(words)
  if (isShort || SHEET_DAY.test(words)) {
    const what = isShort ? 'was shortened by a spreadsheet' : 'was made a date by a spreadsheet'
    return { ...refuse(words, `${what}. Format the column as text and export the file again`), isLost: true }
  }
  return { value: words.replace(/^(\d+)\.0+$/, '$1') }
}

/** Many feeds send yes or no where others send the name of the program. */
function readCertification(words: string): ReadValue {
  if (/^(0|no|n|false|f)$/i.test(words)) return NONE
  return { value: /^(1|yes|y|true|t|c|cpo)$/i.test(words) ? 'Certified' : words }
}

/** A VIN with a wrong check digit is kept, with a warning: it may be a typo, and is never a reason to lose a vehicle. */
function readVin(text: string): ReadValue {
  const vin = text.toUpperCase().replace(/[\s\-*]/g, '')
  if (/^[A-HJ-NPR-Z0-9]{17}$/.test(vin)) {
    if (!hasWrongCheckDigit(vin)) return { value: vin }
    return { value: vin, sentence: `The VIN ${vin} has a wrong check digit. Check it for typos.` }
  }
  const isNumber = /^[A-Z0-9]{5,17}$/.test(vin) && /\d/.test(vin) && !/^(19|20)\d\d$/.test(vin)
  if (!isNumber) return isPlaceholder(text) ? NONE : refuse(text, "isn't a VIN")
  const sentence =
    vin.length === 17
      ? `The VIN ${vin} contains I, O or Q, which VINs don't use.`
      : `The VIN ${vin} has ${vin.length} characters instead of 17.`
  return { value: vin, sentence }
}

function readNumeric(
  field: VehicleFieldName,
  text: string,
  { mapping, options, unitText, currencyText }: Reading,
): ReadValue {
  const { kind } = VEHICLE_FIELDS[field]
  if (isPlaceholder(text)) {
    const isPrice = field === 'price' || field === 'feedPrice'
    return isPrice ? { value: null, sentence: `${quote(text)} isn't a price. Left blank.` } : NONE
  }
  const mark = isSmall(field) ? /^[^.,]*([.,])[^.,]*$/.exec(text)?.[1] : undefined
  const decimal = mapping.decimal ?? (mark === '.' || mark === ',' ? mark : undefined)
  const read = readNumber(field === 'year' ? yearIn(text) : text, decimal)
  if (read === null) return refuse(text, kind === 'money' ? "isn't a price" : "isn't a number")
  if (kind === 'money') {
    const currency = currencyIn(currencyText) ?? currencyIn(text)
    const isOther = currency !== null && options.currency !== undefined && currency !== options.currency
    if (isOther && toCents(read.digits) !== 0)
      return refuse(text, `is in ${currency}, not in ${options.currency}. Left blank`)
    if (PAYMENT.test(read.unit) || PAYMENT.test(text)) return refuse(text, "is a payment and isn't a price")
    return moneyValue(field, text, isThousands(read.unit) ? thousandfold(read.digits) : read.digits)
  }
  const whole = Math.round(Number(read.digits))
  if (field === 'co2' && Number(read.digits) > 0 && whole === 0) return refuse(text, "isn't a valid number")
  if (kind === 'decimal') return decimalValue(text, read.digits)
  if (field === 'year') {
    const year = whole < 100 ? whole + (whole > 70 ? 1900 : 2000) : whole
    const last = Number(options.today.slice(0, 4)) + 2
    return year < 1885 || year > last ? refuse(text, "isn't a valid model year") : { value: year }
  }
  if (field !== 'mileage')
    return whole < 0 || whole > 100_000 ? refuse(text, "isn't a valid number") : { value: whole }
  const unit = unitOf(read.unit.replace(/^k /, '')) ?? unitOf(unitText) ?? mapping.unit ?? options.unit
  // "12k miles"
  const amount = Number(read.digits) * (/^k( |$)/.test(read.unit) ? 1_000 : 1)
  const mileage = convert(amount, unit, options.unit)
  return mileage < 0 || mileage > 2_000_000 ? refuse(text, "isn't a valid mileage") : { value: mileage }
}

/** The year of a first registration date, `03.2019` or `2019-03-01`. Any other text is returned unchanged. */
export function yearIn(text: string): string {
  const [, last, first] =
    /^(?:\d{1,2}[./-]){1,2}((?:19|20)\d\d)$|^((?:19|20)\d\d)(?:[./-]\d{1,2}){1,2}$/.exec(text.trim()) ?? []
  return last ?? first ?? text
}

/** "25k" */
const isThousands = (unit: string): boolean => /^k( |$)/.test(unit)
const thousandfold = (digits: string): string => String(Math.round(Number(digits) * 100_000) / 100)

/** A monthly or weekly amount, which is no price. */
const PAYMENT = /(\/|per|a|each)\s*(mo|month|wk|week)\b|monthly|weekly|biweekly/i

/** Fields whose numbers have at most three digits, so a mark in them is never one of thousands. */
const isSmall = (field: VehicleFieldName): boolean =>
  ['cityEconomy', 'highwayEconomy', 'co2', 'doors'].includes(field)

/** Fuel economy has one decimal. */
function decimalValue(text: string, digits: string): ReadValue {
  if (digits.startsWith('-')) return refuse(text, 'is below 0')
  return { value: String(Math.round(Number(digits) * 10) / 10) }
}

function moneyValue(field: VehicleFieldName, text: string, digits: string): ReadValue {
  const cents = toCents(digits)
  if (cents === 0 && (field === 'price' || field === 'feedPrice')) {
    return { value: null, sentence: `${quote(text)} isn't a price. Left blank.` }
  }
  if (cents < 0 || cents > 10_000_000_000) return refuse(text, "isn't a valid price")
  return cents === 0 ? NONE : { value: cents }
}

/** The unit that a text names; null if it names none. */
export function unitOf(text: string): 'mi' | 'km' | null {
  if (/^(km|kms|kilom)/i.test(text.trim())) return 'km'
  return /^(mi|mls?$|miles?)/i.test(text.trim()) ? 'mi' : null
}

function convert(amount: number, from: 'mi' | 'km', to: 'mi' | 'km'): number {
  if (from === to) return Math.round(amount)
  return Math.round(from === 'mi' ? amount * KM : amount / KM)
}

const MAX_LIST = 500
const MAX_PHOTOS = 200

function listValue(title: string, list: string[]): ReadValue {
  const kept = list.map((one) => plainText(one, MAX_TEXT, false)).filter((one) => one !== '')
  if (kept.length === 0) return NONE
  const long = list.filter((one) => one.length > MAX_TEXT).length
  const sentences = [
    ...(kept.length > MAX_LIST
      ? [`${title} has ${kept.length} entries. Only the first ${MAX_LIST} are kept.`]
      : []),
    ...(long > 0
      ? [`${title} has entries with more than ${MAX_TEXT} characters. Only the first ${MAX_TEXT} are kept.`]
      : []),
  ]
  const value = kept.slice(0, MAX_LIST)
  return sentences.length === 0 ? { value } : { value, sentence: sentences.join(' ') }
}

function addressValue(list: string[]): ReadValue {
  const good = list.filter((one) => /^https?:\/\/[^\s"<>]+$/i.test(one) && one.length <= 2_000)
  const other = list.find((one) => !good.includes(one))
  const value = good.length === 0 ? null : good.slice(0, MAX_PHOTOS)
  if (good.length > MAX_PHOTOS && other === undefined)
    return { value, sentence: `There are ${good.length} photos. Only the first ${MAX_PHOTOS} are kept.` }
  return other === undefined ? { value } : { value, sentence: `${quote(other)} isn't an image URL.` }
}

export const refuseDay = (text: string, { dates }: Pick<FieldMapping, 'dates'>): ReadValue =>
  refuse(
    text,
    isUnclearDay(text.trim(), dates)
      ? 'may be two days. Choose the date format of the field in the provider mapping'
      : "isn't a date",
  )

export function refuse(text: string, what: string): ReadValue {
  return { value: null, sentence: `${quote(text)} ${what}.` }
}

function quote(text: string): string {
  const line = text.replace(/\s+/g, ' ').trim()
  return `\u201c${line.length > 60 ? `${line.slice(0, 57)}...` : line}\u201d`
}
