import { ConfirmPrices } from '#contract/confirm-prices.ts'
import { trimmed } from '#contract/trimmed.ts'
import { z } from 'zod'
import { CustomField, CustomFields } from '../custom-fields/custom-fields.ts'
import { FeeCap, MandatoryFee } from './fees.ts'
import { OwnProfile, OwnProfiles, PRICE_LAW_CODES } from './price-laws.ts'
import { PriceLimits } from './price-limits.ts'
import { Contact, SavedContact } from '#contract/contact.ts'
import { endpoint } from '#contract/endpoint.ts'
import { Instant, line, optionalLine, TimeZone, Version } from '#contract/fields.ts'
import { can, Func, Opr } from '#contract/permissions.ts'

export const DISTANCE_UNITS = ['mi', 'km'] as const
export const DISCLAIMER_CONDITIONS = [
  { value: 'all', label: 'All vehicles' },
  { value: 'new', label: 'New vehicles' },
  { value: 'used', label: 'Used vehicles' },
] as const
const CONDITION_VALUES = DISCLAIMER_CONDITIONS.map(({ value }) => value)
/** The vehicles beside which a disclaimer is shown. Certified and demo vehicles are used ones. */
const AppliesTo = z.enum(CONDITION_VALUES, 'Choose the vehicles.').optional().default('all')

/** Text that must appear with prices and offers. */
export const Disclaimer = z.strictObject({
  name: line(80, 'Name'),
  text: z
    .string()
    .overwrite(trimmed)
    .min(1, 'Text is required.')
    .max(4000, 'Text can have at most 4000 characters.'),
  appliesTo: AppliesTo,
})

type PricedByTerms = Readonly<{
  isNew: boolean
  quote: Readonly<{ rebateTerms: readonly string[] }> | null
}>

/**
 * The texts that belong beside the prices and offers of these vehicles, each once, in the customer's order, and the terms of
 * rebates that are deducted from the prices.
 */
export function disclaimersOf(
  disclaimers: readonly Pick<z.infer<typeof Disclaimer>, 'text' | 'appliesTo'>[],
  vehicles: readonly PricedByTerms[],
): string[] {
  const applies = (appliesTo: (typeof CONDITION_VALUES)[number]): boolean =>
    vehicles.some(({ isNew }) => appliesTo === 'all' || (appliesTo === 'new') === isNew)
  const own = disclaimers.filter(({ appliesTo }) => applies(appliesTo)).map(({ text }) => text)
  return [...new Set([...own, ...vehicles.flatMap(({ quote }) => quote?.rebateTerms ?? [])])]
}

const fields = {
  name: line(120, 'Name'),
  legalName: optionalLine(160, 'Legal name'),
  website: z
    .union([
      z.null(),
      z.literal('').transform(() => null),
      z
        .url({ protocol: /^https?$/, error: 'Enter a full web address, such as https://www.example.com.' })
        .max(300),
    ])
    .optional(),
  phone: optionalLine(32, 'Phone'),
  timeZone: TimeZone,
  currency: z.string().regex(/^[A-Z]{3}$/, 'Currency must be a three-letter code such as USD.'),
  distanceUnit: z.enum(DISTANCE_UNITS, 'Choose miles or kilometers.'),
  priceLaw: z.enum(PRICE_LAW_CODES, 'Choose the price advertising rules.'),
  makes: z.array(line(40, 'Make')).max(100, 'A customer can have at most 100 makes.'),
  contacts: z.array(Contact).max(50, 'A customer can have at most 50 contacts.'),
  fees: z.array(MandatoryFee).max(50, 'A customer can have at most 50 fees.'),
  feeCaps: z.array(FeeCap).max(50, 'A customer can have at most 50 fee caps.'),
  customFields: CustomFields,
  disclaimers: z.array(Disclaimer).max(50, 'A customer can have at most 50 disclaimers.'),
}

