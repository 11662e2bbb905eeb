import { z } from 'zod'
import { FEE_CLASSES } from '#contract/customers/details/fees.ts'
import { PRICE_LAW_CODES } from '#contract/customers/details/price-laws.ts'
import { endpoint } from '#contract/endpoint.ts'
import { Id, Instant, line, Version } from '#contract/fields.ts'
import { Selection } from '#contract/lists/selection.ts'
import { can, Func, Opr } from '#contract/permissions.ts'
import { BUYER_DOCUMENT_FORMATS, BUYER_DOCUMENT_KINDS, MAX_BUYER_DOCUMENTS } from './buyer-document.ts'
import { CHANNEL_KINDS, PRICE_MEANING_CODES } from './price-meanings.ts'
import { SKIP_REASON_CODES } from '../rules/price-rule.ts'
import { Minute } from '../rules/pricing-rules.ts'
import { RULE_KIND_CODES } from '../rules/rule-kinds.ts'
import { ConfirmPrices } from '#contract/confirm-prices.ts'
import { Provenance } from '#contract/vehicles/vehicles/vehicles.ts'

/** A fee of the vehicle's total price; see `FeeLine` in total-price.ts. */
const Fee = z.object({
  name: z.string(),
  class: z.enum(FEE_CLASSES.map(({ value }) => value)),
  chargedCents: z.number().int(),
  addedCents: z.number().int(),
  runningCents: z.number().int(),
  treatment: z.enum(['included', 'in-price', 'extra']),
  limitedByPercent: z.number().nullable(),
  exceeds: z.object({ cents: z.number().int(), source: z.string(), from: z.string() }).nullable(),
})

/** A price for one vehicle only. Integer cents; until a minute in the lot's time zone, or null: until it is ended. */
export const SpecialPrice = z.object({
  cents: z.number().int(),
  until: z.string().nullable(),
  reason: z.string(),
  setAt: Instant,
  setBy: z.string().nullable(),
  /** Another number each time that one is set, also after it was ended. */
  version: z.number().int(),
})
export type SpecialPrice = z.infer<typeof SpecialPrice>

/**
 * What a price rule changed. `ruleId`: opens the rule; null for a special price, whose name is its reason. `rules`: what all price rules
 * changed together, if one of them is on costs and the caller doesn't see costs: a line of its own would tell where its limit is.
 */
export const PriceRuleLine = z.object({
  ruleId: z.string().nullable(),
  name: z.string(),
  /** How buyers read the name; null: the same. */
  label: z.string().nullable().optional().default(null),
  kind: z.enum([...RULE_KIND_CODES, 'special', 'rules']),
  amountCents: z.number().int(),
  runningCents: z.number().int(),
})

/** How the total price of a vehicle is made. Amounts are integer cents in `currency`. */
export const VehiclePrice = z.object({
  currency: z.string(),
  /** When it was calculated, and the date in the lot's time zone, which decides about fees and laws. */
  at: Instant,
  day: z.string(),
  zone: z.string(),
  /** The minute in the lot's time zone that was simulated; null: now. Today's values of the vehicle are used. */
  simulatedMinute: z.string().nullable(),
  /** Null if the vehicle has neither a price nor an MSRP. An MSRP that is shown without a price is an advertised price. */
  base: z
    .object({
      field: z.enum(['price', 'msrp']),
      cents: z.number().int(),
      /** Where the amount comes from; null if it isn't known. */
      provenance: Provenance.nullable(),
    })
    .nullable(),
  /** The price that a person set for this vehicle only; it may have ended. */
  special: SpecialPrice.nullable(),
  /** What the price rules changed, in order. */
  ruleLines: z.array(PriceRuleLine),
  /** Offers that only some buyers get, and rebates that the law doesn't allow to deduct. Never part of the price. */
  offers: z.array(
    z.object({
      ruleId: z.string(),
      name: z.string(),
      /** How buyers read the name; null: the same. */
      label: z.string().nullable(),
      cents: z.number().int(),
      qualifier: z.string().nullable(),
      /** What buyers must read beside it. */
      disclaimer: z.string().nullable(),
      until: z.string().nullable(),
      isRebate: z.boolean(),
    }),
  ),
  /** Rules that match the vehicle but change nothing. */
  skippedRules: z.array(
    z.object({
      ruleId: z.string(),
      name: z.string(),
      reason: z.enum(SKIP_REASON_CODES),
      /** The rule of its group that applied instead. */
      by: z.object({ ruleId: z.string(), name: z.string() }).nullable(),
    }),
  ),
  sellingCents: z.number().int().nullable(),
  /** What the selling price would be without the rules that have a name for buyers; null if none does, or there is no price. */
  unnamedCents: z.number().int().nullable().optional().default(null),
  fees: z.array(Fee),
  totalCents: z.number().int().nullable(),
  law: z.object({
    code: z.enum(PRICE_LAW_CODES),
    /** Where the law comes from: set for the lot, by its state, or the customer's. */
    origin: z.enum(['lot', 'state', 'customer']),
    from: z.string(),
    deductsRebates: z.boolean(),
    sentence: z.string().nullable(),
    /** The sentence isn't shown, because no dealer fee is entered for the vehicle. */
    lacksFees: z.boolean(),
    otherReading: z.string().nullable(),
    source: z.string(),
  }),
  /** Problems in the description by the lot's price law; see lint-advertisement.ts. */
  textFindings: z.array(
    z.object({ words: z.string(), from: z.number().int(), message: z.string(), source: z.string() }),
  ),
  /** The next minute in the lot's time zone at which a rule, a fee or a law changes the total price. */
  nextChange: z.object({ minute: z.string(), totalCents: z.number().int() }).nullable(),
  msrpCents: z.number().int().nullable(),
  /** Also null if the caller may not see costs. */
  costCents: z.number().int().nullable(),
  marketPriceCents: z.number().int().nullable(),
})
export type VehiclePrice = z.infer<typeof VehiclePrice>

