import { hasWrongCheckDigit } from '#contract/vehicles/vin/check-digit.ts'
import type { AdfElement, AdfFinance, AdfPrice, AdfVehicle } from './adf-lead.ts'
import {
  attributeOf,
  childrenOf,
  choiceOf,
  idsOf,
  lineOf,
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
    status: choiceOf(element, { name: 'status', values: ADF_VEHICLE_STATUSES, standard: 'new', reading }),
    year: children.line('year'),
    make: children.line('make'),
    model: children.line('model'),
    vin: readVin(children.line('vin'), reading),
    stock: readStock(children, reading),
    trim: children.line('trim'),
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
  const { interest: _interest, status: _status, ...facts } = known
  const isKnown = Object.values(facts).some((fact) => (Array.isArray(fact) ? fact.length > 0 : fact !== null))
  return isKnown || reading.extensions.some((extension) => extension.at === at) ? known : null
}

function readInterest(element: AdfElement, reading: AdfReading): AdfVehicle['interest'] {
  const interest = element.attributes['interest'] ?? ''
  const given = {
    ...element,
    attributes: { interest: interest.replace(/^(trade|test)[_ ]?(in|drive)$/i, '$1-$2') },
  }
  return choiceOf(given, { name: 'interest', values: ADF_INTERESTS, standard: 'buy', reading })
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
  const stock = children.line('stock')
  const other = children.line('stocknumber')
  if (other !== null) reading.warn('stockNumberElement')
  return stock ?? other
}

function readOdometer(element: AdfElement | null, reading: AdfReading): AdfVehicle['odometer'] {
  const given = lineOf(element, reading)
  if (element === null || given === null) return null
  warnOfAttributes(element, ['status', 'units', 'unit'], reading)
  const attribute = attributeOf(element, 'units', reading) ?? attributeOf(element, 'unit', reading)
  const [, number = given, suffix = null] = /^([\d.,\s]+?)\s*([a-z]+)\.?$/i.exec(given) ?? []
  const units = attribute ?? suffix
  return {
    value: readNumber(number, { name: 'odometer', reading }),
    units: units === null ? null : readUnits(units, reading),
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
  return interior === null && exterior === null ? [] : [{ interior, exterior, preference }]
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
    type: choiceOf(element, { name: 'type', values: ADF_PRICE_TYPES, standard: 'quote', reading }),
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
          type: choiceOf(amount, { name: 'type', values: ADF_AMOUNT_TYPES, standard: 'total', reading }),
          limit: choiceOf(amount, { name: 'limit', values: ADF_AMOUNT_LIMITS, standard: 'maximum', reading }),
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

/** A number without currency signs and thousands separators: `$12,000.50` is 12000.50. Other texts stay as they are. */
function readNumber(given: string, { name, reading }: { name: string; reading: AdfReading }): string {
  const plain = given.replace(/^([+-]?)\s*(?:US|CA)?[$€£]\s*/, '$1')
  const ungrouped = /^[+-]?\d{1,3}(?:,\d{3})+(?:\.\d+)?$/.test(plain) ? plain.replaceAll(',', '') : plain
  if (/^[+-]?\d+(?:\.\d+)?$/.test(ungrouped)) return ungrouped
  reading.warn('numberInvalid', `"${given}" (${name})`)
  return given
}
