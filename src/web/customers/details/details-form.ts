import type { z } from 'zod'
import { type CustomerDetails, CustomerDetailsChange } from '#contract/customers/details/details.ts'
import { fieldSentences } from '#contract/field-sentences.ts'
import { type ContactRow, contactRows, showContact } from '#web/ui/form/contact-rows.ts'
import { showValue } from '#web/ui/record/show-record-value.ts'
import { type CustomFieldRow, fromRows, showCustomField, toRows } from './custom-field-rows.ts'
import { parseMoney, typeMoney } from './money.ts'

/** `cents` holds the amount as typed; the name matches the contract's field for error messages. */
export type FeeRow = { name: string; cents: string; kind: 'dealer' | 'government' }
export type DisclaimerRow = { name: string; text: string }

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
  fees: FeeRow[]
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
  fees: 'Mandatory fees',
  disclaimers: 'Disclaimers',
  contacts: 'Contacts',
  customFields: 'Custom vehicle fields',
}

export const UNIT_NAMES: Record<CustomerDetails['distanceUnit'], string> = {
  mi: 'Miles',
  km: 'Kilometers',
}

/** Price advertising rules, each with a short summary. */
export const LAW_NAMES: Record<CustomerDetails['priceLaw'], { name: string; help: string }> = {
  us: {
    name: 'United States',
    help: 'Federal: the advertised price must include every mandatory fee except government charges.',
  },
  'us-ca': {
    name: 'California',
    help: 'Show the full total with all mandatory dealer charges first. Document fees are capped.',
  },
  'us-ok': {
    name: 'Oklahoma',
    help: 'The advertised price must include document and handling fees.',
  },
  ca: {
    name: 'Canada',
    help: 'All-in pricing: the advertised price must include every fee. Sales tax and licensing can be excluded.',
  },
  none: {
    name: 'None',
    help: 'Prices are shown as entered. Nothing is checked.',
  },
}

export const FEE_KIND_NAMES: Record<FeeRow['kind'], string> = {
  dealer: 'Dealer (in total)',
  government: 'Government (not in total)',
}

export const BLANK_FEE: FeeRow = { name: '', cents: '', kind: 'dealer' }
export const BLANK_DISCLAIMER: DisclaimerRow = { name: '', text: '' }

export function toDetailsValues(details: CustomerDetails): DetailsValues {
  const { name, makes, timeZone, currency, distanceUnit, priceLaw, disclaimers, priceLimits } = details
  return {
    name,
    makes,
    timeZone,
    currency,
    distanceUnit,
    priceLaw,
    priceChangePercent: String(priceLimits.changePercent),
    priceStockPercent: String(priceLimits.stockPercent),
    lowestPrice: typeMoney(priceLimits.minCents),
    highestPrice: typeMoney(priceLimits.maxCents),
    disclaimers,
    legalName: details.legalName ?? '',
    website: details.website ?? '',
    phone: details.phone ?? '',
    fees: details.fees.map((fee) => ({ ...fee, cents: typeMoney(fee.cents) })),
    contacts: contactRows(details.contacts),
    customFields: toRows(details.customFields),
  }
}

/** Converts form values to the contract's input. */
export function toDetailsInput({
  fees,
  customFields,
  priceChangePercent,
  priceStockPercent,
  lowestPrice,
  highestPrice,
  ...values
}: DetailsValues): z.input<typeof CustomerDetailsChange> {
  const fields = fromRows(customFields)
  return {
    ...values,
    customFields: fields,
    fees: fees.map((fee) => ({ ...fee, cents: parseMoney(fee.cents, values.currency) })),
    priceLimits: {
      changePercent: percentOf(priceChangePercent),
      stockPercent: percentOf(priceStockPercent),
      minCents: parseMoney(lowestPrice, values.currency),
      maxCents: parseMoney(highestPrice, values.currency),
    },
  }
}

/** "30" and "30%". NaN if invalid, so that the contract's error message is shown. */
function percentOf(text: string): number {
  const plain = text.trim().replace(/\s*%$/, '')
  return /^\d+$/.test(plain) ? Number(plain) : Number.NaN
}

/** Form fields of the price limits, by their path in the contract. */
const LIMIT_FIELDS: Readonly<Record<string, keyof DetailsValues>> = {
  'priceLimits.changePercent': 'priceChangePercent',
  'priceLimits.stockPercent': 'priceStockPercent',
  'priceLimits.minCents': 'lowestPrice',
  'priceLimits.maxCents': 'highestPrice',
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
  if (name === 'priceLaw') return LAW_NAMES[values.priceLaw].name
  if (name === 'customFields') return showValue(values.customFields.map(showCustomField))
  if (name === 'contacts') return showValue(values.contacts.map(showContact))
  if (name === 'disclaimers') return showValue(values.disclaimers.map((one) => `${one.name}: ${one.text}`))
  if (name === 'fees') return showValue(values.fees.map((fee) => `${fee.name} ${fee.cents} (${fee.kind})`))
  return showValue({ ...values }[name])
}
