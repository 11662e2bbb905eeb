import type { CustomField } from '#contract/customers/custom-fields/custom-fields.ts'
import { VEHICLE_FIELDS, type VehicleFieldName } from '#contract/inventory/vehicles/vehicle-fields.ts'
import { canonicalValue } from './canonical.ts'
import type { FieldMapping } from './mapping.ts'
import { readDate } from './read-feed-date.ts'
import { readNumber, saysNothing, toCents } from './read-feed-number.ts'
import { plainText, readAddresses, readTexts } from './read-texts.ts'

/** Text, a whole number, cents; digits for decimals; a day as `2026-03-01`; a list; yes and no of own fields. */
export type FieldValue = string | number | boolean | string[]

/** What a field gets. `sentence`: why not, or what to look at. `isUnmapped`: the product has no word for it. */
export type ReadValue = { value: FieldValue | null; sentence?: string; isUnmapped?: true }

export type ReadOptions = Readonly<{
  /** The fields that the customer made for itself. */
  own?: readonly CustomField[]
  /** What the customer counts distances in. */
  unit: 'mi' | 'km'
  /** `2026-03-01`: what days in stock are counted from. */
  today: string
  /** The product's word for a value of a mapped field; the shipped spellings where it is not given. */
  canonical?: (field: VehicleFieldName, value: string) => string | null
  /** The customer's own word for a value, before anything the product knows: null passes the value over. */
  ownWord?: (field: VehicleFieldName, value: string) => string | null | undefined
}>

const NONE: ReadValue = { value: null }
const KM = 1.609344

/** Reads the text of a field as its kind says. `unitText`: what another column says of the unit. */
export function readVehicleValue(
  field: VehicleFieldName,
  texts: readonly string[],
  { mapping, options, unitText }: { mapping: FieldMapping; options: ReadOptions; unitText: string },
): ReadValue {
  const { kind } = VEHICLE_FIELDS[field]
  if (kind === 'texts') return listValue(readTexts(texts, mapping.separators), { most: 500, length: 200 })
  if (kind === 'addresses') return addressValue(readAddresses(texts, mapping.separators))
  const text = (texts.find((one) => one !== '') ?? '').trim()
  if (text === '') return NONE
  switch (kind) {
    case 'integer':
    case 'decimal':
    case 'money':
      return readNumeric(field, text, { mapping, options, unitText })
    case 'date': {
      const day = saysNothing(text) ? null : readDate(text, mapping.dates, options.today)
      return day === null && !saysNothing(text) ? refuse(text, 'is no date') : { value: day }
    }
    default:
      return readWords(field, text, options)
  }
}

function readWords(field: VehicleFieldName, text: string, options: ReadOptions): ReadValue {
  if (field === 'vin') return readVin(text)
  const isLong = VEHICLE_FIELDS[field].kind === 'longText'
  const words = plainText(text, isLong ? 20_000 : 200, isLong)
  if (words === '' || (!isLong && /^(-+|n\/?a|null|none|undefined|\.+)$/i.test(words))) return NONE
  if (field === 'pageUrl') {
    return /^https?:\/\/\S+$/i.test(text)
      ? { value: text.slice(0, 2_000) }
      : refuse(text, 'is no address of a page')
  }
  if (field === 'certification') return readCertification(words)
  if (!('mapped' in VEHICLE_FIELDS[field])) return { value: words }
  const own = options.ownWord?.(field, words)
  if (own !== undefined) return { value: own }
  // Says that nobody said it.
  if (/^(other|unknown|not specified|unspecified|autre)$/i.test(words)) return NONE
  const canonical = (options.canonical ?? canonicalValue)(field, words)
  if (canonical !== null) return { value: canonical }
  // A model is everybody's own word: nothing is missing there.
  if (field === 'model' && options.canonical === undefined) return { value: words }
  if (VEHICLE_FIELDS[field].kind !== 'choice') return { value: words, isUnmapped: true }
  return { ...refuse(words, 'has no word here yet'), isUnmapped: true }
}

/** Many feeds say yes or no where others name the programme. */
function readCertification(words: string): ReadValue {
  if (/^(0|no|n|false|f)$/i.test(words)) return NONE
  return { value: /^(1|yes|y|true|t|c|cpo)$/i.test(words) ? 'Certified' : words }
}