/** The customer as its own users see and edit it. */
export const CustomerDetails = z.object({
  id: z.string(),
  name: z.string(),
  legalName: z.string().nullable(),
  website: z.string().nullable(),
  phone: z.string().nullable(),
  timeZone: z.string(),
  currency: z.string(),
  distanceUnit: z.enum(DISTANCE_UNITS),
  priceLaw: z.enum(PRICE_LAW_CODES),
  /** Prices beyond these limits need a user's confirmation. */
  priceLimits: PriceLimits,
  makes: z.array(z.string()),
  contacts: z.array(SavedContact),
  fees: z.array(MandatoryFee),
  /** The highest fees that laws allow, entered with their sources. */
  feeCaps: z.array(FeeCap),
  /** The customer's own readings of the price laws. */
  priceProfiles: z.array(OwnProfile),
  disclaimers: z.array(z.object({ name: z.string(), text: z.string(), appliesTo: AppliesTo })),
  /** Vehicle fields defined by the customer. */
  customFields: z.array(CustomField),
  /** The domains branded for this customer. */
  domains: z.array(z.string()),
  organizations: z.number().int(),
  people: z.number().int(),
  lots: z.number().int(),
  /** Why the caller can't change them regardless of permissions; null if they can. */
  lock: z.string().nullable(),
  version: z.number().int(),
  updatedAt: Instant,
  updatedBy: z.string().nullable(),
})
export type CustomerDetails = z.infer<typeof CustomerDetails>

/** Accepts the whole response of `details`; only the fields present are changed. */
export const CustomerDetailsChange = z
  .looseObject({
    version: Version,
    name: fields.name.optional(),
    legalName: fields.legalName,
    website: fields.website,
    phone: fields.phone,
    timeZone: fields.timeZone.optional(),
    currency: fields.currency.optional(),
    distanceUnit: fields.distanceUnit.optional(),
    priceLaw: fields.priceLaw.optional(),
    priceLimits: PriceLimits.optional(),
    makes: fields.makes.optional(),
    contacts: fields.contacts.optional(),
    fees: fields.fees.optional(),
    feeCaps: fields.feeCaps.optional(),
    priceProfiles: OwnProfiles.optional(),
    disclaimers: fields.disclaimers.optional(),
    customFields: fields.customFields.optional(),
    confirmPrices: ConfirmPrices,
  })
  .transform(({ version, name, legalName, website, phone, timeZone, currency, distanceUnit, ...rest }) => {
    const {
      priceLaw,
      priceLimits,
      makes,
      contacts,
      fees,
      feeCaps,
      priceProfiles,
      disclaimers,
      customFields,
      confirmPrices,
    } = rest
    const profile = { name, legalName, website, phone, timeZone, currency, distanceUnit }
    const lists = { makes, contacts, fees, feeCaps, priceProfiles, disclaimers, customFields }
    return { version, ...profile, priceLaw, priceLimits, ...lists, confirmPrices }
  })

/** One change of the customer's details. */
export const DetailsActivity = z.object({ at: Instant, by: z.string().nullable(), what: z.string() })

export const customerDetails = {
  get: endpoint({
    method: 'GET',
    path: '/api/customers/details',
    allow: can(Func.customerDetails, Opr.read),
    summary: 'Returns the current customer: profile, domains, price rules, fees, disclaimers and contacts.',
    output: CustomerDetails,
  }),
  update: endpoint({
    method: 'POST',
    path: '/api/customers/update-details',
    allow: can(Func.customerDetails, Opr.update),
    summary:
      'Updates the current customer. Returns 409 with the current details if the version is outdated, on `approval` if it changes more advertised totals than one user may change, or raises that limit, and on `confirmPrices` if they change beyond the limits of the customer.',
    input: CustomerDetailsChange,
    output: CustomerDetails,
    changes: ['/api/customers/details-activity'],
  }),
  activity: endpoint({
    method: 'GET',
    path: '/api/customers/details-activity',
    allow: can(Func.customerDetails, Opr.read),
    summary: 'Lists the latest changes to the details, newest first, at most 50.',
    output: z.array(DetailsActivity),
  }),
}
