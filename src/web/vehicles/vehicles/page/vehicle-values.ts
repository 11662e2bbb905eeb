import { unlessBlank, typeNumber } from '#contract/parsing/typed-number.ts'
import {
  type CustomField,
  type CustomFieldName,
  customFieldName,
  readCustomValue,
} from '#contract/customers/custom-fields/custom-fields.ts'
import { otherCurrency, splitCurrency } from '#contract/parsing/parse-amount.ts'
import { fieldSentences } from '#contract/field-sentences.ts'
import { VEHICLE_FIELDS } from '#contract/vehicles/vehicles/vehicle-fields.ts'
import { NewVehicle } from '#contract/vehicles/vehicles/vehicle-input.ts'
import { ELECTRIFICATIONS } from '#contract/vehicles/vehicles/vehicle-choices.ts'
import type { VehicleRecord } from '#contract/vehicles/vehicles/vehicles.ts'
import { parseMoney, typeMoney } from '#web/customers/index.ts'
import { showValue } from '#web/ui/record/show-record-value.ts'
import { readTyped, typeCustom } from '../custom-fields/custom-labels.ts'
import { CONDITION_NAMES, ELECTRIFICATION_NAMES, STATUS_NAMES } from '../vehicle-labels.ts'

const F = VEHICLE_FIELDS

/** Field labels in the order of the form. */
export const FIELD_NAMES = {
  lotId: 'Lot',
  stock: F.stock.title,
  vin: F.vin.title,
  status: 'Status',
  statusReason: 'Reason',
  condition: F.condition.title,
  inStockOn: F.inStockOn.title,
  year: F.year.title,
  make: F.make.title,
  model: F.model.title,
  trim: F.trim.title,
  body: F.body.title,
  doors: F.doors.title,
  mileage: F.mileage.title,
  certification: F.certification.title,
  priceCents: F.price.title,
  msrpCents: F.msrp.title,
  feedPriceCents: F.feedPrice.title,
  marketPriceCents: F.marketPrice.title,
  marketPriceSource: F.marketPriceSource.title,
  marketPriceOn: F.marketPriceOn.title,
  bookValueCents: F.bookValue.title,
  bookValueSource: F.bookValueSource.title,
  bookValueOn: F.bookValueOn.title,
  costCents: F.cost.title,
  invoiceCents: F.invoice.title,
  color: F.color.title,
  genericColor: F.genericColor.title,
  interiorColor: F.interiorColor.title,
  engine: F.engine.title,
  fuel: F.fuel.title,
  electrification: F.electrification.title,
  transmission: F.transmission.title,
  drivetrain: F.drivetrain.title,
  cityEconomy: F.cityEconomy.title,
  highwayEconomy: F.highwayEconomy.title,
  whPerMile: F.whPerMile.title,
  co2: F.co2.title,
  tags: 'Tags',
  options: F.options.title,
  description: F.description.title,
  pageUrl: F.pageUrl.title,
  custom: 'Custom fields',
  locksEdits: 'Lock the fields I change',
} as const

type Name = keyof typeof FIELD_NAMES
/** The values of the form. Typed fields are text, empty if not set. */
export type VehicleValues = Record<Exclude<Name, 'options' | 'tags' | 'custom' | 'locksEdits'>, string> & {
  /** Input for custom fields, by field name. */
  custom: Record<CustomFieldName, string>
  options: string[]
  tags: string[]
  locksEdits: boolean
}

const TEXTS = [
  ...(['stock', 'vin', 'statusReason', 'make', 'model', 'trim', 'body', 'certification', 'color'] as const),
  ...(['genericColor', 'interiorColor', 'engine', 'fuel', 'transmission', 'drivetrain'] as const),
  ...(['description', 'pageUrl', 'inStockOn'] as const),
  ...(['marketPriceSource', 'marketPriceOn', 'bookValueSource', 'bookValueOn'] as const),
] as const
const NUMBERS = ['year', 'doors', 'mileage', 'cityEconomy', 'highwayEconomy', 'whPerMile', 'co2'] as const
const AMOUNTS = [
  ...(['priceCents', 'msrpCents', 'feedPriceCents', 'costCents', 'invoiceCents'] as const),
  ...(['marketPriceCents', 'bookValueCents'] as const),
] as const

/** A record with a value for each name. */
function each<K extends string, V>(names: readonly K[], make: (name: K) => V): Record<K, V> {
  const isWhole = (record: Partial<Record<K, V>>): record is Record<K, V> =>
    names.every((name) => name in record)
  const made: Partial<Record<K, V>> = {}
  for (const name of names) made[name] = make(name)
  if (!isWhole(made)) throw new Error('A field is missing.')
  return made
}