/** A check digit that does not fit says nothing here: whoever decodes the VIN warns of it. */
function readVin(text: string): ReadValue {
  const vin = text.toUpperCase().replace(/[\s\-*]/g, '')
  if (/^[A-HJ-NPR-Z0-9]{17}$/.test(vin)) return { value: vin }
  const isNumber = /^[A-Z0-9]{5,17}$/.test(vin) && /\d/.test(vin) && !/^(19|20)\d\d$/.test(vin)
  if (!isNumber) return saysNothing(text) ? NONE : refuse(text, 'is no VIN')
  const sentence =
    vin.length === 17
      ? `The VIN ${vin} has I, O or Q, which no VIN has.`
      : `The VIN ${vin} has ${vin.length} signs, not 17.`
  return { value: vin, sentence }
}

function readNumeric(
  field: VehicleFieldName,
  text: string,
  { mapping, options, unitText }: { mapping: FieldMapping; options: ReadOptions; unitText: string },
): ReadValue {
  const { kind } = VEHICLE_FIELDS[field]
  if (saysNothing(text)) {
    const isPrice = field === 'price' || field === 'feedPrice'
    return isPrice ? { value: null, sentence: `${quote(text)} is no price: it stays empty.` } : NONE
  }
  const read = readNumber(field === 'year' ? yearIn(text) : text, mapping.decimal)
  if (read === null) return refuse(text, kind === 'money' ? 'is no price' : 'is no number')
  if (kind === 'money') return moneyValue(field, text, read.digits)
  if (kind === 'decimal')
    return read.digits.startsWith('-') ? refuse(text, 'is below 0') : { value: read.digits }
  const whole = Math.round(Number(read.digits))
  if (field === 'year') {
    const year = whole < 100 ? whole + (whole > 70 ? 1900 : 2000) : whole
    const last = Number(options.today.slice(0, 4)) + 2
    return year < 1885 || year > last ? refuse(text, 'is no model year') : { value: year }
  }
  if (field !== 'mileage')
    return whole < 0 || whole > 100_000 ? refuse(text, 'is out of reach') : { value: whole }
  const unit = unitOf(read.unit.replace(/^k /, '')) ?? unitOf(unitText) ?? mapping.unit ?? options.unit
  // 12k miles.
  const amount = Number(read.digits) * (/^k( |$)/.test(read.unit) ? 1_000 : 1)
  const mileage = convert(amount, unit, options.unit)
  return mileage < 0 || mileage > 2_000_000 ? refuse(text, 'is no mileage') : { value: mileage }
}

/** The year of a first registration, where a feed has that: `03.2019`, `2019-03-01`. Any other text is as it was. */
export function yearIn(text: string): string {
  const [, last, first] =
    /^(?:\d{1,2}[./-]){1,2}((?:19|20)\d\d)$|^((?:19|20)\d\d)(?:[./-]\d{1,2}){1,2}$/.exec(text.trim()) ?? []
  return last ?? first ?? text
}

function moneyValue(field: VehicleFieldName, text: string, digits: string): ReadValue {
  const cents = toCents(digits)
  if (cents === 0 && (field === 'price' || field === 'feedPrice')) {
    return { value: null, sentence: `${quote(text)} is no price: it stays empty.` }
  }
  if (cents < 0 || cents > 10_000_000_000) return refuse(text, 'is out of reach for a price')
  return cents === 0 ? NONE : { value: cents }
}

/** The unit that a text names; null where it names none. */
export function unitOf(text: string): 'mi' | 'km' | null {
  if (/^(km|kms|kilom)/i.test(text.trim())) return 'km'
  return /^(mi|mls?$|miles?)/i.test(text.trim()) ? 'mi' : null
}

function convert(amount: number, from: 'mi' | 'km', to: 'mi' | 'km'): number {
  if (from === to) return Math.round(amount)
  return Math.round(from === 'mi' ? amount * KM : amount / KM)
}

function listValue(list: string[], { most, length }: { most: number; length: number }): ReadValue {
  const kept = list
    .map((one) => plainText(one, length, false))
    .filter((one) => one !== '')
    .slice(0, most)
  return kept.length === 0 ? NONE : { value: kept }
}

function addressValue(list: string[]): ReadValue {
  const good = list.filter((one) => /^https?:\/\/[^\s"<>]+$/i.test(one) && one.length <= 2_000)
  const other = list.find((one) => !good.includes(one))
  const value = good.length === 0 ? null : good.slice(0, 200)
  return other === undefined ? { value } : { value, sentence: `${quote(other)} is no address of a picture.` }
}

export function refuse(text: string, what: string): ReadValue {
  return { value: null, sentence: `${quote(text)} ${what}.` }
}

function quote(text: string): string {
  const line = text.replace(/\s+/g, ' ').trim()
  return `\u201c${line.length > 60 ? `${line.slice(0, 57)}...` : line}\u201d`
}
