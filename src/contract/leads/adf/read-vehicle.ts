import { readNumber as readFeedNumber } from '#contract/feeds/mappings/read-feed-number.ts'
import { yearIn } from '#contract/feeds/mappings/read-vehicle-value.ts'
import { hasWrongCheckDigit } from '#contract/vehicles/vin/check-digit.ts'
import type { AdfElement, AdfFinance, AdfPrice, AdfVehicle } from './adf-lead.ts'
import {
  attributeOf,
  childrenOf,
  choiceOf,
  forget,
  idsOf,
  lineOf,
  markUnused,
  markUsed,
  warnOfAttributes,
  type AdfReading,
  type Children,
} from './adf-reading.ts'
import {
  ADF_AMOUNT_LIMITS,
  ADF_AMOUNT_TYPES,
  ADF_BALANCE_TYPES,
  ADF_INTERESTS,
  ADF_ODOMETER_STATUSES,
  ADF_ODOMETER_UNITS,
  ADF_PRICE_BASES,
  ADF_PRICE_DELTAS,
  ADF_PRICE_TYPES,
  ADF_VEHICLE_STATUSES,
} from './adf-values.ts'

/** Whether the customer has the vehicle, instead of wanting it. */
export function isTradeIn({ attributes }: AdfElement): boolean {
  return /^(?:trade[-_ ]?in|sell)$/i.test(attributes['interest']?.trim() ?? '')
}

/** Reads a vehicle; null if nothing is known about it. */
export function readVehicle(
  element: AdfElement,
  { at, reading }: { at: string; reading: AdfReading },
): AdfVehicle | null {
  const children = childrenOf(element, reading)
  warnOfAttributes(element, ['interest', 'status'], reading)
  const known: AdfVehicle = {
    ids: idsOf(children.all('id'), reading),
    interest: readInterest(element, reading),
    ...readStatus(element, reading),
    year: readYear(children.fact('year')),
    make: children.fact('make'),
    model: children.fact('model'),
    vin: readVin(children.fact('vin'), reading),
    stock: readStock(children, reading),
    trim: children.fact('trim'),
    doors: children.line('doors'),
    bodyStyle: children.line('bodystyle'),
    transmission: children.line('transmission'),
    odometer: readOdometer(children.one('odometer'), reading),
    condition: children.line('condition'),
    colors: children.all('colorcombination').flatMap((color) => readColors(color, { at, reading })),
    images: children.all('imagetag').flatMap((image) => readImage(image, reading)),
    price: readPrice(children.one('price'), reading),
    priceComments: children.text('pricecomments'),
    options: children.all('option').flatMap((option) => readOption(option, { at, reading })),
    finance: readFinance(children.one('finance'), { at, reading }),
    comments: children.text('comments'),
  }
  children.keepRest(at)
  const { interest: _interest, status: _status, statusText: _text, ...facts } = known
  const isKnown = Object.values(facts).some((fact) => (Array.isArray(fact) ? fact.length > 0 : fact !== null))
  if (isKnown || reading.extensions.some((extension) => extension.at === at)) return known
  forget(reading, element)
  return null
}

/** Words for used vehicles that ADF doesn't have: without them, "certified" would count as new, which is ADF's default. */
const USED_WORDS = /certif|cpo|pre-?\s?owned|used|second[- ]?hand/i

function readStatus(element: AdfElement, reading: AdfReading): Pick<AdfVehicle, 'status' | 'statusText'> {
  const statusText = attributeOf(element, 'status', reading)
  const isUsed = USED_WORDS.test(statusText ?? '')
  const status = choiceOf(element, {
    name: 'status',
    values: ADF_VEHICLE_STATUSES,
    standard: isUsed ? 'used' : 'new',
    reading,
  })
  const isOfAdf = statusText?.toLowerCase() === status
  return { status, statusText: isOfAdf ? status : statusText }
}

/** Four digits: "21" is 2021, and "99" is 1999, as in feeds. What isn't a year stays as it is. */
function readYear(given: string | null): string | null {
  if (given === null) return null
  const year = yearIn(given)
  const short = /^'?(\d\d)$/.exec(year)?.[1]
  if (short === undefined) return year
  return String(Number(short) + (Number(short) > 70 ? 1_900 : 2_000))
}

function readInterest(element: AdfElement, reading: AdfReading): AdfVehicle['interest'] {
  const interest = element.attributes['interest'] ?? ''
  const given = {
    ...element,
    attributes: { interest: interest.replace(/^(trade|test)[_ ]?(in|drive)$/i, '$1-$2') },
  }
  const read = choiceOf(given, { name: 'interest', values: ADF_INTERESTS, standard: 'buy', reading })
  if (reading.used.get(given)?.has('interest') === true) markUsed(reading, element, 'interest')
  return read
}

/** Vehicles built before 1981 have shorter ones. */
function readVin(given: string | null, reading: AdfReading): string | null {
  if (given === null) return null
  const vin = given.toUpperCase()
  if (!/^[A-HJ-NPR-Z\d]{17}$/.test(vin)) reading.warn('vinInvalid', vin)
  else if (hasWrongCheckDigit(vin)) reading.warn('vinCheckDigit', vin)
  return vin
}

function readStock(children: Children, reading: AdfReading): string | null {
  const stock = children.fact('stock')
  if (stock !== null) return stock
  const other = children.fact('stocknumber')
  if (other !== null) reading.warn('stockNumberElement')
  return other
}

