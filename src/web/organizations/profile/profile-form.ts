import type { z } from 'zod'
import { fieldSentences } from '#contract/field-sentences.ts'
import { NewOrganization, type OrganizationProfile } from '#contract/organizations/profile/profiles.ts'
import { type ContactRow, contactRows, showContact } from '#web/ui/record/contact-rows.ts'
import { showValue } from '#web/ui/record/show-record-value.ts'
import { CONSOLIDATION_NAMES, nameOfCountry, nameOfIndustry, nameOfMonth } from '../organization-labels.ts'

/** The values of the form: text for typed and selected values, empty if not given. */
export type ProfileValues = {
  name: string
  logo: string
  timeZone: string
  legalName: string
  industry: string
  country: string
  currency: string
  fiscalYearStart: string
  consolidation: '' | NonNullable<OrganizationProfile['consolidation']>
  address: string
  city: string
  region: string
  postalCode: string
  contacts: ContactRow[]
}

/** Field labels in form order; also used to compare a stale organization. */
export const FIELD_NAMES: Record<keyof ProfileValues, string> = {
  name: 'Name',
  logo: 'Logo',
  timeZone: 'Time zone',
  legalName: 'Legal name',
  industry: 'Industry',
  country: 'Country',
  currency: 'Currency',
  fiscalYearStart: 'Fiscal year starts in',
  consolidation: 'Consolidation approach',
  address: 'Address',
  city: 'City',
  region: 'State or province',
  postalCode: 'Postal code',
  contacts: 'Contacts',
}

export const BLANK: ProfileValues = {
  name: '',
  logo: '',
  timeZone: '',
  legalName: '',
  industry: '',
  country: '',
  currency: '',
  fiscalYearStart: '',
  consolidation: '',
  address: '',
  city: '',
  region: '',
  postalCode: '',
  contacts: [],
}

export function toValues(profile: OrganizationProfile): ProfileValues {
  const { name, timeZone, fiscalYearStart, contacts } = profile
  return {
    name,
    timeZone,
    logo: profile.logo ?? '',
    legalName: profile.legalName ?? '',
    industry: profile.industry ?? '',
    country: profile.country ?? '',
    currency: profile.currency ?? '',
    fiscalYearStart: fiscalYearStart === null ? '' : String(fiscalYearStart),
    consolidation: profile.consolidation ?? '',
    address: profile.address ?? '',
    city: profile.city ?? '',
    region: profile.region ?? '',
    postalCode: profile.postalCode ?? '',
    contacts: contactRows(contacts),
  }
}

/** The form values in the shape of the contract. Without a time zone, the default applies. */
export function toInput({
  timeZone,
  fiscalYearStart,
  ...values
}: ProfileValues): z.input<typeof NewOrganization> {
  return {
    ...values,
    fiscalYearStart: fiscalYearStart === '' ? null : Number(fiscalYearStart),
    ...(timeZone !== '' && { timeZone }),
  }
}

/** An error sentence per invalid field, from the contract. */
export function checkProfile(values: ProfileValues): Record<string, string> {
  const { error } = NewOrganization.safeParse(toInput(values))
  return error ? fieldSentences(error) : {}
}

/** A field as text, for the comparison of a stale organization. */
export function showField(name: string, values: ProfileValues): string {
  const { industry, country, fiscalYearStart, consolidation, contacts, logo } = values
  switch (name) {
    case 'industry':
      return industry === '' ? 'None' : nameOfIndustry(industry)
    case 'country':
      return country === '' ? 'None' : nameOfCountry(country)
    case 'fiscalYearStart':
      return fiscalYearStart === '' ? 'None' : nameOfMonth(Number(fiscalYearStart))
    case 'consolidation':
      return consolidation === '' ? 'None' : CONSOLIDATION_NAMES[consolidation]
    case 'logo':
      return logo === '' ? 'None' : 'Image'
    case 'contacts':
      return showValue(contacts.map(showContact))
    default:
      return showValue({ ...values }[name])
  }
}
