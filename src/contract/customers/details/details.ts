import { z } from 'zod'
import { CustomField, CustomFields } from '../custom-fields/custom-fields.ts'
import { PriceLimits } from './price-limits.ts'
import { Contact, SavedContact } from '#contract/contact.ts'
import { endpoint } from '#contract/endpoint.ts'
import { Instant, line, optionalLine, TimeZone, Version } from '#contract/fields.ts'
import { can, Func, Opr } from '#contract/permissions.ts'

export const DISTANCE_UNITS = ['mi', 'km'] as const
/** Price advertising rules: United States (federal), California, Oklahoma, Canada, or none. */
export const PRICE_LAWS = ['us', 'us-ca', 'us-ok', 'ca', 'none'] as const
/** `dealer` fees are part of the total price, `government` fees are not. */
export const FEE_KINDS = ['dealer', 'government'] as const

/** A fee every buyer pays. Amounts are whole cents of the customer's currency. */
export const MandatoryFee = z.strictObject({
  name: line(80, 'Name'),
  cents: z
    .number('Amount must be a number.')
    .int('Amount must be in whole cents.')
    .min(0, "Amount can't be negative.")
    .max(100_000_000, 'Amount can be at most 1,000,000.'),
  kind: z.enum(FEE_KINDS, 'Choose who charges the fee.'),
})

/** Text that must appear with prices and offers. */
export const Disclaimer = z.strictObject({
  name: line(80, 'Name'),
  text: z.string().trim().min(1, 'Text is required.').max(4000, 'Text can have at most 4000 characters.'),
})

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
  priceLaw: z.enum(PRICE_LAWS, 'Choose the price advertising rules.'),
  makes: z.array(line(40, 'Make')).max(100, 'A customer can have at most 100 makes.'),
  contacts: z.array(Contact).max(50, 'A customer can have at most 50 contacts.'),
  fees: z.array(MandatoryFee).max(50, 'A customer can have at most 50 fees.'),
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
  priceLaw: z.enum(PRICE_LAWS),
  /** Prices beyond these limits need a user's confirmation. */
  priceLimits: PriceLimits,
  makes: z.array(z.string()),
  contacts: z.array(SavedContact),
  fees: z.array(z.object({ name: z.string(), cents: z.number().int(), kind: z.enum(FEE_KINDS) })),
  disclaimers: z.array(z.object({ name: z.string(), text: z.string() })),
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
    disclaimers: fields.disclaimers.optional(),
    customFields: fields.customFields.optional(),
  })
  .transform(({ version, name, legalName, website, phone, timeZone, currency, distanceUnit, ...rest }) => {
    const { priceLaw, priceLimits, makes, contacts, fees, disclaimers, customFields } = rest
    const profile = { name, legalName, website, phone, timeZone, currency, distanceUnit }
    return { version, ...profile, priceLaw, priceLimits, makes, contacts, fees, disclaimers, customFields }
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
    summary: 'Updates the current customer. Returns 409 with the current details if the version is outdated.',
    input: CustomerDetailsChange,
    output: CustomerDetails,
  }),
  activity: endpoint({
    method: 'GET',
    path: '/api/customers/details-activity',
    allow: can(Func.customerDetails, Opr.read),
    summary: 'Lists the latest changes to the details, newest first, at most 50.',
    output: z.array(DetailsActivity),
  }),
}