/** The price of a vehicle in a channel, or on its page of the public site. Amounts are integer cents in `currency`. */
export const PricePlace = z.object({
  /** Null for the page. */
  channelId: z.string().nullable(),
  name: z.string(),
  kind: z.enum(CHANNEL_KINDS).nullable(),
  /** The address of the page; null for channels, and while there is no page. */
  page: z.string().nullable(),
  isActive: z.boolean(),
  priceMeaning: z.enum(PRICE_MEANING_CODES),
  currency: z.string(),
  /** What it would send now, or the page shows; null if it excludes the vehicle. */
  nextCents: z.number().int().nullable(),
  /** What the last delivered file says, since when, and the ID of its evidence; null if the vehicle isn't in it. */
  advertised: z.object({ id: z.string(), cents: z.number().int(), fromAt: Instant }).nullable(),
  /** When its next file is made; null for the page, and for a channel that only runs on demand. */
  nextRunAt: Instant.nullable(),
})
export type PricePlace = z.infer<typeof PricePlace>

const PRICED = [
  '/api/inventory/vehicle-price/{id}',
  '/api/inventory/vehicle-price-places/{id}',
  '/api/inventory/vehicle-prices/{id}',
  '/api/inventory/get-vehicles',
  '/api/inventory/edit-vehicle/{id}',
  '/api/inventory/vehicle-timeline/{id}',
  '/api/home/dashboard',
  '/api/lists/get-facets',
] as const

export const vehiclePrices = {
  get: endpoint({
    method: 'GET',
    path: '/api/inventory/vehicle-price/{id}',
    allow: can(Func.vehicles, Opr.read),
    summary:
      "Explains the total price of a vehicle: its price, the fees, and the lot's price rules; now, or at a given time in the lot's time zone, or with another price of its own.",
    input: z.strictObject({
      id: Id,
      minute: Minute.optional().default(null),
      /** Cents; as if the vehicle had this price of its own. */
      priceCents: z.coerce
        .number('Price must be a number.')
        .int('Price must be in whole cents.')
        .positive('Price must be more than 0.')
        .max(100_000_000_000, 'Price can be at most 1,000,000,000.')
        .optional(),
    }),
    output: VehiclePrice,
  }),
  setSpecial: endpoint({
    method: 'POST',
    path: '/api/inventory/set-special-price',
    allow: can(Func.vehicles, Opr.update),
    summary:
      "Sets a price for one vehicle only, which replaces the price from pricing rules, optionally until a time in the lot's time zone. Returns 409 if the vehicle has no price, or if the price is beyond the limits of the customer and `confirmPrices` is missing. Returns 409 with the current special price if it isn't the one of `version`.",
    input: z.strictObject({
      id: Id,
      /** Of the special price that is replaced; null if there was none. */
      version: Version.nullable(),
      cents: z
        .number('Price must be a number.')
        .int('Price must be in whole cents.')
        .positive('Price must be more than 0.')
        .max(100_000_000_000, 'Price can be at most 1,000,000,000.'),
      until: Minute.optional().default(null),
      reason: line(200, 'Reason'),
      confirmPrices: ConfirmPrices,
    }),
    output: VehiclePrice,
    changes: PRICED,
  }),
  endSpecial: endpoint({
    method: 'DELETE',
    path: '/api/inventory/end-special-price/{id}',
    allow: can(Func.vehicles, Opr.update),
    summary:
      "Ends the price of one vehicle, so that the pricing rules apply again. Returns 409 with the current special price if it isn't the one of `version`.",
    input: z.strictObject({ id: Id, version: Version }),
    output: VehiclePrice,
    changes: PRICED,
  }),
  places: endpoint({
    method: 'GET',
    path: '/api/inventory/vehicle-price-places/{id}',
    allow: can(Func.vehicles, Opr.read),
    summary:
      'Returns the public site, if there is one, and each channel with the price that it would send now and the one that it advertises.',
    input: z.strictObject({ id: Id }),
    output: z.array(PricePlace),
  }),
  documents: endpoint({
    method: 'POST',
    path: '/api/inventory/buyer-documents',
    allow: can(Func.vehicles, Opr.read),
    kind: 'report',
    writes: false,
    outside: true,
    summary: `Returns deal sheets, window stickers or hang tags of up to ${MAX_BUYER_DOCUMENTS} vehicles, for buyers: never with costs, or with names, limits and reasons of rules. A deal sheet ends before its price is known to change. Returns 409 if a vehicle has no price, or, for hang tags, without a public website.`,
    input: z.strictObject({
      selection: Selection,
      kind: z.enum(BUYER_DOCUMENT_KINDS, 'Choose a document.'),
      format: z.enum(BUYER_DOCUMENT_FORMATS, 'Choose PDF or HTML.'),
      /**
       * The last day of a deal sheet's offer in the lot's time zone; without it the day it is made. A sheet ends earlier if its
       * price, or an offer on it, is known to change before.
       */
      validUntil: z.iso.date('Enter a date.').nullable().optional().default(null),
    }),
  }),
}