const none = () => ''

export const BLANK: VehicleValues = {
  ...each(TEXTS, none),
  ...each(NUMBERS, none),
  ...each(AMOUNTS, none),
  lotId: '',
  condition: 'used',
  status: 'incoming',
  electrification: '',
  options: [],
  tags: [],
  custom: {},
  locksEdits: true,
}

export function toValues(vehicle: VehicleRecord): VehicleValues {
  return {
    ...each(TEXTS, (name) => vehicle[name] ?? ''),
    ...each(NUMBERS, (name) => typeNumber(vehicle[name])),
    ...each(AMOUNTS, (name) => {
      const cents = vehicle[name]
      return cents === null ? '' : typeMoney(cents)
    }),
    lotId: vehicle.lotId,
    condition: vehicle.condition,
    status: vehicle.status,
    electrification: vehicle.electrification ?? '',
    options: vehicle.options,
    tags: vehicle.tags,
    custom: Object.fromEntries(
      Object.entries(vehicle.custom).map(([name, value]) => [name, typeCustom(value)]),
    ),
    locksEdits: true,
  }
}

/** The input for the API. */
export function toInput(values: VehicleValues, own: readonly CustomField[], currency: string): NewVehicle {
  const { lotId, condition, status, electrification, options, tags, locksEdits } = values
  return {
    lotId,
    options,
    tags,
    locksEdits,
    custom: Object.fromEntries(
      own.map((field) => [
        customFieldName(field),
        readTyped(field, values.custom[customFieldName(field)] ?? ''),
      ]),
    ),
    ...each(TEXTS, (name) => values[name]),
    ...each(NUMBERS, (name) => unlessBlank(values[name])),
    ...each(AMOUNTS, (name) => (values[name].trim() === '' ? null : parseMoney(values[name], currency))),
    ...knownChoices({ condition, status }),
    electrification: ELECTRIFICATIONS.find((one) => one === electrification) ?? null,
  }
}

function knownChoices(of: { condition: string; status: string }) {
  const { condition, status } = NewVehicle.shape
  return { condition: condition.parse(of.condition), status: status.parse(of.status) }
}

/** Error messages by field, mostly from the contract. */
export function checkVehicle(
  values: VehicleValues,
  own: readonly CustomField[],
  currency: string,
): Record<string, string> {
  const input = toInput(values, own, currency)
  const { error } = NewVehicle.safeParse(input)
  const wrong = error ? fieldSentences(error) : {}
  return {
    ...wrong,
    ...checkCurrencies(values, currency),
    ...checkCustomFields(own, input.custom ?? {}),
    ...(values.lotId === '' && { lotId: 'Lot is required.' }),
    ...(values.status === 'hold' &&
      values.statusReason.trim() === '' && { statusReason: 'Reason is required.' }),
  }
}

/** `currency` is empty until the customer's settings are loaded. */
function currencyProblem(text: string, currency: string): string | null {
  if (currency !== '') return otherCurrency(text, currency)
  return splitCurrency(text).currencies.length > 0 ? 'Enter the amount without a currency.' : null
}

/** Error messages for amounts in another currency. */
function checkCurrencies(values: VehicleValues, currency: string): Record<string, string> {
  return Object.fromEntries(
    AMOUNTS.flatMap((name) => {
      const sentence = currencyProblem(values[name], currency)
      return sentence === null ? [] : [[name, sentence]]
    }),
  )
}

/** Error messages for custom fields, the same as from the server. */
function checkCustomFields(
  own: readonly CustomField[],
  custom: NonNullable<NewVehicle['custom']>,
): Record<string, string> {
  const errors: Record<string, string> = {}
  for (const field of own) {
    const name = customFieldName(field)
    const read = readCustomValue(field, custom[name] ?? null)
    if (typeof read === 'string') errors[`custom.${name}`] = read
  }
  return errors
}

/** A form field as text, for the comparison after a conflict. Only the vehicle's own lot has a known name. */
export function showField(name: string, values: VehicleValues, vehicle?: VehicleRecord): string {
  if (name === 'lotId') return values.lotId === vehicle?.lotId ? vehicle.lotName : 'Another lot'
  if (name === 'status') return STATUS_NAMES.get(values.status) ?? values.status
  if (name === 'condition') return CONDITION_NAMES.get(values.condition) ?? values.condition
  if (name === 'electrification') return ELECTRIFICATION_NAMES.get(values.electrification) ?? 'None'
  if (name === 'custom') return showValue(Object.values(values.custom).filter((text) => text !== ''))
  return showValue({ ...values }[name])
}
