import type { z } from 'zod'
import { type CustomerDetails, CustomerDetailsChange } from '#contract/customers/details/details.ts'
import { fieldSentences } from '#contract/field-sentences.ts'
import { type ContactRow, contactRows, showContact } from '#web/ui/form/contact-rows.ts'
import { showValue } from '#web/ui/record/show-record-value.ts'
import { type CustomFieldRow, fromRows, showCustomField, toRows } from './custom-field-rows.ts'
import { parseMoney, typeMoney } from './money.ts'

/** `cents` holds the amount as typed, under the name by which the contract complains about it. */
export type FeeRow = { name: string; cents: string; kind: 'dealer' | 'government' }
export type DisclaimerRow = { name: string; text: string }

/** What the form holds: text wherever a person types, empty for "not given". */
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
  fees: FeeRow[]
  customFields: CustomFieldRow[]
  disclaimers: DisclaimerRow[]
  contacts: ContactRow[]
}

/** How fields are called, in the order of the page; the comparison of stale details reads it too. */
export const DETAILS_LABELS: Record<keyof DetailsValues, string> = {
  name: 'Name',
  legalName: 'Legal name',
  website: 'Website',
  phone: 'Phone',
  makes: 'Makes',
  timeZone: 'Time zone',
  currency: 'Currency',
  distanceUnit: 'Distances',
  priceLaw: 'Rules on advertised prices',
  fees: 'Mandatory fees',
  disclaimers: 'Disclaimers',
  contacts: 'Contacts',
  customFields: 'Custom fields of vehicles',
}

export const UNIT_NAMES: Record<CustomerDetails['distanceUnit'], string> = {
  mi: 'Miles',
  km: 'Kilometres',
}

/** Whose rules, and what they ask for in short. */
export const LAW_NAMES: Record<CustomerDetails['priceLaw'], { name: string; help: string }> = {
  us: {
    name: 'United States',
    help: 'Federal: the advertised price includes every fee that a buyer cannot avoid, government charges aside.',
  },
  'us-ca': {
    name: 'California',
    help: 'The total with every mandatory dealer charge stands first and in full; document fees are capped.',
  },
  'us-ok': {
    name: 'Oklahoma',
    help: 'The advertised price includes document and handling fees.',
  },
  ca: {
    name: 'Canada',
    help: 'All-in pricing: every fee is in the advertised price; sales tax and licensing may stand outside.',
  },
  none: {
    name: 'None of these',
    help: 'Prices are shown as they are entered. Nothing is checked.',
  },
}

export const FEE_KIND_NAMES: Record<FeeRow['kind'], string> = {
  dealer: 'Dealer, in the total',
  government: 'Government, outside the total',
}

export const BLANK_FEE: FeeRow = { name: '', cents: '', kind: 'dealer' }
export const BLANK_DISCLAIMER: DisclaimerRow = { name: '', text: '' }

export function toDetailsValues(details: CustomerDetails): DetailsValues {
  const { name, makes, timeZone, currency, distanceUnit, priceLaw, disclaimers } = details
  return {
    name,
    makes,
    timeZone,
    currency,
    distanceUnit,
    priceLaw,
    disclaimers,
    legalName: details.legalName ?? '',
    website: details.website ?? '',
    phone: details.phone ?? '',
    fees: details.fees.map((fee) => ({ ...fee, cents: typeMoney(fee.cents) })),
    contacts: contactRows(details.contacts),
    customFields: toRows(details.customFields),
  }
}

/** As the contract takes it. */
export function toDetailsInput({
  fees,
  customFields,
  ...values
}: DetailsValues): z.input<typeof CustomerDetailsChange> {
  const own = fromRows(customFields)
  return { ...values, customFields: own, fees: fees.map((fee) => ({ ...fee, cents: parseMoney(fee.cents) })) }
}

/** A sentence for each field that is wrong; the contract's own. */
export function checkDetails(values: DetailsValues): Record<string, string> {
  const { error } = CustomerDetailsChange.safeParse(toDetailsInput(values))
  return error ? fieldSentences(error) : {}
}

/** A field as words, for the comparison. */
export function showDetail(name: string, values: DetailsValues): string {
  if (name === 'distanceUnit') return UNIT_NAMES[values.distanceUnit]
  if (name === 'priceLaw') return LAW_NAMES[values.priceLaw].name
  if (name === 'customFields') return showValue(values.customFields.map(showCustomField))
  if (name === 'contacts') return showValue(values.contacts.map(showContact))
  if (name === 'disclaimers') return showValue(values.disclaimers.map((one) => `${one.name}: ${one.text}`))
  if (name === 'fees') return showValue(values.fees.map((fee) => `${fee.name} ${fee.cents} (${fee.kind})`))
  return showValue({ ...values }[name])
}
