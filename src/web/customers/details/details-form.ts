import { DEFAULT_TOTAL_CENTS } from '#contract/customers/details/price-limits.ts'
import { typedPercent, typeNumber, unlessBlank } from '#contract/parsing/typed-number.ts'
import type { z } from 'zod'
import {
  type CustomerDetails,
  CustomerDetailsChange,
  DISCLAIMER_CONDITIONS,
} from '#contract/customers/details/details.ts'
import {
  FEE_CLASSES,
  FEE_VEHICLES,
  type FeeCap,
  type MandatoryFee,
} from '#contract/customers/details/fees.ts'
import { type OwnProfile, PRICE_LAWS, STARTING_PROFILE } from '#contract/customers/details/price-laws.ts'
import { fieldSentences } from '#contract/field-sentences.ts'
import { labelOf } from '#contract/record.ts'
import { count } from '#web/ui/layout/date-format.ts'
import { type ContactRow, contactRows, showContact } from '#web/ui/record/contact-rows.ts'
import { showValue } from '#web/ui/record/show-record-value.ts'
import { type CustomFieldRow, fromRows, showCustomField, toRows } from '../custom-fields/custom-field-rows.ts'
import { parseMoney, typeMoney } from './money.ts'

/** `cents` and `percent` hold numbers as typed; the names match the contract's fields for error messages. */
export type FeeRow = Omit<MandatoryFee, 'cents' | 'percent' | 'from'> & {
  cents: string
  percent: string
  from: string
}
export type CapRow = Omit<FeeCap, 'cents'> & { cents: string }
export type DisclaimerRow = { name: string; text: string; appliesTo: 'all' | 'new' | 'used' }

/** Form values: text for every input, empty for none. */
export type DetailsValues = {
  name: string
  legalName: string
  website: string
  phone: string
  makes: string[]
  timeZone: string
  currency: string
  distanceUnit: CustomerDetails['distanceUnit']
  priceLaw: CustomerDetails['priceLaw']
  /** The price limits as typed: percentages and amounts. */
  priceChangePercent: string
  priceStockPercent: string
  lowestPrice: string
  highestPrice: string
  totalChange: string
  /** Empty: no approval. */
  approvalAbove: string
  fees: FeeRow[]
  feeCaps: CapRow[]
  priceProfiles: OwnProfile[]
  customFields: CustomFieldRow[]
  disclaimers: DisclaimerRow[]
  contacts: ContactRow[]
}

/** Field labels, in page order; also used to compare outdated details. */
export const DETAILS_LABELS: Record<keyof DetailsValues, string> = {
  name: 'Name',
  legalName: 'Legal name',
  website: 'Website',
  phone: 'Phone',
  makes: 'Makes',
  timeZone: 'Time zone',
  currency: 'Currency',
  distanceUnit: 'Distance unit',
  priceLaw: 'Price advertising rules',
  priceChangePercent: 'Largest price change (%)',
  priceStockPercent: 'Share of stock (%)',
  lowestPrice: 'Lowest price',
  highestPrice: 'Highest price',
  totalChange: 'Largest total change',
  approvalAbove: 'Approval above',
  fees: 'Mandatory fees',
  feeCaps: 'Highest fees',
  priceProfiles: 'Price profiles',
  disclaimers: 'Disclaimers',
  contacts: 'Contacts',
  customFields: 'Custom vehicle fields',
}

export const UNIT_NAMES: Record<CustomerDetails['distanceUnit'], string> = {
  mi: 'Miles',
  km: 'Kilometers',
}

export const BLANK_FEE: FeeRow = {
  name: '',
  cents: '',
  class: 'dealer',
  percent: '',
  vehicles: 'all',
  lotIds: [],
  from: '',
  isInPrice: false,
}
export const BLANK_CAP: CapRow = { class: 'document', region: '', cents: '', source: '', from: '' }
export const BLANK_PROFILE: OwnProfile = {
  ...STARTING_PROFILE,
  law: 'us',
  includes: [...STARTING_PROFILE.includes],
  from: '',
  source: '',
}
export const BLANK_DISCLAIMER: DisclaimerRow = { name: '', text: '', appliesTo: 'all' }

export function toDetailsValues(details: CustomerDetails): DetailsValues {
  const { name, makes, timeZone, currency, distanceUnit, priceLaw, disclaimers, priceLimits } = details
  return {
    name,
    makes,
    timeZone,
    currency,
    distanceUnit,
    priceLaw,
    priceChangePercent: typeNumber(priceLimits.changePercent),
    priceStockPercent: typeNumber(priceLimits.stockPercent),
    lowestPrice: typeMoney(priceLimits.minCents),
    highestPrice: typeMoney(priceLimits.maxCents),
    totalChange: typeMoney(priceLimits.totalCents ?? DEFAULT_TOTAL_CENTS),
    approvalAbove: typeNumber(priceLimits.approvalAbove),
    disclaimers,
    legalName: details.legalName ?? '',
    website: details.website ?? '',
    phone: details.phone ?? '',
    fees: details.fees.map((fee) => ({
      ...fee,
      cents: typeMoney(fee.cents),
      percent: typeNumber(fee.percent),
      from: fee.from ?? '',
    })),
    feeCaps: details.feeCaps.map((cap) => ({ ...cap, cents: typeMoney(cap.cents) })),
    priceProfiles: details.priceProfiles,
    contacts: contactRows(details.contacts),
    customFields: toRows(details.customFields),
  }
}

