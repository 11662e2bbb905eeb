import { z } from 'zod'
import {
  ADF_ADDRESS_TYPES,
  ADF_AMOUNT_LIMITS,
  ADF_AMOUNT_TYPES,
  ADF_BALANCE_TYPES,
  ADF_INTERESTS,
  ADF_ODOMETER_STATUSES,
  ADF_ODOMETER_UNITS,
  ADF_PHONE_TIMES,
  ADF_PHONE_TYPES,
  ADF_PRICE_BASES,
  ADF_PRICE_DELTAS,
  ADF_PRICE_TYPES,
  ADF_STATUSES,
  ADF_VEHICLE_STATUSES,
} from './adf-values.ts'
import { ADF_WARNING_CODES } from './adf-warnings.ts'

const Text = z.string().nullable()

/** An ID that one of the systems gave the record: with its source, it identifies the lead when it is sent again. */
const AdfId = z.object({ value: z.string(), source: Text, sequence: Text })
export type AdfId = z.infer<typeof AdfId>

/** `company` is the name of a business, the others that of a person. */
const AdfName = z.object({ full: Text, first: Text, middle: Text, last: Text, suffix: Text, company: Text })
export type AdfName = z.infer<typeof AdfName>

const AdfEmail = z.object({
  /** As it was sent. Send nothing to one that isn't valid. */
  value: z.string(),
  isValid: z.boolean(),
  isPreferred: z.boolean(),
})
export type AdfEmail = z.infer<typeof AdfEmail>

const AdfPhone = z.object({
  value: z.string(),
  type: z.enum(ADF_PHONE_TYPES),
  /** The sender's own word for the type if ADF doesn't have it, such as `home`. */
  label: Text,
  time: z.enum(ADF_PHONE_TIMES),
  isPreferred: z.boolean(),
})
export type AdfPhone = z.infer<typeof AdfPhone>

const AdfAddress = z.object({
  type: z.enum(ADF_ADDRESS_TYPES).nullable(),
  streets: z.array(z.string()),
  apartment: Text,
  city: Text,
  region: Text,
  postalCode: Text,
  country: Text,
})
export type AdfAddress = z.infer<typeof AdfAddress>

const AdfContact = z.object({
  isPrimary: z.boolean(),
  name: AdfName,
  emails: z.array(AdfEmail),
  phones: z.array(AdfPhone),
  address: AdfAddress.nullable(),
})
export type AdfContact = z.infer<typeof AdfContact>

/** `value` is a decimal number as text, such as `59999.99`, unless a warning says that it isn't a number. */
const AdfPrice = z.object({
  value: z.string(),
  /** Null if it was left out: ADF's default is a quote, which would say more than the sender did. */
  type: z.enum(ADF_PRICE_TYPES).nullable(),
  currency: Text,
  delta: z.enum(ADF_PRICE_DELTAS).nullable(),
  relativeTo: z.enum(ADF_PRICE_BASES).nullable(),
  source: Text,
})
export type AdfPrice = z.infer<typeof AdfPrice>

const AdfFinance = z.object({
  method: Text,
  amounts: z.array(
    z.object({
      value: z.string(),
      /** Null if they were left out: ADF's defaults are `total` and `maximum`. */
      type: z.enum(ADF_AMOUNT_TYPES).nullable(),
      limit: z.enum(ADF_AMOUNT_LIMITS).nullable(),
      currency: Text,
    }),
  ),
  balance: z.object({ value: z.string(), type: z.enum(ADF_BALANCE_TYPES), currency: Text }).nullable(),
})
export type AdfFinance = z.infer<typeof AdfFinance>

