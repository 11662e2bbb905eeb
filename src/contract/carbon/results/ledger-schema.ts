import { z } from 'zod'
import { DENOMINATOR_KINDS } from '../inventories/inventory-schema.ts'
import { GWP_SETS } from '../factors/resolve.ts'

/**
 * What of a record a result is: the activity itself, CO2 of plants that the publisher prints apart, the fuel's way to
 * the tank, what the grid loses, and the way to the tank of that.
 */
export const PARTS = ['main', 'outside', 'upstream', 'losses', 'upstream_losses'] as const
/** Of scope 2: by the grid of the place, or by what was bought. */
export const SCOPE2_METHODS = ['location', 'market'] as const

/** The gases that are reported, each group in kg CO2e; `undivided` was published as CO2e alone. */
export const GAS_GROUPS = ['co2', 'ch4', 'n2o', 'hfc', 'pfc', 'sf6', 'nf3', 'undivided'] as const
export type GasGroup = (typeof GAS_GROUPS)[number]

export const LedgerRow = z.object({
  id: z.string(),
  recordId: z.string(),
  sourceId: z.string(),
  sourceType: z.string(),
  facilityId: z.string(),
  facilityName: z.string(),
  /** Its first day. */
  month: z.string(),
  part: z.enum(PARTS),
  scope: z.string(),
  method: z.enum(SCOPE2_METHODS).nullable(),
  /** The month's share of the record, in the unit of the bill. */
  quantity: z.string().nullable(),
  unit: z.string().nullable(),
  /** kg CO2e; null: there is no result, and `problem` says why. */
  kg: z.string().nullable(),
  biogenicKg: z.string(),
  otherKg: z.string(),
  factorId: z.string().nullable(),
  factorName: z.string().nullable(),
  publisher: z.string().nullable(),
  edition: z.string().nullable(),
  isEstimate: z.boolean(),
  problem: z.string().nullable(),
  /** `latest`, `country`, `fixed`, `no-instrument`, `certificates`, `outside-period` ... */
  flags: z.array(z.string()),
})
export type LedgerRow = z.infer<typeof LedgerRow>

/** kg CO2e by both methods of scope 2: the other scopes are in both. */
const both = {
  location: z.string(),
  market: z.string(),
}

export const SCOPES = ['1', '2', '3'] as const
export type Scope = (typeof SCOPES)[number]

export const TotalLine = z.object({
  /** A scope (`1`, `3.3`), a month, the number of a facility or source, a gas. */
  key: z.string(),
  title: z.string(),
  ...both,
  biogenic: z.string(),
  /** kg CO2e of gases outside the Kyoto Protocol, beside the scopes. */
  other: z.string(),
  /** Of `location` and of `market`: what was imported as a total, and has no record behind it. */
  imported: z.string(),
  importedMarket: z.string(),
  /** Results that are none: the sum is at least what it says. */
  missing: z.number().int(),
  estimated: z.number().int(),
})
export type TotalLine = z.infer<typeof TotalLine>

/** What emissions are divided by: `amount` of `unit`. */
export const DENOMINATOR = {
  kind: z.enum(DENOMINATOR_KINDS),
  /** Of one of its own kind. */
  name: z.string().nullable(),
  amount: z.string(),
  unit: z.string(),
}

export const Totals = z.object({
  inventory: z.object({
    id: z.string(),
    name: z.string(),
    periodStart: z.string(),
    periodEnd: z.string(),
    gwpSet: z.enum(GWP_SETS),
    status: z.string(),
  }),
  total: TotalLine,
  scopes: z.array(TotalLine),
  facilities: z.array(TotalLine),
  sources: z.array(TotalLine),
  months: z.array(TotalLine),
  /** kg CO2e of each month by scope 1, 2 and 3, what is outside of scopes left out. */
  monthScopes: z.array(z.object({ month: z.string(), scope: z.enum(SCOPES), ...both })),
  gases: z.array(TotalLine),
  /** kg CO2e for one of what the inventory divides by, in its order. */
  intensities: z.array(z.object({ ...DENOMINATOR, ...both })),
  /** The fifteen categories as the inventory judges them. */
  scope3: z.array(
    z.object({ category: z.number().int(), relevance: z.string(), reason: z.string().nullable() }),
  ),
  /** "94 of 120 expected data points": estimates and records without a result do not count. */
  coverage: z.object({
    expected: z.number().int(),
    there: z.number().int(),
    /** Of those that are not there: what an estimate stands for. */
    estimated: z.number().int(),
    sentence: z.string(),
    facilities: z.array(
      z.object({ facilityId: z.string(), expected: z.number().int(), there: z.number().int() }),
    ),
    missing: z.array(
      z.object({
        sourceId: z.string(),
        sourceType: z.string(),
        facilityName: z.string(),
        from: z.string(),
        to: z.string(),
      }),
    ),
  }),
  records: z.object({
    total: z.number().int(),
    approved: z.number().int(),
    submitted: z.number().int(),
    /** Of the submitted ones, how many want a look (`UnusualActivity`). */
    unusual: z.number().int(),
  }),
  /** Sources that are reckoned anew at this moment. */
  pending: z.number().int(),
})
export type Totals = z.infer<typeof Totals>