function readOdometer(element: AdfElement | null, reading: AdfReading): AdfVehicle['odometer'] {
  const given = lineOf(element, reading)
  if (element === null || given === null) return null
  warnOfAttributes(element, ['status', 'units', 'unit'], reading)
  const attribute = attributeOf(element, 'units', reading) ?? attributeOf(element, 'unit', reading)
  const [, number = given, suffix = null] = /^([\d.,\s]+?)\s*([a-z]+)\.?$/i.exec(given) ?? []
  const written = attribute ?? suffix
  const units = written === null ? null : readUnits(written, reading)
  // A unit that is none stays with the number or among the rest.
  const isUnread = written !== null && units === null
  if (isUnread) for (const name of ['units', 'unit']) markUnused(reading, element, name)
  return {
    value: readNumber(isUnread && attribute === null ? given : number, { name: 'odometer', reading }),
    units,
    status: choiceOf(element, { name: 'status', values: ADF_ODOMETER_STATUSES, standard: null, reading }),
  }
}

function readUnits(given: string, reading: AdfReading): 'mi' | 'km' | null {
  const name = given
    .toLowerCase()
    .replace(/^miles?$/, 'mi')
    .replace(/^(?:kms|kilomet(?:er|re)s?)$/, 'km')
  const found = ADF_ODOMETER_UNITS.find((unit) => unit === name)
  if (found === undefined || name !== given) reading.warn('unknownValue', `"${given}" for units`)
  return found ?? null
}

function readColors(
  element: AdfElement,
  { at, reading }: { at: string; reading: AdfReading },
): AdfVehicle['colors'] {
  const children = childrenOf(element, reading)
  const interior = children.line('interiorcolor')
  const exterior = children.line('exteriorcolor')
  const preference = children.line('preference')
  children.keepRest(at)
  if (interior !== null || exterior !== null) return [{ interior, exterior, preference }]
  forget(reading, element)
  return []
}

function readImage(element: AdfElement, reading: AdfReading): AdfVehicle['images'] {
  const url = lineOf(element, reading)
  const attribute = (name: string): string | null => attributeOf(element, name, reading)
  return url === null
    ? []
    : [{ url, width: attribute('width'), height: attribute('height'), altText: attribute('alttext') }]
}

function readPrice(element: AdfElement | null, reading: AdfReading): AdfPrice | null {
  const given = lineOf(element, reading)
  if (element === null || given === null) return null
  warnOfAttributes(element, ['type', 'currency', 'delta', 'relativeto', 'source'], reading)
  return {
    value: readNumber(given, { name: 'price', reading }),
    type: choiceOf(element, { name: 'type', values: ADF_PRICE_TYPES, standard: null, reading }),
    currency: attributeOf(element, 'currency', reading),
    delta: choiceOf(element, { name: 'delta', values: ADF_PRICE_DELTAS, standard: null, reading }),
    relativeTo: choiceOf(element, { name: 'relativeto', values: ADF_PRICE_BASES, standard: null, reading }),
    source: attributeOf(element, 'source', reading),
  }
}

function readOption(
  element: AdfElement,
  { at, reading }: { at: string; reading: AdfReading },
): AdfVehicle['options'] {
  const children = childrenOf(element, reading)
  const option = {
    name: children.line('optionname'),
    manufacturerCode: children.line('manufacturercode'),
    stock: children.line('stock'),
    weighting: children.line('weighting'),
    price: readPrice(children.one('price'), reading),
  }
  children.keepRest(at)
  return Object.values(option).every((part) => part === null) ? [] : [option]
}

function readFinance(
  element: AdfElement | null,
  { at, reading }: { at: string; reading: AdfReading },
): AdfFinance | null {
  if (element === null) return null
  const children = childrenOf(element, reading)
  const balance = children.one('balance')
  const balanceValue = lineOf(balance, reading)
  const finance: AdfFinance = {
    method: children.line('method'),
    amounts: children.all('amount').flatMap((amount) => {
      const value = lineOf(amount, reading)
      if (value === null) return []
      return [
        {
          value: readNumber(value, { name: 'amount', reading }),
          type: choiceOf(amount, { name: 'type', values: ADF_AMOUNT_TYPES, standard: null, reading }),
          limit: choiceOf(amount, { name: 'limit', values: ADF_AMOUNT_LIMITS, standard: null, reading }),
          currency: attributeOf(amount, 'currency', reading),
        },
      ]
    }),
    balance:
      balance === null || balanceValue === null
        ? null
        : {
            value: readNumber(balanceValue, { name: 'balance', reading }),
            type: choiceOf(balance, {
              name: 'type',
              values: ADF_BALANCE_TYPES,
              standard: 'finance',
              reading,
            }),
            currency: attributeOf(balance, 'currency', reading),
          },
  }
  children.keepRest(at)
  const isEmpty = finance.method === null && finance.amounts.length === 0 && finance.balance === null
  return isEmpty ? null : finance
}

/** A number without currency signs and thousands separators, as feeds are read: `$12,000.50` is 12000.50. Other texts stay. */
function readNumber(given: string, { name, reading }: { name: string; reading: AdfReading }): string {
  // "98.765" is a number with thousands.
  const isPlain = /^[+-]?\d+(?:\.\d+)?$/.test(given) && !/^[1-9]\d{0,2}(?:\.\d{3})+$/.test(given)
  if (isPlain) return given
  const read = readFeedNumber(given)
  if (read !== null && read.unit === '') return withPlaces(read.digits, given)
  reading.warn('numberInvalid', `"${given}" (${name})`)
  return given
}

/** Cents stay as they were written: 12,000.50 is 12000.50. */
function withPlaces(digits: string, given: string): string {
  const places = /[.,](\d\d)\D*$/.exec(given)?.[1]
  if (places === undefined) return digits
  const [whole = '', fraction = ''] = digits.split('.')
  return fraction.length < 2 && fraction.padEnd(2, '0') === places ? `${whole}.${places}` : digits
}