const AdfVehicle = z.object({
  ids: z.array(AdfId),
  interest: z.enum(ADF_INTERESTS),
  status: z.enum(ADF_VEHICLE_STATUSES),
  /** The status as it was sent, such as `certified`; null if it was left out, so that `status` is only the default. */
  statusText: Text,
  year: Text,
  make: Text,
  model: Text,
  /** In upper case. It isn't necessarily valid: see the warnings. */
  vin: Text,
  stock: Text,
  trim: Text,
  doors: Text,
  bodyStyle: Text,
  transmission: Text,
  odometer: z
    .object({
      value: z.string(),
      units: z.enum(ADF_ODOMETER_UNITS).nullable(),
      status: z.enum(ADF_ODOMETER_STATUSES).nullable(),
    })
    .nullable(),
  condition: Text,
  colors: z.array(z.object({ interior: Text, exterior: Text, preference: Text })),
  images: z.array(z.object({ url: z.string(), width: Text, height: Text, altText: Text })),
  price: AdfPrice.nullable(),
  priceComments: Text,
  options: z.array(
    z.object({
      name: Text,
      manufacturerCode: Text,
      stock: Text,
      weighting: Text,
      price: AdfPrice.nullable(),
    }),
  ),
  finance: AdfFinance.nullable(),
  comments: Text,
})
export type AdfVehicle = z.infer<typeof AdfVehicle>

/** An element that ADF doesn't have, such as `<keyword>` of a provider. */
const AdfElement = z.object({
  name: z.string(),
  attributes: z.record(z.string(), z.string()),
  text: z.string(),
  get children() {
    return z.array(AdfElement)
  },
})
export type AdfElement = z.infer<typeof AdfElement>

/** A value that no field holds: an attribute or text that ADF doesn't have there, a repeated element, or what can't be read. */
const AdfRest = z.object({
  /** The names of the elements down to its own, such as `customer/contact/email`. */
  at: z.string(),
  /** Null for the text of the element. */
  attribute: Text,
  value: z.string(),
})
export type AdfRest = z.infer<typeof AdfRest>

const AdfExtension = z.object({
  /** Where it stands: `prospect`, `customer`, `customer/contact`, `vendor`, `provider`, `vehicles/0`, `tradeIns/0`. */
  at: z.string(),
  element: AdfElement,
})
export type AdfExtension = z.infer<typeof AdfExtension>

/** One prospect of an ADF 1.0 document as plain data. `readAdf` makes it, `writeAdf` writes it. */
export const AdfLead = z.object({
  status: z.enum(ADF_STATUSES),
  ids: z.array(AdfId),
  /** In ISO 8601 with a zone, as it was sent. Null if it is missing or can't be read: use the time of receipt. */
  requestedAt: Text,
  /** The vehicles that the customer wants to buy, lease or drive. */
  vehicles: z.array(AdfVehicle),
  /** The vehicles that the customer wants to trade in or sell. */
  tradeIns: z.array(AdfVehicle),
  customer: z.object({
    ids: z.array(AdfId),
    contact: AdfContact,
    timeframe: z.object({ description: Text, earliest: Text, latest: Text }).nullable(),
  }),
  comments: Text,
  vendor: z.object({ ids: z.array(AdfId), name: Text, url: Text, contact: AdfContact.nullable() }).nullable(),
  provider: z
    .object({
      ids: z.array(AdfId),
      name: AdfName,
      service: Text,
      url: Text,
      contact: AdfContact.nullable(),
    })
    .nullable(),
  extensions: z.array(AdfExtension),
  rest: z.array(AdfRest),
  warnings: z.array(z.object({ code: z.enum(ADF_WARNING_CODES), message: z.string() })),
})
export type AdfLead = z.infer<typeof AdfLead>

/** What is stored with a lead: everything but the warnings, which its message has. */
export const StoredAdf = AdfLead.omit({ warnings: true })
export type StoredAdf = z.infer<typeof StoredAdf>

/** The same for readers of a lead: what ADF has no field for is a list of texts. */
export const LeadDocument = StoredAdf.omit({ extensions: true, rest: true }).extend({
  /** What the source sent besides, such as `{ name: "remarks", value: "Does it have the tow package?" }`. */
  more: z.array(
    z.object({
      /** The name of the element or attribute. */
      name: z.string(),
      /** The elements around it, such as `customer/contact`. */
      at: z.string(),
      value: z.string(),
    }),
  ),
})
export type LeadDocument = z.infer<typeof LeadDocument>

/** What a document contains. A prospect without a name, email and phone isn't a lead. */
export type AdfDocument = {
  leads: AdfLead[]
  unusable: { lead: AdfLead; message: string }[]
}