/** Converts form values to the contract's input. */
export function toDetailsInput({
  fees,
  feeCaps,
  customFields,
  priceChangePercent,
  priceStockPercent,
  lowestPrice,
  highestPrice,
  totalChange,
  approvalAbove,
  ...values
}: DetailsValues): z.input<typeof CustomerDetailsChange> {
  const fields = fromRows(customFields)
  return {
    ...values,
    customFields: fields,
    fees: fees.map((fee) => ({
      ...fee,
      cents: parseMoney(fee.cents, values.currency),
      percent: unlessBlank(fee.percent, typedPercent),
      from: fee.from === '' ? null : fee.from,
    })),
    feeCaps: feeCaps.map((cap) => ({ ...cap, cents: parseMoney(cap.cents, values.currency) })),
    priceLimits: {
      changePercent: typedPercent(priceChangePercent),
      stockPercent: typedPercent(priceStockPercent),
      minCents: parseMoney(lowestPrice, values.currency),
      maxCents: parseMoney(highestPrice, values.currency),
      totalCents: parseMoney(totalChange, values.currency),
      approvalAbove: unlessBlank(approvalAbove),
    },
  }
}

/** Form fields of the price limits, by their path in the contract. */
const LIMIT_FIELDS: Readonly<Record<string, keyof DetailsValues>> = {
  'priceLimits.changePercent': 'priceChangePercent',
  'priceLimits.stockPercent': 'priceStockPercent',
  'priceLimits.minCents': 'lowestPrice',
  'priceLimits.maxCents': 'highestPrice',
  'priceLimits.totalCents': 'totalChange',
  'priceLimits.approvalAbove': 'approvalAbove',
}

/** The contract's error message for each invalid field. */
export function checkDetails(values: DetailsValues): Record<string, string> {
  const { error } = CustomerDetailsChange.safeParse(toDetailsInput(values))
  const sentences = error ? fieldSentences(error) : {}
  return Object.fromEntries(
    Object.entries(sentences).map(([path, text]) => [LIMIT_FIELDS[path] ?? path, text]),
  )
}

/** A field's display text, for comparisons. */
export function showDetail(name: string, values: DetailsValues): string {
  if (name === 'distanceUnit') return UNIT_NAMES[values.distanceUnit]
  if (name === 'priceLaw') return labelOf(PRICE_LAWS, values.priceLaw)
  if (name === 'customFields') return showValue(values.customFields.map(showCustomField))
  if (name === 'contacts') return showValue(values.contacts.map(showContact))
  if (name === 'disclaimers')
    return showValue(
      values.disclaimers.map(
        ({ name: title, text, appliesTo }) =>
          `${title} (${labelOf(DISCLAIMER_CONDITIONS, appliesTo)}): ${text}`,
      ),
    )
  if (name === 'fees') return showValue(values.fees.map(showFee))
  if (name === 'feeCaps') return showValue(values.feeCaps.map(showCap))
  if (name === 'priceProfiles') return showValue(values.priceProfiles.map(showProfile))
  return showValue({ ...values }[name])
}

function showFee(fee: FeeRow): string {
  const facts = [
    labelOf(FEE_CLASSES, fee.class),
    fee.percent === '' ? null : `at most ${fee.percent}%`,
    fee.vehicles === 'all' ? null : labelOf(FEE_VEHICLES, fee.vehicles),
    fee.lotIds.length === 0 ? null : count(fee.lotIds.length, 'lot', 'lots'),
    fee.from === '' ? null : `from ${fee.from}`,
    fee.isInPrice ? 'in the price' : null,
  ]
  return `${fee.name} ${fee.cents} (${facts.filter((one) => one !== null).join(', ')})`
}

function showCap({ class: of, region, cents, source, from }: CapRow): string {
  return `${labelOf(FEE_CLASSES, of)} in ${region}: ${cents} from ${from} (${source})`
}

function showProfile({ law, from, includes, deductsRebates, sentence, source }: OwnProfile): string {
  const fees = includes.length === 0 ? 'no fees' : includes.map((one) => labelOf(FEE_CLASSES, one)).join(', ')
  const rebates = deductsRebates ? 'rebates deducted' : 'no rebate deducted'
  return `${labelOf(PRICE_LAWS, law)} from ${from}: ${fees}; ${rebates}; "${sentence}" (${source})`
}
